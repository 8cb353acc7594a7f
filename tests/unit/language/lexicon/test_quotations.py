"""Quotations are found in any typography, and only where they occur."""

from __future__ import annotations

import unicodedata
from typing import Literal, TypeAlias

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tetragraph.language.lexicon.quotations import find_quotation

Form: TypeAlias = Literal["NFC", "NFD"]
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("中国的首都是北京，人口众多。", "首都是北京"),
        ("夏目漱石は東京で生まれた。", "東京で生まれた"),
        ("東京タワーは港区にある。", "タワー"),
        ("東京tower", "tower"),
        ("กรุงเทพเป็นเมืองหลวงของประเทศไทย", "เมืองหลวง"),
        ("กรุงเทพเป็นเมืองหลวงของประเทศไทย", "เป็นเมือง"),
        ("น้ำabc", "น้ำ"),
    ],
)
def test_a_quotation_may_begin_and_end_at_each_syllable_of_a_script_without_spaces(text: str, words: str) -> None:
    place = find_quotation(text, words)
    assert place is not None
    assert text[slice(*place)] == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("ดื่มน้ำ", "น"),
        ("ดื่มน้ำ", "น้"),
        ("ประเทศไทย", "ทย"),
        ("ประเทศไทย", "ปร"),
        ("東京タワー", "タワ"),
        ("がくせい", "か"),
        ("रामायण", "राम"),
    ],
)
def test_a_sign_is_not_cut_off_its_letter(text: str, words: str) -> None:
    assert find_quotation(text, words) is None


@pytest.mark.parametrize("text_form", ["NFC", "NFD"])
@pytest.mark.parametrize("words_form", ["NFC", "NFD"])
@pytest.mark.parametrize("words", ["Das Café in Ålesund", "서울은 수도", "がくせい", "Cafe\u0301"])
def test_all_forms_of_unicode_are_one_spelling(words: str, text_form: Form, words_form: Form) -> None:
    text = unicodedata.normalize(text_form, f"… {words}, öffnet")
    place = find_quotation(text, unicodedata.normalize(words_form, words))
    assert place is not None
    assert text[slice(*place)] == unicodedata.normalize(text_form, words)


def test_soft_hyphens_and_zero_width_spaces_do_not_count() -> None:
    assert find_quotation("a me\u00admoir", "memoir") == (2, 9)
    assert find_quotation("a memoir", "me\u00admoir\ufeff") == (2, 8)
    assert find_quotation("เมือง\u200bหลวง", "เมืองหลวง") == (0, 10)


def test_underscores_around_words_are_no_letters() -> None:
    assert find_quotation("The film _Low Tide_ of 1958", "Low Tide") == (10, 18)


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
