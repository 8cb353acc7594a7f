"""How the searches of a corpus do with two embedders on the same questions."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class EmbedderScore:
    """One metric of one search method with both embedders.

    Attributes:
        method: Name of the search method.
        metric: Name of the metric, such as ``recall@5``.
        before: Its mean over the questions with the present embedder, 0 to 1.
        after: The same with the other embedder.
        difference: Mean of the paired differences, ``after - before``.
        low: Lower end of its 95 % bootstrap interval.
        high: Upper end of its 95 % bootstrap interval.
        p_value: Two-sided p-value of the paired permutation test.
        verdict: ``better`` or ``worse`` for the other embedder if interval and test agree, otherwise ``undecided``.
    """

    method: str
    metric: str
    before: float
    after: float
    difference: float
    low: float
    high: float
    p_value: float
    verdict: str
