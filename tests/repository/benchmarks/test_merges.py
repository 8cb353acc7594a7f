"""Merges that were checked manually, compared with those of the rules."""

from __future__ import annotations

from benchmarks.merges import CheckedMerge, by_reason, is_made, read_checked

from tetragraph.language.entity_resolution.model import Merge, Resolution
from tetragraph.language.entity_resolution.proposals import TRUST
from tetragraph.language.lexicon.names import normalise_name

FOUND = Resolution(
    (
        Merge("a roe", "ann roe", "A. Roe", "short form", 0.95, "1"),
        Merge("anne roe", "ann roe", "Anne Roe", "similar", 0.95),
        Merge("roe", "kay roe", "Roe", "short form", 0.95, "2"),
    )
)


def judged(alias: str, entity: str, document: str = "", *, right: bool = True, drawn: bool = True) -> CheckedMerge:
    return CheckedMerge(alias, entity, document, "short form", 0.9, right, drawn)


def test_a_merge_is_still_made_where_both_names_mean_one_entity() -> None:
    assert is_made(FOUND, judged("a roe", "ann roe", "1"))
    assert is_made(FOUND, judged("anne roe", "a roe", "1"))
    assert is_made(FOUND, judged("ann roe", "anne roe"))
    assert not is_made(FOUND, judged("a roe", "ann roe", "2"))
    assert not is_made(FOUND, judged("a roe", "ann roe"))


def test_figures_count_what_is_right_and_what_is_still_made() -> None:
    rows = [
        judged("a roe", "ann roe", "1"),
        judged("b roe", "bea roe", "1"),
        judged("roe", "kay roe", "2", right=False),
        judged("roe", "kay roe", "3", right=False, drawn=False),
    ]
    assert by_reason(FOUND, rows)["short form"] == {
        "merges": 2,
        "drawn": 3,
        "right_drawn": 2,
        "right_still_made": 1,
        "wrong_known": 2,
        "wrong_still_made": 1,
    }
    assert by_reason(FOUND, rows)["similar"]["merges"] == 1


def test_two_hundred_merges_of_all_reasons_are_judged() -> None:
    rows = read_checked()
    assert sum(one.drawn for one in rows) == 200
    assert {one.reason for one in rows} == {*TRUST} - {"gazetteer"}  # which a user states
    assert len({(one.alias, one.document) for one in rows}) == len(rows)
    for one in rows:
        assert normalise_name(one.alias) == one.alias != one.entity == normalise_name(one.entity)
        assert 0 < one.score <= 1
