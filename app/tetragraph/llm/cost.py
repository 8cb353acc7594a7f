"""Price, tokens and duration of requests before they are sent."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Mapping

from tetragraph.errors import InvalidInput
from tetragraph.llm.cache import Replies
from tetragraph.llm.messages import Completion, Request
from tetragraph.llm.usage_log import UsageLog
from tetragraph.model.usage import Estimate

CHARACTERS = 4.0
"""Characters per token, assumed until enough calls were counted."""
_MESSAGE_CHARACTERS = 16
_MIN_COUNTED_CALLS = 5
_MILLION = 1_000_000


def weight(request: Request) -> int:
    """Characters of a request, plus a constant for the markup around each message."""
    return request.characters + _MESSAGE_CHARACTERS * len(request.messages)


class CostModel:
    """Price, tokens and duration of requests to one model. Safe to share between threads.

    No tokenizer is bundled: each model has its own, an endpoint does not name it, and the endpoint also counts the
    templates and schemas that it adds. The token counts of earlier requests cover all of that.

    Args:
        model: Name of the model.
        prices: Model to the price of a million input and output tokens.
        log: Recorded calls, from which tokens and durations are learnt.

    Raises:
        InvalidInput: a price is not a number from 0.
    """

    def __init__(self, model: str, prices: Mapping[str, tuple[float, float]], log: UsageLog) -> None:
        for name, pair in prices.items():
            if not all(math.isfinite(price) and price >= 0 for price in pair):
                raise InvalidInput(f"prices of TETRAGRAPH_LLM_PRICES must be numbers from 0, got {pair} for {name!r}")
        self.model = model
        self._prices = prices.get(model)
        self._log = log
        self._is_loaded = False
        self._calls = self._characters = self._tokens = 0
        self._guard = threading.Lock()

    @property
    def has_price(self) -> bool:
        """Whether the price table has the model."""
        return self._prices is not None

    def price(self, input_tokens: int, output_tokens: int) -> float:
        """Price in the currency of the table; 0 for a model that is not in it."""
        input_price, output_price = self._prices or (0.0, 0.0)
        return (input_price * input_tokens + output_price * output_tokens) / _MILLION

    def load(self) -> None:
        """Read the recorded calls, on the first use only.

        Raises:
            UnusableCache: the database cannot be used.
        """
        with self._guard:
            if not self._is_loaded:
                self._calls, self._characters, self._tokens = self._log.counted_calls(self.model)
                self._is_loaded = True

    @property
    def characters_per_token(self) -> float:
        """Mean over the counted calls, or :data:`CHARACTERS` before there are enough."""
        self.load()
        with self._guard:
            is_known = self._calls >= _MIN_COUNTED_CALLS and self._tokens and self._characters
            return self._characters / self._tokens if is_known else CHARACTERS

    def tokens(self, request: Request) -> int:
        """Estimated input tokens of a request, rounded up."""
        return math.ceil(weight(request) / self.characters_per_token)

    def learn(self, request: Request, reply: Completion) -> None:
        """Take the token count of a call into account."""
        self.load()
        if reply.input_tokens:
            with self._guard:
                self._calls += 1
                self._characters += weight(request)
                self._tokens += reply.input_tokens

    def seconds(self, calls: int, concurrency: int) -> float | None:
        """Estimated duration of a number of calls at the mean pace of the latest ones; None if there are none."""
        if not calls:
            return 0.0
        mean_s = self._log.mean_seconds(self.model)
        return None if mean_s is None else math.ceil(calls / concurrency) * mean_s


def estimate(requests: Iterable[Request], costs: CostModel, replies: Replies, concurrency: int) -> Estimate:
    """Estimate the cost of the requests that have no cached reply; equal requests count once.

    A reply is assumed to be as long as its request expects, otherwise as long as it may be. Repair requests are not
    included.
    """
    tokens = {request.key(costs.model): (costs.tokens(request), _output_tokens(request)) for request in requests}
    cached = replies.find_keys(list(tokens))
    missing = [count for key, count in tokens.items() if key not in cached]
    input_tokens, output_tokens = sum(count[0] for count in missing), sum(count[1] for count in missing)
    return Estimate(
        model=costs.model,
        calls=len(missing),
        cached=len(cached),
        input_tokens=input_tokens,
        output_tokens=output_tokens,
        cost=costs.price(input_tokens, output_tokens) if costs.has_price else None,
        seconds=costs.seconds(len(missing), concurrency),
    )


def _output_tokens(request: Request) -> int:
    expected = request.max_tokens if request.expected_tokens is None else request.expected_tokens
    return min(expected, request.max_tokens)
