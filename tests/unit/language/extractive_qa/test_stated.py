"""Numbers of what a noun names, in digits and in words."""

from __future__ import annotations

import pytest

from tetragraph.language.extractive_qa.stated import find_count
from tetragraph.language.lexicon.words import stem


@pytest.mark.parametrize(
    ("text", "value", "number"),
    [
        ("It had 900,000 people.", 900_000, "900,000"),
        ("It had 6 million people.", 6_000_000, "6 million"),
        ("It had 6.2 million Danish people.", 6_200_000, "6.2 million"),
        ("It had 10,00,000 people.", 1_000_000, "10,00,000"),
        ("It had 12 lakh people.", 1_200_000, "12 lakh"),
        ("It had 1 200 people.", 1_200, "1 200"),
        ("It had 1 200.5 people.", 1_200.5, "1 200.5"),
        ("It had some 1200 people.", 1_200, "1200"),
        ("Thirteen people lived there.", 13, "Thirteen"),
        ("Twenty-five people lived there.", 25, "Twenty-five"),
        ("Two hundred people lived there.", 200, "Two hundred"),
        ("Two hundred and fifty people lived there.", 250, "Two hundred and fifty"),
        ("Two hundred thousand people lived there.", 200_000, "Two hundred thousand"),
        ("Two thousand people lived there.", 2_000, "Two thousand"),
        ("One million two hundred thousand and six people", 1_200_006, "One million two hundred thousand and six"),
        ("Hundred people lived there.", 100, "Hundred"),
        ("It had a hundred people.", 100, "hundred"),
        ("It had two dozen people.", 24, "two dozen"),
        ("In 1996 six people lived there.", 6, "six"),
        ("In 1985, 12 people lived there.", 12, "12"),
        ("It had nine half-grown people.", 9, "nine"),
        ("It had 20 and later 25 people.", 25, "25"),
    ],
)
def test_all_words_of_a_number_count(text: str, value: float, number: str) -> None:
    found = find_count(text, stem("people"))
    assert found is not None
    assert (found.value, text[slice(*found.place)]) == (value, number)


@pytest.mark.parametrize(
    "text",
    [
        "It had several hundred people.",
        "It had a few thousand people.",
        "It had half a million people, a quarter of all.",
        "A quarter of a million people lived there.",
        "It had two and a half million people.",
        "It had 6m people.",
        "It had 6.2bn people.",
        "It had 6 score people, and later 800 people.",
        "It had five million million people.",
        "It had two six people.",
        "It had 1,5 million people.",
        "It had 1.200 people.",
        "It had 1.234.567 people.",
        "Some 65% of people lived there.",
        "Some 2/3 of people lived there.",
        "The twenty-fifth of people",
        "In the 1990s people lived there.",
        "In 1990 people lived there.",
        "People lived there.",
    ],
)
def test_a_number_that_is_not_understood_counts_nothing(text: str) -> None:
    assert find_count(text, stem("people")) is None


def test_the_number_of_a_population_stands_behind_it() -> None:
    text = "It has a population of about 6.2 million in 40 towns."
    found = find_count(text, stem("population"))
    assert found is not None
    assert (found.value, text[slice(*found.place)]) == (6_200_000, "6.2 million")
