"""Tables of iG²RAG: ablation, neighbours, seeds, restart, embedders, and updates."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from benchmarks import data
from benchmarks.papers.runs import DEFAULT, EMBEDDERS, SEED, Figures, Runs, ingest, measure_rows, percent, sample
from benchmarks.plan import Plan
from tetragraph import Corpus, Document, Tetragraph
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.evaluate.questions import read_questions

K = 10
DEV_KS = (2, 5, 10)
SETS = ("musique", "hotpotqa")
NEIGHBOURS = (3, 5, 7)
SEEDS = (1, 3, 5, 7)
ALPHAS = (0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.0)
PAPER_ALPHA = {"musique": 0.3, "hotpotqa": 0.3, "2wikimultihopqa": 0.5}
"""α of each set with Qwen2.5-72B in the sense of tables 10 and 11, the probability of going on."""
STAGES = (1000, 500, 500, 500)
GROWN_QUESTIONS = 100
NAIVE = "Naive"


def paper(name: str, **options: object) -> tuple[str, dict[str, object]]:
    """Method and options of the paper's search on a set."""
    return "gain", {"engine": "memory", "mode": "paper", "restart": restart_of(PAPER_ALPHA[name]), **options}


def restart_of(alpha: float) -> float:
    """Our probability of returning to the seeds, for an α of the paper's tables.

    >>> restart_of(0.3), restart_of(0.0)
    (0.7, 1.0)
    """
    return round(1 - alpha, 2)


def measure_gain(plan: Plan) -> Figures:
    """Measure tables 4 to 6, 10 to 13 and 17, for each set."""
    figures: Figures = {}
    for name in SETS:
        questions = sample(plan, name)
        with Tetragraph.connect(plan.settings) as client:
            for embedder in EMBEDDERS:
                corpus = ingest(client, name, embedder)
                if embedder == DEFAULT:
                    figures[name] = _tables(corpus, name, questions)
                else:
                    corpus.build("gain", neighbours=5, mode="paper")
                rows = measure_rows(corpus, questions, {NAIVE: ("dense", {}), "iG²RAG": paper(name)}, [K], NAIVE)
                figures[name].setdefault("embedders", {})[embedder] = rows
    return figures


def _tables(corpus: Corpus, name: str, questions: Sequence[GoldQuestion]) -> Figures:
    corpus.build("gain", neighbours=5, mode="tetragraph")
    default = measure_rows(corpus, questions, {"default": ("gain", {"engine": "memory"})}, [K])
    widths: Figures = {}
    for width in sorted(NEIGHBOURS, key=lambda width: width == 5):  # 5 last: the graph of the other tables
        corpus.build("gain", neighbours=width, mode="paper")
        widths |= measure_rows(corpus, questions, {str(width): paper(name)}, [K])
    return {
        "ablation": measure_rows(corpus, questions, ablations(name), [K], NAIVE) | default,
        "neighbours": {str(width): widths[str(width)] for width in NEIGHBOURS},
        "seeds": measure_rows(corpus, questions, {str(h): paper(name, seeds=h) for h in SEEDS}, [K]),
        "alpha": measure_rows(corpus, questions, {str(a): paper(name, restart=restart_of(a)) for a in ALPHAS}, [K]),
    }


def ablations(name: str) -> Runs:
    """Rows of table 4."""
    return {
        NAIVE: ("dense", {}),
        "Sim w/ PPR": paper(name, weights="similarity"),
        "iG² w/ GS": paper(name, walk="greedy"),
        "iG² w/ PPR": paper(name),
    }


def measure_dev(plan: Plan) -> Figures:
    """Measure the paper's search on all development questions, with the paper's α of each set."""
    figures: Figures = {}
    for name in PAPER_ALPHA:
        questions = read_questions(data.folder() / name / "dev.jsonl.gz")[: plan.questions]
        with Tetragraph.connect(plan.settings) as client:
            corpus = ingest(client, name, DEFAULT)
            corpus.build("gain", neighbours=5, mode="paper")
            figures |= {name: measure_rows(corpus, questions, {"gain-paper": paper(name)}, DEV_KS)["gain-paper"]}
    return figures


def measure_growth(plan: Plan) -> Figures:
    """Measure table 14: a first build and three updates, in both modes of the build."""
    figures: Figures = {}
    for name in SETS:
        questions = sample(plan, name, GROWN_QUESTIONS)
        batches = split(name, questions, STAGES)
        with Tetragraph.connect(plan.settings) as client:
            for mode in ("paper", "tetragraph"):
                corpus = client.corpus(f"{name}-grown-{mode}")
                figures.setdefault(name, {})[mode] = _grow(corpus, name, batches, questions, mode)
    return figures


def split(name: str, questions: Sequence[GoldQuestion], sizes: Sequence[int]) -> list[list[Document]]:
    """Batches of documents in random order: the gold of the questions, and others."""
    rows = data.rows(data.corpus(name))
    gold = {one.document for question in questions for one in question.gold}
    others = [row for row in rows if row["id"] not in gold]
    wanted = [row for row in rows if row["id"] in gold]
    drawn = random.Random(SEED)  # noqa: S311 - a repeatable sample, no secret
    drawn.shuffle(others)
    chosen = [*wanted, *others[: max(0, sum(sizes) - len(wanted))]]
    drawn.shuffle(chosen)
    ends = [sum(sizes[: number + 1]) for number in range(len(sizes))]
    documents = [Document(row["id"], row["title"], row["text"]) for row in chosen]
    return [documents[end - size : end] for end, size in zip(ends, sizes, strict=True)]


def _grow(
    corpus: Corpus, name: str, batches: Sequence[Sequence[Document]], questions: Sequence[GoldQuestion], mode: str
) -> Figures:
    options = paper(name) if mode == "paper" else ("gain", {"engine": "memory"})
    gold = {one.document for question in questions for one in question.gold}
    figures: Figures = {}
    there: set[str] = set()
    for number, batch in enumerate(batches):
        began: dict[str, Any] = {"embedder": DEFAULT, "sentences": "none", "build": ()} if number == 0 else {}
        report = corpus.ingest(batch, **began)
        stored_s = sum(report.seconds.values())
        if number == 0:
            report = corpus.build("gain", mode=mode)
            stored_s += sum(report.seconds.values())
        there |= {document.id for document in batch}
        scored = corpus.evaluate(questions, {"gain": options}, ks=[K], allow_missing=True).scores["gain"]
        figures[" + ".join(map(str, filter(None, (len(there) - len(batch), len(batch)))))] = {
            "edges": report.counts["gain_edges"],
            "gain_s": round(report.seconds["gain"], 2),
            "total_s": round(stored_s, 1),
            "gold_there": percent(len(gold & there) / len(gold)),
            f"R@{K}": percent(scored.metrics[f"recall@{K}"]),
        }
    corpus.drop()
    return figures
