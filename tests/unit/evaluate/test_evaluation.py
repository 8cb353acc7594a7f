"""From questions to a report: searches, rejected arguments, and notes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import pytest

from tetragraph.errors import CorpusBusy, InvalidInput, NotBuilt, UnknownDocument
from tetragraph.evaluate.evaluation import EvaluationRequest, check_ks, evaluate
from tetragraph.evaluate.model import EvaluationReport, Found, Gold, GoldQuestion, Run, RunAnswer
from tetragraph.progress import NoProgress

if TYPE_CHECKING:
    from .conftest import Corpus

BACKWARDS = {"words": ("keyword", {}), "backwards": ("keyword", {"reverse": True})}


def evaluated(corpus: Corpus, questions: Sequence[GoldQuestion], **asked: Any) -> EvaluationReport:
    return evaluate(
        corpus.subject(), questions, EvaluationRequest(**{"methods": BACKWARDS, "ks": (2, 1), **asked}), NoProgress()
    )


def foreign(name: str, rankings: dict[str, str], answers: dict[str, RunAnswer] | None = None) -> Run:
    found = {
        question: tuple(Found(one, one, "", None, None, -place) for place, one in enumerate(documents.split()))
        for question, documents in rankings.items()
    }
    return Run(name, "theirs", {}, found, answers=answers or {})


def test_a_report_has_runs_scores_comparisons_and_places(corpus: Corpus, questions: list[GoldQuestion]) -> None:
    report = evaluated(corpus, questions)
    assert (report.corpus, report.generation, report.ks, report.baseline) == ("world", 3, (1, 2), "words")
    assert [(run.name, run.method, run.options) for run in report.runs] == [
        ("words", "keyword", {"reverse": False}),
        ("backwards", "keyword", {"reverse": True}),
    ]
    assert report.scores["words"].metrics["recall@1"] == (1 / 2 + 1) / 2
    assert report.scores["words"].metrics["recall@2"] == 1
    assert report.scores["backwards"].metrics["recall@2"] == 0
    assert [(one.first, one.second, one.metric, one.difference) for one in report.comparisons] == [
        ("backwards", "words", "recall@1", -0.75),
        ("backwards", "words", "recall@2", -1.0),
    ]
    assert [(one.question, one.gold.document, one.title, dict(one.ranks)) for one in report.placed] == [
        ("q1", "kron", "Kron", {"words": 1, "backwards": None}),
        ("q1", "halvik", "Halvik", {"words": 2, "backwards": None}),
        ("q2", "tide", "Tide", {"words": 1, "backwards": None}),
    ]
    assert [one.divides(1) for one in report.placed] == [True, False, True]
    assert report.texts["c-kron"] == "elva kron painter halvik"
    (note,) = report.notes
    assert note.startswith("1 of 3 questions have no gold: they take no part in the metrics of rankings; files of ")
    assert note.endswith("by the key 'supporting'")


def test_a_run_keeps_what_was_found_how_long_it_took_and_what_was_said(
    corpus: Corpus, questions: list[GoldQuestion]
) -> None:
    run, _ = evaluated(corpus, questions).runs
    first, second = run.rankings["q1"]
    assert first == Found("c-kron", "kron", "Kron", 0, 24, 2.0)
    assert second.document == "halvik"
    assert run.notes == ("a word was passed over",)
    assert run.seconds == {"q1": 0.75, "q2": 1.0, "q3": 1.25}
    assert evaluated(corpus, questions).latency["words"].p50 < evaluated(corpus, questions).latency["backwards"].p99


def test_every_method_is_tried_before_any_is_run(corpus: Corpus, questions: list[GoldQuestion]) -> None:
    with pytest.raises(NotBuilt, match="tetragraph build gain"):
        evaluated(corpus, questions, methods=("dense", "gain"))
    assert corpus.searched == [("dense", questions[0].text)]


def test_gold_that_the_corpus_lacks_is_listed_before_anything_is_searched(
    corpus: Corpus, questions: list[GoldQuestion]
) -> None:
    lost = [GoldQuestion(f"x{n}", "?", (Gold(f"gone-{n:02d}"),)) for n in range(23)]
    with pytest.raises(UnknownDocument, match=r"lacks 23 of 26 documents: gone-00, .*gone-19 and 3 more; ingest them"):
        evaluated(corpus, [*questions, *lost])
    assert corpus.searched == []
    report = evaluated(corpus, [*questions, *lost[:1]], allow_missing=True)
    assert report.missing == ("gone-00",)
    assert report.scores["words"].each["recall@2"]["x0"] == 0
    assert "1 gold documents are not in the corpus: they count as not found" in report.notes


def test_a_stretch_that_no_chunk_overlaps_is_gold_that_the_corpus_lacks(
    corpus: Corpus, questions: list[GoldQuestion]
) -> None:
    end = 23  # characters of the page
    there = GoldQuestion("x1", "town", (Gold("halvik", end - 1, end + 500),))
    outside = GoldQuestion("x2", "poem", (Gold("halvik", end, end + 9), Gold("gone", 0, 9)))
    assert evaluated(corpus, [*questions, there]).missing == ()
    corpus.searched.clear()
    with pytest.raises(UnknownDocument, match=r"lacks 1 of 4 documents: gone; ingest"):
        evaluated(corpus, [*questions, there, outside])
    lost = replace(outside, gold=outside.gold[:1])
    with pytest.raises(UnknownDocument, match=r"1 of 2 stretches lie in no chunk .* in 'world': halvik@23-32; mend"):
        evaluated(corpus, [*questions, there, lost])
    assert corpus.searched == []
    report = evaluated(corpus, [*questions, there, outside], allow_missing=True)
    assert report.missing == ("gone", "halvik@23-32")
    assert report.scores["words"].each["recall@2"]["x2"] == 0
    assert report.notes[1:3] == (
        "1 gold documents are not in the corpus: they count as not found",
        "1 stretches of gold lie in no chunk of their document: they count as not found",
    )


def test_a_corpus_that_changes_meanwhile_ends_the_evaluation(corpus: Corpus, questions: list[GoldQuestion]) -> None:
    subject = corpus.subject()
    corpus.generation = 4
    with pytest.raises(CorpusBusy, match="from generation 3 to 4: evaluate again"):
        evaluate(subject, questions, EvaluationRequest(("dense",), (1,)), NoProgress())


def test_rankings_and_answers_of_another_system_are_compared_with_ours(
    corpus: Corpus, questions: list[GoldQuestion]
) -> None:
    answers = {"q1": RunAnswer("elva kron"), "q3": RunAnswer("nobody"), "other": RunAnswer("x")}
    theirs = foreign("theirs", {"q1": "halvik kron", "other": "kron"}, answers)
    report = evaluated(corpus, questions, runs=[theirs], baseline="theirs")
    assert [run.name for run in report.runs] == ["words", "backwards", "theirs"]
    assert (set(report.runs[2].rankings), set(report.runs[2].answers)) == ({"q1"}, {"q1", "q3"})
    assert report.scores["theirs"].metrics["recall@2"] == 1 / 2
    assert report.scores["theirs"].metrics["em"] == 1 / 3
    assert {one.second for one in report.comparisons} == {"theirs"}
    assert {one.metric for one in report.comparisons} == {"recall@1", "recall@2"}
    assert "theirs" not in report.latency
    assert "theirs ranks nothing for 2 of 3 questions: they count as not found" in report.notes


def test_runs_of_another_form_are_refused(corpus: Corpus, questions: list[GoldQuestion]) -> None:
    with pytest.raises(
        InvalidInput, match=r"runs must be rankings that `tetragraph\.evaluate\.trec\.read_run`.*'a.run'"
    ):
        evaluated(corpus, questions, runs=["a.run"])


def test_runs_with_answers_are_compared_on_f1(corpus: Corpus, questions: list[GoldQuestion]) -> None:
    runs = [
        foreign(name, {"q1": "kron"}, {"q3": RunAnswer(answer)})
        for name, answer in (("a", "jens"), ("b", "jens arild"))
    ]
    report = evaluated(corpus, questions, methods=(), runs=runs)
    (one,) = [one for one in report.comparisons if one.metric == "f1"]
    assert (one.first, one.second) == ("b", "a")
    assert one.difference == pytest.approx((1 - 2 / 3) / 3)
    assert corpus.searched == []


def test_questions_with_answers_alone_have_no_comparison_of_rankings(corpus: Corpus) -> None:
    report = evaluated(corpus, [GoldQuestion("q", "mayor", answers=("Jens",))])
    assert (report.comparisons, report.placed, report.scores["words"].metrics) == ((), (), {})


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"methods": "dense"}, "methods must be a list of names or a mapping, got the text 'dense'"),
        ({"methods": ("dense", "dense")}, "names of runs must be unique, got 'dense' twice"),
        ({"methods": {"my run": ("dense", {})}}, "a run's name must be 1 to 63 letters, .* got 'my run'"),
        ({"methods": ()}, "at least one method or run, got none"),
        ({"baseline": "gain"}, "the baseline must be one of words, backwards, got 'gain'"),
        ({"ks": ()}, "at least one cut, such as 5, got none"),
        ({"ks": (5, 0)}, "a cut must be an integer of at least 1, got 0"),
        ({"ks": (True,)}, "a cut must be an integer of at least 1, got True"),
        ({"runs": [foreign("words", {"q1": "kron"})]}, "names of runs must be unique, got 'words' twice"),
        ({"runs": [foreign("theirs", {"x": "kron"})]}, "'theirs' does for none: same ids"),
    ],
)
def test_a_mistake_is_told_before_anything_is_searched(
    corpus: Corpus, questions: list[GoldQuestion], asked: dict[str, Any], words: str
) -> None:
    with pytest.raises(InvalidInput, match=words):
        evaluated(corpus, questions, **asked)
    assert corpus.searched == []


def test_cuts_are_sorted_and_each_is_there_once() -> None:
    assert check_ks([10, 2, 5, 2]) == (2, 5, 10)


def test_progress_counts_the_questions_of_each_method(corpus: Corpus, questions: list[GoldQuestion]) -> None:
    told: list[tuple[Any, ...]] = []

    class Told:
        def start(self, stage: str, total: int | None, unit: str) -> None:
            told.append((stage, total, unit))

        def advance(self, stage: str, amount: int = 1) -> None:
            told.append((stage, amount))

        def finish(self, stage: str) -> None:
            told.append((stage,))

    evaluate(corpus.subject(), questions, EvaluationRequest(("dense",), (1,)), Told())
    stage = "searching: dense"
    assert told == [(stage, 3, "questions"), *[(stage, 1)] * 3, (stage,)]
