"""Terms of the keyword search."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.lexicon.words import STOP_WORDS, stem


@pytest.mark.parametrize(
    "forms",
    [
        ("produce", "produced", "produces", "producing"),
        ("country", "countries"),
        ("direct", "directs", "directed", "directing"),
        ("stop", "stops", "stopped", "stopping"),
        ("church", "churches"),
        ("class", "classes"),
        ("quick", "quickly"),
        ("play", "plays", "played"),
    ],
)
def test_forms_of_a_word_are_one_term(forms: tuple[str, ...]) -> None:
    assert len({stem(form) for form in forms}) == 1


@pytest.mark.parametrize(("first", "second"), [("bus", "bu"), ("string", "str"), ("nation", "national"), ("king", "k")])
def test_words_that_only_look_alike_stay_apart(first: str, second: str) -> None:
    assert stem(first) != stem(second)


@pytest.mark.parametrize("word", ["1990s", "straße", "москва", "ing", "r2d2"])
def test_what_is_no_plain_english_word_is_left_alone(word: str) -> None:
    assert stem(word) == word


@given(st.text(alphabet="abcdefgilnstuyz", min_size=1, max_size=12))
def test_a_stem_is_never_empty_and_never_longer(word: str) -> None:
    assert 0 < len(stem(word)) <= len(word)


def test_stop_words_are_normalised() -> None:
    assert all(word == word.lower() and word.isalpha() for word in STOP_WORDS)
