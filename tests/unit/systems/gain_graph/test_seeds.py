"""Seeds of walks, for a graph of three entities."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest

from tetragraph.arrays import Vectors
from tetragraph.model import content_id
from tetragraph.stores.corpus import Question
from tetragraph.systems.gain_graph.engine import NamedEntity
from tetragraph.systems.gain_graph.options import GainOptions
from tetragraph.systems.gain_graph.seeds import find_seeds

KNOWN = {
    content_id("new york"): NamedEntity(1.0, ("ny",)),
    content_id("new york times"): NamedEntity(2.0, ("nyt", "times")),
    content_id("reading"): NamedEntity(3.0, ("reading",)),
    content_id("unseen"): NamedEntity(3.0, ()),
}


class FixedFinder:
    """Knows some names and which chunks are near."""

    def __init__(self, near: list[tuple[str, float]]) -> None:
        self.near = near

    def entities(self, ids: Sequence[str]) -> Mapping[str, NamedEntity]:
        return {entity: KNOWN[entity] for entity in ids if entity in KNOWN}

    def nearest(self, vector: Vectors, count: int) -> list[tuple[str, float]]:
        assert vector.ndim == 1
        return self.near[:count]


def question(text: str) -> Question:
    return Question(text, np.ones(1, dtype=np.float32), lambda _: np.ones(1, dtype=np.float32))


def test_equation_5_takes_the_most_similar_in_proportion() -> None:
    finder = FixedFinder([("a", 0.6), ("b", 0.2), ("c", 0.1)])
    found = find_seeds(finder, question("what is this?"), GainOptions(seeds=2))
    assert found.total == pytest.approx({"a": 0.75, "b": 0.25})


def test_similarities_below_zero_count_as_nothing() -> None:
    mixed = find_seeds(FixedFinder([("a", 0.5), ("b", -0.5)]), question("what?"), GainOptions())
    opposite = find_seeds(FixedFinder([("a", -0.1), ("b", -0.5)]), question("what?"), GainOptions())
    assert mixed.total == {"a": 1.0, "b": 0.0}
    assert opposite.total == {"a": 0.5, "b": 0.5}


def test_names_share_by_the_square_of_their_information() -> None:
    text = "Did the New York Times write of Reading?"
    found = find_seeds(FixedFinder([("a", 1.0)]), question(text), GainOptions(question_names=0.5))
    assert found.similar == {"a": 0.5}
    assert found.named == pytest.approx({"nyt": 1 / 13, "times": 1 / 13, "reading": 4.5 / 13})


def test_the_paper_takes_no_names() -> None:
    found = find_seeds(FixedFinder([("a", 1.0)]), question("New York"), GainOptions(mode="paper"))
    assert found.total == {"a": 1.0}


def test_names_without_chunks_leave_all_to_similarity() -> None:
    assert find_seeds(FixedFinder([("a", 1.0)]), question("Unseen"), GainOptions()).total == {"a": 1.0}


def test_a_corpus_without_chunks_has_no_seeds() -> None:
    assert find_seeds(FixedFinder([]), question("what?"), GainOptions()).total == {}
