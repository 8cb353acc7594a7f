"""Completes a follow-up question that does not name its subject by what the session was about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.facts.phrases import NUMBER
from tetragraph.language.questions.answer_type import ExpectedAnswer, expected_type
from tetragraph.language.questions.names import find_names
from tetragraph.language.questions.plain import plain_question
from tetragraph.model.anchors import AnchorStep
from tetragraph.systems.anchor_graph.indexes import NameIndex

_PERSON: Final = re.compile(r"\b(?:he|him|his|she|hers?)\b", re.IGNORECASE)
_THING: Final = re.compile(
    r"\b(?!IT\b)(?i:its?|they|them|theirs?|(?:this|these|those)(?!\s+(?:who|year|month|week)\b))\b"
)
"""Pronouns for what was named before; "IT" is none."""
_ELLIPSIS: Final = re.compile(
    r"\W*(?:(?:and|but|or|(?:what|how)\s+about)\b|(?:who|whom|which|where|when|why|how)\W*$)", re.IGNORECASE
)
"""Beginning of a question that leaves out what an earlier one said."""
_LONGEST: Final = 8
"""Largest number of words of an answer that is taken for a name."""


@dataclass(frozen=True, slots=True)
class _Turn:
    """A question of the session, its first query and its answer."""

    question: str
    query: str
    answer: str

    @property
    def is_complete(self) -> bool:
        """Whether the question was searched for as it was."""
        return self.query == self.question

    @property
    def expected(self) -> ExpectedAnswer:
        """The kind of answer that the question asks for."""
        return expected_type(plain_question(self.question))


def complete_question(names: NameIndex, question: str, steps: Sequence[AnchorStep]) -> str:
    """The follow-up question, followed by its subject where it has a pronoun or leaves something out.

    A question that names an entity of the corpus is complete, and so is one without a pronoun that does not begin like
    "And …" or "What about …". Otherwise its subject is, for "he" or "she", the last answer that may be the name of a
    person; else the names of the last complete question, or of the question before where nothing but a pronoun is
    missing; else the last answer, if it is a name; else the last complete question itself.

    Args:
        names: Names of the corpus.
        question: The follow-up question.
        steps: Steps of earlier questions, at least one.
    """
    plain = plain_question(question)
    is_person = bool(_PERSON.search(plain))
    refers = is_person or _THING.search(plain)
    if names.names_in(plain) or not (refers or _ELLIPSIS.match(plain)):
        return question
    turns = _recent(steps)
    about = turns[-1] if refers and not is_person else turns[0]
    named = " ".join(_named(names, plain_question(about.query)))
    subject = (_person(turns) if is_person else "") or named or _name(names, turns)
    return f"{question} {subject or turns[-1].question}"


def _recent(steps: Sequence[AnchorStep]) -> list[_Turn]:
    """The questions from the newest back to the last complete one."""
    asked = [list(group) for _, group in groupby(steps, key=lambda step: step.question)]
    turns = [_Turn(group[0].question, group[0].query, group[-1].answer) for group in reversed(asked)]
    last = next((number for number, turn in enumerate(turns) if turn.is_complete), len(turns) - 1)
    return turns[: last + 1]


def _person(turns: Sequence[_Turn]) -> str:
    """The last answer that may be the name of a person, or the question for one that got no answer."""
    for turn in turns:
        types = turn.expected.types
        is_asked = TYPES["PERSON"] in types
        if is_asked and not turn.answer:
            return turn.query
        if (is_asked or not types) and _is_name(turn.answer):
            return turn.answer
    return ""


def _name(names: NameIndex, turns: Sequence[_Turn]) -> str:
    """The last answer that is a name; a date and a number are none."""
    for turn in turns:
        is_date = turn.expected.type in (TYPES["DATE"], NUMBER)
        if not is_date and (_is_name(turn.answer) or (turn.answer and names.names_in(turn.answer))):
            return turn.answer
    return ""


def _named(names: NameIndex, text: str) -> Sequence[str]:
    """The names in a text: those of the corpus, else the capitalised ones."""
    return names.names_in(text) or [text[start:end] for start, end in find_names(text, ())]


def _is_name(answer: str) -> bool:
    """Whether an answer is written like a name: with a capital, without a digit, and not like a sentence."""
    is_written = answer[:1].isupper() and not any(map(str.isdigit, answer))
    return is_written and len(answer.split()) <= _LONGEST
