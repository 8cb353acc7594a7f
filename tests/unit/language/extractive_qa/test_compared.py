"""Questions about the first or last of two entities, answered by the years in their chunks."""

from __future__ import annotations

import pytest

from tetragraph.language.extractive_qa import find_span
from tetragraph.language.extractive_qa.compared import find_first_or_last
from tetragraph.model import Chunk

PAGES = {
    "Low Tide (poem)": "Low Tide is a poem of 1899 by Jens Arild. It was printed in 1903.",
    "The Grey Harbour": "The Grey Harbour is a memoir, published in 1958.",
    "Mina Holt": "Wilhelmina Holt (1880 – 1941) was a sculptor. Mina Holt lived in Halvik.",
    "Jens Arild": "Jens Arild (1875 – 1950) was a poet.",
    "Halvik": "Halvik is a town.",
}
PASSAGES = [Chunk(title, title, title, title, text, 0, 0, len(text), 9) for title, text in PAGES.items()]


@pytest.mark.parametrize(
    ("question", "name"),
    [
        ("Which came out first, Low Tide or The Grey Harbour?", "Low Tide"),
        ('Which was published later, "Low Tide" or "The Grey Harbour"?', "The Grey Harbour"),
        ("Who is older, Mina Holt or Jens Arild?", "Jens Arild"),
        ("Who was born last, Mina Holt or Jens Arild?", "Mina Holt"),
        ("Who died first, Jens Arild or Mina Holt?", "Mina Holt"),
    ],
)
def test_the_years_decide(question: str, name: str) -> None:
    found = find_first_or_last(question, PASSAGES)
    assert found is not None
    assert found[1].removeprefix("The ") == name.removeprefix("The ")


@pytest.mark.parametrize(
    "question",
    [
        "Which is longer, Low Tide or The Grey Harbour?",
        "Who was the first, and who the last, Mina Holt or Jens Arild?",
        "Which is older, Halvik or Low Tide?",
        "Which is older, Old Port or Low Tide?",
        "Who was born first, Mina Holt or Mina Holt?",
        "Was Mina Holt the first sculptor of Halvik?",
        "",
    ],
)
def test_without_two_times_nothing_is_chosen(question: str) -> None:
    assert find_first_or_last(question, PASSAGES) is None


def test_the_answer_is_a_place_where_the_passage_names_it() -> None:
    span = find_span("Who is younger, Jens Arild or Mina Holt?", PASSAGES)
    assert span is not None
    assert span.chunk.text[span.start : span.end] == "Mina Holt"
    assert span.chunk.text[slice(*span.sentence)] == "Mina Holt lived in Halvik."
