"""Descriptions of repairs in findings, and obsolete projections."""

from __future__ import annotations

import pytest

from tetragraph.cli.doctor import _mark
from tetragraph.doctor.findings import FAULTS, Finding, HealthReport, State, fault
from tetragraph.stores import gds

KEY, OTHER = "0123456789abcdef", "fedcba9876543210"


def test_a_fault_that_is_known_has_a_repair_and_another_has_none() -> None:
    known = fault("corpus a", "orphaned vectors", "2 vectors belong to nothing", part="chunks", count=2)
    assert (known.state, known.deletes, known.repair) == ("found", True, FAULTS["orphaned vectors"].repair)
    for unknown in (
        fault("corpus a", "half dropped", "no document"),
        fault("corpus a", "interrupted change", "a model is asked", is_mendable=False),
    ):
        assert (unknown.state, unknown.deletes, unknown.repair) == ("not here", False, "")


@pytest.mark.parametrize(("state", "is_mendable"), [("found", True), ("needs --yes", True), ("repaired", False)])
def test_what_is_repaired_is_not_mended_again(state: State, is_mendable: bool) -> None:
    finding = Finding("corpus a", ok=state == "repaired", detail="", kind="stale vectors", state=state)
    assert finding.is_mendable == is_mendable


@pytest.mark.parametrize(
    ("kind", "is_repaired", "mark"),
    [("stale vectors", False, "FIX"), ("orphaned vectors", False, "YES?"), ("orphaned vectors", True, "FIX")],
)
def test_a_check_marks_what_needs_a_yes_and_a_repair_what_it_could_not_repair(
    kind: str, is_repaired: bool, mark: str
) -> None:
    found = fault("corpus a", kind, "2 vectors")
    assert found.state == "found"
    assert _mark(found, is_repaired=is_repaired)[0].strip() == mark


def test_a_report_is_well_when_what_was_found_is_repaired() -> None:
    repaired = Finding("corpus a", ok=True, detail="", kind="stale vectors", state="repaired")
    left = fault("corpus a", "expired sessions", "1 session")
    assert HealthReport((repaired,)).ok
    both = HealthReport((repaired, left))
    assert (both.ok, both.faults, both.repaired) == (False, (left,), (repaired,))


@pytest.mark.parametrize(
    ("name", "is_stale"),
    [
        (f"{KEY}-gain-000000000007-0123abcd", False),
        (f"{KEY}-gain-000000000006-0123abcd", True),
        (f"{KEY}-gain-000000000008-0123abcd", True),
        (f"{OTHER}-gain-000000000007-0123abcd", True),
        (f"{KEY}-walk-{'0123456789abcdef' * 2}", True),
    ],
)
def test_a_projection_is_stale_that_no_search_to_come_asks_for(name: str, is_stale: bool) -> None:
    assert gds._is_stale(name, {KEY: 7}) == is_stale
