"""Corpora of any size made from a real one: copies of its passages in which names are other names.

A copy is a world of its own: the same passages about other people, films and places. What the whole corpus knows
(countries, months, first names) keeps its name in every copy, so its share of the passages stays what it was; all
else is renamed, the same name alike everywhere in a copy, so a passage still leads to the one it names. Real corpora
grow like that: from 1,000 to 36,000 passages of Wikipedia the share of the passages that mention the r-th most frequent
entity hardly changes, nor does the share of the entities that are mentioned by 2, 5, 10 … passages.

The embedding model need not read the copies: their vectors are made from those of the originals (:func:`turned`).
Measured on copies of 2WikiMultiHopQA, 98,000 passages: a passage and its five nearest have similarities of .63, .56,
.53, .51, .50; in 26,000 real passages they are .59, .54, .51, .49, .48.
"""

from __future__ import annotations

import itertools
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.language.lexicon.analysis import CAPITAL, TITLE, analyse_chunks
from tetragraph.language.lexicon.dictionary import build_dictionary
from tetragraph.language.lexicon.names import WORD, normalise_word
from tetragraph.model import Chunk

SEED = 1
SHARED = 0.005
"""A word that at least this share of the passages writes with a capital keeps its form in every copy. At twice or half
of it, the tail of frequent entities falls away or the entities of middling frequency do."""
TURN = 1.5
"""How much of a copy's vectors is its own direction, relative to that of the original. At 1 or less the nearest
neighbours of a passage are its own copies."""
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
_POSSESSIVES = ("'s", "’s")


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a corpus.

    Attributes:
        row: Place of the passage it is a copy of.
        copy: Which copy it belongs to; 0 is the original.
    """

    id: str
    title: str
    text: str
    row: int
    copy: int = 0


def generate(originals: Sequence[Passage], first: Collection[str], size: int, seed: int = SEED) -> Iterator[Passage]:
    """The first passages of an endless corpus: a smaller one is the beginning of a larger one.

    A passage whose title an earlier copy has is left out, so titles are as unique as they were.

    Args:
        originals: Of the real corpus.
        first: Ids of those that come first, as questions ask for them; the others follow in random order.
        size: How many are wanted.
        seed: Another one gives other names and another order.
    """
    draw = np.random.default_rng([seed, 0])
    shuffled = [originals[place] for place in draw.permutation(len(originals)).tolist()]
    order = sorted(shuffled, key=lambda passage: passage.id not in first)
    return itertools.islice(_endless(order, shared_words(originals), seed), size)


def _endless(order: Sequence[Passage], shared: frozenset[str], seed: int) -> Iterator[Passage]:
    yield from order
    taken = {passage.title for passage in order}
    for copy in itertools.count(1):
        rename = Renaming(shared, copy, seed)
        titles = [rename(passage.title) for passage in order]
        for passage, title in zip(order, titles, strict=True):
            if title not in taken:
                yield Passage(f"{passage.id}-{copy}", title, rename(passage.text), passage.row, copy)
        taken.update(titles)


class Renaming:
    """Gives the names in a text other names, letter by letter: vowels for vowels, consonants for consonants.

    Two names that differ still differ; only words with a capital that are not ``shared`` are touched.
    """

    def __init__(self, shared: frozenset[str], copy: int, seed: int = SEED) -> None:
        self._shared = shared
        self._letters = _letters(np.random.default_rng([seed, copy]))
        self._known: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        """The text with other names."""
        return WORD.sub(lambda match: self._word(match[0]), text)

    def _word(self, word: str) -> str:
        if word not in self._known:
            is_name = word[0].isupper() and normalise_word(word) not in self._shared
            end = len(word) - 2 * word.endswith(_POSSESSIVES)
            self._known[word] = word[:end].translate(self._letters) + word[end:] if is_name else word
        return self._known[word]


def _letters(draw: np.random.Generator) -> dict[int, str]:
    table: dict[int, str] = {}
    for kind in (_VOWELS, _CONSONANTS):
        for letter, other in zip(kind, draw.permutation(list(kind)).tolist(), strict=True):
            table |= {ord(letter): other, ord(letter.upper()): other.upper()}
    return table


def shared_words(originals: Sequence[Passage]) -> frozenset[str]:
    """The words that every copy keeps: those that many passages write with a capital, and those written small."""
    ordered = sorted(originals, key=lambda passage: passage.id)
    chunks = [Chunk(one.id, one.id, one.title, one.title, one.text, 0, 0, len(one.text), 0) for one in ordered]
    analysis = analyse_chunks(chunks)
    is_name = ((analysis.flags & CAPITAL) > 0) & ((analysis.flags & TITLE) == 0)
    pairs = np.unique(np.stack([analysis.word[is_name], analysis.row[is_name]]), axis=1)
    share = np.bincount(pairs[0], minlength=len(analysis.words)) / max(len(chunks), 1)
    is_shared = (share >= SHARED) | build_dictionary(chunks, analysis).is_common
    return frozenset(itertools.compress(analysis.words, is_shared.tolist()))


def turned(vectors: Vectors, copy: int, seed: int = SEED) -> Vectors:
    """Vectors of a copy's passages: those of the originals, all moved by one random rotation, of length 1 again.

    So passages of a copy stay about as near to one another as they were, and as far from other copies as passages on
    other things.

    Args:
        vectors: ``(n, dimension)`` of the originals, of length 1.
        copy: 0 leaves them as they are.
        seed: Another one gives another rotation.
    """
    if not copy:
        return vectors
    moved = vectors + TURN * (vectors @ _rotation(vectors.shape[1], copy, seed))
    return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), dtype=np.float32)


@cache
def _rotation(size: int, copy: int, seed: int) -> Vectors:
    rotation, _ = np.linalg.qr(np.random.default_rng([seed, copy, size]).standard_normal((size, size)))
    return np.asarray(rotation, dtype=np.float32)
