"""Write the tables of docs/settings.md from the fields of ``Settings`` and their docstrings.

Usage: settings_document.py

The text between the two marks of the page is generated; the rest of the page is written by hand.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from itertools import pairwise
from pathlib import Path
from types import NoneType, UnionType
from typing import Literal, get_args, get_origin

from pydantic import AliasChoices, SecretStr
from pydantic.fields import FieldInfo

from generated import as_markdown, replace_generated
from tetragraph.settings import Settings

PAGE = Path(__file__).parents[1] / "docs" / "settings.md"
TYPES = {str: "text", bool: "`true` or `false`", int: "integer", float: "number", Path: "path", SecretStr: "secret"}
RULES = {"Ge": ("≥", "ge"), "Gt": (">", "gt"), "Le": ("≤", "le")}


def docstrings() -> dict[str, str]:
    """The docstring of each setting that has one, in one line."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(Settings)))
    body = next(node.body for node in ast.walk(tree) if isinstance(node, ast.ClassDef))
    found = {}
    for field, text in pairwise(body):
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name) and isinstance(text, ast.Expr):
            found[field.target.id] = " ".join(str(ast.literal_eval(text.value)).split())
    return found


def tables() -> str:
    """A table with one row for each setting, in the order of the class."""
    described = docstrings()
    rows = [
        f"| {_names(name, field)} | {_type(field)} | {_default(field)} | {_text(described[name])} |"
        for name, field in Settings.model_fields.items()
    ]
    return "\n".join(["| environment | type | default | meaning |", "| --- | --- | --- | --- |", *rows, ""])


def update_page(page: str) -> str:
    """Return the page with current tables."""
    return replace_generated(page, Path(__file__).name, tables())


def _names(name: str, field: FieldInfo) -> str:
    alias = field.validation_alias
    names = alias.choices if isinstance(alias, AliasChoices) else [f"TETRAGRAPH_{name.upper()}"]
    return ", ".join(f"`{one}`" for one in names)


def _type(field: FieldInfo) -> str:
    kind = field.annotation
    if get_origin(kind) is UnionType:
        (kind,) = (one for one in get_args(kind) if one is not NoneType)
    if get_origin(kind) is Literal:
        return " or ".join(f"`{value}`" for value in get_args(kind))
    rules = [f"{RULES[type(one).__name__][0]} {getattr(one, RULES[type(one).__name__][1])}" for one in field.metadata]
    return ", ".join([TYPES.get(kind, "JSON object") if isinstance(kind, type) else "JSON object", *rules])


def _default(field: FieldInfo) -> str:
    """The default; empty if there is none, or if it depends on the system and the docstring states it."""
    value = field.default
    if field.default_factory is not None or value in (None, {}):
        return ""
    if isinstance(value, bool):
        value = str(value).lower()
    text = value.get_secret_value() if isinstance(value, SecretStr) else str(value)
    return f"`{text}`" if text else "empty"


def _text(docstring: str) -> str:
    return as_markdown(docstring).replace("|", r"\|")


if __name__ == "__main__":
    PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
