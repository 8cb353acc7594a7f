"""Retries of failed attempts: pauses, and when to give up."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime

from tetragraph.errors import DeadlineExceeded, LlmError, LlmUnavailable, UnusableReply

_MAX_PAUSE_S = 120.0
_JITTER = 0.1
"""Largest random share added to the pause that an endpoint requests, as many callers received the same request."""


class TransientFailure(Exception):
    """An attempt failed for a transient reason; never leaves this layer.

    Attributes:
        after_s: Pause that the endpoint requests; None if it requests none.
        raw: Text of the reply, if there is one.
        is_free: Whether the next attempt is a different request, so that this one does not count and needs no pause.
    """

    def __init__(
        self, reason: str, *, after_s: float | None = None, raw: str | None = None, is_free: bool = False
    ) -> None:
        super().__init__(reason)
        self.after_s = after_s
        self.raw = raw
        self.is_free = is_free


@dataclass(slots=True)
class RetryState:
    """Attempts of one call.

    Attributes:
        retries: Number of attempts that may follow the first.
        pause_s: Pause before the second attempt; doubled before each further one.
        deadline: Value of ``time.monotonic`` at which the call ends; None for no limit.
        count: Number of attempts so far.
        tokens: Input and output tokens of failed attempts.
    """

    retries: int
    pause_s: float
    deadline: float | None
    count: int = 0
    tokens: tuple[int, int] = (0, 0)
    _failed: int = field(default=0, init=False)

    def add_tokens(self, tokens: tuple[int, int] | None) -> None:
        """Count the tokens of a failed attempt, if the endpoint counted them."""
        if tokens:
            self.tokens = (self.tokens[0] + tokens[0], self.tokens[1] + tokens[1])

    def wait(self, failure: TransientFailure) -> LlmError | None:
        """Wait until the next attempt; returns the error to raise if no attempt or no time is left."""
        if failure.is_free:
            return None
        self._failed += 1
        if self._failed > self.retries:
            return self._final_error(failure)
        wait_s = pause(self._failed, self.pause_s, failure.after_s, random.random())  # noqa: S311 - not a secret
        if self.deadline is not None and time.monotonic() + wait_s >= self.deadline:
            return DeadlineExceeded(
                f"the deadline of the operation is before the next attempt; the last one: {failure}"
            )
        time.sleep(wait_s)
        return None

    def _final_error(self, failure: TransientFailure) -> LlmError:
        times = "once" if self.count == 1 else f"{self.count} times"
        if failure.raw is not None:
            return UnusableReply(f"{failure}; requested {times}", failure.raw)
        return LlmUnavailable(f"{failure}; tried {times}, more by TETRAGRAPH_LLM_RETRIES; earlier replies are cached")


def pause(failed: int, first_s: float, requested_s: float | None, share: float) -> float:
    """Return the pause before the next attempt, in seconds.

    Args:
        failed: Number of failed attempts, from 1.
        first_s: First pause; each further one is twice as long, and all are shortened by up to a half at random.
        requested_s: Pause that the endpoint requests, which is the minimum; at most two minutes are waited.
        share: Random number from 0 to 1.
    """
    own_s = first_s * 2.0 ** min(failed - 1, 30) * (0.5 + 0.5 * share)
    requested = (requested_s or 0.0) * (1 + _JITTER * share)
    return min(max(own_s, requested), _MAX_PAUSE_S)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Return the seconds in ``Retry-After-Ms`` or ``Retry-After``, which may be a date; None without either."""
    milliseconds, value = _number(headers.get("retry-after-ms")), headers.get("retry-after")
    if milliseconds is not None:
        return milliseconds / 1000
    if value is None or _number(value) is not None:
        return _number(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _number(text: str | None) -> float | None:
    try:
        value = float(text or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None
