"""Paired comparison of two runs on the same questions."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from tetragraph.arrays import Array, Floats
from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import Comparison, Scores

RESAMPLES = 10_000
SIGNIFICANT = 0.05
_BATCH = 1000


def compare(metric: str, first: str, second: str, scores: Mapping[str, Scores], *, seed: int = 0) -> Comparison:
    """Compare two runs on the questions that have the metric.

    Args:
        metric: Name of the metric, such as ``recall@5``.
        first: Name of the run.
        second: Name of the run that it is compared with.
        scores: Scores by name of the run; both runs have the metric for the same questions.
        seed: Seed of the resamples; the same scores give the same comparison.

    Returns:
        The mean difference with the percentile interval of 10,000 bootstrap resamples of the questions, and the
        two-sided p-value of a test that swaps the runs in 10,000 random subsets of the questions (in all subsets, if
        there are no more).

    Raises:
        InvalidInput: a run has no such metric, or the questions are not the same.

    Source:
        Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapters 13 and 15.
    """
    differences = _differences(metric, scores[first], scores[second])
    low, high = interval(differences, seed=seed)
    p_value = _test(differences, np.random.default_rng(seed))
    verdict = "undecided"
    if p_value < SIGNIFICANT and (low > 0 or high < 0):
        verdict = "better" if low > 0 else "worse"
    return Comparison(first, second, metric, float(differences.mean()), low, high, p_value, verdict)


def interval(values: Floats, *, seed: int = 0) -> tuple[float, float]:
    """Ends of the 95 % percentile interval of the mean, from 10,000 bootstrap resamples.

    Args:
        values: ``(n,)`` one value for each question; at least one.
        seed: Seed of the resamples.

    Source:
        Efron & Tibshirani (1993), An Introduction to the Bootstrap, chapter 13.
    """
    low, high = np.quantile(_bootstrap(values, np.random.default_rng(seed)), [0.025, 0.975])
    return float(low), float(high)


def _differences(metric: str, first: Scores, second: Scores) -> Floats:
    ours, theirs = first.each.get(metric, {}), second.each.get(metric, {})
    if not ours or ours.keys() != theirs.keys():
        rule = f"a comparison on {metric!r} must have the same questions in both runs, at least one"
        raise InvalidInput(f"{rule}, got {len(ours)} and {len(theirs)}")
    return np.array([ours[question] - theirs[question] for question in sorted(ours)])


def _bootstrap(values: Floats, rng: np.random.Generator) -> Floats:
    """Means of resamples, drawn in batches to limit the memory for many questions."""
    means: list[Array] = []
    for _ in range(RESAMPLES // _BATCH):
        means.append(values[rng.integers(len(values), size=(_BATCH, len(values)))].mean(axis=1))
    return np.concatenate(means)


def _test(values: Floats, rng: np.random.Generator) -> float:
    """The two-sided p-value of the mean, if each value has either sign with equal probability."""
    from scipy.stats import permutation_test  # imported here, as it takes half a second

    if len(values) == 1:
        return 1.0  # both signs of a single value are equally far from 0; SciPy rejects the sample
    tested = permutation_test(
        (values,),
        np.mean,
        permutation_type="samples",
        vectorized=True,
        n_resamples=RESAMPLES,
        batch=_BATCH,
        rng=rng,
    )
    return float(tested.pvalue)
