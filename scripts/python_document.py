"""Write the tables of docs/python.md from the classes and functions that a program uses.

Usage: python_document.py

The text between the two marks of the page is generated; the rest of the page is written by hand.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import tetragraph
from generated import as_markdown, replace_generated
from tetragraph import AnchorRun, AnswerStream, Corpus, Session, Tetragraph
from tetragraph.answering.sessions import Sessions
from tetragraph.client.analytics import Analytics
from tetragraph.client.entities import Entities
from tetragraph.client.policies import Policies

PAGE = Path(__file__).parents[1] / "docs" / "python.md"
CLASSES: dict[str, type[Any]] = {
    "Tetragraph": Tetragraph,
    "Tetragraph.policies": Policies,
    "Corpus": Corpus,
    "Corpus.entities": Entities,
    "Corpus.analytics": Analytics,
    "Corpus.sessions": Sessions,
    "Session": Session,
    "AnchorRun": AnchorRun,
    "AnswerStream": AnswerStream,
}
"""Classes with methods, by how they are reached."""
ASYNCHRONOUS = ("AsyncCorpus", "AsyncTetragraph")
"""Classes that have the methods of others, for asyncio."""


def tables() -> str:
    """A table of the methods of each class, and one of all other public names."""
    lines = [line for title, cls in CLASSES.items() for line in (f"## `{title}`", "", *_methods(cls), "")]
    return "\n".join([*lines, "## Values", "", *_values(), ""])


def update_page(page: str) -> str:
    """The page with tables that agree with the classes."""
    return replace_generated(page, Path(__file__).name, tables())


def _methods(cls: type[Any]) -> Iterator[str]:
    yield from ("| call | returns | |", "| --- | --- | --- |")
    for owner in reversed(cls.__mro__):
        for name, member in vars(owner).items():
            if not name.startswith("_") and (called := _function(member)) and owner is not object:
                call = name if isinstance(member, property) else f"{name}({_parameters(called)})"
                returned = inspect.signature(called).return_annotation
                yield _row(f"`{call}`", f"`{returned}`".replace("|", r"\|"), summary(called))


def _values() -> Iterator[str]:
    yield from ("| name | |", "| --- | --- |")
    for name in tetragraph.__all__:
        found = getattr(tetragraph, name)
        if isinstance(found, type) and found not in CLASSES.values() and name not in ASYNCHRONOUS:
            yield _row(f"`{name}`", summary(found))


def _function(member: Any) -> Callable[..., Any] | None:
    """The function behind a method or property; None for anything else."""
    inner = getattr(member, "__func__", None) or getattr(member, "fget", None) or member
    return inner if inspect.isfunction(inner) else None


def _parameters(function: Callable[..., Any]) -> str:
    """Names and defaults, without ``self`` and types."""
    given = inspect.signature(function)
    kept = [one.replace(annotation=inspect.Parameter.empty) for one in list(given.parameters.values())[1:]]
    shown = str(given.replace(parameters=kept, return_annotation=inspect.Signature.empty))[1:-1]
    return re.sub(r"=<[^>]*>|=Budget\([^)]*\)", "=…", shown)


def summary(documented: Any) -> str:
    """The first sentences of a docstring, up to the first empty line, in one line."""
    text = (inspect.getdoc(documented) or "").partition("\n\n")[0]
    return re.sub(r":\w+:`~?([^`]+)`", r"`\1`", as_markdown(" ".join(text.split())))


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
