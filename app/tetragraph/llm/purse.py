"""A limit of tokens and money that calls are taken from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from tetragraph.model.usage import Usage


@dataclass(frozen=True, slots=True)
class Worst:
    """The most that a call can cost: the estimate of what is sent, and the longest reply."""

    input_tokens: int
    output_tokens: int
    money: float

    @property
    def tokens(self) -> int:
        """In and out."""
        return self.input_tokens + self.output_tokens


class Purse:
    """What may be spent from one limit; whoever uses it holds the condition that its users share.

    Args:
        owner: Who has the limit, for messages.
        spent: Tells what was spent from it so far.
        names: The settings that hold its limits of tokens and money.
    """

    def __init__(
        self, owner: str, tokens: int | None, money: float | None, spent: Callable[[], Usage], names: tuple[str, str]
    ) -> None:
        self._owner = owner
        self._tokens = tokens
        self._money = money
        self._spent = spent
        self._names = names
        self._taken_tokens = 0
        self._taken_money = 0.0
        self.under_way = 0
        """Calls that will be settled whatever others do."""

    def refusal(self, worst: Worst) -> str | None:
        """Why a call does not fit now, or None."""
        if self._tokens is None and self._money is None:
            return None
        spent = self._spent()
        if self._tokens is not None and spent.tokens + self._taken_tokens + worst.tokens > self._tokens:
            could = f"{worst.tokens:,} tokens ({worst.input_tokens:,} in, up to {worst.output_tokens:,} out)"
            return self._told(could, f"{spent.tokens:,}", f"{self._tokens:,} tokens", self._names[0])
        if self._money is not None and spent.cost + self._taken_money + worst.money > self._money:
            return self._told(f"{worst.money:.6g}", f"{spent.cost:.6g}", f"{self._money:g} of money", self._names[1])
        return None

    def take(self, worst: Worst, *, settles: bool) -> None:
        """Set aside what a call can cost."""
        self._taken_tokens += worst.tokens
        self._taken_money += worst.money
        self.under_way += settles

    def give_back(self, worst: Worst, *, settles: bool) -> None:
        """The call is settled: what it did cost is among what was spent."""
        self._taken_tokens -= worst.tokens
        self._taken_money -= worst.money
        self.under_way -= settles

    def _told(self, could: str, spent: str, limit: str, name: str) -> str:
        return (
            f"the next call can cost {could}, and {self._owner} has spent {spent} of {limit}: raise {name}; what was "
            "answered is kept, so running the same again goes on from there"
        )
