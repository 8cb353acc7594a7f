"""Policies: what writes the turns of an episode."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final, Protocol

from tetragraph.errors import UnusableReply
from tetragraph.language.prompts import load
from tetragraph.llm import Message, Operation, Request
from tetragraph.rl.environment import PROMPT
from tetragraph.rl.options import EpisodeOptions

_EXPECTED: Final = 120
"""Approximate length of a turn in tokens."""


class Policy(Protocol):
    """Writes the next turn of a conversation.

    Attributes:
        name: Model and prompt, for records.
    """

    name: str

    def __call__(self, messages: Sequence[Message], tokens: int) -> str:
        """Return the text of the next turn, of at most ``tokens`` tokens."""


class EndpointPolicy:
    """A chat model at an endpoint of OpenAI's protocol: one that was trained for it, or any other.

    Replies are cached by conversation and sample, so a repeated episode costs nothing and has the same bytes.

    Args:
        operation: Returns the language model operation.
        model: Name of the model.
        options: Temperature and number of the sample.
    """

    def __init__(self, operation: Callable[[], Operation], model: str, options: EpisodeOptions) -> None:
        self._operation = operation
        self._options = options
        self._prompt = load(PROMPT).identity
        self.name = f"{model}, {self._prompt}"

    def __call__(self, messages: Sequence[Message], tokens: int) -> str:
        """See :class:`Policy`; a reply without text is an empty turn.

        Raises:
            BudgetExhausted, DeadlineExceeded: the next call would exceed the limit.
            LlmUnavailable, LlmRefused: the endpoint failed in all attempts.
        """
        request = Request(
            tuple(messages),
            tokens,
            temperature=self._options.temperature,
            seed=self._options.sample,
            expected_tokens=min(tokens, _EXPECTED),
            prompt=self._prompt,
        )
        try:
            return self._operation().complete(request).text
        except UnusableReply as error:
            return error.raw
