"""Scores of all chunks for a question, by part, and the paths to the hits."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property, partial

import numpy as np

from tetragraph.arrays import Floats, Longs
from tetragraph.model import CONTRIBUTIONS, NAMED, SIMILAR, Contribution, Hit, PathStep
from tetragraph.systems.encoding_tree.index import CSC, TreeIndex
from tetragraph.systems.encoding_tree.options import Weights
from tetragraph.systems.encoding_tree.query_expansion import ExpandedQuestion

PARTS = ("community", "similarity", "entities", "expansion")
EXPANSION = PARTS.index("expansion")


class Scores:
    """The hybrid score of every chunk.

    Args:
        index: Index of the corpus.
        weights: Weights of the parts.
        enhanced: The expanded question.
        entities: Similarity of the names, by index of each entity that the question names.

    Source:
        SeRAG (2026), eq. (10), (11) and (13). Deviations: those of :class:`Weights`, and the part that an expansion
        adds.
    """

    def __init__(
        self, index: TreeIndex, weights: Weights, enhanced: ExpandedQuestion, entities: Mapping[int, float]
    ) -> None:
        self._index = index
        self._weights = weights
        self._enhanced = enhanced
        self._entities = entities

    def after(self, enhanced: ExpandedQuestion) -> Scores:
        """Return the scores of the expanded question; parts of the vector alone are reused if it is the same."""
        scores = Scores(self._index, self._weights, enhanced, self._entities)
        if enhanced.vector is self._enhanced.vector:
            scores.themes, scores.communities, scores._own = self.themes, self.communities, self._own
        return scores

    @cached_property
    def themes(self) -> Floats:
        """``(communities,)`` cosine of the question with each community."""
        return self._index.compare_communities(self._enhanced.vector)

    @cached_property
    def communities(self) -> Longs:
        """``(n,)`` row of the community of a chunk that is most similar to the question; ties go to the lowest."""
        upwards = self._index.places[::-1].astype(np.int64)
        best = self.themes[upwards].argmax(axis=0)
        found: Longs = np.take_along_axis(upwards, best[None, :], axis=0)[0]
        return found

    @cached_property
    def parts(self) -> Floats:
        """``(4, n)`` parts of the score of each chunk, in the order of :data:`PARTS`."""
        sought = _sum_weighted(self._index.describes, self._enhanced.sought)
        return np.vstack([self._own, (1 - self._weights.coarse) * self._weights.expansion * np.log1p(sought)])

    @cached_property
    def _own(self) -> Floats:
        """``(3, n)`` parts that do not depend on an expansion."""
        weights, index, fine = self._weights, self._index, 1 - self._weights.coarse
        scale = index.scale if weights.is_scaled else 1.0
        cosines = index.compare_chunks(self._enhanced.vector)
        return np.stack(
            [
                weights.coarse * scale * self.themes[self.communities],
                fine * scale * cosines,
                fine * weights.entities * np.log1p(self._bonus(self._wanted)),
            ]
        )

    @cached_property
    def total(self) -> Floats:
        """``(n,)`` score of each chunk (eq. 10)."""
        total: Floats = self.parts.sum(axis=0)
        return total

    @cached_property
    def _wanted(self) -> dict[int, float]:
        """Weight of each entity of the question."""
        telling = self._index.information if self._weights.is_scaled else np.ones(len(self._index.entities))
        return {entity: alike * float(telling[entity]) for entity, alike in self._entities.items()}

    def _bonus(self, wanted: Mapping[int, float]) -> Floats:
        """Compute eq. (13): the bonus of each chunk by the number of occurrences of the wanted entities."""
        in_title = _sum_weighted(self._index.describes, wanted)
        return _sum_weighted(self._index.counts, wanted, np.log1p) + self._weights.title * in_title

    def hits(self, rows: Sequence[int]) -> Iterator[Hit]:
        """The hits of chunks, in the order given, with score parts and path."""
        for rank, (row, chunk) in enumerate(zip(rows, self._index.table.chunks_of(rows), strict=True), start=1):
            values = self.parts[:, row].tolist()
            parts = {name: value for name, value in zip(PARTS, values, strict=True) if value}
            path = self._by_first_hit(row) if values[EXPANSION] > max(0.0, values[0]) else self._by_community(row)
            contributions = self._contributions(row, parts)
            yield Hit(rank, float(sum(values)), chunk, parts, path, contributions=contributions)

    def _contributions(self, row: int, parts: Mapping[str, float]) -> tuple[Contribution, ...]:
        """Contributions to the parts: the theme, and the entities by their shares under the logarithm."""
        theme = self._index.labels[int(self.communities[row])]
        found = []
        if "community" in parts:
            found.append(Contribution("community", theme, parts["community"], self._by_community(row)))
        if "entities" in parts:
            named = {entity: self._worth(row, entity) for entity in self._entities}
            found += self._shares("entities", parts["entities"], named, partial(self._by_name, row))
        if "expansion" in parts:
            described = self._index.described_by(row)
            sought = {entity: weight for entity, weight in self._enhanced.sought.items() if entity in described}
            found += self._shares("expansion", parts["expansion"], sought, partial(self._by_description, row))
        return tuple(found)

    def _shares(
        self, part: str, value: float, worth: Mapping[int, float], way: Callable[[int], tuple[PathStep, ...]]
    ) -> Iterator[Contribution]:
        """Split a part among entities in proportion to the addend of each."""
        total = sum(worth.values())
        best = sorted((entity for entity in worth if worth[entity] > 0), key=lambda entity: (-worth[entity], entity))
        for entity in best[:CONTRIBUTIONS]:
            yield Contribution(part, self._index.names[entity], value * worth[entity] / total, way(entity))

    def _worth(self, row: int, entity: int) -> float:
        """Addend of an entity in a chunk's bonus (eq. 13)."""
        counted = math.log1p(_value(self._index.counts, row, entity))
        return self._wanted[entity] * (counted + self._weights.title * _value(self._index.describes, row, entity))

    def _by_community(self, row: int) -> tuple[PathStep, ...]:
        index, theme = self._index, int(self.communities[row])
        community, likeness = index.communities[theme], min(1.0, max(0.0, float(self.themes[theme])))
        return (
            PathStep("question", community, "SEED", SIMILAR, likeness),
            PathStep(community, index.table.ids[row], "CONTAINS", index.labels[theme], 1.0),
        )

    def _by_first_hit(self, row: int) -> tuple[PathStep, ...]:
        """Path over the entity with the largest weight among those that the chunk describes."""
        index, sought = self._index, self._enhanced.sought
        described = [entity for entity in index.described_by(row) if entity in sought]
        return self._by_description(row, min(described, key=lambda place: (-sought[place], place)))

    def _by_description(self, row: int, entity: int) -> tuple[PathStep, ...]:
        """Path from the first hit that mentions an entity to the chunk that describes it."""
        index, weight = self._index, self._enhanced.sought[entity]
        shown_by, name = index.table.ids[self._enhanced.shown_by[entity]], index.names[entity]
        return (
            PathStep("question", shown_by, "SEED", SIMILAR, weight),
            PathStep(shown_by, index.entities[entity], "MENTIONS", name, weight),
            PathStep(index.entities[entity], index.table.ids[row], "DESCRIBES", name, weight),
        )

    def _by_name(self, row: int, entity: int) -> tuple[PathStep, ...]:
        """Path over an entity that both question and chunk name."""
        index, alike = self._index, self._entities[entity]
        node, name = index.entities[entity], index.names[entity]
        via = "DESCRIBES" if _value(index.describes, row, entity) else "MENTIONS"
        return (
            PathStep("question", node, "SEED", NAMED, alike),
            PathStep(node, index.table.ids[row], via, name, 1.0),
        )


def _value(matrix: CSC, row: int, column: int) -> float:
    """Return one value of a matrix; 0 if it is not stored."""
    held = slice(matrix.indptr[column], matrix.indptr[column + 1])
    return float(matrix.data[held][matrix.indices[held] == row].sum())


def _sum_weighted(matrix: CSC, weights: Mapping[int, float], of: Callable[[Floats], Floats] | None = None) -> Floats:
    """Compute ``(n,)`` weighted sums over some columns of their values, or of a function of them."""
    total = np.zeros(matrix.shape[0])
    for column, weight in weights.items():
        held = slice(matrix.indptr[column], matrix.indptr[column + 1])
        values = matrix.data[held]
        total[matrix.indices[held]] += weight * (values if of is None else of(values))
    return total
