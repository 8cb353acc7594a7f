"""What requests would cost, before any is sent."""

from __future__ import annotations

import math
from collections.abc import Iterable

from tetragraph.llm.cache import Replies
from tetragraph.llm.ledger import Habits
from tetragraph.llm.model import Request
from tetragraph.llm.prices import Prices
from tetragraph.llm.tokens import TokenGauge
from tetragraph.model.usage import Estimate


def estimate(
    requests: Iterable[Request],
    model: str,
    replies: Replies,
    gauge: TokenGauge,
    *,
    prices: Prices,
    habits: Habits,
    concurrency: int,
) -> Estimate:
    """Look each request up and add up what those without a reply would cost; the same request counts once.

    A reply is as long as its request expects, else as long as it may be. Repairs are not foretold.
    """
    asked = {request.key(model): _cost(request, gauge) for request in requests}
    cached = replies.known(list(asked))
    paid = [cost for key, cost in asked.items() if key not in cached]
    given, made = sum(cost[0] for cost in paid), sum(cost[1] for cost in paid)
    return Estimate(
        model=model,
        calls=len(paid),
        cached=len(cached),
        input_tokens=given,
        output_tokens=made,
        cost=prices.cost(model, given, made) if prices.knows(model) else None,
        seconds=_seconds(len(paid), habits, concurrency),
    )


def _cost(request: Request, gauge: TokenGauge) -> tuple[int, int]:
    expected = request.max_tokens if request.expected_tokens is None else request.expected_tokens
    return gauge.tokens(request), min(expected, request.max_tokens)


def _seconds(calls: int, habits: Habits, concurrency: int) -> float | None:
    """By the mean time of the latest calls, so many side by side."""
    if not calls:
        return 0.0
    return math.ceil(calls / concurrency) * habits.seconds / habits.calls if habits.calls else None
