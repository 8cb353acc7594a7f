"""Answers questions about which of two entities came first, or last, by the years in their chunks."""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence
from typing import Final

from tetragraph.language.lexicon.names import normalise_name, without_qualifier
from tetragraph.language.questions.names import find_names
from tetragraph.model import Chunk

_OR: Final = re.compile(r"[\"”’']?,?\s+or\s+(?:the\s+)?[\"“‘']?")
_EARLIER: Final = re.compile(r"\b(?:first|earlier|earliest|older|oldest|before)\b", re.IGNORECASE)
_LATER: Final = re.compile(r"\b(?:last|later|latest|younger|youngest|newer|newest|more recent(?:ly)?)\b", re.IGNORECASE)
_DEATH: Final = re.compile(r"\b(?:died|dies|death|lived longer)\b", re.IGNORECASE)
_YEAR: Final = re.compile(r"\b(?:1\d|20)\d\d\b")


def find_first_or_last(question: str, passages: Sequence[Chunk]) -> tuple[Chunk, str] | None:
    """Decide between two entities by time; returns the chunk of the answer, and its name as in the question.

    The time of an entity is the first year in the chunk with its title, or the second if the question is about deaths.

    Args:
        question: Question such as "Who was born first, Ada Byron or Mina Holt?".
        passages: Chunks, best first.

    Returns:
        None if the question is not of that kind, or the years do not decide.
    """
    is_later = bool(_LATER.search(question))
    if is_later == bool(_EARLIER.search(question)):
        return None
    for (start, end), (next_start, next_end) in itertools.pairwise(find_names(question, ())):
        if _OR.fullmatch(question, end, next_start):
            names = (question[start:end].strip('"“”'), question[next_start:next_end].strip('"“”'))
            found = [_time(name, passages, at=int(bool(_DEATH.search(question)))) for name in names]
            known = [(*one, name) for one, name in zip(found, names, strict=True) if one]
            if len(known) == len(names) and known[0][0] != known[1][0]:
                _, chunk, name = sorted(known, key=lambda one: one[0])[-1 if is_later else 0]
                return chunk, name
    return None


def _time(name: str, passages: Sequence[Chunk], at: int) -> tuple[int, Chunk] | None:
    """A year of the chunk that is about a name."""
    wanted = normalise_name(name)
    for chunk in passages:
        title = normalise_name(without_qualifier(chunk.title))
        years = _YEAR.findall(chunk.text)
        if wanted and title == wanted and len(years) > at:
            return int(years[at]), chunk
    return None
