"""Heights, lengths and times in texts, and what a question with "higher" compares."""

from __future__ import annotations

import pytest

from tetragraph.language.extractive_qa.quantities import find_extent, find_height, find_measures

CITY = "Halvik, at 40 m above the sea, has a population of 12,300, four towers and three members."


@pytest.mark.parametrize(
    ("text", "metres"),
    [
        ("A tower of 1 200 m.", 1200),
        ("A tower of 1.200 m.", None),
        ("A tower of 1,5 m.", None),
        ("A wall 9 km high and 200 m wide.", 9000),
        ("A wall 200 m wide and 9 m (30 ft) high.", 9),
        ("It has a width of 200 m and a height of 9 m.", 9),
        ("It is 5 km from Sund and 2 miles away, at 1,200 m.", 1200),
        ("It ran for 90 min at 120 km/h up to 300 metres.", 300),
        ("He is 5 ft 10 in tall.", 1.778),
        ("A 20-metre tower.", 20),
        ("A wall 200 m long.", None),
    ],
)
def test_a_height_is_read_with_its_unit_and_no_other_extent_is(text: str, metres: float | None) -> None:
    found = find_height(text)
    assert (found.value if found else None) == metres


@pytest.mark.parametrize(
    ("text", "length"),
    [
        ("It is 1 hour 35 minutes long.", 95),
        ("It is 1 hour and 35 minutes long.", 95),
        ("A running time of 2 hours.", 120),
        ("It is 2 minutes 30 seconds long.", 2.5),
        ("It is 2 hours and a half long.", None),
        ("It is 1 200 m long.", 1200),
        ("It is 2 km 300 m long.", 2300),
        ("It is 1.2 km long.", 1200),
        ("It is 0.125 km long.", 125),
        ("It is 1.200 km long.", None),
        ("It has a length of 1.200.000 km, of which 3 m are old.", None),
    ],
)
def test_a_length_is_read_with_all_its_parts(text: str, length: float | None) -> None:
    found = find_extent(text, "long|length|running time")
    assert (found.value if found else None) == length


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("Which is higher, _ or _?", 40),
        ("Which city lies higher above sea level, _ or _?", 40),
        ("Which is the highest peak in Nepal, _ or _?", 40),
        ("Is _ or _ taller?", 40),
        ("Which is the tallest old barn, _ or _?", 40),
        ("Which city has a higher population, _ or _?", 12_300),
        ("Which city is higher in population, _ or _?", 12_300),
        ("Which city has the higher number of members, _ or _?", 3),
        ("Which city has a higher number of old towers in it, _ or _?", 4),
        ("Which city has a higher crime rate, _ or _?", None),
        ("Which city has a higher population density, _ or _?", None),
        ("Which city has a larger population density, _ or _?", None),
    ],
)
def test_higher_compares_heights_unless_something_else_is_named(question: str, value: float | None) -> None:
    measures, is_larger = find_measures(question)
    assert is_larger
    (found,) = (measure(CITY) for measure in measures)
    assert (found.value if found else None) == value
