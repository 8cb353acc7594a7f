"""Questions that compare entities by a related entity: "Which film has the director who died first, A or B?".

The parser takes such a question for a description of one director, so it is decomposed before parsing into two
sub-questions: the director of A, and the director of B.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from tetragraph.language.questions.steps import Step, make_step

_JOINED = re.compile(r"['’\"”?]?\s*,?\s*(?:or|and)\s+(?:the\s+)?(?:(?:[a-z]+\s+of\s+)?(?:the\s+)?[a-z]+\s+)?[\"“]?")
"""Text allowed between two compared entities: "or", "and", "and the director of film"."""
_KINDS = "films?|movies?|songs?|albums?|books?|novels?|series|shows?|bands?|persons?|people"
_HAS = re.compile(r"\b(?:whose|(?:has|have|had)\s+the)\s+([a-z]+)\b")
_OF = re.compile(rf"\b(?:both\s+)?(?:the\s+)?([a-z]+)\s+of\s+(?:the\s+|both\s+)*(?:(?:{_KINDS})\s*[,:]?\s*)?[\"“]?$")
_ALIKE = re.compile(r"\b(?:both|same|shares?|common|different)\b")
"""Words that distinguish a comparison from a list joined by "and"."""
_RELATION_NOUNS = """
director performer composer producer author writer singer creator founder editor screenwriter
father mother husband wife spouse parent
"""
_RELATIONS = frozenset(_RELATION_NOUNS.split())
"""Nouns for a person in relation to a work or another person."""


def compare(question: str, names: Sequence[tuple[int, int]]) -> list[Step]:
    """The chain of a comparison by related entities; empty if the question is not such a comparison.

    Args:
        question: Text of the question.
        names: Character offsets of its names, ascending, without overlaps.
    """
    for (start, end), (next_start, next_end) in itertools.pairwise(names):
        if not _JOINED.fullmatch(question, end, next_start):
            continue
        steps = _steps(question, (start, end), (next_start, next_end))
        if steps:
            return steps
    return []


def _steps(question: str, one: tuple[int, int], other: tuple[int, int]) -> list[Step]:
    before = question[: one[0]]
    of = _OF.search(before)
    joint = "and" if re.search(r"\band\b", question[one[1] : other[0]]) else "or"
    if joint == "and" and not _ALIKE.search(question):
        return []
    noun = _relation(of) or _relation(_HAS.search(question[: one[0]])) or _relation(_HAS.search(question, other[1]))
    if not noun:
        return []
    opening = before[: of.start()] if of and _relation(of) else before
    parts = [make_step(f"the {noun} of {question[slice(*name)]}", noun) for name in (one, other)]
    return [*parts, make_step(f"{opening}#1 {joint} #2{question[other[1] :]}")]


def _relation(match: re.Match[str] | None) -> str:
    """The noun that a pattern found, in the singular; empty if it is not a relation."""
    noun = match[1].removesuffix("s") if match else ""
    return noun if noun in _RELATIONS else ""
