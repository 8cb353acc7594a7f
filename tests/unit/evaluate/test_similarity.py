"""Similarity of retrieved and gold knowledge, on vectors that count words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tetragraph.evaluate.evaluation import EvaluationRequest, evaluate
from tetragraph.evaluate.model import Found, Gold, GoldQuestion, Run
from tetragraph.evaluate.similarity import find_gold_means, score_similarity
from tetragraph.progress import NoProgress

if TYPE_CHECKING:
    from .conftest import Corpus

SHARED = 1 / 4
"""Cosine of two texts of four words that share one; that of texts without a common word is 0."""
TWO = 2**0.5


def similar(corpus: Corpus, gold: tuple[Gold, ...], *ranked: str) -> dict[str, float]:
    found = tuple(Found(f"c-{one}", one, "", None, None, 0.0) for one in ranked)
    run = Run("words", "keyword", {}, {"q": found})
    means = find_gold_means(corpus.subject(), [GoldQuestion("q", "?", gold)])
    return score_similarity(corpus.subject(), run, means, (1, 2)).get("q", {})


def test_chunks_as_similar_as_their_words_score_the_cosine(corpus: Corpus) -> None:
    assert similar(corpus, (Gold("kron"),), "kron", "tide") == pytest.approx({"r_s@1": 1.0, "r_s@2": 1 / TWO})
    assert similar(corpus, (Gold("tide"),), "arild", "kron") == pytest.approx({"r_s@1": SHARED, "r_s@2": SHARED / TWO})


def test_all_gold_of_a_question_is_one_knowledge(corpus: Corpus) -> None:
    gold = (Gold("kron"), Gold("tide"))
    assert similar(corpus, gold, "tide", "kron") == pytest.approx({"r_s@1": 1 / TWO, "r_s@2": 1.0})


def test_only_the_chunks_of_a_gold_span_count(corpus: Corpus) -> None:
    assert similar(corpus, (Gold("kron", 0, 4), Gold("tide", 900, 901)), "kron")["r_s@1"] == pytest.approx(1.0)


def test_an_empty_ranking_scores_nothing_and_unknown_gold_is_left_out(corpus: Corpus) -> None:
    assert similar(corpus, (Gold("kron"),)) == {"r_s@1": 0.0, "r_s@2": 0.0}
    assert similar(corpus, (Gold("lost"),), "kron") == {}


def test_a_report_has_it_for_searched_runs_and_none_for_runs_of_files(
    corpus: Corpus, questions: list[GoldQuestion]
) -> None:
    theirs = Run("theirs", "theirs", {}, {"q1": (Found("kron", "kron", "", None, None, 0.0),)})
    report = evaluate(corpus.subject(), questions, EvaluationRequest(("keyword",), (1,), [theirs]), NoProgress())
    assert report.scores["keyword"].each["r_s@1"].keys() == {"q1", "q2"}
    assert "r_s@1" not in report.scores["theirs"].metrics
