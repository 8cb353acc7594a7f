"""Metrics compared with computations by hand and with trec_eval, and their invariants."""

from __future__ import annotations

import random
from collections.abc import Sequence
from math import log2
from typing import Any

import ir_measures
import pytest
from hypothesis import given
from hypothesis import strategies as st
from ir_measures import RR, P, R, nDCG

from tetragraph.evaluate.metrics import covers, find_rank, score_ranking, score_run
from tetragraph.evaluate.model import Found, Gold, GoldQuestion, Run, RunAnswer

KS = (1, 2, 3, 5, 10)


def found(document: str, start: int | None = 0, end: int | None = 100) -> Found:
    return Found(f"{document}:{start}", document, "", start, end, 1.0)


def ranking(documents: str) -> list[Found]:
    """One passage of each document, named by a letter."""
    return [found(letter) for letter in documents]


def gold(documents: str) -> list[Gold]:
    return [Gold(letter) for letter in documents]


def run_of(rankings: dict[str, str], answers: dict[str, RunAnswer] | None = None) -> Run:
    return Run("run", "dense", {}, {one: tuple(ranking(text)) for one, text in rankings.items()}, answers=answers or {})


def test_the_metrics_of_one_ranking_are_those_worked_out_by_hand() -> None:
    scores = score_ranking(ranking("xAyBz"), gold("ABC"), (1, 2, 4))
    assert scores["recall@1"] == 0
    assert scores["recall@2"] == 1 / 3
    assert scores["recall@4"] == 2 / 3
    assert scores["precision@2"] == 1 / 2
    assert scores["precision@4"] == 2 / 4
    assert scores["mrr"] == 1 / 2
    assert scores["ndcg@2"] == pytest.approx((1 / log2(3)) / (1 + 1 / log2(3)))
    assert scores["ndcg@4"] == pytest.approx((1 / log2(3) + 1 / log2(5)) / (1 + 1 / log2(3) + 1 / log2(4)))
    assert scores["all@4"] == 0
    assert score_ranking(ranking("CxAB"), gold("ABC"), (3, 4))["all@4"] == 1


def test_a_ranking_that_finds_nothing_scores_nothing() -> None:
    assert set(score_ranking([], gold("AB"), KS).values()) == {0.0}
    assert set(score_ranking(ranking("xyz"), gold("AB"), KS).values()) == {0.0}


def test_ranks_beyond_the_end_of_a_ranking_carry_no_gold() -> None:
    assert score_ranking(ranking("A"), gold("A"), (5,))["precision@5"] == 1 / 5


def test_several_passages_of_a_gold_document_find_it_once_and_count_as_precise() -> None:
    chunks = [found("A", 0, 50), found("A", 50, 90), found("B", 0, 50)]
    scores = score_ranking(chunks, gold("AB"), (2, 3))
    assert (scores["recall@2"], scores["recall@3"]) == (1 / 2, 1)
    assert (scores["precision@2"], scores["precision@3"]) == (1, 1)
    assert scores["ndcg@3"] == pytest.approx((1 + 1 / log2(4)) / (1 + 1 / log2(3)))


@pytest.mark.parametrize(
    ("start", "end", "expected"),
    [
        (0, 10, False),
        (0, 11, True),
        (10, 20, True),
        (12, 15, True),
        (19, 30, True),
        (20, 30, False),
        (None, None, True),
    ],
)
def test_a_stretch_is_found_by_a_passage_that_overlaps_it(start: int | None, end: int | None, expected: bool) -> None:
    assert covers(found("A", start, end), Gold("A", 10, 20)) is expected
    assert not covers(found("B", start, end), Gold("A", 10, 20))


def test_two_stretches_in_one_passage_are_both_found_and_the_gain_is_cut_off() -> None:
    scores = score_ranking([found("A", 0, 100)], [Gold("A", 5, 9), Gold("A", 50, 60)], (1,))
    assert (scores["recall@1"], scores["all@1"], scores["ndcg@1"], scores["precision@1"]) == (1, 1, 1, 1)


def test_the_rank_is_that_of_the_first_passage_that_carries_the_gold() -> None:
    assert find_rank(Gold("B"), ranking("ABB")) == 2
    assert find_rank(Gold("C"), ranking("ABB")) is None


