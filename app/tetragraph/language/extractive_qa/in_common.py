"""Descriptions of people and works: the words that two of them have in common, and the number of occupations."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import Final

from tetragraph.language.extractive_qa.sentences import COPULA
from tetragraph.language.extractive_qa.stated import Stated
from tetragraph.language.lexicon.countries import find_countries
from tetragraph.language.lexicon.kinds import narrower
from tetragraph.language.lexicon.names import WORD
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import STOP_WORDS, stem

_ASKED: Final = re.compile(
    r"\b(?:professions?|professionals?|occupations?|jobs?|(?:types?|kinds?|sorts?)\s+of|genres?|sports?)\b",
    re.IGNORECASE,
)
_SPORT: Final = re.compile(r"\bsports?\b", re.IGNORECASE)
_END: Final = re.compile(r"[;.(]|(?<![-–])\b(?:who|which|that|from|in|by|at|on|based|directed|born|best known)\b")
_BETWEEN: Final = re.compile(r"[,/]|\band\b")
_PLAYER: Final = re.compile(r"\s+(?:player|star)s?$")


def asks_for_kind(rest: str) -> bool:
    """Whether a question asks which profession, genre, sport or kind its two entities share.

    Args:
        rest: The question without their names.
    """
    return bool(_ASKED.search(rest))


def find_common(rest: str, one: str, other: str) -> str:
    """The longest run of words that describes what two texts are about, as the first one has it; empty for none.

    Both are described behind the first verb of their first sentence; nationalities are left out. Without such a run, a
    word for a kind is found of which the other text has a narrower one: "musician" of a musician and a singer.

    Args:
        rest: The question without their names.
        one: First text.
        other: Second text.

    >>> one, other = "Ida is a Danish poet and film director.", "Jens was an actor and a film director who sang."
    >>> find_common("What profession do _ and _ share?", one, other)
    'film director'
    """
    words, others = _describe(one), _describe(other)
    one_stems, other_stems = ([stem(text.lower()) for _, text in each] for each in (words, others))
    best = (0, 0)
    for start, place in product(range(len(words)), range(len(others))):
        run = words[start : start + _run_length(one_stems, other_stems, start, place)]
        while run and run[-1][1].lower() in STOP_WORDS:
            run.pop()
        if run and run[0][1].lower() not in STOP_WORDS and len(run) > best[1] - best[0]:
            best = (start, start + len(run))
    if best == (0, 0):
        return _find_wider(words, other_stems) or _find_wider(others, one_stems)
    begin, (last, text) = words[best[0]][0], words[best[1] - 1]
    end = last + len(text)
    if _SPORT.search(rest) and (player := _PLAYER.search(one, begin, end)):
        end = player.start()
    return " ".join(one[begin:end].split())


def _find_wider(words: Sequence[tuple[int, str]], others: Sequence[str]) -> str:
    """The first of the words for a kind of which one of some other stems names a narrower one; empty for none."""
    return next((word for _, word in words if narrower(stem(word.lower())) & set(others)), "")


def count_occupations(text: str) -> Stated | None:
    """The number of things that a text says that somebody is; None if it does not say so.

    >>> count_occupations("Ida Brandt (born 1880) was a Danish poet, surgeon and film director from Halvik.").value
    3.0
    """
    span = _description(text)
    if not span:
        return None
    parts = _BETWEEN.split(text[slice(*span)])
    return Stated(float(sum(bool(WORD.search(part)) for part in parts)), span)


def _run_length(one: Sequence[str], other: Sequence[str], start: int, place: int) -> int:
    """Number of equal words from a place of each text on."""
    length = 0
    while start + length < len(one) and place + length < len(other) and one[start + length] == other[place + length]:
        length += 1
    return length


def _description(text: str) -> tuple[int, int] | None:
    """Start and end of the words behind the first verb of a text that say what it is about."""
    spans = sentence_spans(text)
    verb = COPULA.search(text, *spans[0]) if spans else None
    if not verb:
        return None
    end = _END.search(text, verb.end(), spans[0][1])
    return verb.end(), end.start() if end else spans[0][1]


def _describe(text: str) -> list[tuple[int, str]]:
    """Offset and text of the words that say what a text is about, without countries and articles."""
    span = _description(text)
    if not span:
        return []
    countries = {place for place, _ in find_countries(text)}
    words = [(match.start(), match[0]) for match in WORD.finditer(text, *span)]
    return [(place, word) for place, word in words if place not in countries and word.lower() not in ("a", "an", "the")]
