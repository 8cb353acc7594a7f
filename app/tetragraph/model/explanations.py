"""Explanations of hits: the parts of the score in words and numbers, and the subgraph that led to the chunk."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tetragraph.model import Chunk, Contribution, PathStep
from tetragraph.model.display import html_table, shorten, to_plain
from tetragraph.model.pictures import draw_subgraph
from tetragraph.model.subgraphs import Subgraph


@dataclass(frozen=True, slots=True)
class ScorePart:
    """One of the addends of a score.

    Attributes:
        name: Name of the part, as in ``Hit.parts``.
        meaning: Meaning of the part in words.
        value: Value in units of the score.
        contributions: The largest shares of the value, the largest first; their sum is at most the value.
    """

    name: str
    meaning: str
    value: float
    contributions: tuple[Contribution, ...] = ()


@dataclass(frozen=True, slots=True, repr=False)
class Explanation:
    """Explanation of a chunk's rank in a result.

    Attributes:
        question: The question.
        method: Search method that found the chunk.
        rank: Rank, from 1.
        score: Sum of the parts.
        chunk: The chunk.
        parts: Parts of the score, the largest first, without those of value 0.
        paths: Paths from the question to the chunk, the strongest first, without duplicates.
        subgraph: Nodes and relationships of the paths; the chunk alone for a method without a graph.
        sentences: The explanation in words, a line each: the chunk, the parts with their contributions, the strongest
            path.
        notes: Warnings in words: changes since the search.
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

    def __repr__(self) -> str:
        return "\n  ".join([f"Explanation({shorten(self.question)!r}, method={self.method!r})", *self.sentences])

    def to_dict(self) -> dict[str, Any]:
        """The explanation as types of JSON, as ``--json`` prints it; a Cypher statement stands for its subgraph."""
        names = ("rank", "score", "chunk", "parts", "paths", "sentences", "cypher", "notes")
        return {name: to_plain(getattr(self, name)) for name in names}

    def _repr_html_(self) -> str:
        rows = [(part.name, part.value, part.meaning) for part in self.parts]
        below = [*self.sentences[1:], *(f"note: {note}" for note in self.notes)]
        caption = self.sentences[0] if self.sentences else self.question
        return html_table(caption, ("part", "value", "meaning"), rows, below) + draw_subgraph(self.subgraph)

    @property
    def cypher(self) -> str:
        """A statement that draws exactly the subgraph in Neo4j Browser."""
        return self.subgraph.cypher

    def __str__(self) -> str:
        return "\n".join(self.sentences)
