"""Markdown: one document with its headings; the text stays Markdown, so offsets refer to the source.

Front matter (``key: value`` lines between two ``---`` at the very beginning) becomes metadata and is not part of the
text. The document's title is the ``title`` of the front matter, otherwise the first heading of level 1, otherwise the
file name. Lists and nested values of the front matter are left out, since metadata are scalars.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt

from tetragraph.model import Document, Heading, Scalar, Unreadable
from tetragraph_loaders.reading import load_one, title_from
from tetragraph_loaders.rows import number_or_text

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_YAML_LINE = re.compile(r"\s*|\s*#.*|\s+.*|-(\s.*)?|[\w.-]+:(\s.*)?")
_PAIR = re.compile(r"([\w.-]+):[ \t]+(\S.*?)[ \t]*")
_NOT_SCALAR = ("[", "{", "|", ">", "&", "*", "!")
_LINE_END = re.compile(r"\r|\n")


def load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
    """Read the file as one document; headings inside quotes and lists are treated as text."""
    return load_one(path, id_prefix, lambda text: _parse(text, path, id_prefix))


def _parse(text: str, path: Path, source: str) -> Document:
    metadata, body = split_front_matter(text)
    headings = find_headings(body)
    first = next((heading.title for heading in headings if heading.level == 1), title_from(path))
    title = str(metadata.pop("title", first))
    return Document(source, title, body, source=source, metadata=metadata, headings=headings)


def split_front_matter(text: str) -> tuple[dict[str, Scalar], str]:
    r"""Split off the front matter; returns its values as scalars, and the text after it.

    >>> split_front_matter("---\nyear: 2024\ndraft: false\n---\nText")
    ({'year': 2024, 'draft': False}, 'Text')
    """
    match = _FRONT_MATTER.match(text)
    lines = (match[1] or "").splitlines() if match else []
    if match is None or not all(_YAML_LINE.fullmatch(line) for line in lines):
        return {}, text
    pairs = (_PAIR.fullmatch(line) for line in lines)
    found = {pair[1]: _scalar(pair[2]) for pair in pairs if pair and not pair[2].startswith(_NOT_SCALAR)}
    return found, text[match.end() :]


def _scalar(value: str) -> Scalar:
    if len(value) > 1 and value[0] == value[-1] and value[0] in "'\"":
        return value[1:-1]
    if value.lower() in {"true", "false"}:
        return value.lower() == "true"
    return number_or_text(value)


def find_headings(text: str) -> tuple[Heading, ...]:
    """Find the headings of a Markdown text in order; the offset of a heading is that of the line on which it begins."""
    parser = MarkdownIt("commonmark").disable("inline")
    tokens = parser.parse(text)
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    found = []
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            title = _plain(content.content)
            if title:
                found.append(Heading(starts[opening.map[0]], int(opening.tag[1]), title))
    return tuple(found)


def _plain(inline: str) -> str:
    """The text of a heading, without emphasis, links and code marks."""
    children = MarkdownIt("commonmark").parseInline(inline)[0].children or []
    words = (" " if child.type in {"softbreak", "hardbreak"} else child.content for child in children)
    return " ".join("".join(words).split())
