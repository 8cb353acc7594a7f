"""Corpora of any size from a real one: copies of its passages with other names.

A copy has the same passages about other people, films and places. Frequent names (countries, months, first names) are
the same in every copy, so that their share of the passages is preserved; all other names are replaced consistently
within a copy, so that links between passages are preserved. Real corpora grow in the same way: from 1,000 to 36,000
passages of Wikipedia, the share of the passages that mention the r-th most frequent entity hardly changes, nor does the
share of the entities that are mentioned by 2, 5, 10 … passages.

The copies need not be embedded: their vectors are derived from those of the originals (:func:`rotate`). Measured on
copies of 2WikiMultiHopQA, 98,000 passages: a passage and its five nearest have similarities of .63, .56, .53, .51, .50;
in 26,000 real passages they are .59, .54, .51, .49, .48.
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
"""Share of the passages from which on a word with a capital is not changed in copies. At twice or half of it, the tail
of frequent entities or the entities of medium frequency are lost."""
TURN = 1.5
"""Weight of a copy's own direction in its vectors, relative to that of the original. At 1 or less the nearest
neighbours of a passage are its own copies."""
_VOWELS, _CONSONANTS = "aeiou", "bcdfghjklmnpqrstvwxyz"
_POSSESSIVES = ("'s", "’s")


@dataclass(frozen=True, slots=True)
class Passage:
    """A passage of a corpus.

    Attributes:
        row: Place of the original passage.
        copy: Number of the copy; 0 is the original.
    """

    id: str
    title: str
    text: str
    row: int
    copy: int = 0


def generate(originals: Sequence[Passage], first: Collection[str], size: int, seed: int = SEED) -> Iterator[Passage]:
    """Yield the first passages of an endless corpus: a smaller corpus is the beginning of a larger one.

    A passage whose title occurs in an earlier copy is left out, so that titles stay unique.

    Args:
        originals: Passages of the real corpus.
        first: Ids of the first passages, which questions need; the others follow in random order.
        size: Number of passages.
        seed: Seed of names and order.
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
    """Replaces the names in a text, letter by letter: vowels by vowels, consonants by consonants.

    Different names stay different; only words with a capital that are not ``shared`` are changed.
    """

    def __init__(self, shared: frozenset[str], copy: int, seed: int = SEED) -> None:
        self._shared = shared
        self._letters = _letters(np.random.default_rng([seed, copy]))
        self._known: dict[str, str] = {}

    def __call__(self, text: str) -> str:
        """Replace the names in a text."""
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
    """Words that are not changed in copies: those with a capital in many passages, and those in small letters."""
    ordered = sorted(originals, key=lambda passage: passage.id)
    chunks = [Chunk(one.id, one.id, one.title, one.title, one.text, 0, 0, len(one.text), 0) for one in ordered]
    analysis = analyse_chunks(chunks)
    is_name = ((analysis.flags & CAPITAL) > 0) & ((analysis.flags & TITLE) == 0)
    pairs = np.unique(np.stack([analysis.word[is_name], analysis.row[is_name]]), axis=1)
    share = np.bincount(pairs[0], minlength=len(analysis.words)) / max(len(chunks), 1)
    is_shared = (share >= SHARED) | build_dictionary(chunks, analysis).is_common
    return frozenset(itertools.compress(analysis.words, is_shared.tolist()))


def rotate(vectors: Vectors, copy: int, seed: int = SEED) -> Vectors:
    """Derive the vectors of a copy from the originals by one random rotation, and scale them to length 1.

    So passages of a copy are about as similar to each other as the originals, and as dissimilar to other copies as
    passages on other subjects.

    Args:
        vectors: ``(n, dimension)`` vectors of the originals, of length 1.
        copy: Number of the copy; for 0 the vectors are unchanged.
        seed: Seed of the rotation.
    """
    if not copy:
        return vectors
    moved = vectors + TURN * (vectors @ _rotation(vectors.shape[1], copy, seed))
    return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), dtype=np.float32)


@cache
def _rotation(size: int, copy: int, seed: int) -> Vectors:
    rotation, _ = np.linalg.qr(np.random.default_rng([seed, copy, size]).standard_normal((size, size)))
    return np.asarray(rotation, dtype=np.float32)
