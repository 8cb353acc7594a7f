"""Judgements of answers by a language model, from runs to a report."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

import scripted_faults
from scripted_llm import ScriptedLlm, last_turn
from tetragraph.errors import InvalidInput, LlmError, LlmNotConfigured
from tetragraph.evaluate.evaluation import EvaluationRequest, evaluate
from tetragraph.evaluate.manifest import MANIFEST, write_record
from tetragraph.evaluate.model import EvaluationReport, Found, GoldQuestion, Judgement, Run, RunAnswer
from tetragraph.evaluate.repeat import check, read_plan
from tetragraph.evaluate.report.content import content, timings
from tetragraph.language.llm_steps.answer_judge import DIMENSIONS
from tetragraph.llm import LanguageModel
from tetragraph.progress import NoProgress
from tetragraph.settings import Settings

if TYPE_CHECKING:
    from pathlib import Path

    from .conftest import Corpus

RUNS = {"word": ("dense", {"answer": "extractive"}), "plain": ("dense", {})}
"""The extractive answers are elva, low and jens."""
RATINGS = dict(zip(DIMENSIONS, (10, 5, 10, 10, 0, 10, 4), strict=True))
MEAN = sum(RATINGS.values()) / 70


def judge(body: dict[str, Any]) -> str:
    """Accepts ``low`` alone, and gives every answer the same ratings."""
    shown = last_turn(body)
    return json.dumps({"correct": "\nlow\n" in shown}) if "Is it right?" in shown else json.dumps(RATINGS)


@pytest.fixture
def llm() -> Iterator[ScriptedLlm]:
    with ScriptedLlm(judge) as llm:
        yield llm


@pytest.fixture
def model(llm: ScriptedLlm, settings: Settings) -> Iterator[LanguageModel]:
    model = LanguageModel.open(llm.settings(settings))
    yield model
    model.close()


def judged(corpus: Corpus, questions: list[GoldQuestion], model: LanguageModel, **asked: Any) -> EvaluationReport:
    subject = replace(corpus.subject(), begin_judging=lambda: model.operation("judge"))
    request = EvaluationRequest(**{"methods": RUNS, "ks": (1,), "judge_answers": True, **asked})
    return evaluate(subject, questions, request, NoProgress())


def test_answers_are_judged_beside_the_other_metrics(
    corpus: Corpus, questions: list[GoldQuestion], llm: ScriptedLlm, model: LanguageModel
) -> None:
    report = judged(corpus, questions, model)
    assert report.scores["word"].each["llm_acc"] == {"q1": 0, "q2": 1, "q3": 0}
    assert report.scores["word"].metrics["g_e"] == pytest.approx(MEAN)
    assert "llm_acc" not in report.scores["plain"].metrics
    assert (report.judging.calls, llm.calls) == (6, 6)
    assert report.manifest["judge"]["model"] == "scripted"
    assert [prompt.split()[0] for prompt in report.manifest["judge"]["prompts"]] == ["judge_answer", "rate_answer"]

    tree = content(report)
    assert tree["runs"][0]["ratings"] == RATINGS
    assert tree["questions"][1]["runs"]["word"]["judgement"] == {"correct": True, "ratings": RATINGS}
    assert "ratings" not in tree["runs"][1]
    assert timings(report)["judging"]["calls"] == 6


def test_a_second_evaluation_is_judged_by_kept_replies_and_gives_the_same_report(
    corpus: Corpus, questions: list[GoldQuestion], llm: ScriptedLlm, model: LanguageModel, tmp_path: Path
) -> None:
    first, second = (judged(corpus, questions, model) for _ in range(2))
    assert content(first) == content(second)
    assert (second.judging.calls, second.judging.cached, llm.calls) == (0, 6, 6)

    write_record(first, tmp_path / "out")
    plan = read_plan(tmp_path / "out" / MANIFEST)
    again = evaluate(corpus.subject(), plan.questions, EvaluationRequest(plan.methods, plan.ks), NoProgress())
    checked = check(tmp_path / "out" / MANIFEST, again)
    assert (checked.same, checked.changed) == (True, ())


def test_a_judgement_without_a_usable_reply_is_counted_and_left_out(
    corpus: Corpus, questions: list[GoldQuestion], llm: ScriptedLlm, model: LanguageModel
) -> None:
    llm.answer = lambda body: "I would rather not." if "\nelva\n" in last_turn_of_request(body) else judge(body)
    report = judged(corpus, questions, model)
    assert report.scores["word"].each["llm_acc"] == {"q2": 1, "q3": 0}
    assert report.scores["word"].each["g_e"].keys() == {"q2", "q3"}
    assert report.runs[0].judgements["q1"] == Judgement(None, {})
    assert "word: the judge gave no usable reply on 1 of 3 answers: llm_acc leaves them out" in report.notes
    assert "word: the judge gave no usable reply on 1 of 3 answers: g_e leaves them out" in report.notes


def last_turn_of_request(body: dict[str, Any]) -> str:
    """Text of the request itself, also where a correction follows it."""
    return str(body["messages"][1]["content"])


def test_an_empty_or_missing_answer_is_wrong_without_a_request(
    corpus: Corpus, questions: list[GoldQuestion], llm: ScriptedLlm, model: LanguageModel
) -> None:
    found = {"q1": (Found("kron", "kron", "", None, None, 0.0),)}
    theirs = Run("theirs", "theirs", {}, found, answers={"q1": RunAnswer(" "), "q2": RunAnswer("low")})
    report = judged(corpus, questions, model, methods=(), runs=[theirs])
    assert report.scores["theirs"].each["llm_acc"] == {"q1": 0, "q2": 1, "q3": 0}
    assert report.scores["theirs"].each["g_e"] == pytest.approx({"q1": 0, "q2": MEAN, "q3": 0})
    assert llm.calls == 2


@pytest.mark.parametrize(
    ("asked", "answers", "words"),
    [
        ({"methods": ("dense",)}, ("Jens",), "only answers can be judged, and no run has any"),
        ({}, (), "a judge compares answers with accepted ones, and no question has any"),
    ],
)
def test_without_answers_or_accepted_ones_nothing_is_searched(
    corpus: Corpus, model: LanguageModel, asked: dict[str, Any], answers: tuple[str, ...], words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        judged(corpus, [GoldQuestion("q", "mayor", answers=answers)], model, **asked)
    assert corpus.searched == []


def test_without_a_model_nothing_is_searched(corpus: Corpus, questions: list[GoldQuestion]) -> None:
    with pytest.raises(LlmNotConfigured):
        evaluate(corpus.subject(), questions, EvaluationRequest(RUNS, (1,), judge_answers=True), NoProgress())
    assert corpus.searched == []


def test_an_endpoint_that_fails_ends_the_evaluation_and_keeps_the_replies(
    corpus: Corpus, questions: list[GoldQuestion], llm: ScriptedLlm, settings: Settings
) -> None:
    model = LanguageModel.open(llm.settings(settings, llm_concurrency=1))
    llm.faults = lambda call: scripted_faults.failing(401, "no such key") if call.number >= 2 else None
    with pytest.raises(LlmError) as raised:
        judged(corpus, questions, model)
    assert "1 of 3 answers judged, all kept. Run the same evaluation again" in " ".join(raised.value.__notes__)
    llm.faults = lambda call: None
    assert judged(corpus, questions, model).judging.cached == 2
    model.close()
