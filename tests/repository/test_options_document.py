"""docs/options.md lists every option of every method and build as its class defines it."""

from __future__ import annotations

import runpy
from dataclasses import fields
from pathlib import Path

from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "options_document.py"))
PAGE = (ROOT / "docs" / "options.md").read_text(encoding="utf-8")


def test_every_option_is_described_in_the_docstring_of_its_class() -> None:
    options = [one.search_options for one in RETRIEVERS.values()] + [
        one.build_options for one in BUILD_TARGETS.values() if one.build_options is not None
    ]
    assert {cls for cls in options if {one.name for one in fields(cls)} != set(SCRIPT["described"](cls))} == set()


def test_the_tables_are_those_of_the_classes() -> None:
    assert SCRIPT["update_page"](PAGE) == PAGE, "run `python scripts/options_document.py`, and look at the difference"