@pytest.mark.parametrize("seed", range(5))
def test_recall_ndcg_precision_and_mrr_are_those_of_trec_eval(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - examples, no secret
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    golds = {f"q{n}": "".join(chance.sample(letters, chance.randint(1, 6))) for n in range(40)}
    rankings = {name: "".join(chance.sample(letters, chance.randint(1, 20))) for name in golds}
    questions = [GoldQuestion(name, "?", tuple(gold(text))) for name, text in golds.items()]
    ours = score_run(run_of(rankings), questions, KS)
    names: dict[Any, str] = {}
    for k in KS:
        names |= {R @ k: f"recall@{k}", nDCG @ k: f"ndcg@{k}", P @ k: f"precision@{k}"}
    names[RR] = "mrr"
    qrels = {name: dict.fromkeys(text, 1) for name, text in golds.items()}
    lists = {name: {one: -float(place) for place, one in enumerate(text)} for name, text in rankings.items()}
    seen = 0
    for theirs in ir_measures.iter_calc(list(names), qrels, lists):
        assert ours.each[names[theirs.measure]][theirs.query_id] == pytest.approx(theirs.value, abs=1e-6)
        seen += 1
    assert seen == len(names) * len(golds)


@given(
    st.text("ABCDEFxyz", max_size=12).map(lambda text: "".join(dict.fromkeys(text))),
    st.sets(st.sampled_from("ABCDEF"), min_size=1),
)
def test_metrics_lie_between_0_and_1_and_rise_with_k_where_they_must(documents: str, wanted: set[str]) -> None:
    scores = score_ranking(ranking(documents), gold("".join(sorted(wanted))), KS)
    assert all(0 <= value <= 1 for value in scores.values())
    for name in ("recall", "all"):
        values = [scores[f"{name}@{k}"] for k in KS]
        assert values == sorted(values)
    for k in KS:
        assert scores[f"all@{k}"] <= scores[f"recall@{k}"]
        assert (scores[f"recall@{k}"] > 0) == (scores[f"ndcg@{k}"] > 0) == (scores[f"precision@{k}"] > 0)


@given(st.permutations("ABxyz"), st.integers(1, 4))
def test_moving_gold_up_never_costs(order: Sequence[str], place: int) -> None:
    better = [*order]
    if order[place] in "AB":
        better[place - 1], better[place] = better[place], better[place - 1]
    before, after = (score_ranking(ranking("".join(one)), gold("AB"), KS) for one in (order, better))
    assert all(after[name] >= before[name] - 1e-12 for name in before)


def test_means_are_over_the_questions_with_gold_and_are_split_by_hops_and_kind() -> None:
    questions = [
        GoldQuestion("a", "?", tuple(gold("A")), hops=2, kind="bridge"),
        GoldQuestion("b", "?", tuple(gold("B")), hops=2, kind="comparison"),
        GoldQuestion("c", "?", tuple(gold("C")), hops=3),
        GoldQuestion("d", "?", answers=("x",), hops=4),
    ]
    scores = score_run(run_of({"a": "A", "b": "x", "c": "xC"}), questions, (1, 2))
    assert scores.metrics["recall@1"] == 1 / 3
    assert scores.metrics["recall@2"] == 2 / 3
    assert {hops: means["recall@2"] for hops, means in scores.by_hops.items()} == {2: 1 / 2, 3: 1}
    assert list(scores.by_hops) == [2, 3]
    assert {kind: means["mrr"] for kind, means in scores.by_kind.items()} == {"bridge": 1, "comparison": 0}
    assert scores.each["recall@2"] == {"a": 1, "b": 0, "c": 1}


def test_a_question_that_a_run_leaves_out_counts_as_not_found() -> None:
    questions = [GoldQuestion(name, "?", tuple(gold("A"))) for name in "ab"]
    assert score_run(run_of({"a": "A"}), questions, (1,)).metrics["recall@1"] == 1 / 2


def test_questions_without_gold_have_no_metric_of_rankings_but_those_of_answers() -> None:
    questions = [GoldQuestion("a", "?", answers=("Old Port",)), GoldQuestion("b", "?", answers=("Halvik",))]
    assert score_run(run_of({"a": "A"}), questions, (1,)).metrics == {}
    answered = score_run(run_of({}, {"a": RunAnswer("the old port")}), questions, (1,))
    assert answered.metrics == dict.fromkeys(("em", "f1", "str_acc", "char_f1"), 1 / 2)
