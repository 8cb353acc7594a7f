"""Compares two entities by time: which came first, what lasted longer, whether both did something in the same year."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.extractive_qa.comparison import Comparison, choose_by_measure, choose_one, show, tell
from tetragraph.language.extractive_qa.dates import Date, Event, date_beside, date_of, find_dates, lifespan
from tetragraph.language.extractive_qa.pairs import Pair
from tetragraph.language.extractive_qa.periods import asks_for_period, find_period, is_longer
from tetragraph.language.extractive_qa.sentences import stems
from tetragraph.language.questions.answer_type import expected_type

_EARLIER: Final = re.compile(r"\b(?:first|earlier|earliest|older|oldest|elder|before)\b", re.IGNORECASE)
_LATER: Final = re.compile(
    r"\b(?:last|later|latest|younger|youngest|newer|newest|(?:more|most) recent(?:ly)?|after)\b", re.IGNORECASE
)
_OLD: Final = re.compile(r"\b(?:older|oldest|younger|youngest)\b", re.IGNORECASE)
_LIVED: Final = re.compile(
    r"\b(?:lived? (?:the )?(?:long|short)(?:er|est)|(?:long|short)er (?:life(?:span|time)?|lived)|outlived"
    r"|(?:live[ds]?|got|get|gets) to (?:be |become )?(?:an? |the )?(?:\w+ )?(?:older|oldest|younger|youngest)"
    r"|(?:older|oldest|younger|youngest|higher|highest|greater|greatest|lower|lowest|earlier|earliest|later) age)\b",
    re.IGNORECASE,
)
_BRIEF: Final = re.compile(r"\b(?:shorter|shortest|younger|youngest|lower|lowest|earlier|earliest)\b", re.IGNORECASE)
"""Words of a question that asks for the shorter of two lives."""
_LONGER: Final = re.compile(r"\b(?:(?:been around|existed|running) (?:for )?longer|longer running)\b", re.IGNORECASE)
_DEATH: Final = re.compile(r"\b(?:died|dies|death|die|passed away)\b", re.IGNORECASE)
_BIRTH: Final = re.compile(r"\b(?:born|birth(?:days?|dates?)?)\b", re.IGNORECASE)
_AGE: Final = re.compile(r"\b(?:older|oldest|younger|youngest|elder|newer|newest)\b", re.IGNORECASE)
_SAME: Final = re.compile(
    r"\b(?:same|(?P<different>different))\s+(?:calendar\s+)?(?:birth|death)?\s*"
    r"(?:(?P<part>day|date|month|year|decade)s?|(?P<century>century|centuries)|ages?|eras?|periods?|times?|weeks?)\b",
    re.IGNORECASE,
)
"""Words for the part of a date that is compared, and for times that no rule reads."""
_KIND: Final = re.compile(r"\b(?:which|what)\s+\w+", re.IGNORECASE)
"""Words for the kind of thing that is asked for, which is no event."""
_STARTS: Final = stems(
    """
    start started begin began begun come came founded established formed created released published premiered aired
    filmed shot opened built constructed completed introduced launched invented made produced recorded written wrote
    appeared debuted incorporated organized inaugurated chartered discovered described named debut release publication
    foundation formation beginning exist existed service operation
    """
)
"""Stems of words for the first date of what a text is about."""
_NO_EVENT: Final = stems("around been went got had year time two one out")
_PARTS: Final[Mapping[str, Callable[[Date], tuple[int, ...]]]] = {
    "day": lambda date: (date.month, date.day),
    "date": lambda date: (date.year, date.month, date.day),
    "month": lambda date: (date.month,),
    "year": lambda date: (date.year,),
    "decade": lambda date: (int(date.year / 10),),
    "century": lambda date: ((date.year - (date.year > 0)) // 100,),
}
"""Parts of a date by their names; centuries BC are counted from the year 1 back, as years are."""


def asks_for_time(rest: str) -> bool:
    """Whether a question compares by time: which is earlier or later, or who lived or lasted longer.

    Args:
        rest: The question without the names of what it compares.
    """
    if _asks_for_lifespan(rest) or asks_for_period(rest):
        return True
    return _is_earlier(rest) != bool(_LATER.search(rest))


def compare_times(pair: Pair) -> Comparison | None:
    """Choose one of two by a date, a lifespan or a period; None if the texts do not state both, or they are equal."""
    if _asks_for_lifespan(pair.rest):
        return _by_lifespan(pair)
    if asks_for_period(pair.rest):
        return _by_period(pair)
    dates = _find_dates(pair)
    if dates is None:
        return None
    is_before = dates[0].is_before(dates[1])
    if is_before is None:
        return None
    return choose_one(pair, int(is_before != _is_earlier(pair.rest)), "dates", _show(pair, dates), _places(dates))


def asks_for_same_time(rest: str) -> bool:
    """Whether a question asks if two things are of the same or of different years, days, decades or other times.

    Args:
        rest: The question without the names of what it compares.
    """
    return bool(_SAME.search(rest))


def are_simultaneous(pair: Pair) -> Comparison | None:
    """Answer whether both are of the same time, or of different ones.

    Returns:
        None if a text does not state its date, or not exactly enough, or the time is no part of a date.
    """
    same = _SAME.search(pair.rest)
    if same is None:
        return None
    part = "century" if same["century"] else same["part"]
    dates = _find_dates(pair) if part else None
    if dates is None:
        return None
    one, other = (_PARTS[part.lower()](date) for date in dates)
    if not (all(one) and all(other)):
        return None
    is_yes = (one == other) != bool(same["different"])
    return tell(pair, "yes" if is_yes else "no", "dates", _show(pair, dates), _places(dates))


def _asks_for_lifespan(rest: str) -> bool:
    """Whether a question compares how long two persons lived: who died younger did not die later."""
    return bool(_LIVED.search(rest) or (_OLD.search(rest) and _DEATH.search(rest)))


def _is_earlier(rest: str) -> bool:
    return bool(_EARLIER.search(rest) or _LONGER.search(rest))


def _find_dates(pair: Pair) -> tuple[Date, Date] | None:
    """The dates of what the question asks for."""
    texts = (pair.one.chunk.text, pair.other.chunk.text)
    event = _event(pair)
    asked = _words_of_event(pair) if event == "start" else set()
    found = [date_beside(text, asked) if asked else date_of(text, event) for text in texts]
    if event == "birth":
        found = [date or _first_unless_death(text) for text, date in zip(texts, found, strict=True)]
    one, other = found
    if one is None or other is None or _lacks_birth(pair, (one, other)):
        return None
    return one, other


def _lacks_birth(pair: Pair, dates: tuple[Date, Date]) -> bool:
    """Whether births are compared, one text states none, and its date leaves open which was first.

    Who did something before another person was born is older; who did something later may be older or younger.
    """
    texts = (pair.one.chunk.text, pair.other.chunk.text)
    births = [date_of(text, "birth") for text in texts]
    if births.count(None) != 1:
        return False
    unknown = births.index(None)
    return _compares_births(pair.rest, texts[1 - unknown]) and not dates[unknown].is_before(dates[1 - unknown])


def _compares_births(rest: str, text: str) -> bool:
    """Whether a question asks which person is older or was born first, and for no other event.

    Args:
        rest: The question without the names of what it compares.
        text: The text that states a birth, or the like of one: "(1992)" stands behind films, too.
    """
    if _DEATH.search(rest) or stems(rest) & _STARTS:
        return False
    types = expected_type(rest).types
    is_person = TYPES["PERSON"] in types if types else _BIRTH.search(text)
    return bool(_BIRTH.search(rest) or (_AGE.search(rest) and is_person))


def _first_unless_death(text: str) -> Date | None:
    date = date_of(text, "start")
    return None if date is None or date == date_of(text, "death") else date


def _event(pair: Pair) -> Event:
    if _DEATH.search(pair.rest):
        return "death"
    is_person = all(date_of(one.chunk.text, "birth") for one in (pair.one, pair.other))
    return "birth" if _BIRTH.search(pair.rest) or (_AGE.search(pair.rest) and is_person) else "start"


def _words_of_event(pair: Pair) -> set[str]:
    """Stems of the words for what happened; none if it is a beginning. Words that both texts open with say no event."""
    if _AGE.search(pair.rest):
        return set()
    rest = pair.rest
    for pattern in (_KIND, _EARLIER, _LATER, _LONGER, _SAME):
        rest = pattern.sub(" ", rest)
    asked = stems(rest) - _NO_EVENT - {"_"}
    if asked & _STARTS:
        return set()
    one, other = (stems(_opening(each.chunk.text)) for each in (pair.one, pair.other))
    return asked - (one & other)


def _opening(text: str) -> str:
    """Text before the first date."""
    return text[: next((date.start for date in find_dates(text)), 0)]


def _by_lifespan(pair: Pair) -> Comparison | None:
    """Choose by the time from birth to death."""
    one, other = (lifespan(each.chunk.text) for each in (pair.one, pair.other))
    if one is None or other is None or one == other:
        return None
    chosen = int((other > one) != bool(_BRIEF.search(pair.rest)))
    return choose_one(pair, chosen, "dates", show(pair, [f"{round(days / 365)} years" for days in (one, other)]))


def _by_period(pair: Pair) -> Comparison | None:
    """Choose by how long something lasted."""
    measure = partial(find_period, rest=pair.rest)
    return choose_by_measure(pair, measure, "dates", is_larger=is_longer(pair.rest), unit=" days")


def _show(pair: Pair, dates: Sequence[Date]) -> str:
    texts = (pair.one.chunk.text, pair.other.chunk.text)
    return show(pair, [text[date.start : date.end] for text, date in zip(texts, dates, strict=True)])


def _places(dates: Sequence[Date]) -> list[tuple[int, int]]:
    return [(date.start, date.end) for date in dates]
