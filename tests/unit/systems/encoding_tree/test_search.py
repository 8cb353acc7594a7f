"""From a question to hits, on a tree in memory."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from scripted_llm import ScriptedLlm
from tetragraph.arrays import Vectors
from tetragraph.errors import LlmNotConfigured
from tetragraph.llm import Operation
from tetragraph.model import Hit
from tetragraph.stores.corpus import Question
from tetragraph.systems.encoding_tree.index import TreeIndex
from tetragraph.systems.encoding_tree.options import TreeOptions
from tetragraph.systems.encoding_tree.query_expansion import (
    CONFIDENCE,
    FIRST_HITS,
    SHARPNESS,
    ExpandedQuestion,
    FirstHit,
    follow,
)
from tetragraph.systems.encoding_tree.search import find, in_chosen_communities

MakeIndex = Callable[..., TreeIndex]
Place = Callable[[TreeIndex, str], int]
EVERYTHING = np.ones(6, dtype=bool)


def question(text: str = "what is it?", degrees: float = 0.0) -> Question:
    vector = np.array([math.cos(math.radians(degrees)), math.sin(math.radians(degrees))], dtype=np.float32)
    return Question(text, vector, lambda _: vector)


def ask(index: TreeIndex, k: int = 6, text: str = "what is it?", allowed: Any = None, **options: Any) -> list[Hit]:
    return list(find(index, question(text), k, TreeOptions(**options), allowed).hits)


def ids(hits: list[Hit]) -> list[str]:
    return [hit.chunk.id for hit in hits]


def test_the_nearest_come_first_and_ranks_count_from_one(make_index: MakeIndex) -> None:
    hits = ask(make_index())
    assert ids(hits) == ["c0", "c1", "c2", "c3", "c4", "c5"]
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5, 6]


@pytest.mark.parametrize("mode", ["paper", "tetragraph"])
def test_a_smaller_k_gives_the_beginning_of_the_same_ranking(make_index: MakeIndex, mode: str) -> None:
    index = make_index({0: {0: 2}, 4: {0: 1}}, {5: [0]})
    longer = ask(index, 100, "Who was Ada Byron?", mode=mode)
    assert len(longer) == 6
    for k in range(1, 6):
        assert ask(index, k, "Who was Ada Byron?", mode=mode) == longer[:k]


@pytest.mark.parametrize("mode", ["paper", "tetragraph"])
def test_parts_add_up_to_the_score_and_paths_lead_to_the_chunk(make_index: MakeIndex, mode: str) -> None:
    index = make_index({0: {0: 2, 1: 1}}, {4: [1], 5: [0]})
    for hit in ask(index, 6, "Who was Ada Byron?", mode=mode, expansion="first_hits"):
        assert sum(hit.parts.values()) == pytest.approx(hit.score)
        assert hit.path[0].source == "question"
        assert hit.path[-1].target == hit.chunk.id
        assert all(before.target == after.source for before, after in zip(hit.path, hit.path[1:], strict=False))
        assert all(0 <= step.weight <= 1 for step in hit.path)


def test_ties_go_to_the_smaller_id(make_index: MakeIndex) -> None:
    index = make_index(degrees=(30, 30, 30, 30, 30, 30), communities=(30,) * 6)
    for k in (2, 6):
        assert ids(ask(index, k)) == [f"c{row}" for row in range(k)]


def test_only_allowed_chunks_are_found_with_the_scores_they_have(make_index: MakeIndex) -> None:
    index = make_index()
    everything = {hit.chunk.id: hit.score for hit in ask(index, expansion="none")}
    hits = ask(index, 10, allowed=["c5", "c1", "unknown"], expansion="none")
    assert ids(hits) == ["c1", "c5"]
    assert [hit.score for hit in hits] == [everything["c1"], everything["c5"]]
    assert ask(index, allowed=[]) == ask(index, allowed=["unknown"]) == []


def test_a_chunk_that_may_not_be_found_is_no_first_hit_either(make_index: MakeIndex, place: Place) -> None:
    index = make_index({0: {1: 1}}, {5: [1]})
    assert "expansion" in next(hit for hit in ask(index) if hit.chunk.id == "c5").parts
    found = ask(index, allowed=["c1", "c2", "c3", "c4", "c5"])
    assert all("expansion" not in hit.parts for hit in found)


def test_an_empty_corpus_answers_nothing(make_index: MakeIndex) -> None:
    assert ask(make_index(degrees=())) == []


def test_a_name_lifts_the_chunk_that_holds_it(make_index: MakeIndex) -> None:
    index = make_index({2: {0: 1}})
    assert ids(ask(index, 2, "Was Ada Byron there?", mode="paper")) == ["c2", "c0"]
    assert ids(ask(index, 2, "Was anybody there?", mode="paper")) == ["c0", "c1"]


@pytest.mark.parametrize(
    ("count", "least", "inside"),
    [
        (1, 1, [True, True, False, False, False, False]),
        (2, 6, [True] * 6),
        (1, 4, [True] * 6),
    ],
)
def test_the_gate_opens_the_communities_most_like_the_question_of_each_level_until_there_are_enough(
    make_index: MakeIndex, count: int, least: int, inside: list[bool]
) -> None:
    themes = np.array([0.9, 0.2, 0.8, 0.5, 0.3, 0.1])
    assert in_chosen_communities(make_index(), themes, count, least, EVERYTHING).tolist() == inside


def test_a_level_is_searched_only_inside_the_communities_selected_above(make_index: MakeIndex) -> None:
    """Community 4 is the most similar of its level, but inside community 1, which is not selected."""
    themes = np.array([0.9, 0.2, 0.3, 0.5, 0.8, 0.1])
    found = in_chosen_communities(make_index(), themes, 1, 1, EVERYTHING)
    assert found.tolist() == [False, False, True, False, False, False]


def test_without_gate_and_coarse_weight_communities_have_no_part_in_the_ranking(make_index: MakeIndex) -> None:
    index = make_index(degrees=(30, 30, 30, 0, 110, 200))
    single = ask(index, 3, mode="paper", communities=1, coarse=0, gate=False)
    assert ids(single) == ["c3", "c0", "c1"]
    assert ids(ask(index, 3, mode="paper", communities=1, coarse=0)) == ["c0", "c1", "c2"]
    assert "c3" not in ids(ask(index, 3, communities=1, gate=True))


def test_the_gate_counts_only_what_may_be_found(make_index: MakeIndex) -> None:
    themes = np.array([0.9, 0.2, 0.8, 0.5, 0.3, 0.1])
    allowed = np.array([False, False, False, False, True, True])
    assert in_chosen_communities(make_index(), themes, 1, 5, allowed).tolist() == [True] * 6


def test_of_equal_communities_the_first_is_chosen(make_index: MakeIndex) -> None:
    index = make_index()
    found = in_chosen_communities(index, np.full(6, 0.5), 1, 1, EVERYTHING)
    assert found.tolist() == [True, True, False, False, False, False]


def test_the_paper_looks_only_into_chosen_communities(make_index: MakeIndex) -> None:
    """Chunk 3 is the nearest of all, in communities that are far from the question."""
    index = make_index(degrees=(30, 30, 30, 0, 110, 200))
    assert ids(ask(index, 3, mode="paper", communities=1)) == ["c0", "c1", "c2"]
    assert "c3" in ids(ask(index, 3, communities=1))
    assert set(ids(ask(index, 4, mode="paper", communities=1))) > {"c3"}


def test_first_hits_reach_what_they_mention_and_show_the_way(make_index: MakeIndex) -> None:
    index = make_index({0: {1: 1}}, {5: [1]})
    plain, expanded = (ask(index, 6, expansion=expansion) for expansion in ("none", "first_hits"))
    assert ids(plain)[-1] == "c5"
    assert ids(expanded)[-1] != "c5" or expanded[-1].score > plain[-1].score
    reached = next(hit for hit in expanded if hit.chunk.id == "c5")
    assert [(step.via, step.source) for step in reached.path][:2] == [("SEED", "question"), ("MENTIONS", "c0")]
    assert [step.via for step in expanded[0].path] == ["SEED", "CONTAINS"]


def test_an_expansion_counts_in_the_mode_of_the_paper_where_it_is_asked_for(make_index: MakeIndex) -> None:
    found = ask(make_index({0: {1: 1}}, {5: [1]}), 6, mode="paper", communities=6, expansion="first_hits")
    assert next(hit for hit in found if hit.chunk.id == "c5").parts["expansion"] > 0


def test_first_hits_share_by_their_scores_and_what_they_mention_by_its_information(
    make_index: MakeIndex, place: Place
) -> None:
    index = make_index({0: {0: 1, 1: 2}, 1: {1: 1}, 2: {2: 1}, 3: {3: 1}}, telling=0.5)
    ada, carl, elva = (place(index, name) for name in ("ada byron", "carl dorn", "elva kron"))
    hits = [FirstHit(0, 0.9), FirstHit(1, 0.88), FirstHit(2, 0.88), FirstHit(3, 0.88)]
    enhanced = follow(index, hits, ExpandedQuestion(question().vector))
    less = math.exp(-0.02 * SHARPNESS)
    share = [value / (1 + 2 * less) for value in (1, less, less)]
    assert FIRST_HITS == 3
    assert enhanced.sought == pytest.approx(
        {
            ada: CONFIDENCE * 0.5 * share[0],
            carl: CONFIDENCE * 0.5 * (share[0] + share[1]),
            elva: CONFIDENCE * 0.5 * share[2],
        }
    )
    assert enhanced.shown_by == {ada: 0, carl: 0, elva: 2}


def test_no_first_hits_leave_the_question_as_it_is(make_index: MakeIndex) -> None:
    assert follow(make_index(), [], ExpandedQuestion(question().vector)).sought == {}


def turned(operation: Operation) -> Question:
    """A question near ``c0`` that turns to ``c5`` with the passage that a model writes."""
    near, far = (question(degrees=degrees).vector for degrees in (0.0, 180.0))
    return Question("what is it?", near, lambda text: far if "Rye is a town" in text else near, lambda: operation)


@pytest.mark.parametrize("mode", ["paper", "tetragraph"])
def test_a_self_query_searches_with_question_and_passage(
    make_index: MakeIndex, llm: ScriptedLlm, operation: Operation, mode: str
) -> None:
    llm.answer = lambda body: "Rye is a town."
    embedded: list[str] = []
    asked = turned(operation)

    def embed(text: str) -> Vectors:
        embedded.append(text)
        return asked.embed(text)

    options: dict[str, Any] = {"mode": mode, "expansion": "self_query", "communities": 6}
    found = find(make_index(), replace(asked, embed=embed), 6, TreeOptions(**options))
    assert embedded == ["what is it?\nRye is a town."]
    assert found.hits[0].chunk.id == "c5"
    assert found.trace == {"llm": {"passage": "Rye is a town."}}


@pytest.mark.parametrize("said", ["", "I would rather not."])
def test_a_passage_that_cannot_be_used_leaves_the_question_with_a_note(
    make_index: MakeIndex, llm: ScriptedLlm, operation: Operation, said: str
) -> None:
    llm.answer = lambda body: said
    asked = replace(turned(operation), text="What is Rye?")
    notes: list[str] = []
    found = find(make_index(), asked, 6, TreeOptions(expansion="self_query"), note=notes.append)
    assert found == find(make_index(), asked, 6, TreeOptions(expansion="none"))
    (note,) = notes
    assert note.startswith("the language model's passage could not be used, the question was searched for without it:")


def test_both_expansions_compare_with_the_passage_and_ask_for_what_the_first_hits_mention(
    make_index: MakeIndex, llm: ScriptedLlm, operation: Operation
) -> None:
    llm.answer = lambda body: "Rye is a town."
    index = make_index({0: {1: 1}}, {3: [1]})
    written, both = (
        {hit.chunk.id: hit.parts for hit in find(index, turned(operation), 6, TreeOptions(expansion=expansion)).hits}
        for expansion in ("self_query", "both")
    )
    assert [chunk for chunk, parts in both.items() if "expansion" in parts] == ["c3"]
    assert not any("expansion" in parts for parts in written.values())
    assert {chunk: parts["similarity"] for chunk, parts in both.items() if "similarity" in parts} == {
        chunk: parts["similarity"] for chunk, parts in written.items() if "similarity" in parts
    }
    assert llm.calls == 1


def test_a_self_query_needs_a_model_and_others_ask_none(make_index: MakeIndex) -> None:
    with pytest.raises(LlmNotConfigured):
        ask(make_index(), expansion="self_query")
    assert find(make_index(), question(), 6, TreeOptions()).trace == {}
