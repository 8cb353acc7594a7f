"""Dates in a text, and the dates of birth and death and the first date of what a text is about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Set
from dataclasses import dataclass
from typing import Final, Literal

from tetragraph.language.lexicon.names import WORD, normalise_word
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import MONTHS, STOP_WORDS, stem

Event = Literal["birth", "death", "start"]
"""Kind of date by which entities are compared; ``start`` is that of a release, a foundation or a first event."""
_MONTHS: Final = {name: number for number, name in enumerate(MONTHS.lower().split("|"), 1)}
MONTH: Final = rf"(?P<month>{'|'.join(_MONTHS)}|(?:{'|'.join(name[:3] for name in _MONTHS)}|sept)[.]?)"
"""Pattern of a month, as a group of that name."""
_GLUED: Final = rf"\d{{1,2}}\s(?:{'|'.join(_MONTHS)})\b"
"""A date behind a year from which a lost dash divided it: "(21 March 192011 January 2010)"."""
_ERA: Final = r"\s*(?:(?-i:B\.?\s?C\.?(?:\s?E\.?)?|b\.?c\.?(?:e\.?)?)(?!\w)|before\s+Christ\b)"
_BEFORE_CHRIST: Final = r"(?:\d{1,2},\d{3}|\d{1,5})"
_UNTIL_ERA: Final = (
    rf"\s*(?:[-–—/]|\b(?:to|until|and|or)\b)\s*(?:(?:c|ca|circa|about|around)\b[.]?\s*)?"
    rf"{_BEFORE_CHRIST}{_ERA}"
)
"""The rest of a range of which only the second year has its era: "1303–1213 BC"."""
_YEAR: Final = (
    rf"(?:(?<!\d)(?<!\d[,.])(?P<before_christ>{_BEFORE_CHRIST})(?:{_ERA}|(?={_UNTIL_ERA}))"
    rf"|(?<![\d,.])(?P<year>1\d\d\d|20\d\d)(?:(?={_GLUED})|(?![\d,]*\d))"
    r"(?:-(?P<iso_month>0[1-9]|1[0-2])-(?P<iso_day>0[1-9]|[12]\d|3[01])(?![-\d]))?)"
)
_DATE: Final = re.compile(
    rf"(?:(?:(?<!\d)|(?<=\d{{4}})(?={_GLUED}))(?P<before>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?)?\b(?:{MONTH}\s*"
    rf"(?:(?P<after>\d{{1,2}})(?:st|nd|rd|th)?\s*,\s*|,\s*)?)?{_YEAR}",
    re.IGNORECASE,
)
_UNIT: Final = re.compile(
    r"[\s-](?:[cm]?m|km|met(?:re|er)s?|kilomet(?:re|er)s?|ft|feet|foot|mi|miles?|yards?|acres?|ha|hectares?|kg|tons?|tonnes?"
    r"|sq(?:uare)?\s?\w+|sqft|hp|kW|MW|rpm|cc|dollars|euros|pounds)\b(?!\.\s[A-Z]|\s(?:are|is|was|were)\b)"
)
_PLURAL: Final = re.compile(r"\s(people|children|men|women|[a-z]+(?<![siu])s)\b")
_COUNTING: Final = re.compile(
    r"\b(?:with|has|have|had|having|over|under|about|around|nearly|almost|approximately|roughly|some|than|least|most"
    r"|contain(?:s|ed|ing)?|hold(?:s|ing)?|held|seat(?:s|ed|ing)?|hous(?:es|ed|ing)|employ(?:s|ed|ing)?|sold"
    r"|compris(?:es|ed|ing)|includes|included|including|accommodat(?:es|ed|ing)|only|all|these|those|(?:capacity|fleet|number|total)\s+of)\s+$",
    re.IGNORECASE,
)
"""Words before a number of things, which is no year: "with 1500 seats", but not "the 1968 riots"."""
_DIED: Final = re.compile(r"\b(?:died|death|d\.)\b[^.;()]{0,40}$", re.IGNORECASE)
_TO: Final = re.compile(r"^(?:[^;()]{0,60}[-–—][^;()0-9]{0,40}|\s*)$")
"""Text between the dates of birth and death: "in Ghent – ", "– c.", or none where the dash was lost."""
_BORN: Final = re.compile(r"(?:\b(?:born|b\.)[^.;()]{0,60}|\((?!\s*[-–—])[^()]{0,80})$", re.IGNORECASE)
_ONLY_DEATH: Final = re.compile(r"\(\s*[-–—]\s*$")
_OPENS: Final = re.compile(r"\W*(?:(?:in|on|by|during|from|since)\s+)?", re.IGNORECASE)
"""Text before a date with which a sentence begins."""
_OTHER_ERA: Final = re.compile(
    r"\b(?:century|centuries|millennium)\s+(?:B\.?C\.?(?:E\.?)?|A\.?D\.?|C\.?E\.?)(?!\w)|\bA\.?D\.?\s*\d{1,3}(?!\d)"
    r"|\b\d{1,3}\s+(?:A\.?D\.?|C\.?E\.?)(?!\w)"
)
"""A time of which no year is read: "the 5th century BC", "AD 79"."""
_OPENING: Final = 600
"""Number of characters at the start of a text in which its subject's dates are looked for."""
_ENDLESS: Final = 150
"""Largest number of years of a life."""


