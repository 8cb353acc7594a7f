"""Rules for every registered retriever when a model reranks its hits; with the faster one of the real models."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from tetragraph import Corpus
from tetragraph.algorithms.reranking import rerank_addends
from tetragraph.language.rerankers import load_reranker
from tetragraph.systems.registry import RETRIEVERS, find_retriever

QUESTION = "Who founded the school where the second director was Mina Holt?"
K = 4

pytestmark = [pytest.mark.parametrize("method", RETRIEVERS), pytest.mark.parametrize("rerank", ["late-interaction"])]


def test_reranked_scores_fall_and_their_parts_add_up(searched: Corpus, method: str, rerank: Any) -> None:
    found = searched.search(QUESTION, k=K, method=method, rerank=rerank)
    assert [hit.rank for hit in found] == list(range(1, len(found) + 1))
    assert 0 < len(found) <= K
    assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
    for hit in found:
        explanation = searched.explain(found, hit)
        assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-9)
        assert sum(part.value for part in explanation.parts) == pytest.approx(hit.score, abs=1e-9)
        assert all(part.meaning for part in explanation.parts)


def test_the_same_reranked_search_gives_the_same_evidence_and_its_manifest_repeats_it(
    searched: Corpus, method: str, rerank: Any
) -> None:
    first = searched.search(QUESTION, k=K, method=method, rerank=rerank)
    manifest: Mapping[str, Any] = json.loads(json.dumps(first.manifest))
    assert manifest["rerank"] == {"model": rerank, "model_hash": load_reranker(rerank).model_hash}
    options: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in manifest["options"].items()
    }
    again = searched.search(QUESTION, k=manifest["k"], method=method, **options)
    assert again == first
    assert [hit.score.hex() for hit in again] == [hit.score.hex() for hit in first]


def test_with_a_great_weight_the_best_answers_of_the_model_come_first(
    searched: Corpus, method: str, rerank: Any
) -> None:
    found = searched.search(QUESTION, k=2, method=method, rerank=rerank, rerank_pool=12, rerank_weight=1e6)
    if find_retriever(method).is_multi_step:  # each step is reranked by its own query
        assert "rerank" not in found.trace
        return
    everything = searched.search(QUESTION, k=12, method=method)
    questions, passages = found.trace["rerank"]["questions"], [hit.chunk.passage for hit in everything]
    assert questions[0] == QUESTION
    assert found.trace["rerank"]["pairs"] == len(questions) * len(passages)
    scores = np.array([hit.score for hit in everything])
    added = rerank_addends(scores, load_reranker(rerank).score(questions, passages), 1.0)
    best = sorted(zip(added.values.tolist(), everything, strict=True), key=lambda pair: -pair[0])[:2]
    assert [hit.chunk.id for hit in found] == [hit.chunk.id for _, hit in best]
    (part,) = (part for part in searched.explain(found, 1).parts if part.name == "rerank")
    (contribution,) = part.contributions
    assert contribution.label.startswith(questions[added.questions[scores.tolist().index(best[0][1].score)]])


def test_the_steps_of_a_search_in_several_steps_are_reranked(searched: Corpus, method: str, rerank: Any) -> None:
    if not find_retriever(method).is_multi_step:
        return
    given: dict[str, Any] = {"rerank": rerank, "rerank_weight": 1e6}
    found = searched.search(QUESTION, k=12, method=method, retriever="dense", steps=1, **given)
    in_step = [hit.chunk.id for hit in sorted(found, key=lambda hit: -hit.parts["first"])]
    alone = [hit.chunk.id for hit in searched.search(QUESTION, k=12, method="dense", **given)]
    plain = [hit.chunk.id for hit in searched.search(QUESTION, k=12, method="dense")]
    assert in_step == alone != plain
