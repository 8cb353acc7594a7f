"""Quotations are found in any typography, and only where they occur."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tetragraph.language.lexicon.quotations import find_quotation

TEXT = "The “Grey Harbour”  is a memoir\nby Ida Brandt – published in 1958. Its ﬁrst page names Halvik’s pier."


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("is a memoir by Ida Brandt", "is a memoir\nby Ida Brandt"),
        ('the "grey harbour" is', "The “Grey Harbour”  is"),
        ("Ida Brandt - published", "Ida Brandt – published"),
        ("Halvik's pier", "Halvik’s pier"),
        ("its first page", "Its ﬁrst page"),
        ('  "published in 1958." ', "published in 1958"),
        ("… by Ida Brandt …", "by Ida Brandt"),
    ],
)
def test_blanks_case_quotation_marks_and_dashes_do_not_count(words: str, found: str) -> None:
    place = find_quotation(TEXT, words)
    assert place is not None
    assert TEXT[slice(*place)] == found


@pytest.mark.parametrize("words", ["", "   ", '"', "published in 1959", "moir by Ida", "Ida Bran", "by  Tomas"])
def test_what_is_not_there_in_whole_words_is_not_found(words: str) -> None:
    assert find_quotation(TEXT, words) is None


def test_a_part_of_a_word_does_not_hide_the_word_behind_it() -> None:
    assert find_quotation("The artist loves art.", "art") == (17, 20)


@given(st.text(), st.text(), st.text())
@example("ß", "SS", "")
@example("İ", "i", "\u0307")
@example("", "ﬃ", "")
def test_every_place_is_inside_the_text_and_reads_like_the_words(before: str, words: str, after: str) -> None:
    text = f"{before} {words} {after}"
    place = find_quotation(text, words)
    if place is not None:
        start, end = place
        assert 0 <= start < end <= len(text)
        assert find_quotation(text[start:end], words) is not None
    elif words.isascii():
        assert not any(character.isalnum() for character in words)
