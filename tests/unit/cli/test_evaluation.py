"""Output of `eval` for searches in several steps."""

from __future__ import annotations

import pytest

from tetragraph.cli import evaluation
from tetragraph.cli.output import out
from tetragraph.evaluate.model import EvaluationReport, GoldQuestion, Run, Scores, StepStatistics
from tetragraph.model.usage import Usage

QUESTIONS = (GoldQuestion("q1", "Who?"), GoldQuestion("q2", "Where?"))
STEPPING = StepStatistics(
    1.5, {1: 1, 2: 1}, {"sufficient": 1, "steps": 1}, {1: 0.0, 2: 0.125}, {1: 3, 2: 5}, {1: 1, 2: 2}
)


def a_report(stepping: dict[str, StepStatistics]) -> EvaluationReport:
    means = {"recall@5": 0.5, "all@5": 0.5, "ndcg@5": 0.5, "mrr": 0.5}
    return EvaluationReport(
        corpus="world",
        generation=1,
        questions=QUESTIONS,
        ks=(5,),
        baseline="dense",
        runs=(Run("dense", "dense", {}, {}), Run("anchor", "anchor", {}, {})),
        scores={
            "dense": Scores(means, {}, {}, {}),
            "anchor": Scores({**means, "found@1": 0.25, "found@2": 0.75}, {}, {}, {}),
        },
        comparisons=(),
        placed=(),
        latency={},
        titles={},
        texts={},
        missing=(),
        manifest={},
        stepping=stepping,
        usage={"anchor": Usage(calls=3, input_tokens=25, output_tokens=5)} if stepping else {},
    )


def printed(report: EvaluationReport, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    monkeypatch.setattr(out, "width", 200)
    with out.capture() as captured:
        evaluation.show(report)
    return [" ".join(line.split()) for line in captured.get().splitlines()]


def test_a_run_in_several_steps_has_a_line_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = printed(a_report({"anchor": STEPPING}), monkeypatch)
    assert "in several steps steps found@1 found@2 read twice tokens ended because" in lines
    assert "anchor 1.5 25.0 75.0 12.5 15.0 sufficient 1, steps 1" in lines


def test_runs_in_one_step_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    assert not any("several steps" in line for line in printed(a_report({}), monkeypatch))
