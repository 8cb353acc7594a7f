"""Proposals of the merge rules, and the order in which they are applied."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tetragraph.language.entity_resolution.model import Reason

TRUST: Final[tuple[Reason, ...]] = ("qualifier", "acronym", "fuller name", "short form", "spelling", "similar")
"""Reasons in order of trust."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """That two names are one entity: everywhere, or what the first one means inside one document.

    Attributes:
        alias: Normalised; inside a document the one that stands for the other.
        entity: Normalised.
        reason: Why.
        score: 0 to 1; 1 where no doubt is left.
        document: Id of the document inside which it holds; empty where it holds everywhere.
    """

    alias: str
    entity: str
    reason: Reason
    score: float
    document: str = ""

    @property
    def order(self) -> tuple[int, float, str, str, str]:
        """The most trusted first, then the highest score, then by name: nothing depends on who proposed it when."""
        first, second = sorted((self.alias, self.entity))
        return TRUST.index(self.reason), -self.score, first, second, self.document
