"""Occurrences of a few terms and names in texts, without reading every word of these.

:mod:`tetragraph.language.lexicon.analysis` reads all words of a text, once for each chunk of a corpus. A search that
keeps nothing of the corpus meets its texts anew with each question, and looks in them for a few words only.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

import numpy as np

from tetragraph.arrays import Longs
from tetragraph.language.lexicon.names import ACCENTS, SYLLABLE, WORD, WORD_CHARACTER, normalise_word
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.stemming import Stem, is_cut_at_the_end
from tetragraph.language.lexicon.words import STOP_WORDS

_REST = re.compile(rf"{WORD_CHARACTER}*")
_WORD_CHARACTER = re.compile(WORD_CHARACTER)
_SEPARATORS = {code: " " for code in range(128) if not re.match(r"\w", chr(code))}
_PREFIX = 5
"""Letters by which a word is recognised as one that may have a term's stem."""


def fold(text: str) -> str:
    """A text whose words are in the form of :func:`tetragraph.language.lexicon.names.normalise_word`.

    >>> fold("Mugain's brother O’Brien met Pérez"), fold("ﬁve of Windows™")
    ('mugain brother obrien met perez', 'five of windows™')
    """
    bare = _without_apostrophes(text) if "'" in text or "’" in text else text
    if bare.isascii():
        return bare.lower()
    bare = bare.replace("\u00a0", " ").replace("…", "...")  # frequent, and between words
    decomposed = unicodedata.normalize("NFD", bare)
    if decomposed != unicodedata.normalize("NFKD", bare):  # of some characters the word around them decides
        return WORD.sub(lambda word: normalise_word(word[0]), text)
    return unicodedata.normalize("NFC", ACCENTS.sub("", decomposed.casefold()))


def _without_apostrophes(text: str) -> str:
    """A text without apostrophes and without the "s" of a possessive; several times as fast as by a pattern."""
    first, *others = text.replace("’", "'").split("'")
    parts = (part[1:] if part[:1] in ("s", "S") and not _WORD_CHARACTER.match(part, 1) else part for part in others)
    return first + "".join(parts)


def count_occurrences(terms: Sequence[str], texts: Sequence[str], stem: Stem) -> Longs:
    """``(terms, texts)`` number of occurrences of each term in each folded text.

    Args:
        terms: Distinct stems.
        texts: Texts of :func:`fold`.
        stem: The stemmer that they are of.
    """
    counts = np.zeros((len(terms), len(texts)), dtype=np.int64)
    joined = "\n".join(texts)
    ends = np.cumsum([len(text) + 1 for text in texts])
    find_row = _RowFinder({term: row for row, term in enumerate(terms)}, stem)
    if is_cut_at_the_end(stem):
        _count_by_beginnings(terms, joined, find_row, ends, counts)
    else:
        words = ((find_row(match[0]), match.start()) for match in WORD.finditer(joined))
        _count([(row, place) for row, place in words if row >= 0], ends, counts)
    return counts


class _RowFinder:
    """Finds the row of the stem of a word; each word is stemmed once."""

    def __init__(self, row_of: Mapping[str, int], stem: Stem) -> None:
        self._row_of = row_of
        self._stem = stem
        self._rows: dict[str, int] = {}

    def __call__(self, word: str) -> int:
        """Row of the word's stem; -1 for a stop word, and for a stem that is not looked for."""
        if word not in self._rows:
            normal = normalise_word(word)
            self._rows[word] = -1 if normal in STOP_WORDS else self._row_of.get(self._stem(normal), -1)
        return self._rows[word]


def _count_by_beginnings(
    terms: Sequence[str], joined: str, find_row: Callable[[str], int], ends: Longs, counts: Longs
) -> None:
    """Count terms by looking at words that begin like them, of which there are few."""
    row_of = {term: row for row, term in enumerate(terms)}
    syllables = {term for term in terms if SYLLABLE.fullmatch(term)}
    if syllables:
        words = SYLLABLE.finditer(joined)
        _count([(row_of[word[0]], word.start()) for word in words if word[0] in syllables], ends, counts)
    for beginning in dict.fromkeys(_beginning(term) for term in terms if term not in syllables):
        found: list[tuple[int, int]] = []
        for place, word in _words_beginning(joined, beginning):
            row = find_row(word)
            if row >= 0 and _beginning(terms[row]) == beginning:  # a shorter beginning finds the same word again
                found.append((row, place))
        _count(found, ends, counts)


def _count(found: Sequence[tuple[int, int]], ends: Longs, counts: Longs) -> None:
    """Count terms, by row, at their places in the joined texts."""
    if found:
        rows, places = np.array(found).T
        np.add.at(counts, (rows, np.searchsorted(ends, places, side="right")), 1)


def find_sentences(text: str, names: Sequence[str]) -> list[list[int]]:
    """Find the sentences of a text that contain each of some normalised names; all sentences where none does.

    Args:
        text: The text, not folded.
        names: Names of :func:`tetragraph.language.lexicon.names.normalise_name`.

    Returns:
        For each name the numbers of the sentences of :func:`tetragraph.language.lexicon.sentences.sentence_spans`.
    """
    sentences = [f" {' '.join(_find_words(fold(text[start:end])))} " for start, end in sentence_spans(text)]
    every = list(range(len(sentences)))
    spaced = [f" {name} " for name in names]
    return [[place for place, words in enumerate(sentences) if name in words] or every for name in spaced]


def _find_words(folded: str) -> list[str]:
    """Words of a folded text; those of a text in ASCII without the many cases of :data:`WORD`, four times as fast."""
    return folded.translate(_SEPARATORS).split() if folded.isascii() else WORD.findall(folded)


def _words_beginning(joined: str, beginning: str) -> Iterator[tuple[int, str]]:
    """Place and text of each word of a text that begins with some letters."""
    place = joined.find(beginning)
    while place >= 0:
        end = place + len(beginning)
        if place == 0 or not _WORD_CHARACTER.match(joined, place - 1):
            rest = _REST.match(joined, end)
            end = rest.end() if rest else end
            yield place, joined[place:end]
        place = joined.find(beginning, end)


def _beginning(term: str) -> str:
    """The letters that every word with this stem begins with: a stem differs from its words in its last letter."""
    return term[: max(1, min(_PREFIX, len(term) - 1))] if len(term) > 2 else term
