"""Proposals of merges, and their order."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tetragraph.language.entity_resolution.model import Reason

TRUST: Final[tuple[Reason, ...]] = (
    "gazetteer",
    "qualifier",
    "acronym",
    "fuller name",
    "short form",
    "spelling",
    "similar",
)
"""Reasons in order of trust."""


@dataclass(frozen=True, slots=True)
class Proposal:
    """A proposal that two names are one entity, in the whole corpus or inside one document.

    Attributes:
        alias: Normalised name; inside a document the one that denotes the other.
        entity: Normalised name of the entity.
        reason: Reason of the proposal.
        score: Confidence, 0 to 1; 1 for no doubt.
        document: Id of the document in which the proposal is valid; empty for the whole corpus.
    """

    alias: str
    entity: str
    reason: Reason
    score: float
    document: str = ""

    @property
    def order(self) -> tuple[int, float, str, str, str]:
        """Sort key: the most trusted first, then the highest score, then by name, so that the order is unique."""
        first, second = sorted((self.alias, self.entity))
        return TRUST.index(self.reason), -self.score, first, second, self.document
