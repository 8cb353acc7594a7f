"""Corpora, questions and rows of the papers' tables."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import Any

from benchmarks import data
from benchmarks.plan import Plan
from tetragraph import Corpus, Tetragraph
from tetragraph.evaluate.answer_metrics import string_accuracy
from tetragraph.evaluate.model import EvaluationReport, GoldQuestion, Run
from tetragraph.evaluate.questions import read_questions

SETS = ("2wikimultihopqa", "hotpotqa", "musique")
DEFAULT = "bge-small"
EMBEDDERS = (DEFAULT, "minilm")
SAMPLE = 250
"""Largest number of questions of a set, drawn with :data:`SEED`."""
SEED = 7
Figures = dict[str, Any]
Runs = Mapping[str, tuple[str, Mapping[str, Any]]]
"""Method and options by name of the row."""


def sample(plan: Plan, name: str, size: int = SAMPLE, split: str = "dev") -> list[GoldQuestion]:
    """Draw questions of a set, the same in every run; all if there are no more."""
    questions = read_questions(data.folder() / name / f"{split}.jsonl.gz")
    drawn = random.Random(SEED)  # noqa: S311 - a repeatable sample, no secret
    return drawn.sample(questions, min(size, plan.questions, len(questions)))


def ingest(client: Tetragraph, name: str, embedder: str) -> Corpus:
    """The corpus of a set with an embedder, without graphs; ingested by the first call."""
    corpus = client.corpus(f"{name}-{embedder}")
    corpus.ingest(data.corpus(name), build=(), embedder=embedder, sentences="none")
    return corpus


def measure_rows(
    corpus: Corpus, questions: Sequence[GoldQuestion], runs: Runs, ks: Sequence[int], baseline: str | None = None
) -> Figures:
    """Measure recall and answers in the hits, in per cent, for every run.

    Args:
        corpus: Corpus with the graphs that the runs need.
        questions: Questions with gold and accepted answers.
        runs: Evaluated rows.
        ks: Ranks at which rankings are cut.
        baseline: Row that the others are compared with; none without one.

    Returns:
        For every row ``R@k``, the share of the gold among the first k, ``±k``, half of its 95 % interval, and
        ``answer@k``, the share of questions with an accepted answer in the text of the first k; with a baseline also
        ``more``, ``low`` and ``high``: the paired difference of recall at the largest cut, with its 95 % interval.
    """
    names = {f"row{number}": name for number, name in enumerate(runs)}
    methods = {short: runs[name] for short, name in names.items()}
    against = None if baseline is None else next(short for short, name in names.items() if name == baseline)
    report = corpus.evaluate(questions, methods, ks=ks, baseline=against)
    return {
        names[run.name]: {
            **_recall(report, run, ks),
            **{f"answer@{k}": find_answers(report, run, k) for k in ks},
            **(_difference(report, run, max(ks)) if baseline else {}),
        }
        for run in report.runs
    }


def _recall(report: EvaluationReport, run: Run, ks: Sequence[int]) -> Figures:
    figures: Figures = {}
    for k in ks:
        values = list(report.scores[run.name].each[f"recall@{k}"].values())
        figures |= {f"R@{k}": percent(fmean(values)), f"±{k}": percent(half_interval(values))}
    return figures


def _difference(report: EvaluationReport, run: Run, k: int) -> Figures:
    for one in report.comparisons:
        if one.first == run.name and one.metric == f"recall@{k}":
            return {"more": percent(one.difference), "low": percent(one.low), "high": percent(one.high)}
    return {}


def find_answers(report: EvaluationReport, run: Run, k: int) -> float | None:
    """Per cent of the questions of which an accepted answer is in the text of the first k hits.

    Questions that are answered by yes or no are left out, as these words are in most texts; None without others.
    """
    found = [
        string_accuracy(" ".join(report.texts[one.chunk] for one in run.rankings[question.id][:k]), question.answers)
        for question in report.questions
        if question.answers and question.answers[0].lower() not in ("yes", "no")
    ]
    return percent(fmean(found)) if found else None


def half_interval(values: Sequence[float]) -> float:
    """Half of the 95 % interval of the mean, by the normal approximation; 0 for a single value.

    >>> round(half_interval([0.0, 1.0, 1.0, 0.0]), 3)
    0.566
    """
    return 1.96 * stdev(values) / sqrt(len(values)) if len(values) > 1 else 0.0


def percent(share: float) -> float:
    """Per cent with one decimal place."""
    return round(100 * share, 1)
