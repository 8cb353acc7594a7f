"""Options of an episode."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tetragraph.errors import InvalidInput
from tetragraph.validation import check_integer, is_number

MOST: Final = 50
"""Largest limit of turns, and of facts for each query."""
FEWEST_TOKENS: Final = 1000
"""Smallest limit of an interaction: the prompt takes half of it."""


@dataclass(frozen=True, slots=True)
class EpisodeOptions:
    """Options of an episode.

    Attributes:
        turns: Largest number of turns, 1 to 50. The paper has no value; its policies need 1.2 to 3.1 turns on average.
        facts: Largest number of facts that a query returns, 1 to 50.
        tokens: Limit of the whole interaction, prompt and knowledge included, at least 1,000; estimated at 4 characters
            a token.
        temperature: Sampling temperature of the policy, 0 to 2.
        sample: Number of the episode among those of the same question, from 0; seed of the policy's sampling.

    Source:
        BiG-RAG, appendix D.4: 4,096 tokens, temperature 0.7.
    """

    turns: int = 5
    facts: int = 5
    tokens: int = 4096
    temperature: float = 0.7
    sample: int = 0

    def __post_init__(self) -> None:
        """Check every value."""
        for name in ("turns", "facts"):
            check_integer(name, getattr(self, name), 1, MOST)
        check_integer("tokens", self.tokens, FEWEST_TOKENS)
        check_integer("sample", self.sample, 0)
        if not is_number(self.temperature) or not 0 <= self.temperature <= 2:
            raise InvalidInput(f"temperature must be a number between 0 and 2, got {self.temperature!r}")
