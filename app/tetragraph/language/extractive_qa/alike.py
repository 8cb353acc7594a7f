"""Answers whether two entities share a country, a place, a number or a description."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from tetragraph.language.extractive_qa.comparison import FIRST, Comparison, Rule, show, tell
from tetragraph.language.extractive_qa.in_common import asks_for_kind, find_common
from tetragraph.language.extractive_qa.pairs import Compared, Pair
from tetragraph.language.extractive_qa.sentences import COPULA, stems
from tetragraph.language.extractive_qa.stated import find_count
from tetragraph.language.lexicon.continents import name_continents
from tetragraph.language.lexicon.countries import adjective_of, find_countries, without_countries
from tetragraph.language.lexicon.kinds import narrower
from tetragraph.language.lexicon.names import without_qualifier
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import MONTHS, stem
from tetragraph.model import Chunk

_COUNTRY: Final = re.compile(r"\b(?:country|countries|nationality|nationalities|nations?|citizens?)\b", re.IGNORECASE)
_WHICH_COUNTRY: Final = re.compile(
    r"\b(?:what|which|this)\s+(?:\w+\s+)?(?:(?P<noun>country|nation)|nationality)\b(?!\s+(?:artist|band|music|singer|song))",
    re.IGNORECASE,
)
"""Words of a question that asks for a country, or for a nationality."""
_SAME: Final = re.compile(r"\b(?:same|shared?|common|different)\b", re.IGNORECASE)
_NUMBER_OF: Final = re.compile(r"\bnumbers?\s+of\s+(\w+)", re.IGNORECASE)
_UNSPECIFIC: Final = stems(
    """
    both also described known type kind considered used located situated same share
    further higher highest last lasted longer longest larger largest taller tallest
    """
)
"""Stems of words that a chunk need not contain for the question to be answered by yes."""
_PLACES: Final = stems("area city county district division island league place province region state team town village")
"""Stems of words for what may be the same, which say nothing of both."""
_NAME: Final = re.compile(r"(?<!^)\b[A-Z][\w’']+(?:\s[A-Z][\w’']+)*")
"""Words with a capital letter, but for the first of a sentence."""
_CALENDAR: Final = re.compile(rf"(?:(?:{MONTHS}|(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day)\s?)+")
"""Names of months and weekdays, which are no places."""


def are_alike(pair: Pair) -> Comparison | None:
    """Answer a question by yes or no; None if it does not ask whether both are alike, or a country is unknown."""
    if _COUNTRY.search(pair.rest) and (_SAME.search(pair.rest) or "both" in pair.rest.lower()):
        found = [_countries(one.chunk) for one in (pair.one, pair.other)]
        if not found[0] or not found[1]:
            return None
        return _same(pair, "countries", show(pair, map(", ".join, found)), are_same=bool({*found[0]} & {*found[1]}))
    if _SAME.search(pair.rest):
        if noun := _NUMBER_OF.search(pair.rest):
            return _same_number(pair, stem(noun[1].lower()))
        return _same_kind(pair) or _same_place(pair)
    if re.search(r"\b(?:both|and)\b", pair.rest, re.IGNORECASE):
        return _both(pair)
    return None


def find_shared_country(pair: Pair) -> str:
    """The country of both, as a noun, or as an adjective if their nationality is asked; empty for none or several.

    Countries of their descriptions count first, then all that their chunks name.
    """
    asked = _WHICH_COUNTRY.search(pair.rest)
    if not asked:
        return ""
    chunks = (pair.one.chunk, pair.other.chunk)
    for read in (_countries, _all_countries):
        one, other = (set(read(chunk)) for chunk in chunks)
        if len(shared := one & other) == 1:
            (country,) = shared
            return without_qualifier(country) if asked["noun"] else adjective_of(country)
    return ""


def _all_countries(chunk: Chunk) -> list[str]:
    return [country for _, country in find_countries(chunk.text)]


def _same(
    pair: Pair, rule: Rule, reason: str, spans: Sequence[tuple[int, int]] = FIRST, *, are_same: bool
) -> Comparison:
    """The answer to whether something is the same for both, or different if the question asks for that."""
    is_yes = are_same != ("different" in pair.rest.lower())
    return tell(pair, "yes" if is_yes else "no", rule, reason, spans)


def _countries(chunk: Chunk) -> list[str]:
    """Countries of what a chunk is about: those after the first verb of its first sentence, otherwise the first ones.

    "French-born" and "Paris-based" name the place of an event and not the country of the person.
    """
    for start, end in sentence_spans(chunk.text)[:4]:
        text = chunk.text[start:end]
        found = [(place, name) for place, name in find_countries(text) if not _is_origin(text, place)]
        verb = COPULA.search(text)
        after = [(place, name) for place, name in found if verb and place > verb.start()]
        if after:
            first = after[0][0]
            return list(dict.fromkeys(name for place, name in after if place - first < 40))
        if found:
            return [found[-1][1]]
    named = find_countries(chunk.text + " " + chunk.title)
    return [named[0][1]] if named else []


def _is_origin(text: str, place: int) -> bool:
    word = re.match(r"[\w.]+(?:\s[A-Z]\w+)?", text[place:])
    return bool(word and re.match(r"\s?[-–]\s?(?:born|based)\b", text[place + word.end() :]))


def _same_number(pair: Pair, noun: str) -> Comparison | None:
    """Whether both chunks state the same number of what a noun names ("the same number of acts")."""
    one, other = (find_count(each.chunk.text, noun) for each in (pair.one, pair.other))
    if one is None or other is None:
        return None
    reason = show(pair, (f"{one.value:g}", f"{other.value:g}"))
    return _same(pair, "numbers", reason, (one.place, other.place), are_same=one.value == other.value)


def _same_kind(pair: Pair) -> Comparison | None:
    """Whether the first sentences describe both by the same profession, genre, sport or kind, if that is asked."""
    if not asks_for_kind(pair.rest):
        return None
    words = find_common(pair.rest, pair.one.chunk.text, pair.other.chunk.text)
    reason = f"both are described as {words}" if words else "no kind in common"
    return _same(pair, "same", reason, are_same=bool(words))


def _same_place(pair: Pair) -> Comparison | None:
    """Whether the texts name the same place, group or kind for both.

    The words with a capital letter that both have are compared, but for those of their own names: in the sentences that
    have words of the question ("born"), otherwise in the first ones.
    """
    wanted = {*_wanted(pair.rest)} - _PLACES
    found, places = [], []
    for one in (pair.one, pair.other):
        spans = sentence_spans(one.chunk.text)
        said = [span for span in spans if wanted & stems(one.chunk.text[slice(*span)])] or spans[:1]
        own = stems(one.chunk.title)
        names = {match[0] for span in said for match in _NAME.finditer(one.chunk.text[slice(*span)])}
        found.append({name for name in names if not stems(name) <= own and not _CALENDAR.fullmatch(name)})
        places.append(said[0] if said else (0, 1))
    shared = sorted(name for name in found[0] & found[1] if not find_countries(name))
    reason = f"in common: {', '.join(shared)}" if shared else "nothing in common"
    return _same(pair, "same", reason, places, are_same=bool(shared))


def _both(pair: Pair) -> Comparison | None:
    """Whether the chunks about two entities describe both as the question does.

    They do not if one lacks a country that the question names, or at least half of its words.
    """
    wanted = _wanted(pair.rest)
    if not wanted and not find_countries(pair.rest):
        return None
    lacking = []
    for one in (pair.one, pair.other):
        missing, foreign = _missing(one, wanted), _foreign(one, pair.rest)
        if foreign or (wanted and 2 * len(missing) >= len(wanted)):
            lacking.append(f"{one.chunk.title}: {describe_missing(foreign or missing)}")
    reason = "; ".join(lacking) or "both are described so"
    return tell(pair, "no" if lacking else "yes", "both", reason)


def find_missing(one: Compared, rest: str) -> list[str]:
    """Countries and stems of other words of a question that the chunk about an entity does not have.

    Args:
        one: The entity with its chunk.
        rest: The question without the names of the entities.
    """
    return [*_foreign(one, rest), *_missing(one, _wanted(rest))]


def describe_missing(words: Sequence[str]) -> str:
    """Words that a chunk does not have, in words."""
    return f"no {', '.join(f'“{word}”' for word in words)}"


def _wanted(rest: str) -> list[str]:
    """Stems of the words that describe the entities, in order, but for countries."""
    return sorted(stems(without_countries(rest)) - _UNSPECIFIC - {"_"})


def _foreign(one: Compared, rest: str) -> list[str]:
    """Countries that the question names and the chunk about an entity does not."""
    here = {country for _, country in find_countries(f"{one.chunk.text} {one.chunk.title}")}
    return sorted({country for _, country in find_countries(rest)} - here)


def _missing(one: Compared, wanted: Sequence[str]) -> list[str]:
    known = stems(f"{one.chunk.text} {one.chunk.title} {name_continents(one.chunk.text)}")
    return [word for word in wanted if word not in known and not narrower(word) & known]
