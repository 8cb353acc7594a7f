"""Complexity of a question: one fact, several entities side by side, or a chain of questions.

Source:
    BiG-RAG, section 4.3.1, algorithm 3. :data:`PAPER` follows it and decides by the words of the question. It takes the
    interrogative word for the start of a subordinate clause, so "Who wrote Jaws?" is moderate. :data:`TETRAGRAPH`
    ignores that word, and considers the chain into which the question is decomposed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from tetragraph.errors import InvalidInput
from tetragraph.language.questions.asking import asking_word
from tetragraph.language.questions.reading import QuestionReading, read_question

Level: TypeAlias = Literal["simple", "moderate", "complex"]
Mode: TypeAlias = Literal["paper", "tetragraph"]
PAPER: Final = "paper"
TETRAGRAPH: Final = "tetragraph"

_PAPER_MARKERS = re.compile(r"\b(?:who|which|that|whose|of the|where|when)\b")
"""Line 4 of algorithm 3, which matches substrings ("who" in "whole"); here whole words are matched."""
_MARKERS = re.compile(r"\b(?:who|whom|which|that|whose|where|when|while|after|before)\b", re.IGNORECASE)
"""Words that open a clause. "of the" is not among them: its dependents are a step of the chain."""
_POSSESSIVE = re.compile(r"\w['’]s?(?=\s)|\b(?:whose|his|her|its|their)\b", re.IGNORECASE)
_CLAUSES = frozenset(["relcl", "acl", "ccomp"])
"""Line 10 of algorithm 3."""
_DEEP = 2
_MANY = 2
"""Largest number of clauses, or names, that algorithm 3 does not count as many (lines 14 and 16)."""


@dataclass(frozen=True, slots=True)
class Complexity:
    """Complexity of a question, with the features that decide it.

    Attributes:
        level: ``simple`` for one fact about one entity, ``moderate`` for several entities or with a clause that
            describes one, ``complex`` for a question with an intermediate answer.
        markers: Words that open a subordinate clause, in order, small letters.
        has_possessive: Whether there is a possessive ("Anna's mother", "whose mother").
        names: Number of names.
        clause_depth: Number of relative and complement clauses; 0 without a parse.
        steps: Number of steps of the question's chain.
        parsed: Whether a parse decided, or only the words.
    """

    level: Level
    markers: tuple[str, ...]
    has_possessive: bool
    names: int
    clause_depth: int
    steps: int
    parsed: bool


def classify(question: str, entity_spans: Sequence[tuple[int, int]], *, mode: Mode = TETRAGRAPH) -> Complexity:
    """Determine the complexity of a question.

    Args:
        question: Text of the question.
        entity_spans: Character offsets of the known entities in the question.
        mode: ``tetragraph``, by which a chain of two or more steps is complex, and several names or a subordinate
            clause are moderate; or ``paper``, which is algorithm 3.

    Raises:
        InvalidInput: ``mode`` is neither.

    Source:
        Algorithm 3. Deviations of ``paper``: markers are whole words; names are those of
        :func:`~tetragraph.language.questions.names.find_names`, not of spaCy.
    """
    if mode not in (PAPER, TETRAGRAPH):
        raise InvalidInput(f"mode must be {PAPER!r} or {TETRAGRAPH!r}, got {mode!r}")
    reading = read_question(question, entity_spans)
    is_paper = mode == PAPER
    markers = tuple(_PAPER_MARKERS.findall(question.lower())) if is_paper else _markers(reading)
    has_possessive = _has_possessive(reading)
    names, depth, steps = len(reading.names), _clause_depth(reading), len(reading.steps)
    level = _level_of_paper(markers, has_possessive, names, depth) if is_paper else _level(markers, names, depth, steps)
    return Complexity(level, markers, has_possessive, names, depth, steps, reading.tree is not None)


def _level_of_paper(markers: tuple[str, ...], has_possessive: bool, names: int, depth: int) -> Level:
    """Lines 14 to 19 of algorithm 3."""
    if markers and (has_possessive or depth > _DEEP):
        return "complex"
    return "moderate" if names > _MANY or markers else "simple"


def _level(markers: tuple[str, ...], names: int, depth: int, steps: int) -> Level:
    if steps > 1:
        return "complex"
    return "moderate" if names > 1 or markers or depth > 1 else "simple"


def _markers(reading: QuestionReading) -> tuple[str, ...]:
    """Words that open a clause, outside names, without the interrogative word."""
    text = reading.text
    for start, end in reading.names:
        text = text[:start] + "_" * (end - start) + text[end:]
    asking = asking_word(text)
    return tuple(match[0].lower() for match in _MARKERS.finditer(text) if match.span() != asking)


def _has_possessive(reading: QuestionReading) -> bool:
    """Line 6 of algorithm 3; decided by the words if there is no parse."""
    if reading.tree is None:
        return bool(_POSSESSIVE.search(reading.text))
    return any(word.relation == "poss" for word in reading.tree.words)


def _clause_depth(reading: QuestionReading) -> int:
    return sum(word.relation in _CLAUSES for word in reading.tree.words) if reading.tree else 0
