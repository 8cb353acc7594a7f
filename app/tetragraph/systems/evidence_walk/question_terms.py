"""The terms and entities of a question in a corpus, read with the dictionary of the corpus or a part of it."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Array, Flags, Ints, Longs
from tetragraph.language.lexicon.analysis import CAPITAL, FIRST, Analysis, analyse_text
from tetragraph.language.lexicon.phrases import Phrases, without_overlaps
from tetragraph.language.lexicon.stemming import Stem
from tetragraph.language.lexicon.words import STOP_WORDS

_SHORTEST_SMALL_NAME = 4
"""Least number of letters of a lower-case word that names an entity; the corpus must never write it in lower case."""


_KNOWN = 0.5
"""Share of the words of a question from which on they count in full."""


@dataclass(frozen=True, slots=True)
class QuestionTerms:
    """The terms and entities of a question in a corpus.

    Attributes:
        terms: Rows of the stems of the question, without stop words, each once, ascending.
        entities: Rows of the entities that the question names, each once, ascending.
        spans: Character offsets of their names in the question, ascending.
        rest: Stems of each capitalised phrase that names no entity; -1 for a stem that the corpus lacks.
        name_terms: Those of ``terms`` in names that are certain: capitalised phrases, and names of entities that have a
            capital in the question or title a chunk; ascending.
        is_titled: Whether the question names an entity that titles a chunk.
        trust: How far its words tell anything about this corpus, 0 to 1: see :func:`trust_words`.
        words: Number of its different words without stop words, those that the corpus lacks among them.
    """

    terms: tuple[int, ...]
    entities: tuple[int, ...]
    spans: tuple[tuple[int, int], ...]
    rest: tuple[tuple[int, ...], ...]
    name_terms: tuple[int, ...] = ()
    is_titled: bool = False
    trust: float = 1.0
    words: int = 0


@dataclass(frozen=True)
class Lexicon:
    """Words, terms and names of a corpus, at least as far as they occur in the texts that are read.

    Attributes:
        words: Row of a normalised word.
        terms: Row of a term.
        phrases: Names as sequences of words.
        is_common: ``(words,)`` whether a word is mostly written in small letters.
        is_ever_small: ``(words,)`` whether a word is ever written in small letters.
        is_title: Returns for each of some entities whether it titles a chunk.
        stem: Stemmer of the corpus.
    """

    words: Mapping[str, int]
    terms: Mapping[str, int]
    phrases: Phrases
    is_common: Array
    is_ever_small: Array
    is_title: Callable[[Ints], Flags]
    stem: Stem

    def read(self, question: str) -> QuestionTerms:
        """Terms, entities and unlinked names of a question."""
        analysis = analyse_text(question)
        word = np.array([self.words.get(item, -1) for item in analysis.words], dtype=np.int32)[analysis.word]
        stems = [-2 if item in STOP_WORDS else self.terms.get(self.stem(item), -1) for item in analysis.words]
        term = np.array(stems, dtype=np.int64)[analysis.word]
        starts, entity, length = self._match_entities(analysis, word)
        linked = np.zeros(len(word), dtype=bool)
        certain: set[int] = set()
        spans: list[tuple[int, int]] = []
        is_title = self.is_title(entity)
        for start, size, titles in zip(starts.tolist(), length.tolist(), is_title.tolist(), strict=True):
            linked[start : start + size] = True
            spans.append((int(analysis.start[start]), int(analysis.end[start + size - 1])))
            if titles or (analysis.flags[start : start + size] & CAPITAL).any():
                certain.update(term[start : start + size].tolist())
        rest = _unlinked_names(analysis, term, linked)
        certain.update(number for name in rest for number in name)
        return QuestionTerms(
            terms=tuple(np.unique(term[term >= 0]).tolist()),
            entities=tuple(np.unique(entity).tolist()),
            spans=tuple(spans),
            rest=rest,
            name_terms=tuple(sorted(number for number in certain if number >= 0)),
            is_titled=bool(is_title.any()),
            trust=trust_words(stems),
            words=sum(row > -2 for row in stems),
        )

    def _match_entities(self, analysis: Analysis, word: Ints) -> tuple[Longs, Ints, Ints]:
        """Longest matches from left to right: start, entity and number of words of each.

        A single word needs a capital unless the corpus never writes it in lower case.
        """
        starts = np.arange(len(word))
        first = (analysis.flags & FIRST) > 0
        entity, length = self.phrases.longest(word, starts, first)
        for place in np.flatnonzero(length == 1).tolist():
            row = int(word[place])
            text = analysis.words[int(analysis.word[place])]
            has_capital = bool(analysis.flags[place] & CAPITAL) and not (first[place] and self.is_common[row])
            is_rare = not self.is_ever_small[row] and len(text) >= _SHORTEST_SMALL_NAME
            if text in STOP_WORDS or not (has_capital or is_rare):
                length[place] = 0
        chosen = without_overlaps(starts, length)
        return starts[chosen], entity[chosen], length[chosen]


def trust_words(stems: Sequence[int]) -> float:
    """How far the words of a question tell anything about a corpus: 1 if it has at least half of their stems.

    Below, twice the share. A corpus in the language of the question has most of its words; one in another language has
    some names and, by chance, a few words of another meaning.

    Args:
        stems: Row of the stem of each word; -1 for one that the corpus lacks, -2 for a stop word.

    >>> trust_words([0, 1, -1]), trust_words([4, -1, -1, -1, -2]), trust_words([-2])
    (1.0, 0.5, 1.0)
    """
    known, missing = sum(row >= 0 for row in stems), sum(row == -1 for row in stems)
    return min(1.0, known / (_KNOWN * (known + missing))) if known + missing else 1.0


def _unlinked_names(analysis: Analysis, term: Longs, linked: Flags) -> tuple[tuple[int, ...], ...]:
    """Stems of the capitalised phrases that no entity covers."""
    found: list[tuple[int, ...]] = []
    for start in np.flatnonzero(analysis.span).tolist():
        places = range(start, start + int(analysis.span[start]))
        for is_free, group in itertools.groupby(places, key=lambda place: not linked[place]):
            stems: Sequence[int] = [int(term[place]) for place in group if term[place] != -2]
            if is_free and stems:
                found.append(tuple(dict.fromkeys(stems)))
    return tuple(dict.fromkeys(found))
