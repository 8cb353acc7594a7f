"""Docstrings are plain technical prose: they describe a thing or an action, with a subject."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted([*(ROOT / "app").rglob("*.py"), *(ROOT / "loaders").rglob("*.py"), *(ROOT / "adapters").rglob("*.py")])
BEGINNING = re.compile(r"(?:What|Likewise|Of the)\b")
ENTRY = re.compile(r"^\s*\*{0,2}\w+(?: \(.*?\))?: (?:Of\b|Likewise\b).*", re.MULTILINE)
"""An attribute or argument whose description lacks a subject."""


def docstrings(source: str) -> Iterator[tuple[int, str]]:
    """Docstrings of a module, its classes, functions and attributes, with their lines."""
    tree = ast.parse(source)
    sent = {id(form.body[0]) for form in ast.walk(tree) if isinstance(form, ast.ClassDef) and _is_sent(form)}
    for node in ast.walk(tree):
        if id(node) in sent:
            continue
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str):
            yield node.lineno, node.value.value


def _is_sent(form: ast.ClassDef) -> bool:
    """Whether a docstring is part of the JSON schema that a language model is sent, and of cached requests."""
    return any(isinstance(base, ast.Name) and base.id == "BaseModel" for base in form.bases)


def faults(source: str) -> list[str]:
    """Line and words of every docstring that breaks a rule."""
    found = []
    for line, text in docstrings(source):
        if BEGINNING.match(text.strip()):
            found.append(f"{line}: {text.strip().splitlines()[0]}")
        found += [f"{line}: {entry[0].strip()}" for entry in ENTRY.finditer(text)]
    return found


@pytest.mark.parametrize("module", MODULES, ids=lambda file: file.relative_to(ROOT).as_posix())
def test_a_docstring_has_a_subject(module: Path) -> None:
    assert faults(module.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        '"""What a search finds."""',
        'def f():\n    """Of the corpus."""',
        'class A:\n    """Likewise."""',
        'x = 1\n"""What is counted."""',
        'class A:\n    """A thing.\n\n    Attributes:\n        k: Of the search.\n    """',
        'def f(k):\n    """Count.\n\n    Args:\n        k: Likewise.\n    """',
    ],
)
def test_a_docstring_without_a_subject_is_found(source: str) -> None:
    assert faults(source)


@pytest.mark.parametrize(
    "source",
    [
        '"""Whatever is found first."""',
        'class A:\n    """A thing.\n\n    Attributes:\n        k: Number of hits.\n    """',
    ],
)
def test_plain_prose_is_accepted(source: str) -> None:
    assert faults(source) == []
