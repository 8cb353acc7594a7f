"""The guide in the side bar of Neo4j Browser: a slide for each graph, made from the query files.

``schema/browser/guide.toml`` contains the words and the names of the queries; their text comes from ``cypher/``, so
that the guide shows the tested queries.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from html import escape

from tetragraph import queries
from tetragraph.errors import QueryFileError
from tetragraph.queries import Query

BEGIN = (
    "param corpus => COLLECT { MATCH (c:Corpus) OPTIONAL MATCH (state:IngestState {corpus: c.name, id: c.name}) "
    "RETURN c.name ORDER BY coalesce(state.published, 0) = 0, c.name <> 'demo', c.name LIMIT 1 }[0]",
    "param place => 1",
    "param limit => 15",
)
"""Commands that set the parameters of the guide's queries; the corpus is the demo, otherwise the first by name, among
those that a search can read."""


@dataclass(frozen=True, slots=True)
class Choice:
    """A parameter that a click sets: its name, its value as Cypher, and the words to click on."""

    words: str
    name: str
    value: str


@dataclass(frozen=True, slots=True)
class Slide:
    """One page of the guide.

    Attributes:
        words: Explanations for the reader, a paragraph each.
        choices: Parameters to set before the queries can run, in order.
        draw: Name of the query that draws.
        table: Name of the query that tabulates.
        change: Suggestion of further changes.
    """

    title: str
    words: tuple[str, ...]
    choices: tuple[Choice, ...]
    draw: str
    table: str
    change: str

    @property
    def queries(self) -> tuple[str, ...]:
        """The names of its queries."""
        return (self.draw, self.table)


def slides() -> tuple[Slide, ...]:
    """The slides of ``guide.toml``.

    Raises:
        QueryFileError: a slide lacks a field or has an unknown one.
    """
    text = (queries.root("schema") / "browser" / "guide.toml").read_text(encoding="utf-8")
    try:
        return tuple(
            Slide(
                **{
                    **slide,
                    "words": tuple(slide["words"]),
                    "choices": tuple(Choice(**choice) for choice in slide["choices"]),
                }
            )
            for slide in tomllib.loads(text)["slide"]
        )
    except (KeyError, TypeError, tomllib.TOMLDecodeError) as error:
        raise QueryFileError(f"schema/browser/guide.toml: {error}; is the installation complete?") from error


def statement(query: Query) -> str:
    """Text of a query in the guide: its summary as a comment, and the statement without the rest of the header."""
    lines = query.text.splitlines()
    body = next(number for number, line in enumerate(lines) if not line.startswith("//"))
    return "\n".join([f"// {query.summary}", *lines[body:]])


def page(content: tuple[Slide, ...]) -> str:
    """The guide as HTML for Browser: one article, every text escaped."""
    shown = "\n".join(_slide(one) for one in content)
    return (
        '<article class="guide">\n<title>tetragraph</title>\n<carousel class="deck container-fluid">\n'
        f"{shown}\n</carousel>\n</article>\n"
    )


def _slide(slide: Slide) -> str:
    parts = [
        f"<h3>{escape(slide.title)}</h3>",
        *(f"<p>{escape(words)}</p>" for words in slide.words),
        *(_choice(choice) for choice in slide.choices),
        "<h4>Draw it</h4>",
        _query(slide.draw),
        "<h4>List it</h4>",
        _query(slide.table),
        "<h4>Change it</h4>",
        f"<p>{escape(slide.change)}</p>",
    ]
    body = "\n".join(parts)
    return f'<slide class="row-fluid"><div class="col-sm-12">\n{body}\n</div></slide>'


def _choice(choice: Choice) -> str:
    command = f"param {choice.name} => {' '.join(choice.value.split())}"
    return f'<p><a data-exec="{escape(command)}">{escape(choice.words)}</a></p>'


def _query(name: str) -> str:
    return f'<pre class="runnable">{escape(statement(queries.get(name)), quote=False)}</pre>'