@dataclass(frozen=True, slots=True)
class Date:
    """A date in a text, ``text[start:end]``; month and day are 0 where they are unknown, years BC are negative."""

    year: int
    month: int
    day: int
    start: int
    end: int

    def is_before(self, other: Date) -> bool | None:
        """Whether this date lies before another; None if that cannot be decided."""
        for one, two in ((self.year, other.year), (self.month, other.month), (self.day, other.day)):
            if not one or not two:
                return None
            if one != two:
                return one < two
        return None

    @property
    def days(self) -> int:
        """Approximate number of days since the year 0."""
        return self.year * 365 + (self.month or 6) * 30 + (self.day or 15)


def find_dates(text: str) -> list[Date]:
    """Find the dates of a text, each with at least its year, in order of their places.

    Years are those BC, and those from 1000 on; others are not told from other numbers.

    >>> [(one.year, one.month, one.day) for one in find_dates("born May 3, 1840, died on 12 June 1901; 1920")]
    [(1840, 5, 3), (1901, 6, 12), (1920, 0, 0)]
    >>> [one.year for one in find_dates("Olga (1303–1213 BC)")]
    [-1303, -1213]
    """
    return list(_dates(text))


def _dates(text: str) -> Iterator[Date]:
    for match in _DATE.finditer(text):
        month = month_number(match["month"]) if match["month"] else int(match["iso_month"] or 0)
        day = int(match["before"] or match["after"] or 0) if match["month"] else int(match["iso_day"] or 0)
        if not month and match["year"] and _is_amount(text, match):
            continue
        era = "before_christ" if match["before_christ"] else "year"
        year = int(match[era].replace(",", ""))
        start = match.start() if match["month"] or not match["before"] else match.start(era)
        yield Date(-year if era == "before_christ" else year, month, day, start, match.end())


def _is_amount(text: str, number: re.Match[str]) -> bool:
    """Whether a number of four digits counts what the words behind it name, or is in a unit."""
    if _UNIT.match(text, number.end()):
        return True
    noun = _PLURAL.match(text, number.end())
    if noun is None or noun[1] in STOP_WORDS:
        return False
    begin = number.start("year")
    return bool(_COUNTING.search(text, max(begin - 20, 0), begin))


def month_number(month: str) -> int:
    """Number of a month, 1 to 12, by its name or the first letters of it."""
    return next(number for name, number in _MONTHS.items() if name.startswith(month.lower().rstrip(".")))


def date_of(text: str, event: Event) -> Date | None:
    """Find the date of an event in the life of what a text is about; its dates of birth and death come first in it.

    Args:
        text: Text of a chunk.
        event: ``birth``, ``death`` or ``start``, for which the first date is taken.
    """
    dates = find_dates(text[:_OPENING])
    if not dates:
        return None
    if event == "start":
        return None if _OTHER_ERA.search(text, 0, dates[0].start) else _most_exact(dates)
    birth = next((one for one in dates if _BORN.search(text, 0, one.start)), None)
    death = next((one for one in dates if _is_death(text, one, dates)), None)
    return (birth if birth is not death else None) if event == "birth" else death


def date_beside(text: str, words: Set[str]) -> Date | None:
    """Find the date of what some words say: the next one in the sentence that has most of them.

    A date before the words counts if the sentence begins with it ("In 1934 it closed").

    Args:
        text: Text of a chunk.
        words: Stems of the words.
    """
    dates = find_dates(text)
    best, found = 0, None
    for start, end in sentence_spans(text):
        places = {stem(normalise_word(match[0])): match.start() for match in WORD.finditer(text, start, end)}
        said = sorted(place for word, place in places.items() if word in words)
        inside = [one for one in dates if start <= one.start < end]
        if len(said) <= best or not inside:
            continue
        behind = (one for one in inside if one.start > said[0])
        opening = (one for one in inside if one.start < said[0] and _OPENS.fullmatch(text, start, one.start))
        date = next(behind, next(opening, None))
        best, found = (len(said), date) if date else (best, found)
    return found


def _most_exact(dates: list[Date]) -> Date:
    """The first of several dates, or a later one in the same year with more parts."""
    return max((one for one in dates if one.year == dates[0].year), key=lambda one: (one.month > 0) + (one.day > 0))


def _is_death(text: str, date: Date, dates: list[Date]) -> bool:
    before = max(date.start - 60, 0)
    if _DIED.search(text, before, date.start) or _ONLY_DEATH.search(text, before, date.start):
        return True
    earlier = [one for one in dates if one.end <= date.start]
    return bool(earlier) and _ends_life(text, earlier[-1], date)


def _ends_life(text: str, birth: Date, death: Date) -> bool:
    """Whether two dates are joined by a dash inside brackets, as in "(3 May 1840 – 1901)"."""
    is_opened = text.rfind("(", 0, birth.start) > text.rfind(")", 0, birth.start)
    return is_opened and bool(_TO.match(text[birth.end : death.start])) and birth.year < death.year


def lifespan(text: str) -> int | None:
    """Days from the birth to the death of the person that a text is about; None if a date is missing."""
    birth, death = date_of(text, "birth"), date_of(text, "death")
    if birth is None or death is None or not 0 < death.year - birth.year < _ENDLESS:
        return None
    return death.days - birth.days
