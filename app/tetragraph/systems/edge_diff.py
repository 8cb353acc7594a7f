"""What the edges of different graphs have in common while they are compared with those that are stored."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Protocol

import numpy as np

from tetragraph.arrays import Flags, Rows


class Pairs(Protocol):
    """Pairs of chunks with values, in order of both; chunks are meant by their rows."""

    def keys(self, size: int) -> Rows:
        """``(m,)`` one number for each pair, ascending, in a corpus of ``size`` chunks."""


def unchanged_pairs(wanted: Pairs, stored: Pairs, size: int, values: Sequence[str]) -> Flags:
    """``(m,)`` which pairs are stored just as they are wanted: with the same values."""
    keys, known = wanted.keys(size), stored.keys(size)
    if not len(known):
        return np.zeros(len(keys), dtype=bool)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    same: Flags = known[place] == keys
    for name in values:
        same &= getattr(stored, name)[place] == getattr(wanted, name)
    return same


def by_first(first: Rows) -> Iterator[tuple[int, Rows]]:
    """Each chunk that pairs begin with, and the places of its pairs; those of a chunk stand together."""
    starts = np.flatnonzero(np.r_[True, first[1:] != first[:-1]][: len(first)])
    for start, end in pairwise([*starts.tolist(), len(first)]):
        yield int(first[start]), np.arange(start, end)
