"""What calls of language models cost, and may cost."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, fields

from tetragraph.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Usage:
    """What some calls cost.

    Attributes:
        calls: Calls that were paid for, answered or not.
        cached: Calls that the cache answered.
        failed: Paid calls without a usable reply, after all tries.
        retries: Tries after the first, of all calls.
        repairs: Replies that a second request had to mend.
        input_tokens: Of paid calls; so are the following.
        cost: By the price table, in its currency; 0 for a model that is not in it.
        seconds: Spent waiting, added up over calls that ran side by side.
    """

    calls: int = 0
    cached: int = 0
    failed: int = 0
    retries: int = 0
    repairs: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0
    seconds: float = 0.0

    def __add__(self, other: Usage) -> Usage:
        return Usage(**{one.name: getattr(self, one.name) + getattr(other, one.name) for one in fields(self)})

    def __sub__(self, earlier: Usage) -> Usage:
        return Usage(**{one.name: getattr(self, one.name) - getattr(earlier, one.name) for one in fields(self)})

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens


NOTHING = Usage()


@dataclass(frozen=True, slots=True)
class Total:
    """What all operations of a name on a corpus cost at a model."""

    operation: str
    corpus: str
    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Budget:
    """What an operation may cost; None for no limit.

    Attributes:
        tokens: In and out, of paid calls.
        money: In the currency of the price table.
        deadline_s: Seconds from the operation's beginning.

    Raises:
        InvalidInput: a limit is not a number above 0.
    """

    tokens: int | None = None
    money: float | None = None
    deadline_s: float | None = None

    def __post_init__(self) -> None:
        for limit in fields(self):
            value = getattr(self, limit.name)
            is_number = isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
            if value is not None and not (is_number and value > 0):
                raise InvalidInput(f"the budget's {limit.name} must be a number above 0, or none, got {value!r}")

    def ends(self) -> float | None:
        """When what begins now has to end, in seconds of :func:`time.monotonic`; None for never."""
        return None if self.deadline_s is None else time.monotonic() + self.deadline_s


UNLIMITED = Budget()


@dataclass(frozen=True, slots=True)
class Estimate:
    """What an operation would cost, before it is begun.

    Attributes:
        model: Which would be asked.
        calls: Calls that would be paid for.
        cached: Calls that the cache would answer.
        input_tokens: Of the calls that would be paid for; so are the following.
        cost: By the price table; None for a model that is not in it.
        seconds: With as many calls side by side as the settings allow, at the pace of earlier calls; None without any.
    """

    model: str
    calls: int
    cached: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float | None
