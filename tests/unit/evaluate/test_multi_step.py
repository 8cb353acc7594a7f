"""Searches in several steps: gold found up to each step, statistics, and repetition."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tetragraph.errors import InvalidInput, UnknownChunk
from tetragraph.evaluate.evaluation import EvaluationRequest, evaluate
from tetragraph.evaluate.manifest import MANIFEST, write_record
from tetragraph.evaluate.metrics import score_run, score_trail
from tetragraph.evaluate.model import EvaluationReport, Found, Gold, GoldQuestion, Run, RunStep, StepSequence
from tetragraph.evaluate.multi_step import differences, format_trails, read_trails, sum_up
from tetragraph.evaluate.repeat import check, read_plan
from tetragraph.model.usage import Usage
from tetragraph.progress import NoProgress

if TYPE_CHECKING:
    from .conftest import Corpus

STEPS = {"painter of halvik ?": [["tide", "kron"], ["kron", "halvik"], ["tide", "kron"]]}
"""The first question finds half of its gold in the first step and the rest in the second; the others take one step."""


@pytest.fixture
def report(corpus: Corpus, questions: list[GoldQuestion]) -> EvaluationReport:
    corpus.steps = STEPS
    return evaluated(corpus, questions)


def evaluated(corpus: Corpus, questions: list[GoldQuestion]) -> EvaluationReport:
    return evaluate(corpus.subject(), questions, EvaluationRequest(("dense", "anchor"), (1, 2)), NoProgress())


def taken(*names: str, anchors: int = 0, relations: int = 0) -> RunStep:
    return RunStep("?", tuple(Found(name, name, "", 0, 9, 0.0) for name in names), anchors, relations)


def test_gold_counts_from_the_step_that_read_it_whatever_later_steps_read() -> None:
    trail = StepSequence("steps", (taken("a", "x"), taken("x"), taken("b")))
    gold = (Gold("a"), Gold("b", 3, 5), Gold("b", 20, 30))
    assert score_trail(trail, gold, 3) == {"found@1": 1 / 3, "found@2": 1 / 3, "found@3": 2 / 3}


def test_a_question_that_ended_earlier_keeps_what_it_had_found() -> None:
    assert score_trail(StepSequence("sufficient", (taken("a"),)), (Gold("a"),), 3) == dict.fromkeys(
        ("found@1", "found@2", "found@3"), 1.0
    )


def test_what_is_found_up_to_each_step_is_a_metric_like_others(report: EvaluationReport) -> None:
    scores = report.scores["anchor"]
    assert scores.each["found@1"] == {"q1": 0.5, "q2": 1.0}
    assert scores.metrics["found@1"] == 0.75
    assert scores.metrics["found@2"] == scores.metrics["found@3"] == 1.0
    assert scores.by_hops[2]["found@1"] == 0.5
    assert not any(name.startswith("found") for name in report.scores["dense"].metrics)


def test_a_question_that_the_run_has_no_steps_of_has_found_nothing() -> None:
    trails = {"q1": StepSequence("steps", (taken("kron"),))}
    run = Run("anchor", "anchor", {}, {}, trails=trails)
    scores = score_run(run, [GoldQuestion("q1", "?", (Gold("kron"),)), GoldQuestion("q2", "?", (Gold("kron"),))], (1,))
    assert scores.each["found@1"] == {"q1": 1.0, "q2": 0.0}


def test_passages_that_the_result_does_not_show_are_looked_up(report: EvaluationReport) -> None:
    trail = report.runs[1].trails["q1"]
    assert [one.document for one in trail.steps[0].found] == ["tide", "kron"]
    assert trail.steps[0].found[0] == Found("c-tide", "tide", "Tide", 0, 19, 0.0)
    assert "tide" not in [one.document for one in report.runs[1].rankings["q1"]]
    assert trail.stopped == "sufficient"


def test_only_what_a_step_read_counts(corpus: Corpus, questions: list[GoldQuestion]) -> None:
    corpus.steps = STEPS
    asked = EvaluationRequest({"anchor": ("anchor", {"documents": 1})}, (1, 2))
    (run,) = evaluate(corpus.subject(), questions, asked, NoProgress()).runs
    assert [[one.document for one in step.found] for step in run.trails["q1"].steps] == [["tide"], ["kron"], ["tide"]]


def test_a_chunk_that_the_corpus_lacks_ends_the_evaluation(corpus: Corpus, questions: list[GoldQuestion]) -> None:
    corpus.steps = {"painter of halvik ?": [["gone", "lost"]]}
    with pytest.raises(UnknownChunk, match="lacks 2, such as 'c-gone'"):
        evaluated(corpus, questions)


def test_the_summary_counts_steps_and_why_they_ended(report: EvaluationReport) -> None:
    assert report.stepping.keys() == {"anchor"}
    stepping = report.stepping["anchor"]
    assert stepping.steps == 5 / 3
    assert stepping.ended == {1: 2, 2: 0, 3: 1}
    assert list(stepping.stopped.items()) == [("no new evidence", 2), ("sufficient", 1)]
    assert stepping.anchors == {1: 2, 2: pytest.approx(8 / 3), 3: pytest.approx(10 / 3)}
    assert stepping.relations == {1: 1, 2: pytest.approx(4 / 3), 3: pytest.approx(5 / 3)}


def test_overlap_is_the_share_of_passages_that_were_read_before(report: EvaluationReport) -> None:
    """Of q1's 2, 4 and 6 passages up to each step 0, 1 and 3 are repetitions; the other two questions have none."""
    expected = {1: 0.0, 2: (1 / 4 + 0 + 0) / 3, 3: (3 / 6 + 0 + 0) / 3}
    assert report.stepping["anchor"].overlap == pytest.approx(expected)


