"""Searches in several steps compared with a single step of the same retriever: recall, steps, time, sessions.

``python -m benchmarks.anchor [PIECE …]`` measures some pieces, sets and retrievers, adds the figures to those of the
same day, and leaves the local Neo4j of the home running.
"""

from __future__ import annotations

import argparse
import datetime as dt
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks import anchor_sessions, data, index, measure, report
from benchmarks.plan import Plan
from benchmarks.variants import Variant, embedded, searches
from tetragraph import Tetragraph
from tetragraph.evaluate.model import EvaluationReport, GoldQuestion, StepStatistics
from tetragraph.evaluate.questions import read_questions

SETS = ("2wikimultihopqa", "musique", "hotpotqa")
RETRIEVERS = ("evidence", "gain", "dense", "keyword", "bipartite", "tree", "fused")
CUTS = (2, 5, 10)
COMPARED = (5, 10)
MOST = 4
TIMED = "2wikimultihopqa"
"""Set on which times are measured and sessions are written."""
TIMED_STEPS = 3
Figures = dict[str, Any]


def measure_anchor(plan: Plan) -> Figures:
    """Measure all pieces, on all sets with all retrievers."""
    return measure_pieces(plan, list(PIECES), SETS, RETRIEVERS)


def measure_pieces(plan: Plan, pieces: Sequence[str], sets: Sequence[str], retrievers: Sequence[str]) -> Figures:
    """Measure some pieces; sets and retrievers apply to ``recall``."""
    figures: Figures = {}
    for piece in pieces:
        figures |= PIECES[piece](plan, sets, retrievers)
    return figures


def _recall_piece(plan: Plan, sets: Sequence[str], retrievers: Sequence[str]) -> Figures:
    figures: Figures = {}
    for name in sets:
        index.ingest(plan, name, index.ALL_GRAPHS)
        questions = read_questions(data.folder() / name / "dev.jsonl.gz")[: plan.questions]
        with Tetragraph.connect(plan.settings) as client:
            for retriever in retrievers:
                for part, row in against_single(client, name, retriever, questions).items():
                    figures.setdefault(part, {}).setdefault(name, {})[retriever] = row
    return figures


def _time_piece(plan: Plan, _: Sequence[str], __: Sequence[str]) -> Figures:
    index.ingest(plan, TIMED, index.ALL_GRAPHS)
    with Tetragraph.connect(plan.settings) as client:
        return {"time": measure_time(client, _texts(plan))}


def _sessions_piece(plan: Plan, _: Sequence[str], __: Sequence[str]) -> Figures:
    index.ingest(plan, TIMED, index.ALL_GRAPHS)
    with Tetragraph.connect(plan.settings) as client:
        return {"sessions": anchor_sessions.measure_sessions(client, TIMED, _texts(plan))}


def _texts(plan: Plan) -> list[str]:
    return [question.text for question in data.questions(TIMED, "dev")[: plan.questions]]


PIECES: dict[str, Callable[[Plan, Sequence[str], Sequence[str]], Figures]] = {
    "recall": _recall_piece,
    "time": _time_piece,
    "sessions": _sessions_piece,
}


def runs_of(retriever: str) -> dict[str, tuple[str, dict[str, Any]]]:
    """Method and settings by name: one step, loops of up to 2, 3 and 4 steps, and the longest without a graph."""
    loops = {str(steps): {"retriever": retriever, "steps": steps} for steps in range(2, MOST + 1)}
    without = {"retriever": retriever, "steps": MOST, "graph": False}
    return {
        "1": (retriever, {}),
        **{name: ("anchor", options) for name, options in loops.items()},
        f"{MOST}-no-graph": ("anchor", without),
    }


def against_single(client: Tetragraph, name: str, retriever: str, questions: Sequence[GoldQuestion]) -> Figures:
    """Figures of a retriever's runs on a set; see :func:`sum_up`."""
    return sum_up(client.corpus(name).evaluate(questions, runs_of(retriever), ks=CUTS, baseline="1"))


def sum_up(evaluated: EvaluationReport) -> Figures:
    """Recall of each run in per cent, with its difference to one step, and statistics of the longest loops."""
    figures: Figures = {"recall": {shown(run.name): _recall(evaluated, run.name) for run in evaluated.runs}}
    for run in evaluated.runs:
        if run.name.startswith(str(MOST)):
            stepping, means = evaluated.stepping[run.name], evaluated.scores[run.name].metrics
            found = {number: 100 * means[f"found@{number}"] for number in stepping.ended}
            for part, row in {"found": _by_step(found), **_statistics(stepping)}.items():
                figures.setdefault(part, {})[shown(run.name)] = row
    return figures


