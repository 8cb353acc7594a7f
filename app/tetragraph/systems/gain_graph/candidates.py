"""Candidate pairs for judgement: similar chunks, and chunks that describe entities mentioned by others."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tetragraph.algorithms.nearest_neighbours import places_within, similarities
from tetragraph.arrays import Flags, Floats, Rows, Vectors
from tetragraph.systems.entity_links import EntityLinks

KINDS = ("nearest", "explains")
"""Reasons for which a pair is a candidate; ``nearest`` if both apply."""
NEAREST, EXPLAINS = range(2)
_BLOCK = 20_000
"""Chunks whose explaining chunks are found at a time."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """Directed pairs of rows of chunks, each once, in order of base and other.

    Attributes:
        base: ``(m,)`` row of the known chunk.
        other: ``(m,)`` row of the chunk that may add to it.
        kind: ``(m,)`` int8 indices into ``KINDS``.
    """

    base: Rows
    other: Rows
    kind: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.base)

    def take(self, chosen: Flags) -> Candidates:
        """Select pairs by a mask."""
        return Candidates(self.base[chosen], self.other[chosen], self.kind[chosen])


def merge(size: int, near: tuple[Rows, Rows], explaining: tuple[Rows, Rows], *, both_ways: bool) -> Candidates:
    """Merge both kinds of candidates of a corpus.

    Args:
        size: Number of chunks.
        near: Pairs of a chunk and one of its nearest neighbours.
        explaining: Pairs of a chunk and one that describes an entity it mentions.
        both_ways: Whether each pair is also judged in the opposite direction.
    """
    keys, kinds = [], []
    for kind, (first, second) in ((NEAREST, near), (EXPLAINS, explaining)):
        ways = [first * size + second, second * size + first] if both_ways else [first * size + second]
        for way in ways:
            keys.append(way)
            kinds.append(np.full(len(way), kind, dtype=np.int8))
    every, place = np.unique(np.concatenate(keys), return_index=True)
    base, other = np.divmod(every, max(size, 1))
    return Candidates(base, other, np.concatenate(kinds)[place])


def explaining_pairs(links: EntityLinks, vectors: Vectors, limit: int) -> tuple[Rows, Rows]:
    """Find for each chunk others that describe an entity which it mentions and does not describe itself.

    Of more than ``limit``, those are selected that explain the names with the most information, divided by the number
    of chunks that describe the name. Ties go to the more similar chunk, then to the smaller row.

    Args:
        links: Entities that the chunks mention and describe.
        vectors: ``(n, dimension)`` embeddings of length 1.
        limit: Largest number of explaining chunks per chunk.

    Returns:
        Two arrays of equal length: the chunk, and one that explains an entity in it.
    """
    describers: Floats = links.describes.sum(axis=0)
    telling = links.information / np.maximum(describers, 1)
    found = [
        _explaining(links, vectors, telling, range(start, min(start + _BLOCK, len(vectors))), limit)
        for start in range(0, max(len(vectors), 1), _BLOCK)
    ]
    base, other = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return base, other


def _explaining(links: EntityLinks, vectors: Vectors, telling: Floats, rows: range, limit: int) -> tuple[Rows, Rows]:
    """The explaining pairs of some adjacent chunks."""
    named = links.mentions[rows.start : rows.stop]
    pairs = (named @ sparse.diags_array(telling) @ links.describes.T).tocoo()
    strength, base, other = pairs.data, pairs.row.astype(np.int64) + rows.start, pairs.col.astype(np.int64)
    apart = base != other
    strength, base, other = strength[apart].round(9), base[apart], other[apart]
    order = np.lexsort((other, -similarities(vectors, base, other), -strength, base))
    base, other = base[order], other[order]
    is_selected = places_within(base) < limit
    return base[is_selected], other[is_selected]
