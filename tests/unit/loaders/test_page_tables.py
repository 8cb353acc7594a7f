"""Tables of years in texts in pages that mark no tables."""

from __future__ import annotations

from itertools import accumulate, groupby

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.model import Page
from tetragraph_loaders.page_tables import repeat_headers
from tetragraph_loaders.tables import GROUP_CHARACTERS

PROSE = "We keep the hives of the northern valley under one roof, and count them twice in every year of the plan."
UNITS = "(Pounds of honey)"
YEARS = "Years ended June 30, 2022 2021 2020"
ROWS = [f"Hives of farm {number} and its orchards {number * 1000:,} (713) 90{number}" for number in range(40)]


def paragraphs(*lines: str) -> list[list[str]]:
    """The lines of each paragraph of a page after the repetition."""
    text, pages = repeat_headers("\n".join(lines), [Page(0, 1)])
    assert pages == (Page(0, 1),)
    return [list(run) for is_filled, run in groupby(text.split("\n"), lambda line: bool(line.strip())) if is_filled]


def test_a_long_table_is_divided_into_groups_that_repeat_its_header() -> None:
    found = paragraphs(PROSE, UNITS, YEARS, *ROWS, PROSE)
    assert found[0] == found[-1] == [PROSE]
    groups = found[1:-1]
    assert len(groups) > 1
    assert all(group[:2] == [UNITS, YEARS] for group in groups)
    assert [row for group in groups for row in group[2:]] == ROWS
    sizes = [sum(map(len, group)) for group in groups]
    assert max(sizes) <= GROUP_CHARACTERS + len(ROWS[-1])
    assert max(sizes) - min(sizes) < 3 * len(ROWS[-1])


@pytest.mark.parametrize(
    "header",
    [
        ["Three Months Ended", "June 30,", "2022 2021"],
        ["(in millions, except per hive) 2022 2021 2020"],
        ["June 30, 2022 December 31, 2021", "(in millions)"],
        ["2022 2021 Change % Change"],
        ["First Quarter 2022 First Quarter 2021"],
    ],
    ids=["lines above", "units in the line", "units below", "change", "quarters"],
)
def test_a_header_has_the_lines_around_the_years_that_name_periods_and_units(header: list[str]) -> None:
    assert [group[: len(header)] for group in paragraphs("Honey", *header, *ROWS)[1:]] == [header] * 3


def test_a_short_table_is_a_paragraph_of_its_own() -> None:
    assert paragraphs(PROSE, YEARS, *ROWS[:4], PROSE) == [[PROSE], [YEARS, *ROWS[:4]], [PROSE]]


def test_a_group_does_not_end_with_the_name_of_a_part() -> None:
    parts = [line for row in ROWS for line in ("Hives of another farm in the valley:", row)]
    for group in paragraphs(YEARS, *parts):
        assert group[-1] in ROWS


def test_blank_lines_and_labels_stay_in_a_table_and_a_heading_below_does_not() -> None:
    found = paragraphs(YEARS, *ROWS[:3], " ", "Wax", *ROWS[3:5], "Losses in Winter", PROSE)
    assert found == [[YEARS, *ROWS[:3]], ["Wax", *ROWS[3:5]], ["Losses in Winter", PROSE]]


@pytest.mark.parametrize(
    "lines",
    [
        [YEARS, *ROWS[:3]],
        ["Honey fell in 2021 and 2020", *ROWS],
        ["In 2022, 2021 and 2020 we sold wax", *ROWS],
        ["Hives 2,022 2021 2020", *ROWS],
        ["Year ended June 30, 2022", *ROWS],
        ["Quarters 2022 2021", "March 31", "June 30", "September 30", "December 31"],
    ],
    ids=["few rows", "prose", "prose before", "amounts", "one year", "a list of days"],
)
def test_other_lines_stay_as_they_are(lines: list[str]) -> None:
    assert paragraphs(*lines) == [lines]


def test_each_page_has_its_own_tables_and_begins_where_its_text_does() -> None:
    first, second = "\n".join([YEARS, *ROWS, ""]), "\n".join([ROWS[0], "End"])
    text, pages = repeat_headers(f"Cover\n{first}{second}", [Page(6, 1), Page(6 + len(first), 2, "two")])
    assert text[: pages[0].start] == "Cover\n"
    assert text[pages[1].start :] == second
    assert (pages[1].number, pages[1].label) == (2, "two")
    assert repeat_headers("A text without pages", []) == ("A text without pages", ())


LINES = st.sampled_from([PROSE, UNITS, YEARS, "2022 2021", "June 30,", "Wax:", "", *ROWS])


@given(st.lists(st.lists(LINES, max_size=40), min_size=1, max_size=3))
def test_no_line_is_lost_and_none_moves_to_another_page(pages: list[list[str]]) -> None:
    texts = ["".join(f"{line}\n" for line in lines) for lines in pages]
    starts = [0, *accumulate(map(len, texts))][:-1]
    text, found = repeat_headers("".join(texts), [Page(start, number) for number, start in enumerate(starts)])
    ends = [*(page.start for page in found[1:]), len(text)]
    for page, end, before in zip(found, ends, pages, strict=True):
        lines = iter(text[page.start : end].split("\n"))
        assert all(line in lines for line in before if line)
