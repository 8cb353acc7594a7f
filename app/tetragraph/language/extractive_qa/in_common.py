"""Words that two descriptions have in common: "an American film director", "a British writer and film director"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import product
from typing import Final

from tetragraph.language.extractive_qa.sentences import COPULA
from tetragraph.language.lexicon.countries import find_countries
from tetragraph.language.lexicon.names import WORD
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import STOP_WORDS, stem

_ASKED: Final = re.compile(
    r"\b(?:professions?|professionals?|occupations?|jobs?|(?:types?|kinds?|sorts?)\s+of|genres?|sports?)\b",
    re.IGNORECASE,
)
_SPORT: Final = re.compile(r"\bsports?\b", re.IGNORECASE)
_END: Final = re.compile(r"[;.(]|(?<![-–])\b(?:who|which|that|from|in|by|at|on|based|directed|born|best known)\b")
_PLAYER: Final = re.compile(r"\s+(?:player|star)s?$")


def asks_for_kind(rest: str) -> bool:
    """Whether a question asks which profession, genre, sport or kind its two entities share.

    Args:
        rest: The question without their names.
    """
    return bool(_ASKED.search(rest))


def find_common(rest: str, one: str, other: str) -> str:
    """The longest run of words that describes what two texts are about, as the first one has it; empty for none.

    Both are described behind the first verb of their first sentence; nationalities are left out.

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
        return ""
    begin, (last, text) = words[best[0]][0], words[best[1] - 1]
    end = last + len(text)
    if _SPORT.search(rest) and (player := _PLAYER.search(one, begin, end)):
        end = player.start()
    return " ".join(one[begin:end].split())


def _run_length(one: Sequence[str], other: Sequence[str], start: int, place: int) -> int:
    """Number of equal words from a place of each text on."""
    length = 0
    while start + length < len(one) and place + length < len(other) and one[start + length] == other[place + length]:
        length += 1
    return length


def _describe(text: str) -> list[tuple[int, str]]:
    """Offset and text of the words that say what a text is about, without countries and articles."""
    spans = sentence_spans(text)
    verb = COPULA.search(text, *spans[0]) if spans else None
    if not verb:
        return []
    end = _END.search(text, verb.end(), spans[0][1])
    stop = end.start() if end else spans[0][1]
    countries = {place for place, _ in find_countries(text)}
    words = [(match.start(), match[0]) for match in WORD.finditer(text, verb.end(), stop)]
    return [(place, word) for place, word in words if place not in countries and word.lower() not in ("a", "an", "the")]
