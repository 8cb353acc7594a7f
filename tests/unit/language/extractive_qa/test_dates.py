"""Dates in a text, and those of the birth and death of its subject."""

from __future__ import annotations

import pytest

from tetragraph.language.extractive_qa.dates import Date, Event, date_of, find_dates, lifespan

BORN_AND_DIED = "Jens Arild (3 May 1875 – June 9, 1950) was a poet. Low Tide came out in 1899."


def parts(date: Date | None) -> tuple[int, int, int] | None:
    return (date.year, date.month, date.day) if date else None


@pytest.mark.parametrize(
    ("text", "dates"),
    [
        ("built in 1874.", [(1874, 0, 0)]),
        ("on 12 June 1861 and July 4, 1899", [(1861, 6, 12), (1899, 7, 4)]),
        ("in Sept. 1901, on the 3rd of May 1902", [(1901, 9, 0), (1902, 5, 3)]),
        ("had 17 boats in May, 1903", [(1903, 5, 0)]),
        ("1,874 boats, 12345 nets, 987 ropes", []),
        ("(21 March 192011 January 2010)", [(1920, 3, 21), (2010, 1, 11)]),
        ("(190030 April 1985), 190030 boats", [(1900, 0, 0), (1985, 4, 30)]),
    ],
)
def test_a_date_has_at_least_a_year_and_as_much_more_as_is_written(
    text: str, dates: list[tuple[int, int, int]]
) -> None:
    found = find_dates(text)
    assert [parts(one) for one in found] == dates
    assert all(str(one.year) in text[one.start : one.end] for one in found)


@pytest.mark.parametrize(
    ("text", "event", "date"),
    [
        (BORN_AND_DIED, "birth", (1875, 5, 3)),
        (BORN_AND_DIED, "death", (1950, 6, 9)),
        (
            "Mina Holt (born Wilhelmina Q. Holt; 2 May 1880) was born in Halvik. She died in 1941.",
            "birth",
            (1880, 5, 2),
        ),
        ("Mina Holt (born 2 May 1880) was a sculptor. She died in Halvik on 1 May 1941.", "death", (1941, 5, 1)),
        ("Mina Holt (born 2 May 1880) is a sculptor. She won a prize in 1941.", "death", None),
        ("Low Tide is a poem of 1899. It was printed in 1903.", "start", (1899, 0, 0)),
        ("Low Tide came out in 1899. It was printed on 7 May 1899.", "start", (1899, 5, 7)),
        ("Low Tide is a poem.", "start", None),
        ("She died in 1941.", "birth", None),
        ("Jens Arild (21 March 192011 January 2010) was a poet.", "death", (2010, 1, 11)),
        ("Jens Arild (May 25, 1902 December 5, 1981) was a poet.", "death", (1981, 12, 5)),
        ("Jens Arild (– November 4, 1873) was a poet.", "death", (1873, 11, 4)),
        ("Jens Arild (– November 4, 1873) was a poet.", "birth", None),
    ],
)
def test_the_date_of_an_event_is_read_from_the_words_around_it(
    text: str, event: Event, date: tuple[int, int, int] | None
) -> None:
    assert parts(date_of(text, event)) == date


def test_two_dates_are_compared_by_the_parts_that_both_have() -> None:
    year, month, day = find_dates("1899; May 1899; 3 May 1899")
    (later,) = find_dates("4 May 1899")
    assert day.is_before(later)
    assert not later.is_before(day)
    assert year.is_before(month) is None
    assert month.is_before(day) is None
    assert day.is_before(day) is None


def test_a_lifespan_needs_both_dates() -> None:
    assert lifespan(BORN_AND_DIED) == (1950 - 1875) * 365 + (6 - 5) * 30 + 9 - 3
    assert lifespan("Jens Arild (born 1875) was a poet.") is None
    assert lifespan("Halvik (1100 – 1900) was a town.") is None
