"""Answers questions that compare two entities: which came first, whether both are alike, which of them is such.

The answer follows from dates and countries in the chunks about the entities, and from the words of the question. How
often each rule is right was counted on the questions of the train sets, see ``scripts/train_answers.py``.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from tetragraph.language.extractive_qa.dates import Event, date_of, lifespan
from tetragraph.language.extractive_qa.pairs import Compared, Pair, find_pair
from tetragraph.language.extractive_qa.sentences import stems
from tetragraph.language.lexicon.countries import find_countries
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.questions.asking import is_yes_or_no
from tetragraph.model import ChainStep, Chunk

Rule = Literal["dates", "countries", "same", "both", "which"]
_EARLIER: Final = re.compile(r"\b(?:first|earlier|earliest|older|oldest|elder|before)\b", re.IGNORECASE)
_LATER: Final = re.compile(
    r"\b(?:last|later|latest|younger|youngest|newer|newest|(?:more|most) recent(?:ly)?|after)\b", re.IGNORECASE
)
_LIVED: Final = re.compile(r"\b(?:lived? (?:longer|shorter)|longer (?:life|lived)|outlived)\b", re.IGNORECASE)
_LONGER: Final = re.compile(r"\b(?:(?:been around|existed|running) (?:for )?longer|longer running)\b", re.IGNORECASE)
_DEATH: Final = re.compile(r"\b(?:died|dies|death|die|passed away)\b", re.IGNORECASE)
_BIRTH: Final = re.compile(r"\b(?:born|birth)\b", re.IGNORECASE)
_AGE: Final = re.compile(r"\b(?:older|oldest|younger|youngest|elder)\b", re.IGNORECASE)
_COUNTRY: Final = re.compile(r"\b(?:country|countries|nationality|nationalities|nations?|citizens?)\b", re.IGNORECASE)
_SAME: Final = re.compile(r"\b(?:same|shared?|common|different)\b", re.IGNORECASE)
_LAST: Final = re.compile(r"(?<=[.?!])\s+(?=[A-Z])")
"""Space between two sentences of a question, of which the last one asks."""
_BETWEEN: Final = re.compile(r"^\W*of\s+_|\bout\s+of\s+_|\bbetween\s+_", re.IGNORECASE)
_CHOICE: Final = re.compile(r"_\W*$|^\W*(?:between|of)\s+_", re.IGNORECASE)
"""Words around the names of a question that offers the choice between them."""
_IS: Final = re.compile(r"\b(?:is|was|are|were)\b")
_UNSPECIFIC: Final = frozenset(
    ["both", "also", "known", "type", "kind", "consider", "use", "locat", "situat", "same", "share"]
)
"""Stems of words that a chunk need not contain for the question to be answered by yes."""


@dataclass(frozen=True, slots=True)
class Comparison:
    """Answer to a question that compares two entities.

    Attributes:
        text: ``yes``, ``no``, or the name of an entity as in the question.
        rule: Rule by which it was found.
        reason: Values that were compared, in words.
        evidence: A chunk for each entity, and the sentence in it with the value.
        chosen: Number of the entity that is the answer; None for yes and no.
    """

    text: str
    rule: Rule
    reason: str
    evidence: tuple[tuple[Chunk, tuple[int, int]], ...]
    chosen: int | None = None


def compare(question: str, passages: Sequence[Chunk], chain: Sequence[ChainStep] = ()) -> Comparison | None:
    """Answer a question that compares two entities of which chunks are at hand.

    Args:
        question: Text of the question.
        passages: Chunks, best first.
        chain: Sub-questions of the search.

    Returns:
        None if the question is not of that kind, or the values do not decide.
    """
    pair = find_pair(question, passages, chain)
    if pair is None:
        return None
    if is_yes_or_no(question) or is_yes_or_no(_LAST.split(question.strip())[-1]):
        return _alike(pair) if pair.joint == "and" else _by_time(pair)
    if pair.joint == "or" or _BETWEEN.search(pair.rest):
        return _by_time(pair) or _by_words(pair)
    return None


def _by_time(pair: Pair) -> Comparison | None:
    """Compare by a date or a lifespan."""
    rest = pair.rest
    entities = (pair.one, pair.other)
    if _LIVED.search(rest):
        return _by_lifespan(pair)
    is_later = bool(_LATER.search(rest))
    is_earlier = bool(_EARLIER.search(rest) or _LONGER.search(rest))
    if is_later == is_earlier:
        return None
    event = _event(rest, pair)
    dates = [date_of(one.chunk.text, event) for one in entities]
    if event == "birth":
        dates = [date or date_of(one.chunk.text, "start") for one, date in zip(entities, dates, strict=True)]
    if dates[0] is None or dates[1] is None:
        return None
    is_before = dates[0].is_before(dates[1])
    if is_before is None:
        return None
    places = [(date.start, date.end) for date in dates if date]
    shown = [f"{one.chunk.title}: {one.chunk.text[slice(*place)]}" for one, place in zip(entities, places, strict=True)]
    return _choose(pair, int(is_before == is_later), "dates", "; ".join(shown), places)


def _by_lifespan(pair: Pair) -> Comparison | None:
    """Compare by the time from birth to death."""
    entities = (pair.one, pair.other)
    spans = [lifespan(one.chunk.text) for one in entities]
    if spans[0] is None or spans[1] is None or spans[0] == spans[1]:
        return None
    chosen = int((spans[1] > spans[0]) != ("shorter" in pair.rest.lower()))
    ages = [round((span or 0) / 365) for span in spans]
    years = [f"{one.chunk.title}: {age} years" for one, age in zip(entities, ages, strict=True)]
    return _choose(pair, chosen, "dates", "; ".join(years), [(0, 1)] * 2)


def _event(rest: str, pair: Pair) -> Event:
    if _DEATH.search(rest):
        return "death"
    is_person = all(date_of(one.chunk.text, "birth") for one in (pair.one, pair.other))
    return "birth" if _BIRTH.search(rest) or (_AGE.search(rest) and is_person) else "start"


def _choose(pair: Pair, chosen: int, rule: Rule, reason: str, spans: Sequence[tuple[int, int]]) -> Comparison:
    entities = (pair.one, pair.other)
    evidence = tuple((one.chunk, _sentence(one.chunk, *span)) for one, span in zip(entities, spans, strict=True))
    return Comparison(entities[chosen].name.strip("\"“”' "), rule, reason, evidence, chosen)


def _sentence(chunk: Chunk, start: int, end: int) -> tuple[int, int]:
    """The sentences of a chunk from a start to an end."""
    spans = [span for span in sentence_spans(chunk.text) if span[1] > start and span[0] < end]
    return (spans[0][0], spans[-1][1]) if spans else (start, end)


def _alike(pair: Pair) -> Comparison | None:
    """Answer by yes or no whether two entities share a country or a description."""
    entities = (pair.one, pair.other)
    if _COUNTRY.search(pair.rest) and (_SAME.search(pair.rest) or "both" in pair.rest.lower()):
        found = [_countries(one.chunk) for one in entities]
        if not found[0] or not found[1]:
            return None
        is_yes = bool(set(found[0]) & set(found[1])) != ("different" in pair.rest.lower())
        reason = "; ".join(f"{one.chunk.title}: {', '.join(each)}" for one, each in zip(entities, found, strict=True))
        return _yes_or_no(pair, "countries", reason, is_yes=is_yes)
    if _SAME.search(pair.rest):
        return _same_place(pair)
    if re.search(r"\b(?:both|and)\b", pair.rest, re.IGNORECASE):
        return _both(pair)
    return None


def _yes_or_no(pair: Pair, rule: Rule, reason: str, *, is_yes: bool) -> Comparison:
    evidence = tuple((one.chunk, _sentence(one.chunk, 0, 1)) for one in (pair.one, pair.other))
    return Comparison("yes" if is_yes else "no", rule, reason, evidence)


def _countries(chunk: Chunk) -> list[str]:
    """Countries of what a chunk is about: those after the first verb of its first sentence, otherwise the first ones.

    "French-born" and "Paris-based" name the place of an event and not the country of the person.
    """
    for start, end in sentence_spans(chunk.text)[:4]:
        text = chunk.text[start:end]
        found = [(place, name) for place, name in find_countries(text) if not _is_origin(text, place)]
        verb = _IS.search(text)
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


def _same_place(pair: Pair) -> Comparison | None:
    """Whether the first sentences about two entities name the same place, group or kind.

    The words with a capital letter that both have are compared, but for those of their own names.
    """
    found = []
    for one in (pair.one, pair.other):
        start, end = _sentence(one.chunk, 0, 1)
        own = stems(one.chunk.title)
        text = one.chunk.text[start:end]
        names = {match[0] for match in re.finditer(r"(?<!^)\b[A-Z][\w’']+(?:\s[A-Z][\w’']+)*", text)}
        found.append({name for name in names if not stems(name) <= own})
    shared = sorted(name for name in found[0] & found[1] if not find_countries(name))
    reason = f"in common: {', '.join(shared)}" if shared else "nothing in common"
    return _yes_or_no(pair, "same", reason, is_yes=bool(shared))


def _both(pair: Pair) -> Comparison | None:
    """Whether the chunks about two entities describe both as the question does.

    They do not if one lacks a country that the question names, or at least half of its words.
    """
    wanted = _wanted(pair.rest)
    if not wanted:
        return None
    countries = {country for _, country in find_countries(pair.rest)}
    lacking = []
    for one in (pair.one, pair.other):
        missing = _missing(one, wanted)
        foreign = sorted(countries.difference(country for _, country in find_countries(one.chunk.text)))
        if foreign or 2 * len(missing) >= len(wanted):
            lacking.append(f"{one.chunk.title}: no {', '.join(f'“{word}”' for word in foreign or missing)}")
    return _yes_or_no(pair, "both", "; ".join(lacking) or "both are described so", is_yes=not lacking)


def _wanted(rest: str) -> list[str]:
    """Stems of the words that describe the entities, in order; a country is one of them."""
    return sorted(stems(rest) - _UNSPECIFIC - {"_"})


def _missing(one: Compared, wanted: Sequence[str]) -> list[str]:
    known = stems(f"{one.chunk.text} {one.chunk.title}")
    return [word for word in wanted if word not in known]


def _by_words(pair: Pair) -> Comparison | None:
    """Choose the entity whose chunk has more of the words of a question that ends with the two names."""
    if not _CHOICE.search(pair.rest):
        return None
    wanted = _wanted(pair.rest)
    missing = [len(_missing(one, wanted)) for one in (pair.one, pair.other)]
    if missing[0] == missing[1]:
        return None
    chosen = int(missing[1] < missing[0])
    shares = [
        f"{one.chunk.title}: {len(wanted) - less} of {len(wanted)} words"
        for one, less in zip((pair.one, pair.other), missing, strict=True)
    ]
    return _choose(pair, chosen, "which", "; ".join(shares), [(0, 1)] * 2)
