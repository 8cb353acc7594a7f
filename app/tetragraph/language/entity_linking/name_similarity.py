"""Similarity of names by their letters, for questions that misspell or slightly change the name of an entity."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np
from scipy import sparse

from tetragraph.arrays import Floats
from tetragraph.language.lexicon.names import normalise_name

_GRAM = 3
_BUCKETS = 1 << 18
"""Number of columns to which three-letter pieces are hashed; larger than the number of pieces of a corpus."""
_PRIME = 1_000_003


class NameProfiles:
    """Names of a corpus by their three-letter pieces; similarity is the cosine of the counts of the pieces.

    >>> profiles = NameProfiles(["Jean-Luc Godard", "Jean Renoir"])
    >>> [round(float(value), 2) for value in profiles.similarities("Jean-Luc Goddard")]
    [0.9, 0.3]
    """

    def __init__(self, names: Sequence[str]) -> None:
        self._profiles = _profiles([normalise_name(name) for name in names])

    def similarities(self, name: str) -> Floats:
        """``(n,)`` similarity of each name to this one, 0 to 1; 1 for the same letters."""
        found: Floats = (self._profiles @ _profiles([normalise_name(name)]).T).toarray().ravel()
        return found.round(9)


def _profiles(names: Sequence[str]) -> sparse.csr_array[np.float64]:
    """``(n, buckets)``, rows of length 1."""
    counts = [Counter(_pieces(name)) for name in names]
    bounds = np.cumsum([0, *(len(count) for count in counts)])
    columns = np.array([piece for count in counts for piece in count], dtype=np.int64)
    values = np.array([times for count in counts for times in count.values()], dtype=np.float64)
    lengths = np.sqrt(np.add.reduceat(np.r_[values**2, 0.0], bounds[:-1]))
    values /= np.repeat(lengths, np.diff(bounds))
    return sparse.csr_array((values, columns, bounds), shape=(len(names), _BUCKETS))


def _pieces(name: str) -> Iterator[int]:
    """A number for each sequence of three letters, with a blank at both ends of the name."""
    padded = f" {name} "
    for start in range(len(padded) - _GRAM + 1):
        number = 0
        for letter in padded[start : start + _GRAM]:
            number = number * _PRIME + ord(letter)
        yield number % _BUCKETS
