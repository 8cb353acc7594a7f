"""Decomposition of a question by a pattern, with one split: without a parser, or where a parse finds one part."""

from __future__ import annotations

import re
from collections.abc import Sequence

from tetragraph.language.questions.steps import MEASURES, NAMED_WITH_OF

_OWNED = re.compile(r"['’]s\s+(?:(?:[a-z]+al|main|first|last|former|native|own)\s+)?([a-z-]+)")
_ARTICLE = re.compile(r"\bthe\b")
_DESCRIBED = re.compile(
    r"the\s+(?:[a-z-]+\s+){0,2}?(?P<noun>[a-z-]+)\s+"
    r"(?:(?P<of>of)|(?:(?:in|at|on|for|by|from|under|to|with)\s+)?(?:that|who|whom|which|where|whose))\s+"
    r"(?:[a-z'-]+\s+){0,4}?$"
)
_CLAUSE_END = re.compile(
    r"\s+(?:is|was|are|were|has|had|comes|came|died|lives|lived|plays|played)\b"
    r"(?:\s+(?:a\s+)?(?:born|buried|educated|found|founded|formed|located|part|citizen|member|set|situated|[a-z]+ed))?"
    r"(?:\s+(?:in|of|from|at|by|to|on|for))?\b"
)


def split_once(question: str, names: Sequence[tuple[int, int]]) -> tuple[int, int, str] | None:
    """Find the first phrase that describes an entity by a name: "Anna's mother", "the city where Anna died".

    Args:
        question: Text of the question.
        names: Character offsets of its names, ascending.

    Returns:
        Character offsets and noun of the phrase; None if the question has none.
    """
    for start, end in names:
        owned = _OWNED.match(question, end)
        if owned and owned[1] not in MEASURES:
            return start, owned.end(), owned[1]
        described = _find_description(question, start)
        if described and not _is_no_step(described):
            clause = None if described["of"] else _CLAUSE_END.match(question, end)
            return described.start(), clause.end() if clause else end, described["noun"]
    return None


def _is_no_step(described: re.Match[str]) -> bool:
    """Whether a description leads to no other passage, as its answer is a number, or names what it describes."""
    noun = described["noun"]
    return noun in MEASURES or bool(described["of"] and noun in NAMED_WITH_OF)


def _find_description(question: str, name: int) -> re.Match[str] | None:
    """The shortest description that ends where a name begins."""
    for article in reversed(list(_ARTICLE.finditer(question, 0, name))):
        found = _DESCRIBED.match(question, article.start(), name)
        if found:
            return found
    return None
