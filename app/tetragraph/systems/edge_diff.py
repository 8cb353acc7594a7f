"""Compares computed edges between chunks with the stored ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from tetragraph.arrays import Flags, Rows


class Pairs(Protocol):
    """Pairs of chunks, given by their rows, with values; ordered by both rows."""

    def keys(self, size: int) -> Rows:
        """``(m,)`` a unique number for each pair, ascending, in a corpus of ``size`` chunks."""


def unchanged_pairs(wanted: Pairs, stored: Pairs, size: int, values: Sequence[str]) -> Flags:
    """Which pairs are stored with the same values.

    Args:
        wanted: The ``m`` computed pairs.
        stored: The stored pairs.
        size: Number of chunks in the corpus.
        values: Names of the attributes that must be equal.

    Returns:
        ``(m,)`` True for each computed pair that needs no write.
    """
    keys, known = wanted.keys(size), stored.keys(size)
    if not len(known):
        return np.zeros(len(keys), dtype=bool)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    same: Flags = known[place] == keys
    for name in values:
        same &= getattr(stored, name)[place] == getattr(wanted, name)
    return same


def by_first(first: Rows) -> Iterator[tuple[int, Rows]]:
    """Each first chunk with the places of its pairs; the pairs of a chunk are contiguous."""
    starts = np.flatnonzero(np.r_[True, first[1:] != first[:-1]][: len(first)])
    for start, end in pairwise([*starts.tolist(), len(first)]):
        yield int(first[start]), np.arange(start, end)
