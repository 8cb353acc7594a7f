"""How many tokens a request has, about.

No tokenizer is bundled: each model has its own, an endpoint does not say which, and templates and schemas that it adds
are counted, too. What the endpoint counted for earlier requests tells all of that at once.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from tetragraph.errors import InvalidInput
from tetragraph.llm.cache import Replies
from tetragraph.llm.messages import Completion, Request
from tetragraph.model.usage import Estimate

CHARACTERS = 4.0
"""For each token, until enough calls were counted."""
_OF_A_MESSAGE = 16
_ENOUGH = 5


def weight(request: Request) -> int:
    """Characters, with some for what surrounds each message."""
    return request.characters + _OF_A_MESSAGE * len(request.messages)


@dataclass(frozen=True, slots=True)
class Habits:
    """How a model did in its latest calls.

    Attributes:
        calls: Answered ones that were looked at; the other fields are sums over them.
        characters: Of calls whose tokens the endpoint counted, weighed as :func:`tetragraph.llm.cost.weight` does.
        input_tokens: Of the same calls.
        seconds: Of all.
    """

    calls: int = 0
    counted: int = 0
    characters: int = 0
    input_tokens: int = 0
    seconds: float = 0.0


class TokenGauge:
    """Characters a token of one model, from what its endpoint counted. Safe to share between threads."""

    def __init__(self, habits: Habits) -> None:
        self._calls = habits.counted
        self._characters = habits.characters
        self._tokens = habits.input_tokens
        self._guard = threading.Lock()

    @property
    def characters(self) -> float:
        """For each token."""
        with self._guard:
            is_known = self._calls >= _ENOUGH and self._tokens and self._characters
            return self._characters / self._tokens if is_known else CHARACTERS

    def tokens(self, request: Request) -> int:
        """Of all messages, rounded up."""
        return math.ceil(weight(request) / self.characters)

    def learn(self, request: Request, reply: Completion) -> None:
        """Take a counted call into account."""
        if reply.input_tokens:
            with self._guard:
                self._calls += 1
                self._characters += weight(request)
                self._tokens += reply.input_tokens


_MILLION = 1_000_000


class Prices:
    """The price table of the settings: a model's price of a million tokens in and out.

    Raises:
        InvalidInput: a price is not a number from 0.
    """

    def __init__(self, table: Mapping[str, tuple[float, float]]) -> None:
        for model, pair in table.items():
            if not all(math.isfinite(price) and price >= 0 for price in pair):
                raise InvalidInput(f"prices of TETRAGRAPH_LLM_PRICES must be numbers from 0, got {pair} for {model!r}")
        self._table = table

    def knows(self, model: str) -> bool:
        """Whether it has that model."""
        return model in self._table

    def cost(self, model: str, input_tokens: int, output_tokens: int) -> float:
        """In the currency of the table; 0 for a model that is not in it.

        >>> Prices({"m": (0.5, 2.0)}).cost("m", 1_000_000, 500_000)
        1.5
        """
        paid_in, paid_out = self._table.get(model, (0.0, 0.0))
        return (paid_in * input_tokens + paid_out * output_tokens) / _MILLION


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
