"""The likeliest answer to one question without sub-questions, as one span; ``answers`` reads those of searches.

The answer is the name, date or number in the best sentences with the highest score: a weighted sum of the score of the
sentence, the agreement of its type with the type that the question asks for, and its position. The weights were fitted
(a ranking by logistic regression) on the train sets of MuSiQue and HotpotQA, 100 questions each; features without
effect there were left out. Between two entities that a question compares by time, the years in their chunks decide.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.language.extractive_qa.candidates import Candidate, find_candidates
from tetragraph.language.extractive_qa.compared import compare
from tetragraph.language.extractive_qa.pairs import find_pair
from tetragraph.language.extractive_qa.sentences import RankedSentence, rank_sentences
from tetragraph.language.extractive_qa.target import Target, read_target
from tetragraph.language.lexicon.names import normalise_name, without_qualifier
from tetragraph.language.lexicon.quotations import find_quotation
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.questions.asking import is_yes_or_no
from tetragraph.language.questions.plain import cut_frame
from tetragraph.model import Chunk

_SENTENCE: Final = 2.1
_RIGHT_TYPE: Final = 1.5
_WRONG_TYPE: Final = -1.4
_IS_TITLE: Final = 0.85
_IN_QUESTION: Final = -0.9
_FAR: Final = -0.6
"""Weight for each hundred characters to the nearest word of the question."""


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


def find_span(question: str, passages: Sequence[Chunk]) -> Span | None:
    """Find the likeliest answer, verbatim from a chunk; a whole sentence if no part of one qualifies.

    Takes about 15 ms for ten chunks of a hundred words. The same arguments give the same span.

    Args:
        question: Text of the question. A yes-or-no question is answered by the sentence with the evidence.
        passages: Chunks, best first.

    Returns:
        None if there is no sentence.
    """
    question = cut_frame(question)
    target = read_target(question, ())
    sentences = rank_sentences(question, question, passages, {})
    if not sentences:
        return None
    best = _span(sentences[0], 0, len(sentences[0].text))
    if is_yes_or_no(question):
        return best
    chosen = compare(question, find_pair(question, passages))
    if chosen and chosen.chosen is not None:
        return _mention(chosen.evidence[chosen.chosen][0], chosen.text) or best
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


def _score(target: Target, sentence: RankedSentence, candidate: Candidate) -> float:
    name = normalise_name(sentence.text[candidate.start : candidate.end])
    if not name:
        return -float("inf")
    title = sentence.chunk.title
    score = _SENTENCE * sentence.score
    if target.expected.types and candidate.type:
        score += _RIGHT_TYPE if candidate.type in target.expected.types else _WRONG_TYPE
    score += _IS_TITLE * (name == normalise_name(without_qualifier(title)))
    score += _IN_QUESTION * (f" {name} " in target.name)
    return score + _FAR * target.distance(sentence.text, candidate.start, candidate.end) / 100
