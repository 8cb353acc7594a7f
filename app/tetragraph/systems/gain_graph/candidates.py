"""Which pairs of chunks are worth a judgement: near ones, and those of which one explains what the other mentions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy import sparse

from tetragraph.algorithms.nearest_neighbours import nearest_neighbours, places_within, similarities
from tetragraph.stores.vectors import Vectors
from tetragraph.systems.gain_graph.links import Links

Rows: TypeAlias = NDArray[np.int64]

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

    def take(self, chosen: NDArray[np.bool_]) -> Candidates:
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


def explaining_pairs(links: Links, vectors: Vectors, limit: int) -> tuple[Rows, Rows]:
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
    describers: NDArray[np.float64] = links.describes.sum(axis=0)
    telling = links.information / np.maximum(describers, 1)
    pairs = (links.mentions @ sparse.diags_array(telling) @ links.describes.T).tocoo()
    strength, base, other = pairs.data, pairs.row.astype(np.int64), pairs.col.astype(np.int64)
    apart = base != other
    strength, base, other = strength[apart].round(9), base[apart], other[apart]
    order = np.lexsort((other, -similarities(vectors, base, other), -strength, base))
    base, other = base[order], other[order]
    kept = places_within(base) < limit
    return base[kept], other[kept]


def all_near(vectors: Vectors, count: int) -> tuple[Rows, Rows]:
    """Every chunk with its ``count`` nearest, best first (eq. 1)."""
    return nearest_neighbours(vectors, count)


def near_after_adding(vectors: Vectors, count: int, stored: tuple[Rows, Rows], added: Rows) -> tuple[Rows, Rows]:
    """Every chunk with its ``count`` nearest, from those known before chunks were added.

    A chunk that was there keeps a neighbour unless a new chunk is nearer; so of its old neighbours and the new
    chunks, the ``count`` nearest are its neighbours now. That is as many products as there are new chunks times all
    chunks, not all times all.

    Args:
        vectors: ``(n, dimension)`` embeddings of length 1, of all chunks as they are now.
        count: Neighbours of each.
        stored: Pairs of old chunks, each once, with at least the ``count`` nearest of each before; more do no harm.
        added: Rows of the new chunks.

    Returns:
        The same pairs as :func:`all_near`.
    """
    own_base, own_other = nearest_neighbours(vectors, count, added)
    old = np.setdiff1d(np.arange(len(vectors)), added)
    near_base, near_other = nearest_neighbours(vectors, count, old, added)
    base, other = np.concatenate([stored[0], near_base]), np.concatenate([stored[1], near_other])
    order = np.lexsort((other, -similarities(vectors, base, other), base))
    base, other = base[order], other[order]
    kept = places_within(base) < count
    return np.concatenate([base[kept], own_base]), np.concatenate([other[kept], own_other])
