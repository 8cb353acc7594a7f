"""The port to the graph of a search: Neo4j with Graph Data Science, or arrays in this process."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from tetragraph.arrays import Vectors
from tetragraph.model import Chunk
from tetragraph.systems.gain_graph.candidates import KINDS
from tetragraph.systems.gain_graph.options import GainOptions

MENTION_LIMIT = 20
"""An entity that no chunk describes seeds the chunks that mention it, unless there are more."""


@dataclass(frozen=True, slots=True)
class NamedEntity:
    """An entity that a question may name.

    Attributes:
        information: Nats: how telling it is that a chunk names it.
        chunks: Ids of the chunks that describe it; else of those that mention it, if they are few; in order.
    """

    information: float
    chunks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ranking:
    """Chunks that the walk reaches, best first, ties in order of id.

    Attributes:
        scores: Share of the walk's time; scores of all chunks of the corpus add up to 1.
        seed_factor: What a seed's share is worth in score: the restart probability, and what the walk lost at chunks
            without edges.
    """

    ids: tuple[str, ...]
    scores: tuple[float, ...]
    seed_factor: float


@dataclass(frozen=True, slots=True)
class Step:
    """An edge the walk can take.

    Attributes:
        share: Probability that a walk at ``source`` which goes on takes it.
    """

    source: str
    target: str
    level: str
    candidate: str
    share: float


class Finder(Protocol):
    """Finds where a walk may begin."""

    def entities(self, ids: Sequence[str]) -> Mapping[str, NamedEntity]:
        """Those of the ids that are entities of the corpus."""

    def nearest(self, vector: Vectors, count: int) -> list[tuple[str, float]]:
        """The chunks most similar to a vector with their similarities, best first (eq. 4)."""


class Engine(Finder, Protocol):
    """Ranks the chunks of one corpus. Both engines give the same results, to 1e-6."""

    def rank(self, seeds: Mapping[str, float], limit: int, allowed: Collection[str] | None) -> Ranking:
        """The best chunks of the walk from the seeds (eq. 6 to 8).

        Args:
            seeds: Chunk ids to probabilities that sum to 1.
            limit: Length of the ranking; less where the walk reaches fewer chunks.
            allowed: Ids of the chunks that may be in the ranking; the walk itself passes through all.
        """

    def onwards(self, ids: Collection[str]) -> list[Step]:
        """All edges that leave some chunks."""

    def surroundings(self, ids: Collection[str], shown: Collection[str]) -> tuple[list[Step], Mapping[str, Chunk]]:
        """All edges among some chunks, and what hits show of those of them that are ``shown``, by id."""


def walked_candidates(options: GainOptions) -> list[str]:
    """The kinds of edges that a walk takes."""
    return ["nearest"] if options.mode == "paper" else list(KINDS)
