"""Figures of searches in several steps compared with one step, and isolation of sessions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from benchmarks import anchor, anchor_answers, anchor_sessions, anchor_tables
from benchmarks.anchor_sessions import StoredSession

from anchor_session import STEPS
from tetragraph.evaluate.model import Comparison, EvaluationReport, Run, Scores, StepStatistics
from tetragraph.model.anchors import AnchorStep, SessionRecord
from tetragraph.systems.anchor_graph import AnchorOptions, SessionStore

STEPPING = StepStatistics(1.5, {1: 1, 2: 1}, {"sufficient": 2}, {1: 0.0, 2: 0.125}, {1: 3, 2: 5.25}, {1: 1, 2: 2})


def a_report() -> EvaluationReport:
    """One step finds half, all loops find three quarters."""
    names = list(anchor.runs_of("dense"))
    means = {
        name: {**{f"recall@{k}": 0.5 if name == "1" else 0.75 for k in anchor.CUTS}, "found@1": 0.5, "found@2": 0.8}
        for name in names
    }
    compared = (
        Comparison(name, "1", f"recall@{k}", 0.25, 0.0004, 0.5, 0.01, "better")
        for name in names[1:]
        for k in (2, 5, 10)
    )
    return EvaluationReport(
        corpus="a",
        generation=1,
        questions=(),
        ks=anchor.CUTS,
        baseline="1",
        runs=tuple(Run(name, *method, {}) for name, method in anchor.runs_of("dense").items()),
        scores={name: Scores(one, {}, {}, {}) for name, one in means.items()},
        comparisons=tuple(compared),
        placed=(),
        latency={},
        titles={},
        texts={},
        missing=(),
        manifest={},
        stepping=dict.fromkeys(names[1:], STEPPING),
    )


def test_every_loop_is_held_against_one_step_of_its_own_retriever() -> None:
    runs = anchor.runs_of("tree")
    assert runs["1"] == ("tree", {})
    assert {options["retriever"] for method, options in runs.values() if method == "anchor"} == {"tree"}
    assert [options.get("steps") for _, options in runs.values()] == [None, 2, 3, 4, 4]
    assert runs["4-no-graph"][1]["graph"] is False


def test_recall_is_told_with_its_difference_to_one_step() -> None:
    recall = anchor.sum_up(a_report())["recall"]
    assert recall["1 step"] == {"R@2": 50.0, "R@5": 50.0, "R@10": 50.0}
    assert (recall["4 steps"]["R@5_more"], recall["4 steps"]["R@5_low"]) == (25.0, 0.04)
    assert "R@2_more" not in recall["4 steps"]
    assert list(recall) == ["1 step", "2 steps", "3 steps", "4 steps", "4 steps without a graph"]


def test_the_longest_loops_tell_how_they_went_up_to_each_step_there_may_be() -> None:
    figures = anchor.sum_up(a_report())
    assert list(figures["found"]) == ["4 steps", "4 steps without a graph"]
    steps = [f"up_to_{number}" for number in (1, 2, 3, 4)]
    assert figures["found"]["4 steps"] == dict(zip(steps, (50.0, 80.0, 80.0, 80.0), strict=True))
    assert figures["steps"]["4 steps"] == {
        "mean": 1.5,
        "ended_at_1": 1,
        "ended_at_2": 1,
        "ended_at_3": 0,
        "ended_at_4": 0,
    }
    assert figures["read before"]["4 steps"] == dict(zip(steps, (0.0, 12.5, 12.5, 12.5), strict=True))
    assert figures["anchors"]["4 steps"] == dict(zip(steps, (3, 5.2, 5.2, 5.2), strict=True))


def test_readme_marks_what_an_interval_tells_apart_from_one_step() -> None:
    found = anchor.sum_up(a_report())
    figures: dict[str, Any] = {part: {"a set": {"evidence": row}} for part, row in found.items()}
    figures["time"] = {"one search": {"p50_ms": 1.25, "p95_ms": 2.0, "p99_ms": 3.0}}
    kept = {"sessions": 50, "lost": 0, "mixed": 1, "steps_per_s": 12.5}
    figures["sessions"] = {"at once": kept, "a step, written": {"p50_ms": 7.5, "p95_ms": 9.0}}
    lines = anchor_tables.anchor({"anchor": figures})
    assert "| `evidence` | 50.0 → **75.0**, 50.0 → **75.0** |" in lines
    assert "| a set, 4 steps | 50.0 / 80.0 / 80.0 / 80.0 | 1.5 | 12.5 | 5.2 | 2 |" in lines
    assert "| a step of a session, written | 7.5 | 9 |" in lines
    assert "| 50 sessions, at once | 0 | 1 | 12.5 |" in lines


class Store:
    """Gives back the steps that it was told to have."""

    def __init__(self, kept: Mapping[str, tuple[AnchorStep, ...]]) -> None:
        self._kept = kept

    def load(self, session: str) -> tuple[SessionRecord | None, tuple[AnchorStep, ...]]:
        return None, self._kept[session]


MADE = StoredSession("x", STEPS)


def compared(kept: Mapping[str, tuple[AnchorStep, ...]], sessions: Sequence[str]) -> dict[str, Any]:
    made = [StoredSession(session, STEPS) for session in sessions]
    return anchor_sessions.compare(cast("SessionStore", Store(kept)), made, [MADE] * len(made))


def test_sessions_that_lost_a_step_or_have_that_of_another_are_counted() -> None:
    other = (STEPS[0], replace(STEPS[1], query="another"), STEPS[2])
    assert compared({"a": STEPS, "b": STEPS}, "ab") == {"sessions": 2, "lost": 0, "mixed": 0}
    kept = {"a": STEPS[:2], "b": other, "c": (*STEPS, STEPS[2])}
    assert compared(kept, "abc") == {"sessions": 3, "lost": 1, "mixed": 2}


def test_two_searches_that_were_given_one_session_are_one_lost() -> None:
    assert compared({"a": STEPS}, "aa") == {"sessions": 1, "lost": 1, "mixed": 0}


def test_ways_of_answering_differ_in_steps_and_graph_alone() -> None:
    ways = anchor_answers.WAYS
    method, loop = ways["several steps with a graph"]
    assert ways["several steps without a graph"] == (method, {**loop, "graph": False})
    assert ways["one step"] == (AnchorOptions(**loop).retriever, {})


def test_figures_of_another_set_or_retriever_stay_when_some_are_measured_anew() -> None:
    before = {"recall": {"a": {"dense": {"1 step": {"R@5": 1.0}}, "tree": {}}}, "time": {"x": 1}}
    now = {"recall": {"a": {"dense": {"1 step": {"R@5": 2.0}}}, "b": {}}}
    assert anchor.merge(before, now) == {
        "recall": {"a": {"dense": {"1 step": {"R@5": 2.0}}, "tree": {}}, "b": {}},
        "time": {"x": 1},
    }
