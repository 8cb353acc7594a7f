"""A small evaluation of three questions and two runs."""

from __future__ import annotations

import pytest

from tetragraph.evaluate.model import (
    Comparison,
    EvaluationReport,
    Found,
    Gold,
    GoldQuestion,
    GoldRanks,
    Latency,
    Run,
    Scores,
)

HOSTILE = "<script>alert('x')</script><img src=https://example.org/x.png>"
QUESTIONS = (
    GoldQuestion("q1", f"Who taught Elva? {HOSTILE}", (Gold("tomas"), Gold("elva")), ("Tomas Reyer",), 2, "bridge"),
    GoldQuestion("q2", "Where is the harbour?", (Gold("halvik", 0, 40),), ("Halvik",), 1, "single"),
    GoldQuestion("q3", "Of what nobody knows the evidence?", (), ("Nothing",)),
)


def found(*documents: str) -> tuple[Found, ...]:
    """A ranking of whole documents, with falling scores."""
    return tuple(
        Found(f"chunk-{name}", name, name.title() if name != "hostile" else HOSTILE, 0, 90, 1.0 - 0.125 * place)
        for place, name in enumerate(documents)
    )


@pytest.fixture(scope="session")
def report() -> EvaluationReport:
    rankings = {
        "evidence": {"q1": found("tomas", "elva"), "q2": found("halvik", "sund"), "q3": found("sund", "elva")},
        "dense": {"q1": found("hostile", "elva"), "q2": found("halvik", "sund"), "q3": found("elva", "sund")},
    }
    return EvaluationReport(
        corpus="world",
        generation=7,
        questions=QUESTIONS,
        ks=(1, 2),
        baseline="dense",
        runs=(
            Run("evidence", "evidence", {"chain": "off"}, rankings["evidence"], {"q1": 0.004, "q2": 0.002}),
            Run("dense", "dense", {}, rankings["dense"], {"q1": 0.008, "q2": 0.004}, ("the ingest is unfinished",)),
        ),
        scores={
            "evidence": _scores(
                {"recall@1": (0.5, 1.0), "recall@2": (1.0, 1.0), "all@2": (1.0, 1.0), "mrr": (1.0, 1.0)}
            ),
            "dense": _scores({"recall@1": (0.0, 1.0), "recall@2": (0.5, 1.0), "all@2": (0.0, 1.0), "mrr": (0.5, 1.0)}),
        },
        comparisons=(
            Comparison("evidence", "dense", "recall@1", 0.25, 0.0, 0.5, 0.5, "undecided"),
            Comparison("evidence", "dense", "recall@2", 0.25, 0.125, 0.5, 0.03125, "better"),
        ),
        placed=(
            GoldRanks("q1", Gold("tomas"), "Tomas Reyer", {"evidence": 1, "dense": None}),
            GoldRanks("q1", Gold("elva"), "Elva Kron", {"evidence": 2, "dense": 2}),
            GoldRanks("q2", Gold("halvik", 0, 40), "Halvik", {"evidence": 1, "dense": 1}),
        ),
        latency={"evidence": Latency(0.003, 0.0039, 0.00398, 0.003), "dense": Latency(0.006, 0.0078, 0.00796, 0.006)},
        titles={"tomas": "Tomas Reyer", "elva": "Elva Kron", "halvik": "Halvik"},
        texts={"chunk-tomas": "Tomas Reyer was a teacher. " * 20, "chunk-hostile": HOSTILE},
        missing=(),
        manifest={
            "corpus": {"name": "world", "generation": 7, "embedder": "minilm"},
            "versions": {"tetragraph": "0.1.0"},
            "ks": [1, 2],
            "runs": [{"name": "evidence", "options": {"chain": "off"}}, {"name": "dense", "options": {}}],
        },
        notes=("1 of 3 questions has no gold",),
    )


def _scores(each: dict[str, tuple[float, float]]) -> Scores:
    """Scores of q1 (2 hops, bridge) and q2 (1 hop, single); q3 has no gold."""
    first, second = ({name: values[place] for name, values in each.items()} for place in (0, 1))
    return Scores(
        metrics={name: sum(values) / 2 for name, values in each.items()},
        by_hops={2: first, 1: second},
        by_kind={"bridge": first, "single": second},
        each={name: {"q1": values[0], "q2": values[1]} for name, values in each.items()},
    )