def test_steps_that_read_nothing_overlap_with_nothing() -> None:
    run = Run("anchor", "anchor", {}, {}, trails={"q": StepSequence("no new evidence", (taken(), taken()))})
    assert sum_up(run).overlap == {1: 0.0, 2: 0.0}


def test_what_a_language_model_cost_is_added_up(report: EvaluationReport) -> None:
    assert report.usage == {"anchor": Usage(calls=5, input_tokens=15)}
    assert report.runs[1].usage["q1"] == Usage(calls=3, input_tokens=5)


def test_steps_are_kept_and_a_repetition_has_the_same(report: EvaluationReport, corpus: Corpus, tmp_path: Path) -> None:
    written = [file.name for file in write_record(report, tmp_path)]
    assert "anchor.steps.jsonl" in written
    assert "dense.steps.jsonl" not in written
    rows = [json.loads(line) for line in (tmp_path / "anchor.steps.jsonl").read_text(encoding="utf-8").splitlines()]
    assert [row["id"] for row in rows] == ["q1", "q2", "q3"]
    assert rows[0]["steps"][1] == {
        "query": "query 2",
        "passages": ["kron@0-24", "halvik@0-23"],
        "anchors": 4,
        "relations": 2,
    }
    assert read_trails(tmp_path / "anchor.steps.jsonl")["q2"].stopped == "no new evidence"

    plan = read_plan(tmp_path / MANIFEST)
    again = evaluate(corpus.subject(), plan.questions, EvaluationRequest(plan.methods, plan.ks), NoProgress())
    assert check(tmp_path / MANIFEST, again).same
    assert again.runs[1].trails == report.runs[1].trails
    assert again.manifest == report.manifest


def test_a_query_of_a_step_may_contain_separators_of_lines(report: EvaluationReport, tmp_path: Path) -> None:
    run = report.runs[1]
    trail = run.trails["q1"]
    step = replace(trail.steps[0], query="Who\u2028painted?")
    file = tmp_path / "steps.jsonl"
    file.write_text(format_trails(replace(run, trails={"q1": replace(trail, steps=(step,))})), encoding="utf-8")
    assert read_trails(file)["q1"].steps[0].query == step.query


def test_another_step_behind_the_same_ranking_is_told(report: EvaluationReport, tmp_path: Path) -> None:
    write_record(report, tmp_path)
    dense, anchor = report.runs
    trail = anchor.trails["q1"]
    shorter = replace(trail, steps=trail.steps[:1])
    otherwise = replace(trail, stopped="budget")
    for changed, words in ((shorter, 'question \'q1\', step 2: {"query": "query 2"'), (otherwise, "now for 'budget'")):
        run = replace(anchor, trails={**anchor.trails, "q1": changed})
        found = check(tmp_path / MANIFEST, replace(report, runs=(dense, run)))
        assert [one.same for one in found.runs] == [True, False]
        assert words in found.runs[1].difference
    assert found.runs[1].difference == "question 'q1': stopped for 'sufficient', now for 'budget'"


def test_every_difference_is_found_on_either_side() -> None:
    one = Run("a", "anchor", {}, {}, trails={"q": StepSequence("steps", (taken("x"),))})
    none = Run("a", "anchor", {}, {})
    row = '{"query": "?", "passages": ["x@0-9"], "anchors": 0, "relations": 0}'
    assert list(differences(one, none)) == [f"question 'q', step 1: {row}, now nothing"]
    assert list(differences(none, one)) == [f"question 'q', step 1: nothing, now {row}"]
    assert list(differences(one, one)) == []


def test_steps_that_were_touched_are_refused(report: EvaluationReport, tmp_path: Path) -> None:
    write_record(report, tmp_path)
    file = tmp_path / "anchor.steps.jsonl"
    file.write_text(file.read_text(encoding="utf-8").replace("query 2", "query 9"), encoding="utf-8")
    with pytest.raises(InvalidInput, match="must be there as it was written"):
        check(tmp_path / MANIFEST, report)
    file.unlink()
    with pytest.raises(InvalidInput, match="must be there as it was written"):
        check(tmp_path / MANIFEST, report)


@pytest.mark.parametrize("line", ["{", "[]", '{"id": "q"}', '{"id": "q", "stopped": "steps", "steps": [{}]}'])
def test_a_broken_row_of_steps_is_told_with_its_place(line: str, tmp_path: Path) -> None:
    file = tmp_path / "x.steps.jsonl"
    file.write_text(f'{{"id": "a", "stopped": "steps", "steps": []}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"x.steps.jsonl:2: a row of steps must be as `evaluate` wrote it"):
        read_trails(file)
    with pytest.raises(InvalidInput, match="a file of steps must be text that can be read"):
        read_trails(tmp_path / "none.jsonl")
