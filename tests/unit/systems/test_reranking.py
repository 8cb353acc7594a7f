"""The stage that reranks the hits of a retriever, with a reranker whose scores are known."""

from __future__ import annotations

import json
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from tetragraph import Chunk, Hit
from tetragraph.arrays import Floats
from tetragraph.errors import InvalidInput
from tetragraph.model import Bridge, ChainStep, Findings
from tetragraph.stores.corpus import Question
from tetragraph.systems.base import NoOptions, Retriever, SearchRequest
from tetragraph.systems.dense import DenseOptions
from tetragraph.systems.gain_graph.options import GainOptions
from tetragraph.systems.registry import RETRIEVERS, find_retriever
from tetragraph.systems.rerank_options import RerankOptions, describe_options
from tetragraph.systems.reranking import (
    MEANING,
    describe_reranker,
    fill_bridges,
    find_reranker,
    part_meaning,
    rerank,
    search_reranked,
    with_reranking,
)

BRIDGE = Bridge("e1", "Paul", 0.9)


class SharedWords:
    """A reranker that counts the words which a question and a passage share."""

    name, model_hash = "cross-encoder", "12ab"

    def score(self, questions: Sequence[str], passages: Sequence[str]) -> Floats:
        words = [[{*text.lower().split()} for text in texts] for texts in (questions, passages)]
        return np.array([[len(one & other) for other in words[1]] for one in words[0]], dtype=np.float64)


def hit(rank: int, score: float, text: str, chunk: str = "") -> Hit:
    return Hit(rank, score, Chunk(chunk or f"c{rank}", "d", "", "", text, 0, 0, 7, 3), {"similarity": score})


def chain(*steps: tuple[str, tuple[int, ...], tuple[Bridge, ...]]) -> tuple[ChainStep, ...]:
    return tuple(ChainStep(question, refers, bridges, ()) for question, refers, bridges in steps)


def test_hits_are_ordered_by_the_sum_and_its_parts_add_up() -> None:
    found = Findings((hit(1, 3.0, "a b"), hit(2, 2.0, "who wrote it"), hit(3, 1.0, "c")), trace={"own": 1})
    reranked = rerank(SharedWords(), "who wrote it", found, 2.0)
    assert [(one.rank, one.chunk.id) for one in reranked.hits] == [(1, "c2"), (2, "c1"), (3, "c3")]
    assert all(one.score == pytest.approx(sum(one.parts.values())) for one in reranked.hits)
    best = reranked.hits[0]
    # 0, 3, 0 have the mean 1 and the deviation sqrt(2), the scores the deviation sqrt(2/3)
    assert best.parts == {"similarity": 2.0, "rerank": pytest.approx(2.0 * np.sqrt(2 / 3) * 2 / np.sqrt(2))}
    (contribution,) = best.contributions
    assert (contribution.part, contribution.value) == ("rerank", best.parts["rerank"])
    assert contribution.label == "who wrote it, scored 3.00"
    assert reranked.trace == {
        "own": 1,
        "rerank": {"model": "cross-encoder", "questions": ["who wrote it"], "pairs": 3},
    }


def test_hits_of_equal_scores_are_ordered_by_id() -> None:
    found = Findings((hit(1, 1.0, "x", "b"), hit(2, 1.0, "x", "a")))
    assert [one.chunk.id for one in rerank(SharedWords(), "q", found, 1.0).hits] == ["a", "b"]


def test_a_chunk_counts_by_the_sub_question_that_it_answers_best() -> None:
    found = Findings(
        (hit(1, 3.0, "nothing"), hit(2, 2.0, "the wife of Paul"), hit(3, 1.0, "nil")),
        chain(("who wrote Faust", (), (BRIDGE,)), ("the wife of #1", (1,), ())),
    )
    reranked = rerank(SharedWords(), "who is married to him who wrote Faust", found, 2.0)
    assert reranked.hits[0].chunk.id == "c2"
    assert reranked.hits[0].contributions[0].label == "the wife of Paul, scored 4.00"
    assert reranked.chain == found.chain
    assert reranked.trace["rerank"]["pairs"] == 9


def test_no_hits_stay_none() -> None:
    assert rerank(SharedWords(), "q", Findings(()), 1.0).hits == ()


@pytest.mark.parametrize(
    ("steps", "texts"),
    [
        ((), ()),
        ((("the wife of #1", (1,), ()),), ()),
        ((("a", (), (BRIDGE,)), ("#1 and #3", (1,), ())), ("a", "Paul and #3")),
        ((("a", (), ()), ("b", (), (BRIDGE,)), ("#1 and #2", (1, 2), ()), ("of #2", (2,), ())), ("a", "b", "of Paul")),
    ],
)
def test_sub_questions_have_the_likeliest_answer_and_one_without_is_left_out(
    steps: tuple[Any, ...], texts: tuple[str, ...]
) -> None:
    assert fill_bridges(chain(*steps)) == texts


