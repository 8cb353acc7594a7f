"""Chooses the settings of a method on training questions, and measures the gain on other questions.

The search is coordinate ascent from the defaults: one setting after the other takes the best value of its grid while
all others are fixed, until a pass over all settings changes nothing or the budget is spent. It is deliberately small:
the list of trials stays readable, and few choices on many questions limit overfitting.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from statistics import fmean
from typing import Any

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.comparison import compare
from tetragraph.evaluate.gold import find_gold
from tetragraph.evaluate.metrics import score_run
from tetragraph.evaluate.model import Comparison, GoldQuestion, Scores
from tetragraph.evaluate.questions import check_question_types, check_questions
from tetragraph.evaluate.run_methods import EvaluatedCorpus, EvaluatedMethod, run_methods
from tetragraph.model.display import first_of
from tetragraph.progress import NoProgress, Progress
from tetragraph.systems.registry import RETRIEVERS
from tetragraph.validation import check_integer, check_list, check_text

Measure = Callable[[Mapping[str, Any]], Scores]
"""Computes the scores of a method with these settings, and defaults for the others, on one set of questions."""
USUAL_KS = (5, 10)
LEAST_BUDGET = 2
"""Least number of trials: the defaults and one more."""
LISTED = 5
DIGITS = 6
GRIDS: Mapping[str, Mapping[str, tuple[Any, ...]]] = {
    name: retriever.tuning_grid for name, retriever in RETRIEVERS.items() if retriever.tuning_grid
}
"""Default values to try, by method and setting, in the order of the search."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One combination of settings with its scores.

    Attributes:
        options: Settings that differ from their defaults.
        objective: Mean of the objective's metrics over the questions.
        metrics: Means of all metrics.
        each: Question id to the mean of the objective's metrics.
    """

    options: Mapping[str, Any]
    objective: float
    metrics: Mapping[str, float]
    each: Mapping[str, float] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Tuning:
    """Result of tuning.

    Attributes:
        objective: Metrics whose mean was maximised.
        grids: Values of each setting.
        trials: Trials on the training questions, in order; the first has the defaults.
        best: Trial with the highest objective, the earliest of equals.
        complete: Whether the search converged; otherwise the budget ended it.
        train: Best minus defaults on the training questions; optimistic, because the best was chosen on them.
        reported: Best minus defaults on the other questions: the value of the choice.
        reported_default: Scores of the defaults on the other questions.
        reported_best: Scores of the best settings on the other questions.
    """

    method: str
    objective: tuple[str, ...]
    grids: Mapping[str, tuple[Any, ...]]
    trials: tuple[Trial, ...]
    best: Trial
    complete: bool
    train: Comparison
    reported: Comparison
    reported_default: Trial
    reported_best: Trial


def check_disjoint(train: Sequence[GoldQuestion], report: Sequence[GoldQuestion]) -> None:
    """Check that no question is both in the training set and in the report set.

    Raises:
        InvalidInput: an id, or a text except for case and blanks, is in both sets; the message lists the first ones.
    """
    check_question_types(train)
    check_question_types(report)
    ids = {question.id for question in train}
    texts = {_fold(question.text) for question in train}
    shared = [question.id for question in report if question.id in ids or _fold(question.text) in texts]
    if shared:
        raise InvalidInput(
            f"the questions to report on must be none of those to tune on, got {len(shared)} that are in both files by "
            f"id or text ({first_of(shared, LISTED)}): take them out of one of the files"
        )


def check_arguments(method: str, settings: Mapping[str, Sequence[Any]], objective: Sequence[str], budget: int) -> None:
    """Check the types of the arguments of a tuning, and its budget.

    Raises:
        InvalidInput: an argument breaks its rule.
    """
    check_text("method", method, "the name of a method, such as 'gain'")
    if not isinstance(settings, Mapping) or not all(map(_is_grid, settings.items())):
        raise InvalidInput(
            f"settings must be a mapping of options to lists of values, such as {{'seeds': [3, 5]}}, got {settings!r}"
        )
    check_list("objective", objective or None, str, "metrics, such as ['recall@5', 'recall@10']")
    check_integer("budget, which counts the defaults,", budget, LEAST_BUDGET)


def _is_grid(item: tuple[object, object]) -> bool:
    name, values = item
    return isinstance(name, str) and isinstance(values, Sequence) and not isinstance(values, str | bytes)


def grids_of(method: str, given: Mapping[str, Sequence[Any]]) -> dict[str, tuple[Any, ...]]:
    """The values to try for each setting: the given ones, otherwise those of ``GRIDS``.

    Raises:
        InvalidInput: no values are given and the method has no default grids, or a setting has no value.
    """
    grids = given or GRIDS.get(method, {})
    if not grids:
        raise InvalidInput(f"method {method!r} has no settings to tune; those that have: {', '.join(GRIDS)}")
    empty = [name for name, values in grids.items() if not values]
    if empty:
        raise InvalidInput(f"a setting to tune must have a value at least, got none for {empty[0]!r}")
    return {name: tuple(values) for name, values in grids.items()}


def measure_on(
    subject: EvaluatedCorpus, questions: Sequence[GoldQuestion], method: str, objective: Sequence[str]
) -> Measure:
    """A function that measures settings of a method on these questions, with as many hits as the objective needs.

    Raises:
        InvalidInput: there are no questions, or two have the same id.
        UnknownDocument: the corpus lacks some of their gold.
    """
    find_gold(subject, check_questions(questions), allow_missing=False)
    cuts = {int(k) for k in (name.partition("@")[2] for name in objective) if k.isdecimal()}
    ks = sorted({*USUAL_KS, *cuts})

    def measure(options: Mapping[str, Any]) -> Scores:
        (searched,) = run_methods(subject, [EvaluatedMethod(method, method, options)], questions, max(ks), NoProgress())
        return score_run(searched.run, questions, ks)

    return measure


def tune(
    method: str,
    defaults: Mapping[str, Any],
    grids: Mapping[str, tuple[Any, ...]],
    *,
    train: Measure,
    report: Measure,
    objective: Sequence[str],
    budget: int,
    progress: Progress,
) -> Tuning:
    """Search the grids on one set of questions, and compare the best with the defaults on another.

    Args:
        method: Name of the method, for the report.
        defaults: Default of every setting in ``grids``.
        grids: Values to try by setting, in the order of the search.
        train: Measures settings on the training questions.
        report: Measures settings on the other questions; called for the defaults and for the best.
        objective: Metrics whose mean is maximised.
        budget: Largest number of trials, the defaults included; at least 2.
        progress: Receives every trial.

    Raises:
        InvalidInput: the objective names an unknown metric.
    """
    progress.start("tuning", None, "settings")
    trials, complete = _climb(train, defaults, grids, tuple(objective), budget, progress)
    progress.finish("tuning")
    best = max(trials, key=lambda trial: trial.objective)
    default_there = _try(report, {}, tuple(objective))
    best_there = _try(report, best.options, tuple(objective)) if best.options else default_there
    return Tuning(
        method=method,
        objective=tuple(objective),
        grids=grids,
        trials=tuple(trials),
        best=best,
        complete=complete,
        train=_against(best, trials[0], objective),
        reported=_against(best_there, default_there, objective),
        reported_default=default_there,
        reported_best=best_there,
    )


def summary(tuning: Tuning) -> dict[str, Any]:
    """The tuning as plain values, figures rounded, without the values of single questions."""
    best, default = (_plain_trial(one) for one in (tuning.reported_best, tuning.reported_default))
    return {
        "method": tuning.method,
        "objective": list(tuning.objective),
        "grids": {name: list(values) for name, values in tuning.grids.items()},
        "complete": tuning.complete,
        "trials": [_plain_trial(one) for one in tuning.trials],
        "best": dict(tuning.best.options),
        "train": _plain_comparison(tuning.train),
        "report": {"defaults": default, "best": best, "comparison": _plain_comparison(tuning.reported)},
    }


def _plain_trial(trial: Trial) -> dict[str, Any]:
    metrics = {name: round(value, DIGITS) for name, value in trial.metrics.items()}
    return {"options": dict(trial.options), "objective": round(trial.objective, DIGITS), "metrics": metrics}


def _plain_comparison(one: Comparison) -> dict[str, Any]:
    return {name: round(value, DIGITS) if isinstance(value, float) else value for name, value in asdict(one).items()}


def _climb(
    measure: Measure,
    defaults: Mapping[str, Any],
    grids: Mapping[str, tuple[Any, ...]],
    objective: tuple[str, ...],
    budget: int,
    progress: Progress,
) -> tuple[list[Trial], bool]:
    """Coordinate ascent: the trials in order, and whether the search converged within the budget."""
    best = _try(measure, {}, objective)
    trials, seen = [best], {repr([defaults[name] for name in grids])}
    progress.advance("tuning")
    while True:
        before = best
        for name, values in grids.items():
            around = best
            for value in values:
                options = {**{key: around.options.get(key, defaults[key]) for key in grids}, name: value}
                if (mark := repr(list(options.values()))) in seen:
                    continue
                if len(trials) == budget:
                    return trials, False
                seen.add(mark)
                changed = {key: option for key, option in options.items() if option != defaults[key]}
                trials.append(_try(measure, changed, objective))
                progress.advance("tuning")
                best = max(best, trials[-1], key=lambda trial: trial.objective)
        if best is before:
            return trials, True


def _try(measure: Measure, options: Mapping[str, Any], objective: tuple[str, ...]) -> Trial:
    scores = measure(options)
    unknown = [name for name in objective if name not in scores.metrics]
    if unknown:
        known = ", ".join(scores.metrics) or "none, as no question has gold"
        raise InvalidInput(f"an objective must be a metric that is measured ({known}), got {unknown[0]!r}")
    each = {
        question: fmean(scores.each[name][question] for name in objective) for question in scores.each[objective[0]]
    }
    return Trial(dict(options), fmean(scores.metrics[name] for name in objective), dict(scores.metrics), each)


def _against(best: Trial, default: Trial, objective: Sequence[str]) -> Comparison:
    metric = f"mean of {', '.join(objective)}" if len(objective) > 1 else objective[0]
    scores = {name: Scores({}, {}, {}, {metric: one.each}) for name, one in (("best", best), ("defaults", default))}
    return compare(metric, "best", "defaults", scores)


def _fold(text: str) -> str:
    """A text in one case, with single blanks."""
    return " ".join(text.casefold().split())
