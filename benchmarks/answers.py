"""Answers without a language model: how many are right, and whether their confidence says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.evaluate.answer_metrics import exact_match, token_f1

SETS = ("2wikimultihopqa", "hotpotqa", "musique")
COVERED = (0.1, 0.25, 0.5, 0.75, 1.0)
"""Shares of the questions, those with most confidence first, whose exact match is reported."""
BINS = 10


@dataclass(frozen=True, slots=True)
class Judged:
    """An answer with its scores against the accepted answers.

    Attributes:
        compares: Whether the set calls its question a comparison.
    """

    confidence: float
    exact: float
    f1: float
    compares: bool


def measure_answers(plan: Plan) -> dict[str, Any]:
    """Exact match and F1 in per cent, for all questions and for those with most confidence, and calibration error."""
    figures = {}
    for name in SETS:
        index.ingest(plan, name)
        rows = data.rows(data.folder() / name / "dev.jsonl.gz")[: plan.questions]
        with Tetragraph.connect(plan.settings) as client:
            corpus = client.corpus(name)
            answers = [corpus.ask(row["question"], generate=False, min_confidence=0) for row in rows]
        judged = [
            Judged(
                answer.confidence or 0.0,
                exact_match(answer.text, row["answers"]),
                token_f1(answer.text, row["answers"]),
                "comparison" in row["type"],
            )
            for row, answer in zip(rows, answers, strict=True)
        ]
        figures[name] = summarise(judged)
    return figures


def summarise(judged: Sequence[Judged]) -> dict[str, Any]:
    """The figures of one set."""
    compared = [one.exact for one in judged if one.compares]
    ordered = sorted(judged, key=lambda one: -one.confidence)
    figures: dict[str, Any] = {
        "questions": len(judged),
        "EM": _per_cent([one.exact for one in judged]),
        "F1": _per_cent([one.f1 for one in judged]),
        "comparisons, EM": _per_cent(compared) if compared else None,
        "ECE": round(calibration_error(judged), 3),
    }
    for share in COVERED:
        most = max(round(share * len(ordered)), 1)
        figures[f"EM of the surest {share:.0%}"] = _per_cent([one.exact for one in ordered[:most]])
    return figures


def calibration_error(judged: Sequence[Judged]) -> float:
    """Expected calibration error: mean distance of confidence and share of right answers in ten bins of equal width.

    Source: Guo et al. (2017), eq. (3).
    """
    bins = np.minimum((np.array([one.confidence for one in judged]) * BINS).astype(int), BINS - 1)
    gaps = np.array([one.confidence - one.exact for one in judged])
    return float(sum(abs(gaps[bins == number].sum()) for number in range(BINS)) / len(judged))


def _per_cent(values: Sequence[float]) -> float:
    return round(100 * float(np.mean(values)), 1)