@pytest.mark.parametrize("name", RETRIEVERS)
def test_every_method_has_the_options_and_reranks_nothing_by_default(name: str) -> None:
    retriever = find_retriever(name)
    options = retriever.search_options()
    assert isinstance(options, RerankOptions)
    assert options.rerank == "none"
    assert find_reranker(options) is None
    assert describe_reranker(options) == {}
    made = retriever.search_options(rerank="late-interaction", rerank_pool=7)
    assert describe_reranker(made)["rerank"]["model"] == "late-interaction"
    assert len(describe_reranker(made)["rerank"]["model_hash"]) == 64


@pytest.mark.parametrize("options", [DenseOptions(rerank="mmr"), GainOptions(rerank="llm"), NoOptions()])
def test_a_step_of_the_method_itself_is_no_model(options: object) -> None:
    assert find_reranker(options) is None


@pytest.mark.parametrize(
    ("given", "rule"),
    [
        ({"rerank": "llm"}, "rerank must be one of none, cross-encoder, late-interaction, got 'llm'"),
        ({"rerank_pool": 0}, "rerank_pool must be an integer of at least 1, got 0"),
        ({"rerank_weight": -1.0}, r"rerank_weight must be a number from 0, got -1\.0"),
        ({"rerank_weight": float("inf")}, "rerank_weight must be a number from 0, got inf"),
    ],
)
def test_values_outside_their_range_are_refused(given: dict[str, Any], rule: str) -> None:
    with pytest.raises(InvalidInput, match=rule):
        RerankOptions(**given)


def test_a_search_in_several_steps_hands_its_reranking_on() -> None:
    source = RerankOptions(rerank="cross-encoder", rerank_pool=7, rerank_weight=0.2)
    assert with_reranking(DenseOptions(pool=9), source) == DenseOptions(
        rerank="cross-encoder", rerank_pool=7, rerank_weight=0.2, pool=9
    )
    limited = with_reranking(DenseOptions(per_document=3), RerankOptions(rerank="cross-encoder", per_document=1))
    assert limited == DenseOptions(rerank="cross-encoder", per_document=3)
    assert with_reranking(NoOptions(), RerankOptions()) == NoOptions()
    with pytest.raises(InvalidInput, match="rerank must be none for a retriever without reranking, got 'cross-encod"):
        with_reranking(NoOptions(), source)


def test_the_part_has_a_meaning_beside_those_of_the_method() -> None:
    dense = find_retriever("dense")
    assert part_meaning(dense, "rerank") == MEANING
    assert part_meaning(dense, "similarity") == dense.score_parts["similarity"]


class Shelf(Retriever[RerankOptions]):
    """A retriever of three passages in a fixed order, the best answer last."""

    name = summary = "shelf"
    search_options = RerankOptions

    def search(self, request: SearchRequest[RerankOptions]) -> Findings:
        texts = ("Bread is made of flour.", "Ships sail.", "The Seine flows through Paris.")
        return Findings(tuple(hit(rank, 1.0 - rank / 10, text) for rank, text in enumerate(texts, 1))[: request.k])


class Steps(Shelf):
    """The same as a search in several steps."""

    is_multi_step = True


@pytest.mark.parametrize(
    ("retriever", "options", "k", "ids"),
    [
        (Shelf(), RerankOptions(), 2, ["c1", "c2"]),
        (Shelf(), RerankOptions(rerank="cross-encoder", rerank_weight=9.0), 2, ["c3", "c1"]),
        (Shelf(), RerankOptions(rerank="cross-encoder", rerank_weight=9.0, rerank_pool=2), 1, ["c2"]),
        (Shelf(), RerankOptions(rerank="cross-encoder", rerank_weight=9.0, rerank_pool=1), 3, ["c3", "c1", "c2"]),
        (Steps(), RerankOptions(rerank="cross-encoder", rerank_weight=9.0), 2, ["c1", "c2"]),
    ],
)
def test_the_pool_is_reranked_and_cut_to_the_hits_that_are_wanted(
    retriever: Shelf, options: RerankOptions, k: int, ids: list[str]
) -> None:
    record = SimpleNamespace(metadata_keys=(), near_copies=None)
    stores: Any = SimpleNamespace(record=record)  # this retriever asks nothing
    question = Question(
        "Which river flows through Paris?", np.zeros(2, dtype=np.float32), lambda _: np.zeros(2, dtype=np.float32)
    )
    found = search_reranked(retriever, SearchRequest(stores, question, k, options))
    assert [one.chunk.id for one in found.hits] == ids


@pytest.mark.parametrize("method", RETRIEVERS)
def test_options_are_described_by_values_of_json(method: str) -> None:
    described = describe_options(find_retriever(method).search_options())
    assert json.loads(json.dumps(described)) == described
