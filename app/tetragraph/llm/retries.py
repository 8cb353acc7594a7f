"""When a call that failed is tried again, and when no more."""

from __future__ import annotations

import random
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime

from tetragraph.errors import DeadlineExceeded, LlmError, LlmUnavailable, UnusableReply

_LONGEST_PAUSE_S = 120.0
_AT_ONCE = 0.1
"""Share of the time an endpoint names that is added at random, as many callers were told the same time."""


class TransientFailure(Exception):
    """A try failed for a reason that may pass; never leaves this layer.

    Attributes:
        after_s: How long the endpoint asks to wait; None where it says nothing.
        raw: The reply as it came, where there is one.
        is_free: Whether the next try is another request, so that it counts for nothing and waits for nothing.
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
    """The tries of one call.

    Attributes:
        retries: How many may follow the first.
        pause_s: Before the second; doubled before each further one.
        deadline: Value of ``time.monotonic`` at which all is over; None for no limit.
        count: How many there were.
        tokens: In and out, of tries that were answered in vain.
    """

    retries: int
    pause_s: float
    deadline: float | None
    count: int = 0
    tokens: tuple[int, int] = (0, 0)
    _failed: int = field(default=0, init=False)

    def spent(self, tokens: tuple[int, int] | None) -> None:
        """Count the tokens of a try in vain, as far as the endpoint told."""
        if tokens:
            self.tokens = (self.tokens[0] + tokens[0], self.tokens[1] + tokens[1])

    def again(self, failure: TransientFailure) -> LlmError | None:
        """Wait until the next try; returns what to raise where there is none: no try is left, or it came too late."""
        if failure.is_free:
            return None
        self._failed += 1
        if self._failed > self.retries:
            return self._given_up(failure)
        wait_s = pause(self._failed, self.pause_s, failure.after_s, random.random())  # noqa: S311 - no secret
        if self.deadline is not None and time.monotonic() + wait_s >= self.deadline:
            return DeadlineExceeded(f"the operation's time is over before the next try; the last one: {failure}")
        time.sleep(wait_s)
        return None

    def _given_up(self, failure: TransientFailure) -> LlmError:
        times = "once" if self.count == 1 else f"{self.count} times"
        if failure.raw is not None:
            return UnusableReply(f"{failure}; asked {times}", failure.raw)
        return LlmUnavailable(f"{failure}; tried {times}, more by TETRAGRAPH_LLM_RETRIES; what was answered is kept")


def pause(failed: int, first_s: float, told_s: float | None, share: float) -> float:
    """Seconds before the next try.

    Args:
        failed: Tries that failed, from 1.
        first_s: Of the first pause; each further one is twice as long, and all are cut by up to a half at random.
        told_s: What the endpoint asks for; waited at least, up to two minutes.
        share: A random number from 0 to 1.
    """
    own = first_s * 2.0 ** min(failed - 1, 30) * (0.5 + 0.5 * share)
    told = (told_s or 0.0) * (1 + _AT_ONCE * share)
    return min(max(own, told), _LONGEST_PAUSE_S)


def retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds that ``Retry-After-Ms`` or ``Retry-After`` name, which may be a date; None where they say nothing."""
    milliseconds, told = _number(headers.get("retry-after-ms")), headers.get("retry-after")
    if milliseconds is not None:
        return milliseconds / 1000
    if told is None or _number(told) is not None:
        return _number(told)
    try:
        return max(0.0, parsedate_to_datetime(told).timestamp() - time.time())
    except (ValueError, OverflowError):
        return None


def _number(written: str | None) -> float | None:
    try:
        value = float(written or "")
    except ValueError:
        return None
    return value if 0 <= value < float("inf") else None
