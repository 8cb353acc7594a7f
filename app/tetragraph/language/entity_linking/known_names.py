"""Finds the names of known entities in a text."""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from typing import TypeAlias

import numpy as np

from tetragraph.language.lexicon.analysis import CAPITAL, FIRST, Analysis
from tetragraph.language.lexicon.phrases import LONGEST, without_overlaps
from tetragraph.language.lexicon.words import STOP_WORDS
from tetragraph.model import content_id

Phrase: TypeAlias = tuple[int, int, str]
"""First word, number of words, and the id of an entity with this name."""


def find_phrases(analysis: Analysis) -> Iterator[Phrase]:
    """All spans of a text that could name an entity, in order of the first word; see :func:`find_possible_names`."""
    return ((start, length, content_id(name)) for start, length, name in find_possible_names(analysis))


def find_possible_names(analysis: Analysis) -> Iterator[tuple[int, int, str]]:
    """All spans of a text that could name an entity: first word, number of words, and normalised name.

    A name of several words may be in small letters; a single word needs a capital.
    """
    words = [analysis.words[row] for row in analysis.word.tolist()]
    begins = ((analysis.flags & FIRST) > 0).tolist()
    capitals = ((analysis.flags & CAPITAL) > 0).tolist()
    for start in range(len(words)):
        for length in range(1, min(LONGEST, len(words) - start) + 1):
            if length > 1 and begins[start + length - 1]:
                break
            if length > 1 or (capitals[start] and words[start] not in STOP_WORDS):
                yield start, length, " ".join(words[start : start + length])


def longest_phrases(phrases: Sequence[Phrase], known: Container[str]) -> list[Phrase]:
    """Phrases that name a known entity: longest match from left to right."""
    found: dict[int, Phrase] = {}
    for phrase in phrases:
        if phrase[2] in known:
            found[phrase[0]] = phrase  # the phrases of a word are in order of length
    starts = np.array([start for start, _, _ in found.values()], dtype=np.int64)
    lengths = np.array([length for _, length, _ in found.values()], dtype=np.int32)
    selected = without_overlaps(starts, lengths).tolist()
    return [phrase for phrase, is_selected in zip(found.values(), selected, strict=True) if is_selected]


def longest_names(phrases: Sequence[Phrase], known: Container[str]) -> list[str]:
    """Known entities that a text names, each once, in order of :func:`longest_phrases`."""
    return list(dict.fromkeys(entity for _, _, entity in longest_phrases(phrases, known)))
