"""Sentence spans are exact offsets into the unchanged text."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.lexicon.sentences import sentence_spans

FRAGMENTS = [
    "a",
    "J.",
    ". ",
    "! ",
    "\n",
    "\n\n",
    "\r\n",
    "\u0085",
    "\u00a0",
    " ",
    "。",
    "🙂",
    "e\u0301",
    "“",
    "”",
    "Dr.",
    "3.",
]


def sentences(text: str) -> list[str]:
    return [text[start:end] for start, end in sentence_spans(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        (" \n\t ", []),
        ("Dr. Smith left. It rained.", ["Dr. Smith left.", "It rained."]),
        ("Über Nacht kam Schnee! Öde?", ["Über Nacht kam Schnee!", "Öde?"]),
        ("这是第一句。这是第二句！", ["这是第一句。", "这是第二句！"]),
        ("A 👩‍👩‍👧 laughed. 🙂 Done.", ["A 👩‍👩‍👧 laughed.", "🙂 Done."]),
        ("  One line\n\nAnother one  ", ["One line", "Another one"]),
    ],
)
def test_sentences_of_known_texts_are_found(text: str, expected: list[str]) -> None:
    assert sentences(text) == expected


def test_an_unusual_space_after_an_initial_is_read_like_a_space() -> None:
    text = "x J.\u0085Smith came. He left."
    assert sentences(text) == ["x J.\u0085Smith came.", "He left."]


@pytest.mark.parametrize("space", ["\x0b", "\x0c", "\x1c", "\x1f", "\u0085", "\u2003"])
def test_an_unusual_space_separates_like_a_space(space: str) -> None:
    assert sentence_spans(f"! {space}! ") == sentence_spans("!  ! ")


@given(
    st.lists(st.one_of(st.sampled_from(FRAGMENTS), st.characters(exclude_categories=["Cs"])), max_size=30).map("".join)
)
def test_spans_are_in_order_trimmed_and_cover_everything_but_whitespace(text: str) -> None:
    end = 0
    for start, stop in sentence_spans(text):
        assert not text[end:start].strip()
        assert text[start:stop] == text[start:stop].strip() != ""
        end = stop
    assert not text[end:].strip()
