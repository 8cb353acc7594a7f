"""Interface of the engines that search the graph: Neo4j with Graph Data Science, or arrays in this process."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tetragraph.arrays import Vectors
from tetragraph.model import Chunk
from tetragraph.systems.gain_graph.candidates import KINDS
from tetragraph.systems.gain_graph.options import GainOptions

MENTION_LIMIT = 20
"""Largest number of chunks that an entity which no chunk describes may seed by its mentions."""


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity that a question may name.

    Attributes:
        information: Self-information of a chunk naming it, in nats.
        chunks: Ids of the chunks that describe it, otherwise of those that mention it if they are few; in order.
    """

    information: float
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chunks that the walk reaches, best first, ties in order of id.

    Attributes:
        scores: Stationary shares by chunk id; scores of all chunks of the corpus add up to 1.
        seed_factor: Score per unit of seed probability: the restart probability, corrected for the mass dropped at
            chunks without edges.
    """

    ids: tuple[str, ...]
    scores: tuple[float, ...]
    seed_factor: float


@dataclass(frozen=True, slots=True)
class Step:
    """An edge that the walk can take.

    Attributes:
        share: Probability of the edge for a walk that continues from ``source``.
        weight: Weight of the edge, before the weights of all edges that leave ``source`` are scaled to shares.
    """

    source: str
    target: str
    level: str
    candidate: str
    share: float
    weight: float


class Finder(Protocol):
    """Finds possible seeds of a walk."""

    def entities(self, ids: Sequence[str]) -> Mapping[str, NamedEntity]:
        """Return the entities of the corpus among the ids."""

    def nearest(self, vector: Vectors, count: int) -> list[tuple[str, float]]:
        """Return the chunks most similar to a vector with their similarities, best first (eq. 4)."""


class Engine(Finder, Protocol):
    """Ranks the chunks of one corpus. Memory and GDS give the same results, to 1e-6; the stores an approximation."""

    def rank(self, seeds: Mapping[str, float], limit: int, allowed: Collection[str] | None) -> Ranking:
        """Rank the chunks by the walk from the seeds (eq. 6 to 8).

        Args:
            seeds: Chunk ids to probabilities that sum to 1.
            limit: Length of the ranking; shorter if the walk reaches fewer chunks.
            allowed: Ids of the chunks that may be in the ranking; the walk itself passes through all.
        """

    def onwards(self, ids: Collection[str]) -> list[Step]:
        """Return all edges that leave some chunks."""

    def surroundings(self, ids: Collection[str], shown: Collection[str]) -> tuple[list[Step], Mapping[str, Chunk]]:
        """Return all edges among some chunks, and the contents by id of those to be ``shown`` as hits."""


def walked_candidates(options: GainOptions) -> list[str]:
    """Return the kinds of edges that a walk takes."""
    return ["nearest"] if options.mode == "paper" else list(KINDS)
