"""Runs with answers: options, records, and repetition."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.answer_runs import answering_runs
from tetragraph.evaluate.evaluation import EvaluationRequest, evaluate
from tetragraph.evaluate.manifest import MANIFEST, write_record
from tetragraph.evaluate.model import EvaluationReport, GoldQuestion, RunAnswer
from tetragraph.evaluate.repeat import check, read_plan
from tetragraph.progress import NoProgress

RUNS: dict[str, tuple[str, dict[str, Any]]] = {
    "dense": ("dense", {}),
    "word": ("dense", {"answer": "extractive"}),
    "model": ("dense", {"answer": "generated", "reverse": False}),
}


@pytest.fixture
def report(corpus: Any, questions: list[GoldQuestion]) -> EvaluationReport:
    return evaluate(corpus.subject(), questions, EvaluationRequest(RUNS, (1, 2)), NoProgress())


def test_answers_are_scored_beside_the_rankings_that_they_come_from(report: EvaluationReport) -> None:
    plain, word, model = report.runs
    assert plain.answers == {}
    assert word.rankings == plain.rankings
    assert word.answers["q2"] == RunAnswer("low", ("tide",))
    assert model.answers["q2"] == RunAnswer("TIDE", ("tide",))
    assert report.scores["model"].metrics["f1"] > 0
    assert report.scores["word"].metrics["citations"] == 1
    assert "em" not in report.scores["dense"].metrics
    assert {one.metric for one in report.comparisons} == {"recall@1", "recall@2"}


def test_a_run_tells_what_limits_its_answers_and_what_they_cost(report: EvaluationReport) -> None:
    _, word, model = report.runs
    assert "1 of 3 answers are insufficient" in word.notes
    assert "3 quotes of answers stand in no passage, and were dropped" in model.notes
    assert "3 calls of the language model, 0 answered from kept replies, 30 tokens" in model.notes
    assert not any("language model" in note for note in word.notes)


def test_a_question_on_which_the_model_gives_no_usable_reply_counts_as_without_an_answer(
    corpus: Any, questions: list[GoldQuestion]
) -> None:
    corpus.refused = {questions[0].text, questions[1].text}
    report = evaluate(corpus.subject(), questions, EvaluationRequest(RUNS, (1,)), NoProgress())
    _, word, model = report.runs
    assert [model.answers[one.id].text for one in questions[:2]] == ["", ""]
    assert model.answers[questions[2].id].text
    assert report.scores["model"].each["em"][questions[1].id] == 0
    assert all(one.text for one in word.answers.values())
    assert report.notes[-1] == (
        "model: the language model gave no usable reply on 2 of 3 questions: they count as without an answer; the "
        f"first, {questions[0].id!r}: the model must answer, and refuses"
    )


def test_the_manifest_names_the_model_and_the_evaluation_can_be_repeated(
    report: EvaluationReport, corpus: Any, tmp_path: Path
) -> None:
    described = {one["name"]: one for one in report.manifest["runs"]}
    assert described["model"]["llm"] == {"model": "m"}
    assert described["word"]["answer"] == {"kind": "extractive"}
    assert "llm" not in described["word"]
    write_record(report, tmp_path)
    assert '"answer": "low"' in (tmp_path / "word.answers.jsonl").read_text()

    plan = read_plan(tmp_path / MANIFEST)
    again = evaluate(corpus.subject(), plan.questions, EvaluationRequest(plan.methods, plan.ks), NoProgress())
    assert check(tmp_path / MANIFEST, again).same
    assert [run.answers for run in again.runs] == [run.answers for run in report.runs]


def test_each_run_answers_in_each_way_that_is_asked_for() -> None:
    runs = answering_runs({"dense": ("dense", {"x": 1})}, ("generated", "extractive"))
    assert runs == {
        "dense+generated": ("dense", {"x": 1, "answer": "generated"}),
        "dense+extractive": ("dense", {"x": 1, "answer": "extractive"}),
    }
    assert answering_runs({"dense": ("dense", {})}, ()) == {"dense": ("dense", {})}


def test_an_unknown_way_to_answer_is_told_before_anything_is_searched(
    corpus: Any, questions: list[GoldQuestion]
) -> None:
    asked = EvaluationRequest({"a": ("dense", {"answer": "guess"})}, (1,))
    with pytest.raises(InvalidInput, match="must be generated or extractive, got 'guess' for 'a'"):
        evaluate(corpus.subject(), questions, asked, NoProgress())
    assert corpus.searched == []
