"""Headings of texts in pages that mark none."""

from __future__ import annotations

from itertools import accumulate

import pytest

from tetragraph.model import Page
from tetragraph_loaders.page_headings import find_headings

PROSE = "We keep the hives of the northern valley under one roof, and count them twice in every year."


def headings(*pages: str) -> list[tuple[str, str]]:
    """Title of each heading, and the text from there to the end of the line."""
    text = "".join(pages)
    starts = [0, *accumulate(len(page) for page in pages)][:-1]
    found = list(find_headings(text, [Page(start, number) for number, start in enumerate(starts, start=1)]))
    assert all(heading.level == 1 for heading in found)
    return [(heading.title, text[heading.start :].split("\n", 1)[0]) for heading in found]


def test_a_short_line_of_capitalised_words_at_the_top_of_a_page_is_a_heading() -> None:
    assert headings(f"Report on the Hives\n{PROSE}\n\n", "Balance Sheet\nHives 30 28\n") == [
        ("Report on the Hives", "Report on the Hives"),
        ("Balance Sheet", "Balance Sheet"),
    ]


def test_several_lines_at_the_top_of_a_page_are_one_heading() -> None:
    assert headings(f"Valley Bees and Partners\nStatement of Honey\n(in pounds)\n{PROSE}\n") == [
        ("Valley Bees and Partners Statement of Honey", "Valley Bees and Partners")
    ]


def test_words_that_each_have_a_line_are_read_as_one_line() -> None:
    assert headings(f"BALANCE\nOF\nHONEY\n(in pounds)\n{PROSE}\n") == [("BALANCE OF HONEY", "BALANCE")]


def test_lines_at_the_edge_of_many_pages_are_no_headings() -> None:
    words = ["spring", "Summer Honey", "Winter Losses", "autumn"]
    pages = [
        f"Valley Bees\nPage {number} of 4\n{word}\n{PROSE} It was {word}.\nAnnual Report\n"
        for number, word in enumerate(words, start=1)
    ]
    assert [title for title, _ in headings(*pages)] == ["Summer Honey", "Winter Losses"]


def test_lines_of_many_pages_above_a_heading_belong_to_its_section() -> None:
    titles = ("Spring Honey", "Winter Losses", "Wax and Pollen")
    pages = [f"Valley Bees\n{number}\n{title}\n{PROSE} {title}.\n" for number, title in enumerate(titles, 1)]
    assert headings(*pages) == [(title, "Valley Bees") for title in titles]


def test_a_heading_inside_a_page_stands_between_a_sentence_and_prose() -> None:
    assert headings(f"{PROSE}\nLosses in Winter\n{PROSE}\n") == [("Losses in Winter", "Losses in Winter")]
    assert headings(f"{PROSE}\nHives Lost 12\nHives Left 18\n") == []
    assert headings(f"{PROSE[:-1]} and\nLosses in Winter\n{PROSE}\n") == []


def test_a_line_with_the_number_of_a_section_needs_no_capitals() -> None:
    assert headings(f"{PROSE}\n2.1 Losses that nobody expected\n{PROSE}\n") == [
        ("2.1 Losses that nobody expected", "2.1 Losses that nobody expected")
    ]


@pytest.mark.parametrize(
    "line",
    [
        "12 30 28",
        "Honey 12 30 28",
        "Hives are counted in spring",
        "12 hives were lost",
        "Honey, Wax and Pollen.",
        "Current Assets:",
        " ".join(["Honey"] * 15),
        "•",
    ],
)
def test_other_short_lines_are_no_headings(line: str) -> None:
    assert headings(f"{line}\n{PROSE}\n{line}\n{PROSE}\n") == []


def test_a_page_of_one_heading_alone_has_none() -> None:
    assert headings("The Valley Bees\n", f"{PROSE}\n") == []
    assert headings("\n", "") == []


def test_the_heading_of_a_page_ends_where_it_would_be_too_long() -> None:
    lines = ["The Association of the Beekeepers of the Northern Valleys of the Country"] * 3
    found = headings("\n".join([*lines, PROSE]))
    assert found == [(" ".join(lines[:2]), lines[0])]
