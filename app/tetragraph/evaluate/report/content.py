"""Contents of a report: one tree of plain values, written as ``report.json`` and shown by ``report.html``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from tetragraph.evaluate.judging import mean_ratings
from tetragraph.evaluate.metrics import covers
from tetragraph.evaluate.model import (
    Comparison,
    EvaluationReport,
    Found,
    Gold,
    GoldQuestion,
    GoldRanks,
    Run,
    Scores,
    StepStatistics,
    headline_k,
)
from tetragraph.evaluate.multi_step import plain
from tetragraph.model.usage import NOTHING

SCHEMA = 1
"""Version of ``report.json``: increased when a key changes its meaning or is removed, not for new keys."""
DIGITS = 6
"""Decimals of every figure, to hide the last bits of sums."""
Tree = dict[str, Any]


def content(report: EvaluationReport) -> Tree:
    """The report as plain values, without wall times: the same evaluation gives the same tree.

    ``runs`` has the means of the metrics, ``comparisons`` the paired differences. ``questions`` has the gold with its
    rank in each run (None if a run does not find it), and for each run the metrics of the question, the chunks found
    and, for a search in several steps, the steps. With judged answers ``ratings`` of a run has the means of the seven
    ratings, 0 to 10, and ``judgement`` of a question its judgement.
    """
    placed: dict[str, list[GoldRanks]] = {question.id: [] for question in report.questions}
    for one in report.placed:
        placed[one.question].append(one)
    return {
        "schema": SCHEMA,
        "corpus": report.corpus,
        "generation": report.generation,
        "k": list(report.ks),
        "headline": f"recall@{headline_k(report.ks)}",
        "baseline": report.baseline,
        "manifest": dict(report.manifest),
        "missing": list(report.missing),
        "notes": list(report.notes),
        "runs": [_run(run, report.scores[run.name], report.stepping.get(run.name)) for run in report.runs],
        "comparisons": [_comparison(one) for one in report.comparisons],
        "questions": [_question(question, placed[question.id], report) for question in report.questions],
    }


def timings(report: EvaluationReport) -> Tree:
    """Wall times of the searches by run and question, in seconds; they differ from one execution to the next.

    So does the usage of a language model, as replies are cached: ``usage`` has it by run, summed over all questions,
    and ``judging`` that of the judgements of answers.
    """
    timed = {run.name: _round(run.seconds) for run in report.runs if run.seconds}
    usage = {name: _round(asdict(spent)) for name, spent in report.usage.items()}
    judging = {} if report.judging == NOTHING else {"judging": _round(asdict(report.judging))}
    return {"schema": SCHEMA, "unit": "seconds", "runs": timed, **({"usage": usage} if usage else {}), **judging}


def _run(run: Run, scores: Scores, stepping: StepStatistics | None) -> Tree:
    return {
        "name": run.name,
        "method": run.method,
        "options": dict(run.options),
        "notes": list(run.notes),
        "metrics": _round(scores.metrics),
        "by_hops": {str(hops): _round(metrics) for hops, metrics in scores.by_hops.items()},
        "by_kind": {kind: _round(metrics) for kind, metrics in scores.by_kind.items()},
        **({"stepping": _stepping(stepping)} if stepping else {}),
        **({"ratings": _round(mean_ratings(run))} if run.judgements else {}),
    }


def _stepping(stepping: StepStatistics) -> Tree:
    by_step = {name: getattr(stepping, name) for name in ("overlap", "anchors", "relations")}
    return {
        "steps": round(stepping.steps, DIGITS),
        "ended": {str(number): count for number, count in stepping.ended.items()},
        "stopped": dict(stepping.stopped),
        **{name: _round({str(number): one for number, one in figures.items()}) for name, figures in by_step.items()},
    }


def _comparison(one: Comparison) -> Tree:
    return {
        "first": one.first,
        "second": one.second,
        "metric": one.metric,
        "difference": round(one.difference, DIGITS),
        "low": round(one.low, DIGITS),
        "high": round(one.high, DIGITS),
        "p_value": round(one.p_value, DIGITS),
        "verdict": one.verdict,
    }


def _question(question: GoldQuestion, placed: Sequence[GoldRanks], report: EvaluationReport) -> Tree:
    return {
        "id": question.id,
        "text": question.text,
        "hops": question.hops,
        "kind": question.kind,
        "answers": list(question.answers),
        "gold": [
            {
                "document": one.gold.document,
                "start": one.gold.start,
                "end": one.gold.end,
                "title": one.title,
                "ranks": dict(one.ranks),
            }
            for one in placed
        ],
        "runs": {run.name: _question_results(question, run, report.scores[run.name]) for run in report.runs},
    }


def _question_results(question: GoldQuestion, run: Run, scores: Scores) -> Tree:
    """Results of a run for one question."""
    trail = run.trails.get(question.id)
    judgement = run.judgements.get(question.id)
    return {
        "metrics": _round({name: each[question.id] for name, each in scores.each.items() if question.id in each}),
        "found": [_ranked_chunk(one, question.gold) for one in run.rankings.get(question.id, ())],
        **(plain(trail) if trail else {}),
        **({"judgement": asdict(judgement)} if judgement else {}),
    }


def _ranked_chunk(found: Found, gold: Sequence[Gold]) -> Tree:
    return {
        "chunk": found.chunk,
        "document": found.document,
        "title": found.title,
        "score": round(found.score, DIGITS),
        "gold": any(covers(found, one) for one in gold),
    }


def _round(figures: Mapping[str, float]) -> dict[str, float]:
    return {name: round(value, DIGITS) for name, value in figures.items()}
