"""Retrieval for one question or sub-query: both paths, their fusion, and the traversal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from tetragraph.arrays import Flags
from tetragraph.stores.corpus import Question
from tetragraph.systems.bipartite_graph import dual_path, traversal
from tetragraph.systems.bipartite_graph.dual_path import FactQuestion, FactSimilarities, Names, Start
from tetragraph.systems.bipartite_graph.options import WEIGHTS, BipartiteOptions, Bounds
from tetragraph.systems.bipartite_graph.traversal import IsLate, Traversal
from tetragraph.systems.bipartite_graph.view import FactView


@dataclass(frozen=True, slots=True)
class Retrieval:
    """Facts retrieved for one text.

    Attributes:
        text: Question or sub-query.
        names: Entities named in the text.
        asked: Similarities of the text to the facts.
        start: Results of the two paths.
        traversal: Traversal from these results.
        count: Number of best facts used (``K``).
    """

    text: str
    names: Names
    asked: FactQuestion
    start: Start
    traversal: Traversal
    count: int

    @property
    def facts(self) -> list[int]:
        """Rows of the best facts, best first."""
        return self.traversal.best(self.count)

    def trace(self) -> dict[str, Any]:
        """Return the decisions of the retrieval, in ids and numbers."""
        relations = self.asked.index.relations
        entities = self.names.entities.tolist()
        shares = zip(self.start.fused.tolist(), *self.start.shares.tolist(), strict=True)
        return {
            "question": self.text,
            "entities": [
                {"id": self.asked.index.entities[row], "name": self.asked.index.name(row)} for row in entities
            ],
            "start": [
                {"relation": relations[row], "entity_path": entity, "relation_path": relation}
                for row, entity, relation in shares
            ],
            "hops": [{"from": before, "new": new} for before, new in self.traversal.hops],
            "stopped": self.traversal.stopped,
        }


@dataclass(frozen=True, slots=True)
class Retriever:
    """Retrieves facts for the texts of one search.

    Attributes:
        index: Index of the corpus.
        question: Embeds texts.
        options: Search options.
        allowed: ``(n,)`` chunks that may be found.
        is_late: Whether there is no time for a further hop.
    """

    index: FactView
    question: Question
    options: BipartiteOptions
    allowed: Flags
    is_late: IsLate

    def by_similarity(self, text: str, compared: FactSimilarities, names: Names, bounds: Bounds) -> Retrieval:
        """Rank facts, alone and in paths, by their similarity to the text."""
        asked = FactQuestion(
            self.index,
            compared,
            names.entities,
            chunk=WEIGHTS.chunk,
            names=WEIGHTS.names,
            allowed=self.allowed,
        )
        start = dual_path.by_similarity(asked, self.options.relations, self.options.paths)
        found = traversal.by_similarity(asked, start.fused, bounds, self.options.hub, self.is_late)
        return Retrieval(text, names, asked, start, found, bounds.facts)

    def by_structure(self, text: str, names: Names, bounds: Bounds) -> Retrieval:
        """Rank facts by degree and weight (algorithm 4)."""
        (compared,) = dual_path.compare(self.index, self.question, [text])
        named = ", ".join(names.prompted or [self.index.name(row) for row in names.entities.tolist()])
        asked = FactQuestion(self.index, compared, names.entities, chunk=0.0, names=0.0, allowed=self.allowed)
        of_names = self.question.embed(named) if named else compared.vector
        start = dual_path.by_confidence(
            asked, of_names, self.options.entities, self.options.relations, self.options.paths
        )
        found = traversal.by_structure(asked, start.fused, bounds, self.options.hub, self.is_late)
        return Retrieval(text, names, asked, start, found, bounds.facts)