def shown(run: str) -> str:
    """The name of a run in the tables.

    >>> shown("1"), shown("3"), shown("4-no-graph")
    ('1 step', '3 steps', '4 steps without a graph')
    """
    steps, _, without = run.partition("-")
    return f"{steps} step{'s' * (steps != '1')}{' without a graph' * bool(without)}"


def _recall(evaluated: EvaluationReport, run: str) -> Figures:
    means = evaluated.scores[run].metrics
    row: Figures = {f"R@{k}": _percent(means[f"recall@{k}"]) for k in CUTS}
    for one in evaluated.comparisons:
        cut = int(one.metric.partition("@")[2] or 0)
        if one.first == run and cut in COMPARED:
            values = {"more": one.difference, "low": one.low, "high": one.high}
            row |= {f"R@{cut}_{name}": round(100 * value, 2) for name, value in values.items()}
    return row


def _statistics(stepping: StepStatistics) -> Figures:
    """Number of steps, reasons why searches ended, and counts up to each step."""
    ended = {f"ended_at_{number}": stepping.ended.get(number, 0) for number in range(1, MOST + 1)}
    return {
        "steps": {"mean": round(stepping.steps, 2), **ended},
        "ended because": dict(stepping.stopped),
        "read before": _by_step({number: 100 * share for number, share in stepping.overlap.items()}),
        "anchors": _by_step(stepping.anchors),
        "relations": _by_step(stepping.relations),
    }


def _by_step(values: Mapping[int, float]) -> Figures:
    """A figure for each possible step; the last one for steps that no question reached."""
    last = max(values)
    return {f"up_to_{number}": round(values[min(number, last)], 1) for number in range(1, MOST + 1)}


def _percent(share: float) -> float:
    return round(100 * share, 1)


def measure_time(client: Tetragraph, texts: Sequence[str]) -> Figures:
    """Milliseconds of a search in up to three steps, by the number of its steps, and of its retriever alone.

    The embedding of the question is excluded, the embeddings of later queries are included. The searches are not
    stored.
    """
    loop = Variant("anchor", (("steps", TIMED_STEPS),))
    single = Variant("evidence")
    figures: Figures = {}
    questions = embedded(client, TIMED, list(texts))
    figures["one search of evidence"] = measure.load(searches(client, TIMED, single, questions))
    work = searches(client, TIMED, loop, questions)
    figures[f"search of up to {TIMED_STEPS} steps"] = measure.load(work)
    taken = [len(search().trace["anchor"]["steps"]) for search in work]
    for steps in range(1, TIMED_STEPS + 1):
        some = [search for search, number in zip(work, taken, strict=True) if number == steps]
        if len(some) > 1:
            figures[f"search that took {shown(str(steps))}"] = {"questions": len(some), **measure.load(some)}
    return figures


def main() -> None:
    """Measure some pieces, print their figures, and add them to those of the same day."""
    given = _parser().parse_args()
    if unknown := sorted({*given.pieces} - {*PIECES}):
        _parser().error(f"a piece must be one of {', '.join(PIECES)}, got {unknown[0]}")
    plan = Plan(given.home.absolute(), given.questions, ())
    figures = measure_pieces(plan, given.pieces or list(PIECES), given.sets, given.retrievers)
    print(json.dumps(figures, indent=1))
    if given.out:
        date = dt.date.today().isoformat()
        kept = given.out / f"{date}.json"
        before = json.loads(kept.read_text(encoding="utf-8")).get("anchor", {}) if kept.is_file() else {}
        facts = {"date": date, "machine": measure.machine(), "embedder": plan.settings.embedder}
        report.write({**facts, "anchor": merge(before, figures)}, given.out)


def merge(before: Mapping[str, Any], now: Mapping[str, Any]) -> Figures:
    """Figures, updated with newer ones.

    >>> merge({"a": {"x": 1, "y": 2}, "b": 3}, {"a": {"y": 4}})
    {'a': {'x': 1, 'y': 4}, 'b': 3}
    """
    both = dict(before)
    for name, value in now.items():
        old = both.get(name)
        both[name] = merge(old, value) if isinstance(old, Mapping) and isinstance(value, Mapping) else value
    return both


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.anchor", description=__doc__)
    parser.add_argument("pieces", nargs="*", metavar="PIECE", help=", ".join(PIECES))
    parser.add_argument("--home", type=Path, required=True, help="where the corpora are, or come to")
    parser.add_argument("--sets", nargs="+", choices=SETS, default=SETS)
    parser.add_argument("--retrievers", nargs="+", choices=RETRIEVERS, default=RETRIEVERS)
    parser.add_argument("--questions", type=int, default=1000, help="how many questions are asked at the most")
    parser.add_argument("--out", type=Path, help="where results go")
    return parser


if __name__ == "__main__":
    main()
