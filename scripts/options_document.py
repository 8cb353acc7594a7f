"""Write the tables of docs/options.md from the option classes of the registered methods and builds.

Usage: options_document.py

The text between the two marks of the page is generated; the rest of the page is written by hand.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from dataclasses import MISSING, Field, fields
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from generated import as_markdown, replace_generated
from tetragraph.rl.options import EpisodeOptions
from tetragraph.rl.search_policy.train import PolicyTraining
from tetragraph.rl.train_options import TrainOptions
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

PAGE = Path(__file__).parents[1] / "docs" / "options.md"
TYPES = {str: "text", int: "integer", float: "number", bool: "`true` or `false`"}
_ATTRIBUTE = re.compile(r"^    (\w+): (.*(?:\n {8}.*)*)", re.MULTILINE)


def described(cls: type[Any]) -> dict[str, str]:
    """The text of each option in the docstring of its class, or of the class that it is inherited from, in one line."""
    texts = {}
    for one in reversed(cls.__mro__):
        _, _, attributes = (inspect.cleandoc(one.__doc__ or "")).partition("Attributes:\n")
        texts.update({name: " ".join(text.split()) for name, text in _ATTRIBUTE.findall(attributes)})
    return texts


def tables() -> str:
    """A table for each method and each build that has options, in the order of the registry."""
    searches = ((f"Search: `{name}`", one.search_options) for name, one in RETRIEVERS.items())
    builds = ((f"Build: `{name}`", one.build_options) for name, one in BUILD_TARGETS.items())
    episodes: list[tuple[str, type[Any] | None]] = [
        ("Episodes: `ask` and `rollouts` in mode `rl`", EpisodeOptions),
        ("Training: `rl train`", TrainOptions),
        ("Training: `policy train`", PolicyTraining),
    ]
    found = [(title, cls) for title, cls in (*searches, *episodes, *builds) if cls is not None and fields(cls)]
    return "\n".join(line for title, cls in found for line in (f"## {title}", "", *_table(cls), ""))


def update_page(page: str) -> str:
    """The page with tables that agree with the classes."""
    return replace_generated(page, Path(__file__).name, tables())


def _table(cls: type[Any]) -> Iterator[str]:
    types, texts = get_type_hints(cls), described(cls)
    yield from ("| option | type | default | meaning |", "| --- | --- | --- | --- |")
    for one in sorted(fields(cls), key=lambda one: one.name not in cls.__annotations__):  # inherited ones last
        cells = (f"`{one.name}`", _type(types[one.name]), _default(one), _text(texts[one.name]))
        yield f"| {' | '.join(cells)} |"


def _type(kind: Any) -> str:
    given = [one for one in get_args(kind) if one is not NoneType]
    if get_origin(kind) is UnionType or get_origin(kind) is Union:
        return " or ".join(map(_type, given))
    if get_origin(kind) is Literal:
        return " or ".join(f"`{value}`" for value in get_args(kind))
    if get_origin(kind) is tuple:
        return f"list of {TYPES[get_args(kind)[0]]}s"
    return TYPES.get(kind, "see the text")


def _default(one: Field[Any]) -> str:
    if one.default is MISSING or one.default in ("", (), None):
        return ""
    value = list(one.default) if isinstance(one.default, tuple) else one.default
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"


def _text(docstring: str) -> str:
    return as_markdown(docstring).replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
