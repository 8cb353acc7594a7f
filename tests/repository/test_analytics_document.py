"""docs/analytics.md describes every statement for analysts as its header does."""

from __future__ import annotations

import re
import runpy
from pathlib import Path

from tetragraph import queries
from tetragraph.client.analytics import pack

ROOT = Path(__file__).parents[2]
SCRIPT = runpy.run_path(str(ROOT / "scripts" / "analytics_document.py"))
PAGE = (ROOT / "docs" / "analytics.md").read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_headers() -> None:
    assert SCRIPT["update_page"](PAGE) == PAGE, "run `python scripts/analytics_document.py`, and look at the difference"
    assert all(f"[`{one.name}`]" in PAGE for one in pack())


def test_each_group_is_explained() -> None:
    explained = re.findall(r"^\| (\w+) \| \S.*\?", PAGE.split("## 2.")[0], re.MULTILINE)
    assert tuple(explained) == queries.GROUPS


def test_each_statement_that_is_named_is_there() -> None:
    named = set(re.findall(r"\b((?:find|get)_\w+)", PAGE))
    assert named == {one.name for one in pack()}


def test_each_file_that_is_linked_is_there() -> None:
    assert all((ROOT / "docs" / link).exists() for link in re.findall(r"\]\(([^)#]+)\)", PAGE))
