"""The parts of the score of a chunk, compared with the equations computed by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
import pytest

from tetragraph.model import PathStep
from tetragraph.systems.encoding_tree.index import TreeIndex
from tetragraph.systems.encoding_tree.options import PAPER, TETRAGRAPH
from tetragraph.systems.encoding_tree.query_expansion import ExpandedQuestion
from tetragraph.systems.encoding_tree.scores import PARTS, Scores

MakeIndex = Callable[..., TreeIndex]
Place = Callable[[TreeIndex, str], int]
EAST = np.array([1, 0], dtype=np.float32)


def cos(degrees: float) -> float:
    return math.cos(math.radians(degrees))


def part(scores: Scores, name: str) -> list[float]:
    values: list[float] = scores.parts[PARTS.index(name)].tolist()
    return values


def paper(index: TreeIndex, entities: Mapping[int, float] | None = None) -> Scores:
    return Scores(index, PAPER, ExpandedQuestion(EAST), entities or {})


def test_the_coarse_part_is_the_cosine_with_the_likest_community_above_a_chunk(make_index: MakeIndex) -> None:
    """The single 2 is nearer by its upper community (20°) than by its own (40°), the pair 0, 1 by its own (10°)."""
    scores = paper(make_index())
    assert scores.communities.tolist() == [2, 2, 0, 4, 4, 1]
    assert part(scores, "community") == pytest.approx(
        [0.4 * cos(angle) for angle in (10, 10, 20, 100, 100, 110)], abs=1e-6
    )


def test_of_communities_that_are_equally_like_the_question_the_lowest_counts(make_index: MakeIndex) -> None:
    scores = paper(make_index(communities=(10, 100, 10, 10, 100, 100)))
    assert scores.communities.tolist() == [2, 2, 3, 4, 4, 5]


def test_the_fine_part_is_the_cosine_with_the_chunk(make_index: MakeIndex) -> None:
    expected = [0.6 * cos(angle) for angle in (0, 20, 40, 90, 110, 200)]
    assert part(paper(make_index(scale=3.0)), "similarity") == pytest.approx(expected, abs=1e-6)


def test_the_bonus_counts_names_by_likeness_and_by_how_often_they_stand_there(
    make_index: MakeIndex, place: Place
) -> None:
    """Eq. (13): sim · log(1 + count), summed over names; a title counts as once; eq. (11): log(1 + that)."""
    index = make_index({0: {0: 3, 1: 1}, 1: {0: 1}}, {1: [0], 2: [1]})
    found = part(paper(index, {place(index, "ada byron"): 1.0, place(index, "carl dorn"): 0.9}), "entities")
    bonus = [math.log(4) + 0.9 * math.log(2), math.log(3), 0.9 * math.log(2), 0, 0, 0]
    assert found == pytest.approx([0.6 * math.log(1 + value) for value in bonus])


def test_the_score_is_the_sum_of_its_parts(make_index: MakeIndex, place: Place) -> None:
    index = make_index({0: {0: 2}})
    scores = paper(index, {place(index, "ada byron"): 1.0})
    expected = 0.4 * cos(10) + 0.6 * (1 + math.log(1 + math.log(3)))
    assert scores.total[0] == pytest.approx(expected, abs=1e-6)
    (hit,) = scores.hits([0])
    assert hit.score == pytest.approx(expected, abs=1e-6)
    assert set(hit.parts) == {"community", "similarity", "entities"}
    assert sum(hit.parts.values()) == pytest.approx(hit.score)


def test_our_mode_scales_cosines_and_counts_names_by_how_telling_they_are(make_index: MakeIndex, place: Place) -> None:
    index = make_index({0: {0: 1}}, {1: [0]}, scale=2.0, telling=0.5)
    scores = Scores(index, TETRAGRAPH, ExpandedQuestion(EAST), {place(index, "ada byron"): 0.9})
    assert part(scores, "similarity")[1] == pytest.approx(0.9 * 2 * cos(20), abs=1e-6)
    assert part(scores, "community")[1] == pytest.approx(0.1 * 2 * cos(10), abs=1e-6)
    wanted = 0.9 * 0.5
    in_text, in_title = wanted * math.log(2), wanted * math.log(2) + 0.5 * wanted
    assert part(scores, "entities")[:3] == pytest.approx(
        [0.9 * 0.1 * math.log1p(in_text), 0.9 * 0.1 * math.log1p(in_title), 0]
    )


def test_an_expansion_adds_to_chunks_that_describe_what_is_sought(make_index: MakeIndex, place: Place) -> None:
    index = make_index({3: {1: 5}}, {4: [1], 5: [1, 2]})
    sought = {place(index, "carl dorn"): 0.5, place(index, "elva kron"): 0.25}
    scores = Scores(index, TETRAGRAPH, ExpandedQuestion(EAST, sought, dict.fromkeys(sought, 0)), {})
    expected = [0, 0, 0, 0, math.log1p(0.5), math.log1p(0.75)]
    assert part(scores, "expansion") == pytest.approx([0.9 * 0.4 * value for value in expected])


def test_a_hit_of_a_theme_shows_the_theme(make_index: MakeIndex) -> None:
    _, hit = paper(make_index()).hits([0, 2])
    first, second = hit.path
    assert hit.rank == 2
    assert (first.source, first.target, first.via, first.label) == ("question", "k0", "SEED", "similar to the question")
    assert first.weight == pytest.approx(cos(20), abs=1e-6)
    assert second == PathStep("k0", "c2", "CONTAINS", "Theme 0", 1.0)


def test_a_hit_that_the_expansion_reached_shows_the_first_hit_and_the_entity_wanted_most(
    make_index: MakeIndex, place: Place
) -> None:
    index = make_index({}, {4: [1, 2]})
    kron, dorn = place(index, "elva kron"), place(index, "carl dorn")
    scores = Scores(index, TETRAGRAPH, ExpandedQuestion(EAST, {kron: 0.25, dorn: 0.5}, {kron: 0, dorn: 1}), {})
    (path,) = (hit.path for hit in scores.hits([4]))
    entity = index.entities[dorn]
    assert path == (
        PathStep("question", "c1", "SEED", "similar to the question", 0.5),
        PathStep("c1", entity, "MENTIONS", "carl dorn", 0.5),
        PathStep(entity, "c4", "DESCRIBES", "carl dorn", 0.5),
    )


def test_a_theme_unlike_the_question_still_shows_the_way(make_index: MakeIndex) -> None:
    (hit,) = paper(make_index()).hits([5])
    assert hit.parts["community"] < 0
    assert [(step.source, step.target, step.weight) for step in hit.path] == [
        ("question", "k1", 0.0),
        ("k1", "c5", 1.0),
    ]


@pytest.mark.parametrize("coarse", [0.0, 1.0])
def test_one_of_the_two_stages_can_decide_alone(make_index: MakeIndex, coarse: float) -> None:
    index = make_index()
    scores = Scores(index, replace(PAPER, coarse=coarse), ExpandedQuestion(EAST), {})
    alone = [10, 10, 20, 100, 100, 110] if coarse else [0, 20, 40, 90, 110, 200]
    assert scores.total == pytest.approx([cos(angle) for angle in alone], abs=1e-6)
