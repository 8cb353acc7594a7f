"""The search for settings finds a known optimum, keeps to its budget, and uses separate questions for reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from typing import Any

import pytest

from tetragraph import errors
from tetragraph.evaluate.model import GoldQuestion, Scores
from tetragraph.evaluate.tune import GRIDS, Measure, Tuning, check_arguments, check_disjoint, grids_of, tune
from tetragraph.progress import NoProgress
from tetragraph.retrieval import request
from tetragraph.systems.registry import find_retriever

DEFAULTS = {"width": 1.0, "depth": 3, "chain": "off"}
TRIED = {"width": (0.5, 1.0, 2.0, 4.0), "depth": (1, 2, 3), "chain": ("off", "match")}


def scripted(value: Callable[[Mapping[str, Any]], float], questions: int = 20) -> Measure:
    """A method whose recall is ``value`` of all its settings, a little more or less by question."""

    def measure(options: Mapping[str, Any]) -> Scores:
        mean = value({**DEFAULTS, **options})
        each = {f"q{place}": mean + (0.01 if place % 2 else -0.01) for place in range(questions)}
        return Scores({"recall@5": mean, "recall@10": mean}, {}, {}, {"recall@5": each, "recall@10": each})

    return measure


def hill(options: Mapping[str, Any]) -> float:
    """Highest, at 0.9, for width 2, depth 2 and chain match."""
    width: float = {0.5: 0.1, 1.0: 0.2, 2.0: 0.3, 4.0: 0.0}[options["width"]]
    depth: float = {1: 0.0, 2: 0.3, 3: 0.1}[options["depth"]]
    return width + depth + 0.3 * float(options["chain"] == "match")


def flat(options: Mapping[str, Any]) -> float:
    """Whatever is set, the same."""
    return 0.5


def tuned(measure: Measure, report: Measure | None = None, budget: int = 60) -> Tuning:
    return tune(
        "evidence",
        DEFAULTS,
        TRIED,
        train=measure,
        report=report or measure,
        objective=("recall@5", "recall@10"),
        budget=budget,
        progress=NoProgress(),
    )


def test_the_optimum_is_found_and_the_search_ends_by_itself() -> None:
    found = tuned(scripted(hill))
    assert found.best.options == {"width": 2.0, "depth": 2, "chain": "match"}
    assert found.best.objective == pytest.approx(0.9)
    assert found.complete


def test_the_ladder_begins_with_the_defaults_and_tries_nothing_twice() -> None:
    trials = tuned(scripted(hill)).trials
    assert trials[0].options == {}
    assert [trial.options for trial in trials[1:4]] == [{"width": 0.5}, {"width": 2.0}, {"width": 4.0}]
    seen = [repr(sorted(trial.options.items())) for trial in trials]
    assert len(seen) == len(set(seen))


def test_a_setting_that_pays_only_after_another_was_changed_is_found_in_the_next_round() -> None:
    def late(options: Mapping[str, Any]) -> float:
        chained = options["chain"] == "match"
        return 0.3 * float(chained) + 0.3 * float(chained and options["width"] == 4.0)

    assert tuned(scripted(late)).best.options == {"chain": "match", "width": 4.0}


def test_no_more_settings_are_tried_than_the_budget_allows() -> None:
    found = tuned(scripted(hill), budget=4)
    assert (len(found.trials), found.complete) == (4, False)
    assert found.best.options == {"width": 2.0}


def test_the_best_is_compared_with_the_defaults_on_both_sets() -> None:
    found = tuned(scripted(hill), scripted(lambda options: 0.5 - 0.1 * float(options["width"] == 2.0)))
    assert (found.train.first, found.train.second) == ("best", "defaults")
    assert found.train.difference == pytest.approx(0.6)
    assert found.reported.difference == pytest.approx(-0.1)
    assert (found.train.verdict, found.reported.verdict) == ("better", "worse")
    assert found.reported_default.objective == pytest.approx(0.5)
    assert found.reported_best.objective == pytest.approx(0.4)


def test_the_other_questions_are_asked_with_the_defaults_and_the_best_alone() -> None:
    asked: list[Mapping[str, Any]] = []
    measure = scripted(hill)

    def report(options: Mapping[str, Any]) -> Scores:
        asked.append(dict(options))
        return measure(options)

    best = tuned(measure, report).best
    assert asked == [{}, best.options]


def test_the_defaults_stay_where_nothing_is_better() -> None:
    found = tuned(scripted(flat))
    assert found.best.options == {}
    assert (found.train.difference, found.train.verdict) == (0.0, "undecided")
    assert (found.reported.difference, found.reported.verdict) == (0.0, "undecided")


def test_an_objective_that_is_not_measured_is_refused() -> None:
    with pytest.raises(errors.InvalidInput, match=r"measured \(recall@5, recall@10\), got 'ndcg@5'"):
        tune("dense", DEFAULTS, TRIED, train=scripted(hill), report=scripted(hill), objective=("ndcg@5",), budget=9,
             progress=NoProgress())  # fmt: skip


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"method": 5}, "method must be the name of a method, such as 'gain', got 5"),
        (
            {"settings": "seeds=3"},
            r"settings must be a mapping of options to lists of values, such as .*, got 'seeds=3'",
        ),
        ({"settings": ["seeds"]}, r"settings must be a mapping .*, got \['seeds'\]"),
        ({"settings": {"seeds": 3}}, r"settings must be a mapping .*, got \{'seeds': 3\}"),
        ({"settings": {"chain": "off"}}, r"settings must be a mapping .*, got \{'chain': 'off'\}"),
        ({"settings": {3: [3]}}, r"settings must be a mapping .*, got \{3: \[3\]\}"),
        ({"objective": "recall@5"}, r"objective must be a list of metrics, such as \['recall@5', .*, got 'recall@5'"),
        ({"objective": [5]}, r"objective must be a list of metrics, .*, got \[5\]"),
        ({"objective": ()}, "objective must be a list of metrics"),
        ({"budget": 1}, "budget, which counts the defaults, must be an integer of at least 2, got 1"),
        ({"budget": "9"}, "budget, which counts the defaults, must be an integer of at least 2, got '9'"),
    ],
)
def test_arguments_of_another_form_are_refused(given: dict[str, Any], words: str) -> None:
    usual: dict[str, Any] = {"method": "gain", "settings": {"seeds": range(3, 5)}, "objective": ["mrr"], "budget": 2}
    check_arguments(**usual)
    with pytest.raises(errors.InvalidInput, match=words):
        check_arguments(**{**usual, **given})


@pytest.mark.parametrize(
    "other",
    [GoldQuestion("q2", "Another question?"), GoldQuestion("q9", " who  was\nthe MOTHER of Ida? ")],
    ids=["by id", "by text"],
)
def test_a_question_of_both_files_is_refused(other: GoldQuestion) -> None:
    train = [GoldQuestion("q1", "Who was the mother of Ida?"), GoldQuestion("q2", "Who was the father of Ida?")]
    with pytest.raises(errors.InvalidInput, match=f"got 1 that are in both files by id or text \\({other.id}\\)"):
        check_disjoint(train, [GoldQuestion("q8", "Where is Halvik?"), other])


def test_of_many_shared_questions_the_first_are_listed() -> None:
    many = [GoldQuestion(f"q{place}", f"Question {place}?") for place in range(8)]
    with pytest.raises(errors.InvalidInput, match=r"got 8 .* \(q0, q1, q2, q3, q4 and 3 more\)"):
        check_disjoint(many, many)


def test_files_without_a_shared_question_pass() -> None:
    check_disjoint([GoldQuestion("q1", "Who?")], [GoldQuestion("q2", "Where?")])


@pytest.mark.parametrize(
    ("method", "setting", "values"),
    [(method, setting, values) for method, grids in GRIDS.items() for setting, values in grids.items()],
)
def test_each_value_of_the_grids_is_one_that_the_method_takes(
    method: str, setting: str, values: tuple[Any, ...]
) -> None:
    chosen = find_retriever(method)
    assert setting in {field.name for field in fields(chosen.search_options)}
    assert [getattr(request.make_options(chosen, {setting: value}), setting) for value in values] == list(values)


def test_the_caller_chooses_what_is_tried() -> None:
    assert grids_of("evidence", {"keyword": [0.1, 0.2]}) == {"keyword": (0.1, 0.2)}
    assert grids_of("gain", {}) == GRIDS["gain"]


def test_a_method_without_settings_is_refused() -> None:
    with pytest.raises(errors.InvalidInput, match="method 'dense' has no settings to tune; those that have: evidence"):
        grids_of("dense", {})


def test_a_setting_without_values_is_refused() -> None:
    with pytest.raises(errors.InvalidInput, match="got none for 'keyword'"):
        grids_of("evidence", {"keyword": []})
