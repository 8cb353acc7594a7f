"""The entities that a question names."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tetragraph.systems.encoding_tree.entity_matching import find_entities
from tetragraph.systems.encoding_tree.index import TreeIndex

MakeIndex = Callable[..., TreeIndex]


def named(index: TreeIndex, text: str, threshold: float = 0.7) -> dict[str, float]:
    return {index.names[place]: alike for place, alike in find_entities(index, text, threshold).items()}


@pytest.fixture
def index(make_index: MakeIndex) -> TreeIndex:
    return make_index()


def test_a_name_that_the_corpus_knows_counts_in_full(index: TreeIndex) -> None:
    assert named(index, "Where did ADA BYRON meet Carl Dorn's sister?") == {"ada byron": 1.0, "carl dorn": 1.0}


def test_a_misspelled_name_counts_by_how_alike_it_is(index: TreeIndex) -> None:
    found = named(index, "Who was Ada Byronn?")
    assert list(found) == ["ada byron"]
    assert 0.7 < found["ada byron"] < 1
    alike = found["ada byron"]
    assert named(index, "Who was Ada Byronn?", alike) == {}
    assert named(index, "Who was Ada Byronn?", alike - 1e-6) == found


def test_a_name_that_is_spelled_both_ways_counts_once_in_full(index: TreeIndex) -> None:
    assert named(index, "Is Ada Byron the same as Ada Byronn?") == {"ada byron": 1.0}


@pytest.mark.parametrize("threshold", [1, 1.0])
def test_a_threshold_of_one_takes_names_as_they_are(index: TreeIndex, threshold: float) -> None:
    assert named(index, "Did Ada Byronn know Carl Dorn?", threshold) == {"carl dorn": 1.0}


def test_short_stretches_stand_for_nothing_else(index: TreeIndex) -> None:
    assert named(index, "how large is Gent?", 0.1) == {}
    assert list(named(index, "how large is Gheent?", 0.1)) == ["ghent"]


def test_a_stretch_that_holds_a_known_name_stands_for_no_other(index: TreeIndex) -> None:
    assert named(index, "Did Elva Kroon Ghent paint?", 0.05) == {"ghent": 1.0}


@pytest.mark.parametrize("text", ["who was it?", "???", "", "谁写了这本小说?"])
def test_a_question_may_name_nothing(index: TreeIndex, text: str) -> None:
    assert named(index, text) == {}


def test_places_ascend(index: TreeIndex) -> None:
    places = list(find_entities(index, "Elva Kron, Carl Dorn, Ada Byron and Ghent", 0.85))
    assert places == sorted(places) == [0, 1, 2, 3]
