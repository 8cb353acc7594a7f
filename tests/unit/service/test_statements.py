"""Bounds of statements for analysts over HTTP."""

from __future__ import annotations

from tetragraph.client.analytics import Table, pack
from tetragraph.client.remote.requests import MOST_LISTED
from tetragraph.service.routes.analytics import shorten


def test_each_statement_may_be_run_with_its_defaults() -> None:
    limits = [one.default for statement in pack() for one in statement.parameters if one.name == "limit"]
    assert limits
    assert all(isinstance(limit, int) and 1 <= limit <= MOST_LISTED for limit in limits)


def test_a_table_with_more_rows_than_a_list_may_have_is_cut_with_a_note() -> None:
    rows = tuple({"role": f"role {number}"} for number in range(MOST_LISTED + 1))
    fits = Table("find_roles", ("role",), rows[:-1], ("a note",))
    assert shorten(fits) is fits
    cut = shorten(Table("find_roles", ("role",), rows, ("a note",)))
    assert cut.rows == rows[:-1]
    assert cut.notes == ("a note", "the first 1,000 of 1,001 rows; the others were left out")
