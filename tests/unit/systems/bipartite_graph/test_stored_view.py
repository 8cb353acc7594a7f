"""Names and links of a part of a graph: what is unknown is noted, and is empty."""

from __future__ import annotations

import numpy as np
import pytest

from tetragraph.systems.bipartite_graph.stored_part import StoredPart
from tetragraph.systems.bipartite_graph.stored_records import StoredEntity, StoredFact
from tetragraph.systems.bipartite_graph.stored_view import Needs, NotingLinks, StoredView


@pytest.fixture
def needed() -> set[str]:
    return set()


@pytest.fixture
def links(needed: set[str]) -> NotingLinks:
    return NotingLinks([[1, 2], [], [0]], ["a", "b", "c"], [True, False, True], needed)


def test_links_of_a_known_row_are_given_and_not_noted(links: NotingLinks, needed: set[str]) -> None:
    assert links.of(0).tolist() == [1, 2]
    assert links.range(2).tolist() == [2]
    assert links.places(np.array([0, 2]))[0].tolist() == [0, 1, 2]
    assert not needed


@pytest.mark.parametrize("way", ["of", "range", "places"])
def test_a_row_whose_links_are_unknown_is_noted_and_has_none(links: NotingLinks, needed: set[str], way: str) -> None:
    found = links.places(np.array([0, 1]))[1] if way == "places" else getattr(links, way)(1)
    assert found.tolist() == ([0, 0] if way == "places" else [])
    assert needed == {"b"}


def test_needs_are_false_until_something_is_noted() -> None:
    needs = Needs()
    assert not needs
    needs.facts.add("a")
    assert needs


def test_a_name_means_its_own_entity_then_one_that_it_was_merged_into_and_never_a_concept() -> None:
    part = StoredPart(None, {}, None, 200, is_joint=True)  # type: ignore[arg-type]  # no store is asked
    kinds = {"ada": "PERSON", "art": "CONCEPT", "art school": "ORGANIZATION", "tide": "OTHER"}
    part.entities = {one: StoredEntity(one, kind, 1.0, 2) for one, kind in kinds.items()}
    part.own = {"ada", "art", "tide"}
    part.aliases = {"ada": "art school", "art": "art school", "low tide": "tide"}
    assert part.named() == {"ada": "ada", "art": "art school"}


def test_numbers_of_facts_are_those_of_the_corpus() -> None:
    part = StoredPart(None, {"relations": 99}, None, 200, is_joint=False)  # type: ignore[arg-type]  # no store is asked
    part.entities = {"ada": StoredEntity("Ada", "PERSON", 1.0, 33)}
    part.facts = {"f": StoredFact(1.0, 1, 2, ("c",))}
    part.chunks = {"c"}
    part.facts_of = {"ada": {"f", "not read"}}
    view = StoredView(part, 1.0)
    assert view.facts.of(0).tolist() == [0]
    assert (view.degrees.tolist(), view.sizes.tolist()) == ([33], [2])
    assert view.information.tolist() == pytest.approx([np.log(1 + 99 / 33) / np.log(1 + 99)])
