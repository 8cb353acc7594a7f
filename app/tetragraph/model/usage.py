"""Usage, budgets and estimates of language model calls."""

from __future__ import annotations

import math
import time
from dataclasses import dataclass, fields

from tetragraph.errors import InvalidInput


@dataclass(frozen=True, slots=True)
class Usage:
    """Cost of a number of calls.

    Attributes:
        calls: Number of paid calls, answered or not.
        cached: Number of calls that the cache answered.
        failed: Number of paid calls without a usable reply, after all retries.
        retries: Number of attempts after the first, over all calls.
        repairs: Number of replies that a second request had to repair.
        input_tokens: Input tokens of paid calls.
        output_tokens: Output tokens of paid calls.
        cost: Price by the price table, in its currency; 0 for a model that it does not list.
        seconds: Waiting time, summed over concurrent calls.
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
        """Input and output tokens."""
        return self.input_tokens + self.output_tokens


NOTHING = Usage()


@dataclass(frozen=True, slots=True)
class Total:
    """Usage of all operations of one name on one corpus at one model."""

    operation: str
    corpus: str
    model: str
    usage: Usage


@dataclass(frozen=True, slots=True)
class Budget:
    """Limits of the cost of an operation; None for no limit.

    Attributes:
        tokens: Input and output tokens of paid calls.
        money: Price in the currency of the price table.
        deadline_s: Duration in seconds from the start of the operation.

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
        """End of an operation that starts now, in seconds of :func:`time.monotonic`; None without a deadline."""
        return None if self.deadline_s is None else time.monotonic() + self.deadline_s


UNLIMITED = Budget()


def check_budget(value: object) -> None:
    """Raise if a value is not a budget."""
    if not isinstance(value, Budget):
        raise InvalidInput(f"budget must be a Budget, such as Budget(tokens=20_000), got {value!r}")


@dataclass(frozen=True, slots=True)
class Estimate:
    """Cost of an operation, estimated before it starts.

    Attributes:
        model: Name of the model that would be called.
        calls: Number of calls that would be paid.
        cached: Number of calls that the cache would answer.
        input_tokens: Input tokens of the paid calls.
        output_tokens: Output tokens of the paid calls.
        cost: Price by the price table; None for a model that it does not list.
        seconds: Duration with as many concurrent calls as the settings allow, at the pace of earlier calls; None
            without any.
    """

    model: str
    calls: int
    cached: int
    input_tokens: int
    output_tokens: int
    cost: float | None
    seconds: float | None
