"""Why a passage was found: what its score is made of, in words and numbers, and the graph that carried it."""

from __future__ import annotations

from dataclasses import dataclass

from tetragraph.model import Chunk, Contribution, PathStep
from tetragraph.model.subgraphs import Subgraph


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One of the numbers that a score is the sum of.

    Attributes:
        name: As in ``Hit.parts``.
        meaning: What it stands for, for people.
        value: In units of the score.
        contributions: What brought the largest shares of it, the largest first; together no more than it is.
    """

    name: str
    meaning: str
    value: float
    contributions: tuple[Contribution, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """Why a passage stands where it does in a result.

    Attributes:
        question: Which was asked.
        method: Which found the passage.
        rank: From 1.
        score: The sum of the parts.
        chunk: The passage.
        parts: The largest first, those of no value left out.
        paths: The strongest way from the question to the passage first, then the others, without doubles.
        subgraph: All that the ways go through; the passage alone where a method has no graph.
        sentences: The same in words, a line each: the passage, the parts and what brought them, the strongest way.
        notes: Said in words: what has changed since the search.
    """

    question: str
    method: str
    rank: int
    score: float
    chunk: Chunk
    parts: tuple[ScorePart, ...]
    paths: tuple[tuple[PathStep, ...], ...]
    subgraph: Subgraph
    sentences: tuple[str, ...]
    notes: tuple[str, ...] = ()

    @property
    def cypher(self) -> str:
        """A statement that draws exactly the subgraph in Neo4j Browser."""
        return self.subgraph.cypher

    def __str__(self) -> str:
        return "\n".join(self.sentences)
