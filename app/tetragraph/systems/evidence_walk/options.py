"""What can be set for a search by evidence walk."""

from __future__ import annotations

from dataclasses import dataclass, fields

from tetragraph.algorithms.coverage_selection import SelectionOptions
from tetragraph.algorithms.evidence_walk import WalkOptions
from tetragraph.errors import InvalidInput

POOL = 30
"""Passages among which the first picks are chosen."""
POOL_WALK = 4 / 3
"""Weight of the walk when the pool is drawn, relative to its weight in the score."""
FLOOR = 1e-7
"""Walk mass that counts as none, so that its logarithm exists."""


@dataclass(frozen=True, slots=True)
class EvidenceOptions:
    """Options of ``method="evidence"``; the defaults were chosen on training questions of three benchmarks.

    Attributes:
        keyword: Weight of BM25 beside the similarity in ``z``; BM25 is divided by its highest value.
        title_weight: Weight of a passage that an entity titles, relative to one that mentions it.
        sharpness: How strongly mass prefers passages similar to the question.
        entity_share: Share of the seeds that entities of the question get, 0 to 1.
        restart: Share of the seeds in every step, above 0, at most 1.
        steps: Number of steps; 2 reach the second hop.
        walk: Weight of the logarithm of the walk's mass in the score.
        coverage: Weight of the question's terms that no earlier pick holds.
        link: Added when an earlier pick mentions the passage's title.
    """

    keyword: float = 0.09
    title_weight: float = 20.0
    sharpness: float = 8.0
    entity_share: float = 0.5
    restart: float = 0.2
    steps: int = 2
    walk: float = 0.3
    coverage: float = 1.5
    link: float = 0.2

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            InvalidInput: an option is out of its range.
        """
        for field in fields(self):
            value = getattr(self, field.name)
            if not value >= 0:
                raise InvalidInput(f"{field.name} must be 0 or more, got {value!r}")
        if self.entity_share > 1:
            raise InvalidInput(f"entity_share must be between 0 and 1, got {self.entity_share!r}")
        if not 0 < self.restart <= 1:
            raise InvalidInput(f"restart must be above 0 and at most 1, got {self.restart!r}")
        if not isinstance(self.steps, int) or self.steps < 1:
            raise InvalidInput(f"steps must be an integer of at least 1, got {self.steps!r}")

    @property
    def walk_options(self) -> WalkOptions:
        """The part that the walk takes."""
        return WalkOptions(
            entity_share=self.entity_share,
            title_weight=self.title_weight,
            sharpness=self.sharpness,
            restart=self.restart,
            steps=self.steps,
        )

    @property
    def selection_options(self) -> SelectionOptions:
        """The part that the selection takes."""
        return SelectionOptions(coverage=self.coverage, link=self.link)
