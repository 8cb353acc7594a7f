"""How many tokens a request has, about.

No tokenizer is bundled: each model has its own, an endpoint does not say which, and templates and schemas that it adds
are counted, too. What the endpoint counted for earlier requests tells all of that at once.
"""

from __future__ import annotations

import math
import threading

from tetragraph.llm.ledger import Habits
from tetragraph.llm.model import Completion, Request

CHARACTERS = 4.0
"""For each token, until enough calls were counted."""
_OF_A_MESSAGE = 16
_ENOUGH = 5


def weight(request: Request) -> int:
    """Characters, with some for what surrounds each message."""
    return request.characters + _OF_A_MESSAGE * len(request.messages)


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
