"""Write the tables of docs/analytics.md from the headers of the statements.

Usage: analytics_document.py

The text between the two marks of the page is generated; the rest of the page is written by hand.
"""

from __future__ import annotations

from itertools import groupby
from pathlib import Path

from generated import replace_generated
from tetragraph.client.analytics import Parameter, Statement, pack

PAGE = Path(__file__).parents[1] / "docs" / "analytics.md"


def tables() -> str:
    """A heading and a table for each group, in the order of the pack."""
    return "\n".join(_table(group, list(members)) for group, members in groupby(pack(), key=lambda one: one.group))


def update_page(page: str) -> str:
    """Return the page with current tables."""
    return replace_generated(page, Path(__file__).name, tables())


def _table(group: str, members: list[Statement]) -> str:
    rows = [f"| {_link(one)} | {one.summary} | {', '.join(map(_parameter, one.parameters))} |" for one in members]
    return "\n".join([f"### {group}", "", "| statement | returns | parameters |", "| --- | --- | --- |", *rows, ""])


def _link(one: Statement) -> str:
    return f"[`{one.name}`](../cypher/{one.file}.cypher)"


def _parameter(one: Parameter) -> str:
    if one.default is None:
        return f"**{one.name}**"
    return f"{one.name} ({one.default})"


if __name__ == "__main__":
    PAGE.write_text(update_page(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
