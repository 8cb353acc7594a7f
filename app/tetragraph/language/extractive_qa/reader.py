"""Extraction of the span of a chunk that answers a question.

The answer is the name, date or number in the best sentences with the highest score: a weighted sum of the score of the
sentence, the agreement of its type with the type that the question asks for, and its position. The weights were fitted
(a ranking by logistic regression) on the train sets of MuSiQue and HotpotQA, 100 questions each; features without
effect there were left out. Between two entities that a question compares by time, the years in their chunks decide.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.language.extractive_qa.candidates import Candidate, find_candidates
from tetragraph.language.extractive_qa.compared import find_first_or_last
from tetragraph.language.extractive_qa.sentences import RankedSentence, rank_sentences, stems
from tetragraph.language.lexicon.names import (
    WORD,
    normalise_name,
    normalise_word,
    without_qualifier,
)
from tetragraph.language.lexicon.quotations import find_quotation
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import stem
from tetragraph.language.questions.answer_type import ExpectedAnswer, expected_type
from tetragraph.language.questions.asking import is_yes_or_no
from tetragraph.language.questions.steps import PLACEHOLDER
from tetragraph.model import Bridge, ChainStep, Chunk

_SENTENCE: Final = 2.1
_RIGHT_TYPE: Final = 1.5
_WRONG_TYPE: Final = -1.4
_BRIDGE_IN_TITLE: Final = 1.3
_BRIDGE_IN_SENTENCE: Final = 0.75
_IS_TITLE: Final = 0.85
_IN_QUESTION: Final = -0.9
_FAR: Final = -0.6
"""Weight for each hundred characters to the nearest word of the question."""
_FARTHEST: Final = 200


@dataclass(frozen=True, slots=True)
class Span:
    """A span of a chunk, ``chunk.text[start:end]``.

    Attributes:
        sentence: Start and end of the sentence around the span.
    """

    chunk: Chunk
    start: int
    end: int
    sentence: tuple[int, int]


@dataclass(frozen=True, slots=True)
class _Target:
    """Target of the extraction.

    Attributes:
        name: The question as one normalised name.
        words: Stems of the final sub-question.
        expected: Types that the answer may have.
        bridges: Normalised names that earlier steps found, each with its probability.
    """

    name: str
    words: set[str]
    expected: ExpectedAnswer
    bridges: Mapping[str, float]


def find_span(question: str, passages: Sequence[Chunk], chain: Sequence[ChainStep] = ()) -> Span | None:
    """Find the likeliest answer, verbatim from a chunk; a whole sentence if no part of one qualifies.

    Takes about 15 ms for ten chunks of a hundred words. The same arguments give the same span.

    Args:
        question: Text of the question. A yes-or-no question is answered by the sentence with the evidence.
        passages: Chunks, best first.
        chain: Sub-questions of the search, with the answers found for each.

    Returns:
        None if there is no sentence.
    """
    last = _last_question(question, chain)
    answering = dict(chain[-1].passages) if chain else {}
    sentences = rank_sentences(question, last, passages, answering)
    if not sentences:
        return None
    best = _span(sentences[0], 0, len(sentences[0].text))
    if is_yes_or_no(question):
        return best
    chosen = find_first_or_last(question, passages)
    if chosen:
        return _mention(*chosen) or best
    target = _read(question, last, chain)
    candidates = find_candidates([sentence.text for sentence in sentences])
    highest = -float("inf")
    for sentence, found in zip(sentences, candidates, strict=True):
        for candidate in found:
            score = _score(target, sentence, candidate)
            if score > highest:
                highest = score
                best = _span(sentence, candidate.start, candidate.end)
    return best


def _mention(chunk: Chunk, name: str) -> Span | None:
    """Span in which a chunk names its subject, in full if possible."""
    for start, end in sentence_spans(chunk.text):
        place = find_quotation(chunk.text[start:end], name)
        if place:
            return Span(chunk, start + place[0], start + place[1], (start, end))
    return None


def _span(sentence: RankedSentence, start: int, end: int) -> Span:
    offset = sentence.start
    return Span(sentence.chunk, offset + start, offset + end, (offset, sentence.end))


def _last_question(question: str, chain: Sequence[ChainStep]) -> str:
    """Return the final sub-question, with the likeliest answers of the earlier steps inserted."""
    if not chain:
        return question

    def name(match: re.Match[str]) -> str:
        number = int(match[1])
        if number not in chain[-1].refers:  # the question itself contains "#1"
            return match[0]
        step = chain[number - 1]
        return step.bridges[0].name if step.bridges else "it"

    return PLACEHOLDER.sub(name, chain[-1].question)


def _read(question: str, last: str, chain: Sequence[ChainStep]) -> _Target:
    expected = expected_type(chain[-1].question if chain else question)
    bridges: list[Bridge] = [bridge for step in chain[:-1] for bridge in step.bridges]
    return _Target(
        f" {normalise_name(question)} ",
        stems(last),
        expected if expected.types else expected_type(question),
        {normalise_name(bridge.name): bridge.weight for bridge in bridges},
    )


def _score(target: _Target, sentence: RankedSentence, candidate: Candidate) -> float:
    name = normalise_name(sentence.text[candidate.start : candidate.end])
    if not name:
        return -float("inf")
    title = sentence.chunk.title
    score = _SENTENCE * sentence.score
    score += _BRIDGE_IN_TITLE * _bridge(target, title) + _BRIDGE_IN_SENTENCE * _bridge(target, sentence.text)
    if target.expected.types and candidate.type:
        score += _RIGHT_TYPE if candidate.type in target.expected.types else _WRONG_TYPE
    score += _IS_TITLE * (name == normalise_name(without_qualifier(title)))
    score += _IN_QUESTION * (f" {name} " in target.name)
    return score + _FAR * _distance(target.words, sentence.text, candidate) / 100


def _bridge(target: _Target, text: str) -> float:
    """Highest probability of the names of earlier steps that a text contains."""
    if not target.bridges:
        return 0.0
    padded = f" {normalise_name(text)} "
    return max((weight for name, weight in target.bridges.items() if f" {name} " in padded), default=0.0)


def _distance(words: set[str], text: str, candidate: Candidate) -> int:
    """Characters to the nearest word of the question that is not in the candidate; at most :data:`_FARTHEST`."""
    places = (match.start() for match in WORD.finditer(text) if stem(normalise_word(match[0])) in words)
    apart = (abs(place - candidate.start) for place in places if not candidate.start <= place < candidate.end)
    return min(apart, default=_FARTHEST)
