"""Which pairs of chunks are worth a judgement: near ones, and those of which one explains what the other mentions."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tetragraph.algorithms.nearest_neighbours import places_within, similarities
from tetragraph.arrays import Flags, Floats, Rows, Vectors
from tetragraph.systems.entity_links import EntityLinks

KINDS = ("nearest", "explains")
"""Why a pair is a candidate; a pair that is one for both reasons is ``nearest``."""
NEAREST, EXPLAINS = range(2)


@dataclass(frozen=True, slots=True)
class Candidates:
    """Directed pairs of chunks, each once, in order of base and other; chunks are meant by their rows.

    Attributes:
        base: ``(m,)`` what is known.
        other: ``(m,)`` what may add to it.
        kind: ``(m,)`` int8 places in ``KINDS``.
    """

    base: Rows
    other: Rows
    kind: NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.base)

    def take(self, chosen: Flags) -> Candidates:
        """Some of the pairs, by a mask."""
        return Candidates(self.base[chosen], self.other[chosen], self.kind[chosen])


def merge(size: int, near: tuple[Rows, Rows], explaining: tuple[Rows, Rows], *, both_ways: bool) -> Candidates:
    """All candidates of a corpus.

    Args:
        size: Number of chunks.
        near: A chunk and a near one.
        explaining: A chunk, and one that describes what it mentions.
        both_ways: Whether each pair is also judged the other way round.
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
    """For each chunk, others that describe an entity which it mentions and does not describe itself.

    Where there are more than ``limit``, those stay that explain the most telling names; a name that many chunks
    describe counts for each of them by a share. Ties go to the more similar chunk, then to the smaller row.

    Args:
        links: What the chunks mention and describe.
        vectors: ``(n, dimension)`` embeddings of length 1.
        limit: Most explanations of a chunk.

    Returns:
        Two arrays of equal length: the chunk, and one that explains something in it.
    """
    describers: Floats = links.describes.sum(axis=0)
    telling = links.information / np.maximum(describers, 1)
    pairs = (links.mentions @ sparse.diags_array(telling) @ links.describes.T).tocoo()
    strength, base, other = pairs.data, pairs.row.astype(np.int64), pairs.col.astype(np.int64)
    apart = base != other
    strength, base, other = strength[apart].round(9), base[apart], other[apart]
    order = np.lexsort((other, -similarities(vectors, base, other), -strength, base))
    base, other = base[order], other[order]
    kept = places_within(base) < limit
    return base[kept], other[kept]
