"""Words and types of the answer that a question asks for, and the entities that its sub-questions found."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.extractive_qa.sentences import stems
from tetragraph.language.facts.phrases import NUMBER
from tetragraph.language.lexicon.names import WORD, normalise_name, normalise_word
from tetragraph.language.lexicon.words import stem
from tetragraph.language.questions.answer_type import ExpectedAnswer, expected_type
from tetragraph.language.questions.steps import fill_placeholders
from tetragraph.model import Bridge, ChainStep

_FARTHEST: Final = 200
_WORDINGS: Final = 2
"""Largest number of wordings of a final sub-question."""
_LEAST: Final = 0.05
"""Least probability of the answer in a further wording."""
_DIGIT: Final = re.compile(r"\d")
_NUMBER_WORDS: Final = """
no none zero single sole once twice both half dozen dozens several one two three four five six seven eight nine ten
eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen twenty thirty forty fifty sixty seventy
eighty ninety hundred hundreds thousand thousands million millions billion billions
"""
_NUMBER: Final = re.compile(rf"\d|\b(?:{'|'.join(_NUMBER_WORDS.split())})(?:th|st|s)?\b", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b\d{3,4}\b(?: (?:BCE?|AD|CE)\b)?")
_YEARS: Final = frozenset(["year", "years"])
_DATES: Final = _YEARS | {"date", "birthday"}
_CODES: Final = frozenset(["code", "rank", "ranking"])
"""Words for numbers that may be written without a digit."""


@dataclass(frozen=True, slots=True)
class Target:
    """Target of the extraction.

    Attributes:
        name: The question as one normalised name, between blanks.
        last: Final sub-question, with the likeliest answers of the earlier ones inserted.
        words: Stems of the final sub-question.
        expected: Types that the answer may have.
        bridges: Normalised names that earlier sub-questions found, each with its probability.
    """

    name: str
    last: str
    words: set[str]
    expected: ExpectedAnswer
    bridges: Mapping[str, float]

    def allows(self, text: str) -> bool:
        """Whether words can be the answer: one to "how many" has a number, one to "what year" has digits."""
        if self.expected.type == NUMBER and self.expected.word not in _CODES:
            return _NUMBER.search(text) is not None
        return self.expected.word not in _DATES or _DIGIT.search(text) is not None

    def answering_part(self, text: str) -> tuple[int, int]:
        """Start and end of the words that answer: of a date, its year alone where the question asks for a year."""
        years = list(_YEAR.finditer(text)) if self.expected.word in _YEARS else []
        return years[0].span() if len(years) == 1 else (0, len(text))

    def bridge(self, text: str) -> float:
        """Highest probability of the names of earlier sub-questions that a text contains."""
        if not self.bridges:
            return 0.0
        padded = f" {normalise_name(text)} "
        return max((weight for name, weight in self.bridges.items() if f" {name} " in padded), default=0.0)

    def distance(self, text: str, start: int, end: int) -> int:
        """Characters from a span to the nearest word of the question outside of it; at most 200."""
        places = (match.start() for match in WORD.finditer(text) if stem(normalise_word(match[0])) in self.words)
        apart = (abs(place - start) for place in places if not start <= place < end)
        return min(min(apart, default=_FARTHEST), _FARTHEST)


def read_target(question: str, chain: Sequence[ChainStep]) -> Target:
    """Read what a question and its sub-questions ask for."""
    last = sub_questions(question, chain)[-1]
    expected = expected_type(chain[-1].question if chain else question)
    expected = expected if expected.types else expected_type(question)
    bridges: list[Bridge] = [bridge for step in chain[:-1] for bridge in step.bridges]
    return Target(
        f" {normalise_name(question)} ",
        last,
        stems(last),
        _with_peoples(expected),
        {normalise_name(bridge.name): bridge.weight for bridge in bridges},
    )


def _with_peoples(expected: ExpectedAnswer) -> ExpectedAnswer:
    """Peoples are answers to a question for a country, too: "a Canadian singer" states from where."""
    if expected.word not in ("country", "nation"):
        return expected
    return ExpectedAnswer((*expected.types, TYPES["NORP"]), expected.word)


def sub_questions(question: str, chain: Sequence[ChainStep]) -> list[str]:
    """The sub-questions in order, with the likeliest answers of earlier ones inserted; the question if it has none."""

    def answer(number: int) -> str:
        bridges = chain[number - 1].bridges
        return bridges[0].name if bridges else "it"

    return [fill_placeholders(step.question, step.refers, answer) for step in chain] or [question]


def final_questions(question: str, chain: Sequence[ChainStep]) -> list[tuple[str, float]]:
    """Wordings of the final sub-question, and the probability of each; they add up to 1.

    Each has another of the two likeliest answers to the last earlier sub-question that it refers to; an answer with a
    probability below .05 gives no wording.
    """
    number = max(chain[-1].refers, default=0) if chain else 0
    bridges = chain[number - 1].bridges[:_WORDINGS] if number else ()
    least = _LEAST * sum(one.weight for one in bridges)
    likely = [one for one in bridges if one.weight >= least]
    total = sum(one.weight for one in likely)
    if not total:
        return [(sub_questions(question, chain)[-1], 1.0)]
    wordings = []
    for bridge in likely:
        answered = [*chain[: number - 1], replace(chain[number - 1], bridges=(bridge,)), *chain[number:]]
        wordings.append((sub_questions(question, answered)[-1], bridge.weight / total))
    return wordings
