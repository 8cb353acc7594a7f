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
        ("with 1500 seats, over 1800 people, a fleet of 1029 boats, 1000 m or 1500-acre woods in 1930", [(1930, 0, 0)]),
        ("the 1968 riots, in 1969 elections; over 1970 as", [(1968, 0, 0), (1969, 0, 0), (1970, 0, 0)]),
        ("with 4 May 1500 seats", [(1500, 5, 4)]),
        (
            "from 2019-03-05 to 2019-02-01, 2019-20, 2020-13-01",
            [(2019, 3, 5), (2019, 2, 1), (2019, 0, 0), (2020, 0, 0)],
        ),
        ("(c. 1303 – c. 1213 BC)", [(-1303, 0, 0), (-1213, 0, 0)]),
        ("(20/21 July 356 B.C. – March 9, 323 BCE)", [(-356, 7, 21), (-323, 3, 9)]),
        (
            "(d.44 BC) from 1,500 bc, 700 before Christ to 1950",
            [(-44, 0, 0), (-1500, 0, 0), (-700, 0, 0), (1950, 0, 0)],
        ),
        ("in the 14th century BC, in 1950 by Aunt B. Cole of Sund, BC", [(1950, 0, 0)]),
    ],
)
def test_a_date_has_at_least_a_year_and_as_much_more_as_is_written(
    text: str, dates: list[tuple[int, int, int]]
) -> None:
    found = find_dates(text)
    assert [parts(one) for one in found] == dates
    assert all(f"{abs(one.year)}" in text[one.start : one.end].replace(",", "") for one in found)


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
        ("Alba, with 1500 seats, opened in 1930.", "start", (1930, 0, 0)),
        ("Old Gate was built in the 5th century BC and burned in 1687.", "start", None),
        ("Old Gate was built in AD 79 and dug out in 1748.", "start", None),
        ("Old Gate, of 4AD, was built in AD 1079 in Sund.", "start", (1079, 0, 0)),
        ("Jens Arild (1303–1213 BC) was a king.", "birth", (-1303, 0, 0)),
        ("Jens Arild (1303–1213 BC) was a king.", "death", (-1213, 0, 0)),
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
    assert lifespan("Jens Arild (1303–1213 BC) was a king.") == 90 * 365
