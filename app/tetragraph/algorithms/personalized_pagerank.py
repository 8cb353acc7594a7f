"""Personalised PageRank by power iteration on a sparse matrix."""

from __future__ import annotations

import math
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tetragraph.arrays import CSR, Floats
from tetragraph.errors import DidNotConverge, InvalidInput

Rows: TypeAlias = NDArray[np.integer]


def transition_matrix(sources: Rows, targets: Rows, weights: Floats, size: int) -> CSR:
    """Build the transition matrix: column j contains the shares of j's out-edges.

    Args:
        sources: ``(m,)`` source row of each edge.
        targets: ``(m,)`` target row of each edge; no pair twice.
        weights: ``(m,)`` nonnegative weights of the edges.
        size: Number of nodes, n.

    Returns:
        ``(n, n)`` matrix; every column sums to 1, or to 0 where a node has no out-edge of positive weight.

    Raises:
        InvalidInput: a weight is negative or not finite.

    Source:
        iG²RAG (2025), eq. (6), T. Deviation: the paper uses the raw weights as T, with which the iteration diverges;
        normalised by source they make the ranks probabilities, as which its text describes them.

    >>> transition_matrix(np.array([0, 0]), np.array([1, 2]), np.array([1.0, 3.0]), 3).toarray()[:, 0].tolist()
    [0.0, 0.25, 0.75]
    """
    wrong = ~np.isfinite(weights) | (weights < 0)
    if wrong.any():
        raise InvalidInput(f"edge weights must be finite and at least 0, got {weights[wrong][:3].tolist()}")
    totals = np.bincount(sources, weights, minlength=size)
    shares = np.divide(weights, totals[sources], out=np.zeros(len(weights)), where=totals[sources] > 0)
    return sparse.csr_array((shares, (targets, sources)), shape=(size, size))


class Ranks(NamedTuple):
    """The result of a personalised PageRank.

    Attributes:
        shares: ``(n,)`` ranks, summing to 1.
        total: Mass before scaling to 1; the part of a rank due to restarts is ``restart * personalization / total``.
    """

    shares: Floats
    total: float


def personalized_pagerank(
    transition: CSR,
    personalization: Floats,
    *,
    restart: float = 0.5,
    tolerance: float = 1e-6,
    min_iterations: int = 1,
    max_iterations: int = 1000,
) -> Ranks:
    """Compute the stationary shares of a walk that returns to the seeds with probability ``restart``.

    Mass that reaches a node without out-edges is dropped while iterating, and the result is scaled once, which is
    equivalent to returning this mass to the seeds.

    Args:
        transition: ``(n, n)`` matrix from :func:`transition_matrix`.
        personalization: ``(n,)`` nonnegative weights of the seeds, summing to 1.
        restart: Probability of a return to the seeds, above 0, at most 1.
        tolerance: Largest L1 change between the last two iterations.
        min_iterations: Smallest number of iterations. Where mass is dropped the changes are smaller, and an engine
            with a fixed number of iterations does more.
        max_iterations: Largest number of iterations.

    Returns:
        The ranks, and the mass that was not dropped.

    Raises:
        InvalidInput: an argument breaks its rule.
        DidNotConverge: the tolerance was not reached; the message contains the last change.

    Source:
        iG²RAG (2025), eq. (6) and (7). Deviation: starts at ``restart * P`` instead of P, so that every iterate is a
        partial sum of the series ``restart * sum((1 - restart)^t T^t) P``, as it is in Graph Data Science. The limit
        is the same.

    >>> chain = transition_matrix(np.array([0]), np.array([1]), np.array([1.0]), 2)
    >>> personalized_pagerank(chain, np.array([1.0, 0.0])).shares.round(4).tolist()
    [0.6667, 0.3333]
    """
    _check(transition, personalization, restart)
    seeds = restart * personalization
    ranks = seeds
    change = np.inf
    for done in range(1, max_iterations + 1):
        following = (1 - restart) * (transition @ ranks) + seeds
        change = float(np.abs(following - ranks).sum())
        ranks = following
        if change < tolerance and done >= min_iterations:
            total = float(ranks.sum())
            return Ranks(ranks / total, total)
    raise DidNotConverge(
        f"personalised PageRank must change by less than {tolerance} within {max_iterations} iterations, reached a "
        f"change of {change:.3g}: allow more iterations or a larger tolerance"
    )


def iterations_needed(restart: float, tolerance: float) -> int:
    """Return the iterations after which the change is below the tolerance, if no mass is dropped.

    The change of iteration t is then ``restart * (1 - restart)^t`` (eq. 6 and 7).

    >>> iterations_needed(0.5, 1e-4)
    13
    """
    return 1 if restart == 1 else max(1, math.ceil(math.log(tolerance / restart) / math.log(1 - restart)))


def _check(transition: CSR, personalization: Floats, restart: float) -> None:
    if not 0 < restart <= 1:
        raise InvalidInput(f"restart must be above 0 and at most 1, got {restart}")
    if personalization.shape != (transition.shape[0],):
        raise InvalidInput(f"personalization must hold {transition.shape[0]} numbers, got {personalization.shape}")
    total = float(personalization.sum())
    if not (abs(total - 1) < 1e-9 and (personalization >= 0).all()):
        raise InvalidInput(f"personalization must be probabilities summing to 1, got a sum of {total}")
