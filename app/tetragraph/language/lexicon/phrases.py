"""A set of word sequences, and the search for the longest of them in a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Self

import numpy as np

from tetragraph.arrays import Array, Flags, Ints, Longs

LONGEST = 14
"""Largest number of words of a phrase that is found; names that texts repeat are not longer."""
_WORD_BITS = 32
_BLOCK = 100_000
"""Number of matches that are compared at a time."""
_STARTS = 1_000_000
"""Number of places at which phrases are searched at a time."""


@dataclass(frozen=True, slots=True)
class Phrases:
    """A set of word sequences as a tree of prefixes in two arrays, so that it can be mapped from disk.

    Node 0 is the empty prefix; node ``i + 1`` is reached by ``keys[i]``.

    Attributes:
        keys: ``(nodes,)`` int64 ascending: parent node and word, the word in the lower 32 bits.
        phrase: ``(nodes + 1,)`` int32: the phrase that ends at a node, or -1.
    """

    keys: Longs
    phrase: Ints

    @classmethod
    def build(cls, words: Ints, bounds: Longs) -> Self:
        """Build the tree of distinct phrases; phrase ``i`` is ``words[bounds[i]:bounds[i + 1]]``, not empty."""
        lengths = np.diff(bounds)
        alive = np.flatnonzero(lengths <= LONGEST)
        node = np.zeros(len(lengths), dtype=np.int64)
        levels: list[Longs] = []
        ends: list[tuple[Longs, Longs]] = []
        count, depth = 0, 0
        while alive.size:
            keys, place = np.unique(_keys(node[alive], words[bounds[alive] + depth]), return_inverse=True)
            node[alive] = count + 1 + place
            levels.append(keys)
            count, depth = count + len(keys), depth + 1
            done = lengths[alive] == depth
            ends.append((node[alive[done]], alive[done]))
            alive = alive[~done]
        phrase = np.full(count + 1, -1, dtype=np.int32)
        for nodes, phrases in ends:
            phrase[nodes] = phrases
        return cls(np.concatenate(levels) if levels else np.zeros(0, dtype=np.int64), phrase)

    def longest(self, word: Ints, starts: Longs, fences: Flags) -> tuple[Ints, Ints]:
        """Find the longest phrase that begins at each place.

        Args:
            word: ``(tokens,)`` words of the text; negative words are in no phrase.
            starts: Places in ``word`` at which to search.
            fences: ``(tokens,)`` True for the first word of a sentence: no phrase extends across.

        Returns:
            For each start the phrase and its length; -1 and 0 for none.
        """
        blocks = [
            self._longest(word, starts[first : first + _STARTS], fences)
            for first in range(0, max(len(starts), 1), _STARTS)
        ]
        found, length = (np.concatenate(parts) for parts in zip(*blocks, strict=True))
        return found, length

    def _longest(self, word: Ints, starts: Longs, fences: Flags) -> tuple[Ints, Ints]:
        found = np.full(len(starts), -1, dtype=np.int32)
        length = np.zeros(len(starts), dtype=np.int32)
        alive = np.arange(len(starts))
        node = np.zeros(len(starts), dtype=np.int64)
        for depth in range(LONGEST):
            at = starts[alive] + depth
            inside = at < len(word)
            if depth:
                inside[inside] &= ~fences[at[inside]]
            alive, at, node = alive[inside], at[inside], node[inside]
            node = self._child(node, word[at])
            alive, node = alive[node > 0], node[node > 0]
            if not alive.size:
                break
            ends = self.phrase[node] >= 0
            found[alive[ends]] = self.phrase[node[ends]]
            length[alive[ends]] = depth + 1
        return found, length

    def _child(self, node: Longs, word: Ints) -> Longs:
        """The child of each node by a word; 0 for none."""
        if not len(self.keys):
            return np.zeros(len(node), dtype=np.int64)
        keys = _keys(node, word)
        place = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where((self.keys[place] == keys) & (word >= 0), place + 1, 0)

    def arrays(self) -> dict[str, Array]:
        """Both arrays by name, for the array cache."""
        return {"phrases.keys": self.keys, "phrases.phrase": self.phrase}

    @classmethod
    def from_arrays(cls, arrays: Mapping[str, Array]) -> Self:
        """Create phrases from the result of :meth:`arrays`."""
        return cls(arrays["phrases.keys"], arrays["phrases.phrase"])


def number_sequences(word: Ints, starts: Longs, lengths: Longs) -> Longs:
    """Assign equal numbers, from 0 in no particular order, to equal word sequences.

    Args:
        word: ``(tokens,)`` words of the text.
        starts: ``(n,)`` start of each sequence.
        lengths: ``(n,)`` number of words, at least 1.
    """
    number = np.zeros(len(starts), dtype=np.int64)
    alive = np.arange(len(starts))
    depth, used = 0, 1
    while alive.size:
        _, place = np.unique(_keys(number[alive], word[starts[alive] + depth]), return_inverse=True)
        number[alive] = used + place
        depth, used = depth + 1, used + len(alive)
        alive = alive[lengths[alive] > depth]
    return np.unique(number, return_inverse=True)[1].astype(np.int64)


def without_overlaps(starts: Longs, lengths: Ints) -> Flags:
    """Select the matches that remain when a text is read from left to right and each match consumes its words.

    Args:
        starts: Places, ascending.
        lengths: Length of the match at each place; 0 for none.
    """
    remains = np.zeros(len(starts), dtype=bool)
    free = 0
    every = np.flatnonzero(lengths)
    for first in range(0, len(every), _BLOCK):
        matched = every[first : first + _BLOCK]
        columns = (matched.tolist(), starts[matched].tolist(), lengths[matched].tolist())
        for place, start, length in zip(*columns, strict=True):
            if start >= free:
                remains[place] = True
                free = start + length
    return remains


def _keys(node: Longs, word: Ints) -> Longs:
    keys: Longs = (node << _WORD_BITS) | word.astype(np.int64)
    return keys
