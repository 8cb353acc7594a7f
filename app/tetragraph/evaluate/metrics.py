"""Metrics of rankings and answers, by question and as means.

Gold is found at the first rank whose chunk belongs to its document and, if the gold is a span, overlaps that span.
Further chunks of the same gold count in ``precision`` only.

| metric | value for one question |
| --- | --- |
| ``recall@k`` | share of the gold found among the first k |
| ``all@k`` | 1 if all gold is found among the first k, otherwise 0 |
| ``ndcg@k`` | sum of 1 / log2(rank + 1) over gold found among the first k, divided by that of the best ranking |
| ``precision@k`` | share of the first k ranks that contain gold; ranks beyond the end of the ranking contain none |
| ``r_s@k`` | see :mod:`tetragraph.evaluate.similarity` |
| ``mrr`` | 1 / rank of the first chunk that contains gold, 0 if there is none |
| ``found@t`` | for a search in several steps: share of the gold in the chunks that steps 1 to t read |
| ``llm_acc``, ``g_e`` | see :mod:`tetragraph.evaluate.judging` |
| ``em``, ``f1``, ``str_acc``, ``char_f1``, ``citations`` | see :mod:`tetragraph.evaluate.answer_metrics` |

A question whose search ended before step t keeps its last value: an early end does not lower the metric.

Deviation: if one chunk contains several spans of gold, each counts at its rank, and ``ndcg`` is limited to 1.

Source: Järvelin & Kekäläinen (2002) for nDCG, with binary gains; the others as in trec_eval.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import log2
from statistics import fmean
from typing import TypeVar

from tetragraph.evaluate.answer_metrics import score_answers
from tetragraph.evaluate.judging import score_judgement
from tetragraph.evaluate.model import Found, Gold, GoldQuestion, Run, Scores, StepSequence

Group = TypeVar("Group", int, str)
Each = Mapping[str, Mapping[str, float]]
_NONE: Each = {}
_NO_STEPS = StepSequence("", ())


def covers(found: Found, gold: Gold) -> bool:
    """Whether a chunk contains gold."""
    if found.document != gold.document:
        return False
    if gold.start is None or gold.end is None or found.start is None or found.end is None:
        return True
    return found.start < gold.end and gold.start < found.end


def find_rank(gold: Gold, ranking: Sequence[Found]) -> int | None:
    """First rank, from 1, of a chunk that contains the gold; None if there is none."""
    return next((rank for rank, found in enumerate(ranking, start=1) if covers(found, gold)), None)


def score_ranking(ranking: Sequence[Found], gold: Sequence[Gold], ks: Iterable[int]) -> dict[str, float]:
    """The metrics of one ranking.

    Args:
        ranking: Ranked chunks, best first.
        gold: Gold of the question; at least one.
        ks: Ranks at which the ranking is cut, each at least 1.
    """
    ranks = [rank for rank in (find_rank(one, ranking) for one in gold) if rank is not None]
    carriers = [rank for rank, found in enumerate(ranking, start=1) if any(covers(found, one) for one in gold)]
    scores: dict[str, float] = {}
    for k in ks:
        found = [rank for rank in ranks if rank <= k]
        best = sum(_discount(rank) for rank in range(1, min(k, len(gold)) + 1))
        scores[f"recall@{k}"] = len(found) / len(gold)
        scores[f"all@{k}"] = float(len(found) == len(gold))
        scores[f"ndcg@{k}"] = min(1.0, sum(map(_discount, found)) / best)
        scores[f"precision@{k}"] = sum(rank <= k for rank in carriers) / k
    scores["mrr"] = 1 / carriers[0] if carriers else 0.0
    return scores


def score_trail(trail: StepSequence, gold: Sequence[Gold], longest: int) -> dict[str, float]:
    """Compute ``found@1`` to ``found@longest`` of one question.

    Source: GraphAnchor (2026), figure 4a, which counts documents with the answer's words; here gold counts.
    """
    scores = {}
    for number in range(1, longest + 1):
        found = [one for step in trail.steps[:number] for one in step.found]
        scores[f"found@{number}"] = sum(find_rank(one, found) is not None for one in gold) / len(gold)
    return scores


def score_run(run: Run, questions: Sequence[GoldQuestion], ks: Sequence[int], similarity: Each = _NONE) -> Scores:
    """The metrics of a run over all questions; a question that the run lacks counts as having found nothing.

    Questions without gold are excluded from the metrics of rankings. A run without answers has no metrics of answers.

    Args:
        run: The run.
        questions: All questions.
        ks: Ranks at which the rankings are cut.
        similarity: Question id to ``r_s@k``, as far as known.
    """
    each: dict[str, dict[str, float]] = {}
    for question in questions:
        scores: dict[str, float] = {}
        if question.gold:
            scores |= score_ranking(run.rankings.get(question.id, ()), question.gold, ks)
            scores |= similarity.get(question.id, {})
            scores |= score_trail(run.trails.get(question.id, _NO_STEPS), question.gold, run.longest)
        scores |= score_answers(run.answers, question)
        if question.id in run.judgements:
            scores |= score_judgement(run.judgements[question.id])
        for name, value in scores.items():
            each.setdefault(name, {})[question.id] = value
    return Scores(
        metrics=_means(each, {one.id for one in questions}),
        by_hops=_split(each, {one.id: one.hops for one in questions if one.hops is not None}),
        by_kind=_split(each, {one.id: one.kind for one in questions if one.kind is not None}),
        each=each,
    )


def _discount(rank: int) -> float:
    return 1 / log2(rank + 1)


def _split(each: Each, groups: Mapping[str, Group]) -> dict[Group, dict[str, float]]:
    """The means over the questions of each group, groups in order; a group without metrics is left out."""
    means = {}
    for group in sorted(set(groups.values())):
        means[group] = _means(each, {question for question, one in groups.items() if one == group})
    return {group: metrics for group, metrics in means.items() if metrics}


def _means(each: Each, questions: Collection[str]) -> dict[str, float]:
    values = {name: [value for one, value in scores.items() if one in questions] for name, scores in each.items()}
    return {name: fmean(some) for name, some in values.items() if some}
