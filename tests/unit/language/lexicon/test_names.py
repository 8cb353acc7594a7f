"""Spellings of the same word, and names of the same entity."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.lexicon.names import (
    WORD,
    normalise_name,
    normalise_word,
    surface,
    without_qualifier,
)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Beyoncé", "BEYONCE"),
        ("Guns N' Roses", "guns n roses"),
        ("Mugain's", "Mugain"),
        ("O’Brien", "O'Brien"),
        ("Washington, D.C.", "Washington D C"),
        ("Jean-Luc Godard", "jean luc godard"),
        ("Straße", "STRASSE"),
        (unicodedata.normalize("NFD", "Ångström"), unicodedata.normalize("NFC", "ångström")),
    ],
)
def test_spellings_of_one_name_have_one_form(first: str, second: str) -> None:
    assert normalise_name(first) == normalise_name(second)


@pytest.mark.parametrize(("first", "second"), [("Paris", "Pari"), ("Apollo 11", "Apollo 12"), ("हिन्दी", "हिन्दू")])
def test_different_names_stay_apart(first: str, second: str) -> None:
    assert normalise_name(first) != normalise_name(second)


def test_a_name_without_letters_or_digits_has_no_form() -> None:
    assert normalise_name("… — !") == ""


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("北京大学 tower東京タワー", ["北", "京", "大", "学", "tower", "東", "京", "タワー"]),
        ("がくせい", ["が", "く", "せ", "い"]),
        ("ประเทศไทย 5เท", ["ป", "ระ", "เท", "ศ", "ไท", "ย", "5", "เท"]),
        ("ພາສາລາວ", ["ພາ", "ສາ", "ລາ", "ວ"]),
        ("한국어 문장", ["한국어", "문장"]),
    ],
)
def test_a_word_of_a_script_without_spaces_is_a_syllable(text: str, words: list[str]) -> None:
    assert WORD.findall(text) == words
    assert normalise_name(text).split() == [normalise_word(word) for word in words]


def test_an_apostrophe_at_the_edge_is_no_part_of_a_word() -> None:
    assert WORD.findall("the players' 'best' rock'n'roll") == ["the", "players", "best", "rock'n'roll"]


@given(st.text(max_size=30))
def test_the_form_of_a_form_is_itself(name: str) -> None:
    assert normalise_name(normalise_name(name)) == normalise_name(name)


@given(st.text(min_size=1, max_size=12))
def test_a_normalised_word_never_holds_a_space_or_a_line_break(text: str) -> None:
    for word in WORD.findall(text):
        assert not any(character.isspace() for character in normalise_word(word))


def test_only_the_last_bracket_of_a_title_is_a_qualifier() -> None:
    assert without_qualifier("Help! (song) (live)") == "Help! (song)"


def test_a_title_that_is_all_bracket_stays() -> None:
    assert without_qualifier("(untitled)") == "(untitled)"


def test_a_name_for_people_has_single_spaces_and_no_possessive() -> None:
    assert surface("Karan\n Johar's") == "Karan Johar"
