"""Finds documents that are nearly the same, such as a page with another navigation or a text with a small edit.

Documents are compared by their shingles, the runs of ``WORDS`` words. Two documents are near copies if

- the shorter shares at least ``SHARED`` of its shingles with the longer and is at least ``LENGTHS`` as long, and
- where they differ between shared words, they name much the same: the particulars (numbers and names) of a difference
  that the other document does not have are at most ``CHANGED`` of those of the shared words. Two reports of one form
  with other figures are therefore no copies.

The first of them, in the given order, is the original; a document is a copy of the first original that it is near to.
The result depends on the documents alone, not on the order in which they came.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tetragraph.arrays import Flags, Longs, Rows

Hashes: TypeAlias = NDArray[np.uint64]

WORDS: Final = 5
"""Words of a shingle."""
LEAST: Final = 60
"""Least number of distinct shingles of a document that is compared; in a shorter one an edit means more."""
SHARED: Final = 0.8
LENGTHS: Final = 0.5
CHANGED: Final = 0.1
PASSAGE: Final = 0.5
"""Least share of the shingles of a passage that the passage of the original has."""
_RATE = 8
"""One of this number of shingles is looked at to find documents that may be near copies."""
_BLOCK = 2_000_000
"""Words that are hashed at a time; bounds the memory."""
_KEPT = 64
"""Number of documents whose shingles are kept while others are compared with them."""
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_MIXER = np.uint64(0xBF58476D1CE4E5B9)


@dataclass(frozen=True, slots=True)
class Texts:
    """The words of passages in reading order, one document after the other.

    Attributes:
        words: ``(tokens,)`` a hash of each word.
        particular: ``(tokens,)`` whether the word is a number or begins a name.
        bounds: ``(passages + 1,)`` start of each passage in the two columns above.
        documents: ``(passages,)`` number of the document of each passage: 0, 1, …, ascending.
    """

    words: Hashes
    particular: Flags
    bounds: Longs
    documents: Longs

    @property
    def document_bounds(self) -> Longs:
        """``(documents + 1,)`` start of each document in the columns of words."""
        count = int(self.documents[-1]) + 1 if len(self.documents) else 0
        return self.bounds[np.searchsorted(self.documents, np.arange(count + 1))]


def find_near_copies(texts: Texts) -> Rows:
    """Find for each passage the passage of the original that it is a near copy of.

    Returns:
        ``(passages,)`` place of that passage; -1 for a passage without one, among them those of the originals.
    """
    bounds = texts.document_bounds
    found = np.full(len(texts.documents), -1, dtype=np.int64)
    reader = _Reader(texts, bounds)
    originals: dict[int, int] = {}
    for later, partners in _find_candidates(texts.words, bounds):
        for original in sorted({originals.get(one, one) for one in partners}):
            if _are_near(reader.read(original), reader.read(later)):
                originals[later] = original
                _match_passages(reader, original, later, found)
                break
    return found


def hash_shingles(words: Hashes) -> Hashes:
    """``(n - WORDS + 1,)`` a hash of each run of ``WORDS`` of ``n`` words; none for fewer words."""
    size = max(len(words) - WORDS + 1, 0)
    found = np.zeros(size, dtype=np.uint64)
    for place in range(WORDS):
        found *= _FACTOR
        found += words[place : place + size]
    found ^= found >> np.uint64(31)
    found *= _MIXER
    return found ^ (found >> np.uint64(29))


def _find_candidates(words: Hashes, bounds: Longs) -> Iterator[tuple[int, list[int]]]:
    """Documents that may be copies, ascending, each with earlier documents that share much of it."""
    hashes, owners = _sample(words, bounds)
    sizes = np.bincount(owners, minlength=len(bounds))
    order = np.argsort(hashes, kind="stable")
    keys, counts = np.unique(_pair(hashes[order], owners[order]), return_counts=True)
    later, earlier = keys >> 32, keys & 0xFFFFFFFF
    is_likely = counts >= SHARED / 2 * np.minimum(sizes[later], sizes[earlier])
    likely = zip(later[is_likely].tolist(), earlier[is_likely].tolist(), strict=True)
    for document, pairs in groupby(likely, key=itemgetter(0)):
        yield document, [partner for _, partner in pairs]


def _pair(hashes: Hashes, owners: Longs) -> Longs:
    """A key for each pair of documents with a common shingle; the rows are in order of shingle and document.

    Each document is paired with the first one that has the shingle, and with the one before it, so that the number of
    pairs grows with that of the shingles however many documents share them.
    """
    begins = np.ones(len(hashes), dtype=bool)
    begins[1:] = hashes[1:] != hashes[:-1]
    first = np.maximum.accumulate(np.where(begins, np.arange(len(hashes)), 0)) if len(hashes) else begins
    later = np.flatnonzero(~begins)
    third = later[first[later] != later - 1]
    return np.concatenate([_keys(owners[later], owners[first[later]]), _keys(owners[third], owners[third - 1])])


def _keys(first: Longs, second: Longs) -> Longs:
    """A number for each pair of numbers below 2^31, in the same order."""
    return (first << 32) | second


def _sample(words: Hashes, bounds: Longs) -> tuple[Hashes, Longs]:
    """Some of the distinct shingles of every document, with the number of the document; documents ascend."""
    hashes: list[Hashes] = [np.zeros(0, dtype=np.uint64)]
    owners: list[Longs] = [np.zeros(0, dtype=np.int64)]
    start, count = 0, len(bounds) - 1
    while start < count:
        end = max(int(np.searchsorted(bounds, bounds[start] + _BLOCK, side="right")) - 1, start + 1)
        block = hash_shingles(words[bounds[start] : bounds[end]])
        owner = np.repeat(np.arange(start, end), np.diff(bounds[start : end + 1]))
        is_taken = (block % np.uint64(_RATE) == 0) & (owner[: len(block)] == owner[len(owner) - len(block) :])
        block, owner = block[is_taken], owner[: len(block)][is_taken]
        order = np.lexsort((block, owner))
        block, owner = block[order], owner[order]
        is_new = np.r_[True, (block[1:] != block[:-1]) | (owner[1:] != owner[:-1])][: len(block)]
        hashes.append(block[is_new])
        owners.append(owner[is_new])
        start = end
    return np.concatenate(hashes), np.concatenate(owners)


@dataclass(frozen=True, slots=True)
class _Read:
    """The shingles of one document: the distinct ones ascending, and that of each place."""

    words: Hashes
    particular: Flags
    shingles: Hashes
    distinct: Hashes


class _Reader:
    """Reads documents; those read lately are kept, as an original is compared with many copies."""

    def __init__(self, texts: Texts, bounds: Longs) -> None:
        self.texts = texts
        self.bounds = bounds
        self._kept: dict[int, _Read] = {}

    def read(self, document: int) -> _Read:
        if document not in self._kept:
            part = slice(self.bounds[document], self.bounds[document + 1])
            words = self.texts.words[part]
            shingles = hash_shingles(words)
            if len(self._kept) >= _KEPT:
                del self._kept[next(iter(self._kept))]
            self._kept[document] = _Read(words, self.texts.particular[part], shingles, np.unique(shingles))
        return self._kept[document]


def _are_near(one: _Read, other: _Read) -> bool:
    shorter, longer = sorted((len(one.distinct), len(other.distinct)))
    if shorter < LEAST or shorter < LENGTHS * longer:
        return False
    common = np.intersect1d(one.distinct, other.distinct, assume_unique=True)
    if len(common) < SHARED * shorter:
        return False
    return _names_the_same(one, other, common) and _names_the_same(other, one, common)


def _names_the_same(one: _Read, other: _Read, common: Hashes) -> bool:
    """Whether the differences of a document between shared words have few particulars of their own."""
    is_shared = np.isin(one.shingles, common)
    covered = np.zeros(len(one.words), dtype=bool)
    for place in range(WORDS):
        covered[place : place + len(is_shared)] |= is_shared
    places = np.flatnonzero(covered)
    is_between = ~covered
    is_between[: places[0]] = False
    is_between[places[-1] :] = False
    own = np.setdiff1d(one.words[is_between & one.particular], other.words)
    return len(own) <= CHANGED * len(np.unique(one.words[covered & one.particular]))


def _match_passages(reader: _Reader, original: int, copy: int, found: Rows) -> None:
    """Note for each passage of a copy the passage of the original with most of its shingles, if that has enough."""
    texts, bounds = reader.texts, reader.bounds
    source, other = reader.read(original).shingles, reader.read(copy).shingles
    distinct, first = np.unique(source, return_index=True)
    place = np.minimum(np.searchsorted(distinct, other), len(distinct) - 1)
    is_common = distinct[place] == other
    home = np.searchsorted(texts.bounds, bounds[original] + first[place], side="right") - 1
    own = np.searchsorted(texts.bounds, bounds[copy] + np.arange(len(other)), side="right") - 1
    totals = np.bincount(own - own[0])
    keys, counts = np.unique(_keys(own[is_common], home[is_common]), return_counts=True)
    for passage in np.unique(own[is_common]).tolist():
        mine = keys >> 32 == passage
        best = int(np.argmax(counts[mine]))
        if counts[mine][best] >= PASSAGE * totals[passage - own[0]]:
            found[passage] = int(keys[mine][best] & 0xFFFFFFFF)
