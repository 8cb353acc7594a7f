"""docs/python.md lists the methods and values of the Python interface as the code defines them."""

from __future__ import annotations

import runpy
from pathlib import Path

import tetragraph

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "python_document.py"))
PAGE = (ROOT / "docs" / "python.md").read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_classes() -> None:
    assert SCRIPT["update_page"](PAGE) == PAGE, "run `python scripts/python_document.py`, and look at the difference"


def test_every_public_name_is_on_the_page() -> None:
    assert [name for name in tetragraph.__all__ if not name.startswith("__") and f"`{name}`" not in PAGE] == []
