"""The order of superseded passages, and the documents that are not valid on a day."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as some

from tetragraph.model import Chunk, Evidence, Hit
from tetragraph.model.validity import Validity
from tetragraph.stores.versions import Versions
from tetragraph.systems.copies import merge_copies
from tetragraph.systems.versions import PART, mark_superseded, order_versions

CHAIN = Versions.of({"b": Validity("2024-01-01", "", ("a",)), "c": Validity("2025-01-01", "", ("b",))})
"""c supersedes b, which supersedes a."""


def hits(*found: tuple[str, float]) -> list[Hit]:
    """Hits of documents with scores."""
    return [
        Hit(rank, score, Chunk(f"{document}{rank}", document, "", "", f"{document} {rank}", 0, 0, 1, 1), {"own": score})
        for rank, (document, score) in enumerate(found, start=1)
    ]


def order(versions: Versions, found: list[Hit], *, is_complete: bool = True) -> list[Hit]:
    return [*order_versions(mark_superseded(found, versions), is_complete=is_complete)]


def documents(found: list[Hit]) -> str:
    return "".join(hit.chunk.document_id for hit in found)


def test_a_superseded_passage_follows_the_last_one_of_its_successors() -> None:
    found = order(CHAIN, hits(("a", 0.9), ("b", 0.8), ("x", 0.7), ("c", 0.6), ("y", 0.6), ("c", 0.5), ("z", 0.4)))
    assert documents(found) == "xcycbaz"
    assert [hit.rank for hit in found] == list(range(1, 8))
    assert found[5].superseded_by == ("b", "c")
    assert found[4].superseded_by == ("c",)


def test_the_parts_of_a_moved_passage_add_up() -> None:
    *_, moved = order(CHAIN, hits(("a", 0.9), ("b", 0.8)))
    assert moved.chunk.document_id == "a"
    assert moved.score == math.nextafter(0.8, 0)
    assert sum(moved.parts.values()) == pytest.approx(moved.score, abs=1e-12)
    (why,) = moved.contributions
    assert (why.part, why.label, why.value) == (PART, "superseded by 'b', 'c'", moved.parts[PART])


def test_passages_that_are_in_order_stay_as_they_are() -> None:
    found = hits(("b", 0.9), ("a", 0.8), ("x", 0.7))
    assert [(hit.score, hit.parts) for hit in order(CHAIN, found)] == [(hit.score, hit.parts) for hit in found]
    alone = hits(("a", 0.9), ("x", 0.8))
    assert documents(order(CHAIN, alone)) == "ax"


def test_below_a_cut_a_successor_has_a_lower_place_than_all_others() -> None:
    assert documents(order(CHAIN, hits(("a", 0.9), ("x", 0.8), ("y", 0.7)), is_complete=False)) == "xya"


def test_documents_that_supersede_one_another_are_still_ranked() -> None:
    circle = Versions.of({"a": Validity(supersedes=("b",)), "b": Validity(supersedes=("a",))})
    found = order(circle, hits(("a", 0.9), ("b", 0.8), ("a", 0.7)))
    assert sorted(documents(found)) == ["a", "a", "b"]
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)


@given(some.lists(some.tuples(some.sampled_from("abcxy"), some.integers(0, 5)), max_size=25), some.booleans())
def test_no_passage_is_above_one_of_its_successors(drawn: list[tuple[str, int]], complete: bool) -> None:
    given_hits = hits(*sorted(((document, score / 8) for document, score in drawn), key=lambda one: -one[1]))
    found = order(CHAIN, given_hits, is_complete=complete)
    assert sorted(hit.chunk.id for hit in found) == sorted(hit.chunk.id for hit in given_hits)
    scores = [hit.score for hit in found]
    assert scores == sorted(scores, reverse=True)
    for place, hit in enumerate(found):
        assert not any(later.chunk.document_id in hit.superseded_by for later in found[place + 1 :])
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-12)
    free = [hit.chunk.id for hit in found if not hit.superseded_by]
    assert free == [hit.chunk.id for hit in given_hits if hit.chunk.document_id in "cxy"]


def test_a_document_is_valid_until_its_successor_begins() -> None:
    days = {"2023-06-01": {"b", "c"}, "2024-01-01": {"a", "c"}, "2025-06-01": {"a", "b"}}
    assert {day: CHAIN.not_valid_on(day) for day in days} == days
    undated = Versions.of({"b": Validity(supersedes=("a",)), "x": Validity("", "2020-01-01")})
    assert undated.not_valid_on("1999-01-01") == {"a"}
    assert undated.not_valid_on("2020-01-02") == {"a", "x"}


def test_of_two_copies_the_one_that_still_holds_is_kept() -> None:
    old, new = hits(("a", 0.9), ("b", 0.8))
    new = Hit(2, 0.8, Chunk("n", "c", "", "", old.chunk.text, 0, 0, 1, 1))
    other = hits(("x", 0.85))[0]
    assert [hit.chunk.document_id for hit in merge_copies([old, other, new], {})] == ["a", "x"]
    assert [hit.chunk.document_id for hit in merge_copies([old, other, new], {}, CHAIN)] == ["x", "c"]


def test_versions_that_are_nearly_the_same_are_no_copies_of_one_another() -> None:
    old, new, copy = hits(("a", 0.9), ("c", 0.8), ("x", 0.7))
    near = dict.fromkeys((hit.chunk.id for hit in (old, new, copy)), old.chunk.id)
    assert merge_copies([old, new, copy], near) == (old,)
    assert [hit.chunk.document_id for hit in merge_copies([old, new, copy], near, CHAIN)] == ["a", "c"]
    assert [hit.chunk.document_id for hit in merge_copies([old, copy], near, CHAIN)] == ["x"]


def test_an_answer_is_read_from_no_hit_that_another_supersedes_unless_these_are_kept() -> None:
    found = mark_superseded(hits(("a", 0.9), ("c", 0.8), ("x", 0.7)), CHAIN)
    assert documents([*Evidence("?", "dense", found).current]) == "cx"
    kept = Evidence("?", "dense", found, {"options": {"superseded": "keep"}})
    assert documents([*kept.current]) == "acx"
