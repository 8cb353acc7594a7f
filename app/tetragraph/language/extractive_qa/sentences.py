"""Ranks the sentences of chunks by how likely they contain the answer."""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.language.lexicon.names import WORD, normalise_word
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import STOP_WORDS, stem
from tetragraph.model import Chunk

COPULA: Final = re.compile(r"\b(?:is|was|are|were)\b")
"""The verb behind which a first sentence says what its subject is."""
MOST: Final = 8
"""Number of sentences searched for answers; a larger number yields no better answers."""
_ANSWERS_STEP, _RANK, _LAST_WORDS, _WORDS = 0.6, 0.3, 0.5, 0.3
"""Weights of the score of a sentence: see :func:`rank_sentences`."""


@dataclass(frozen=True, slots=True)
class RankedSentence:
    """A sentence of a chunk: ``chunk.text[start:end]``.

    Attributes:
        score: Score, by which sentences are ranked.
        share: Share of the question's words that the sentence or its title has, weighted by rarity.
    """

    chunk: Chunk
    start: int
    end: int
    score: float
    share: float

    @property
    def text(self) -> str:
        """Text of the sentence."""
        return self.chunk.text[self.start : self.end]


def rank_sentences(
    question: str, last: str, passages: Sequence[Chunk], answering: Mapping[str, float], most: int | None = MOST
) -> list[RankedSentence]:
    """Return the best sentences, best first.

    The score is ``0.6 a + 0.3 / r + 0.5 w(last) + 0.3 w(question)`` for a sentence of the chunk with rank ``r`` that
    answers the last step with probability ``a``; ``w`` is the share of a question's words that the sentence or its
    title has, each weighted by how rare it is in these chunks.

    Args:
        question: The question.
        last: Text of the last step; the question itself if it has one step.
        passages: Chunks, best first.
        answering: Id of a chunk to the probability that it answers the last step.
        most: Largest number of sentences; None for all.
    """
    found = [
        (rank, chunk, start, end, stems(chunk.text[start:end]))
        for rank, chunk in enumerate(passages, 1)
        for start, end in sentence_spans(chunk.text)
    ]
    held = Counter(word for *_, words in found for word in words)
    rarity = {word: math.log(1 + len(found) / count) for word, count in held.items()}
    asked, asked_last = stems(question), stems(last)
    ranked: list[RankedSentence] = []
    for rank, chunk, start, end, words in found:
        known = words | stems(chunk.title)
        score = _ANSWERS_STEP * answering.get(chunk.id, 0.0) + _RANK / rank
        share = _share(asked, known, rarity)
        score += _LAST_WORDS * _share(asked_last, known, rarity) + _WORDS * share
        ranked.append(RankedSentence(chunk, start, end, score, share))
    return sorted(ranked, key=lambda one: -one.score)[:most]


def stems(text: str) -> set[str]:
    """Stems of the content words of a text."""
    words = (normalise_word(match) for match in WORD.findall(text))
    return {stem(word) for word in words if word and word not in STOP_WORDS}


def _share(asked: set[str], known: set[str], rarity: Mapping[str, float]) -> float:
    total = math.fsum(rarity.get(word, 0.0) for word in asked)  # exact, so in any order of a set
    return math.fsum(rarity.get(word, 0.0) for word in asked & known) / total if total else 0.0
