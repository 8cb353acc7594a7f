"""docs/explanations.md describes every part of a score."""

from __future__ import annotations

import re
from pathlib import Path

from tetragraph.systems.registry import RETRIEVERS

MEANINGS = {name: one.score_parts for name, one in RETRIEVERS.items() if one.score_parts}

ROOT = Path(__file__).parents[2]


def test_the_document_tells_of_every_part_of_every_method() -> None:
    page = (ROOT / "docs" / "explanations.md").read_text(encoding="utf-8")
    rows = dict.fromkeys(MEANINGS, "")
    method = ""
    for name, parts in re.findall(r"^\| (?:`(\w+)`)? ?\| (`[^|]*`) \|", page, re.MULTILINE):
        method = name or method
        rows[method] += parts
    assert {one: set(re.findall(r"\w+", parts)) for one, parts in rows.items()} == {
        one: set(parts) for one, parts in MEANINGS.items()
    }
