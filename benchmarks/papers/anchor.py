"""GraphAnchor's ablation at the level of retrieval, with the reasoner that needs no language model."""

from __future__ import annotations

from benchmarks.papers.runs import DEFAULT, SETS, Figures, Runs, find_answers, half_interval, ingest, percent, sample
from benchmarks.plan import Plan
from tetragraph import Corpus, Tetragraph
from tetragraph.evaluate.model import EvaluationReport, GoldQuestion, Run

QUESTIONS = 150
READ = 5
STEPS = 4
RUNS: Runs = {
    "single": ("dense", {}),
    "full": ("anchor", {"mode": "paper"}),
    "one-step": ("anchor", {"mode": "paper", "steps": 1}),
    "no-graph": ("anchor", {"mode": "paper", "graph": False}),
}
NAMES = {
    "single": "Vanilla RAG",
    "full": "GraphAnchor",
    "one-step": "w/o Iterative Retrieval",
    "no-graph": "w/o Graph",
}


def measure_anchor(plan: Plan) -> Figures:
    """Measure what all steps found and read twice, on every set."""
    figures: Figures = {}
    for name in SETS:
        questions = sample(plan, name, QUESTIONS)
        with Tetragraph.connect(plan.settings) as client:
            figures[name] = _measure(ingest(client, name, DEFAULT), questions)
    return figures


def _measure(corpus: Corpus, questions: list[GoldQuestion]) -> Figures:
    report = corpus.evaluate(questions, RUNS, ks=[READ, READ * STEPS])
    return {NAMES[run.name]: _row(report, run) for run in report.runs}


def _row(report: EvaluationReport, run: Run) -> Figures:
    """Recall at five; share of the gold, and answers, among all that was read; steps, and what was read twice."""
    scores, stepping = report.scores[run.name], report.stepping.get(run.name)
    metric = f"found@{run.longest}" if stepping else f"recall@{READ}"
    found = list(scores.each[metric].values())
    return {
        f"R@{READ}": percent(scores.metrics[f"recall@{READ}"]),
        "found": percent(sum(found) / len(found)),
        "±": percent(half_interval(found)),
        "answer": find_answers(report, run, READ * STEPS if stepping else READ),
        "steps": round(stepping.steps, 2) if stepping else 1,
        "read_twice": percent(stepping.overlap[max(stepping.overlap)]) if stepping else 0.0,
    }
