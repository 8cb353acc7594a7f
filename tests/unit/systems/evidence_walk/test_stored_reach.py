"""Which chunks a step reaches is estimated as the walk on the whole graph finds it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.algorithms.evidence_walk import Transition, WalkOptions
from tetragraph.systems.evidence_walk.stored_names import StoredEntity
from tetragraph.systems.evidence_walk.stored_reach import Holders, find_reached
from tetragraph.systems.evidence_walk.stored_rows import StoredChunk, make_graph

OPTIONS = WalkOptions()
LINKS = st.lists(st.tuples(st.sets(st.integers(0, 5), max_size=4), st.sets(st.integers(0, 5), max_size=2)), min_size=1)


def chunk(number: int, mentioned: set[int], described: set[int]) -> StoredChunk:
    mentions, titles = ([f"e{one}" for one in sorted(some)] for some in (mentioned - described, described))
    return StoredChunk(f"c{number:03}", "", "", "", "", 1, mentions, titles, np.zeros(0, dtype=np.int64))


def holders_of(chunks: list[StoredChunk], one: str) -> Holders:
    return Holders(
        [chunk.id for chunk in chunks if one in chunk.described],
        [chunk.id for chunk in chunks if one in chunk.mentioned],
    )


def world(links: list[tuple[set[int], set[int]]]) -> tuple[list[StoredChunk], dict[str, StoredEntity]]:
    chunks = [chunk(number, *link) for number, link in enumerate(links)]
    entities = {}
    for one in sorted({one for chunk in chunks for one in (*chunk.mentioned, *chunk.described)}):
        held = holders_of(chunks, one)
        entities[one] = StoredEntity(one, one, len(held.mentioning), len(held.titled), None)
    return chunks, entities


@given(LINKS, st.sampled_from([0.0, 1.0, 20.0]), st.data())
def test_chunks_are_in_order_of_the_mass_that_a_step_of_the_walk_gives_them(
    links: list[tuple[set[int], set[int]]], title_weight: float, data: st.DataObject
) -> None:
    options = WalkOptions(title_weight=title_weight)
    chunks, entities = world(links)
    mass = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(chunks), max_size=len(chunks))), dtype=float)
    graph = make_graph(chunks, list(entities.values()), frozenset(), len(chunks))
    transition = Transition.build(graph, np.zeros(len(chunks)), (), options)
    arrived = transition.arriving(transition.given(mass), transition.returned(mass))
    holders = {one: holders_of(chunks, one) for one in entities}
    frontier = [(chunk, float(amount)) for chunk, amount in zip(chunks, mass, strict=True) if amount]
    found = find_reached(frontier, entities, holders, len(chunks), options)
    got = [arrived[int(one[1:])] for one in found]
    assert got == pytest.approx(sorted(got, reverse=True))
    assert {one for one, amount in zip(range(len(chunks)), arrived, strict=True) if amount > 0} == {
        int(one[1:]) for one, amount in zip(found, got, strict=True) if amount > 0
    }


def test_entities_that_were_not_read_or_that_too_many_chunks_have_lead_nowhere() -> None:
    chunks, entities = world([({0, 1}, set()), ({0}, set()), ({1}, set())])
    holders = {"e0": holders_of(chunks, "e0"), "e1": Holders((), ())}
    assert find_reached([(chunks[0], 1.0)], entities, holders, 3, OPTIONS) == ["c000", "c001"]
    del entities["e1"], holders["e1"]
    assert find_reached([(chunks[0], 1.0)], entities, holders, 3, OPTIONS) == ["c000", "c001"]


def test_ties_are_broken_by_id() -> None:
    chunks, entities = world([({0}, set())] * 4)
    holders = {"e0": holders_of(list(reversed(chunks)), "e0")}
    assert find_reached([(chunks[3], 1.0)], entities, holders, 4, OPTIONS) == ["c000", "c001", "c002", "c003"]
