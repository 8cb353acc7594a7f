"""Possible answers of a question, each described by numbers from which their ranking computes its probability."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.language.extractive_qa.candidates import Candidate, find_candidates
from tetragraph.language.extractive_qa.sentences import RankedSentence, rank_sentences
from tetragraph.language.extractive_qa.span_head import LOWEST, PassageScores, best_spans
from tetragraph.language.extractive_qa.target import Target, read_target
from tetragraph.language.lexicon.names import normalise_name, without_qualifier
from tetragraph.model import ChainStep, Chunk

FEATURES: Final = (
    "head",
    "head_passage",
    "head_best",
    "passage",
    "right_type",
    "wrong_type",
    "answers_step",
    "rank",
    "bridge_in_title",
    "bridge_in_sentence",
    "is_bridge",
    "is_title",
    "in_question",
    "sentence",
    "sentence_whole",
    "is_typed",
    "is_proposed",
    "words",
    "far",
)
"""Names of the numbers, in order."""
_PROPOSED: Final = 10
"""Number of spans that the head proposes."""
_SENTENCES: Final = 8


@dataclass(frozen=True, slots=True)
class Option:
    """A span that may be the answer: ``chunk.text[start:end]``.

    Attributes:
        sentence: Start and end of the sentence around it.
        name: Its words, normalised: options with the same name are one answer.
        features: Numbers, in the order of :data:`FEATURES`.
    """

    chunk: Chunk
    start: int
    end: int
    sentence: tuple[int, int]
    name: str
    features: tuple[float, ...]


def find_options(
    question: str, passages: Sequence[Chunk], chain: Sequence[ChainStep], head: Sequence[PassageScores] | None
) -> list[Option]:
    """Find the spans that may be the answer: names, dates and numbers of the best sentences, and spans of the head.

    Args:
        question: Text of the question.
        passages: Chunks, best first.
        chain: Sub-questions of the search.
        head: Scores of the tokens of the passages; None without the model.
    """
    target = read_target(question, chain)
    answering = dict(chain[-1].passages) if chain else {}
    ranked = rank_sentences(question, target.last, passages, answering, most=None)
    proposed = _proposed(passages, head)
    spoken = [
        one
        for number, one in enumerate(ranked)
        if number < _SENTENCES
        or any(one.chunk is chunk and one.start <= start < one.end for chunk, start, _ in proposed)
    ]
    best = _best(passages, proposed, head)
    options = []
    for sentence, found in zip(spoken, find_candidates([one.text for one in spoken]), strict=True):
        spans = {(one.start, one.end): one for one in found}
        own = [
            (start - sentence.start, end - sentence.start)
            for chunk, start, end in proposed
            if chunk is sentence.chunk and sentence.start <= start and end <= sentence.end
        ]
        describe = _Description(target, sentence, passages, answering, head, best)
        for start, end in sorted({*spans, *own}):
            typed = spans.get((start, end)) or _typed_like(found, start, end)
            option = describe.option(typed, is_typed=(start, end) in spans, is_proposed=(start, end) in own)
            if option:
                options.append(option)
    return options


def _proposed(passages: Sequence[Chunk], head: Sequence[PassageScores] | None) -> list[tuple[Chunk, int, int]]:
    if head is None:
        return []
    spans = [(passages[number], start, end) for number, start, end in best_spans(head, _PROPOSED)]
    return [(chunk, *_whole_words(chunk.text, start, end)) for chunk, start, end in spans]


def _whole_words(text: str, start: int, end: int) -> tuple[int, int]:
    """A span of tokens, extended to the ends of its words."""
    while start and text[start].isalnum() and text[start - 1].isalnum():
        start -= 1
    while end < len(text) and text[end].isalnum() and text[end - 1].isalnum():
        end += 1
    return start, end


def _best(
    passages: Sequence[Chunk], proposed: Sequence[tuple[Chunk, int, int]], head: Sequence[PassageScores] | None
) -> float:
    """Score of the best span of all."""
    if head is None or not proposed:
        return 0.0
    chunk, start, end = proposed[0]
    return head[next(rank for rank, one in enumerate(passages) if one is chunk)].score(start, end)


def _typed_like(found: Sequence[Candidate], start: int, end: int) -> Candidate:
    """A span with the type of the candidate that it mostly covers; without a type if there is none."""
    shared = [(min(end, one.end) - max(start, one.start), one) for one in found]
    best = max(shared, key=lambda each: each[0], default=None)
    kind = best[1].type if best and 2 * best[0] > end - start else ""
    return Candidate(start, end, kind)


@dataclass(frozen=True, slots=True)
class _Description:
    """Describes the options in one sentence by numbers."""

    target: Target
    sentence: RankedSentence
    passages: Sequence[Chunk]
    answering: Mapping[str, float]
    head: Sequence[PassageScores] | None
    best: float

    def option(self, span: Candidate, *, is_typed: bool, is_proposed: bool) -> Option | None:
        """The option of a span of the sentence; None if it has no letter or digit, or cannot answer the question."""
        sentence, target, chunk = self.sentence, self.target, self.sentence.chunk
        text = sentence.text[span.start : span.end]
        name = normalise_name(text)
        if not name or not target.allows(text):
            return None
        start, end = sentence.start + span.start, sentence.start + span.end
        is_known = bool(target.expected.types and span.type)
        is_right = is_known and span.type in target.expected.types
        values = (
            *self._head(start, end),
            is_right,
            is_known and not is_right,
            self.answering.get(chunk.id, 0.0),
            1 / (1 + next(rank for rank, one in enumerate(self.passages) if one is chunk)),
            target.bridge(chunk.title),
            target.bridge(sentence.text),
            target.bridge(text) if name in target.bridges else 0.0,
            name == normalise_name(without_qualifier(chunk.title)),
            f" {name} " in target.name,
            sentence.score,
            sentence.share,
            is_typed,
            is_proposed,
            math.log(len(name.split())),
            target.distance(sentence.text, span.start, span.end) / 100,
        )
        place = (sentence.start, sentence.end)
        first, last = target.answering_part(text)
        part = normalise_name(text[first:last])
        return Option(chunk, start + first, start + last, place, part, tuple(map(float, values)))

    def _head(self, start: int, end: int) -> tuple[float, float, float, float]:
        """Score of the span, the same within its passage, its distance to the best span, and score of the passage."""
        if self.head is None:
            return 0.0, 0.0, 0.0, 0.0
        scores = self.head[next(rank for rank, one in enumerate(self.passages) if one is self.sentence.chunk)]
        score = scores.score(start, end)
        return score, max(score - 2 * scores.share, LOWEST), score >= self.best - 1e-9, max(scores.share, -8.0)
