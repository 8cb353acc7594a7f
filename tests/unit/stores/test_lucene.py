"""Only words reach Lucene's parser."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.stores.lucene import MAX_CLAUSES, lucene_query


@given(st.text())
def test_no_syntax_of_the_text_is_left(text: str) -> None:
    query = lucene_query(text, "c")
    if query is None:
        return
    words = re.fullmatch(r'\+corpus:"c"\^0 \+\(title:\((.*)\) text:\((.*)\)\)', query, re.DOTALL)
    assert words is not None
    assert words[1] == words[2]
    assert not set('+-&|!(){}[]^"~*?\\/<>=') & set(words[1].replace(r"\:", ""))
    assert ":" not in words[1].replace(r"\:", "")
    assert not {"AND", "OR", "NOT", "TO"} & set(words[1].split())


def test_a_text_without_letters_or_digits_is_no_query() -> None:
    assert lucene_query('?! "" -- ___ ', "c") is None


def test_words_are_asked_for_once_and_not_beyond_the_limit() -> None:
    query = lucene_query("a a " + " ".join(f"w{number}" for number in range(2 * MAX_CLAUSES)), "c")
    assert query is not None
    assert query.count(" w") == 2 * (MAX_CLAUSES - 1)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("king's O'Neill's", ["king's", "o'neill's", "o\u2019neill\u2019s"]),
        ("1.234.567,89 EUR", ["1.234.567,89", "1.234.567", "89", "eur"]),
        ("12;5", ["12;5", "12", "5"]),
        ("mode:strict 3:1 a,b", [r"mode\:strict", "mode", "strict", "3", "1", "a", "b"]),
        ("O'Neill O\u2019Brien", ["o'neill", "o\u2019neill", "o\u2019brien", "o'brien"]),
    ],
)
def test_words_are_divided_as_the_index_divides_texts(text: str, words: list[str]) -> None:
    query = lucene_query(text, "c")
    assert query is not None
    assert f" text:({' '.join(words)}))" in query


def test_where_every_word_is_asked_for_a_token_may_have_either_apostrophe() -> None:
    expected = "+(title:(1,250) text:(1,250)) +(title:(o'neill o\u2019neill) text:(o'neill o\u2019neill))"
    assert lucene_query("1,250 O'Neill", "c", every=True) == f'+corpus:"c"^0 {expected}'
