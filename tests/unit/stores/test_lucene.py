"""Only words reach Lucene's parser."""

from __future__ import annotations

import re

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
    assert not set('+-&|!(){}[]^"~*?:\\/<>=') & set(words[1])
    assert not {"AND", "OR", "NOT", "TO"} & set(words[1].split())


def test_a_text_without_letters_or_digits_is_no_query() -> None:
    assert lucene_query('?! "" -- ___ ', "c") is None


def test_words_are_asked_for_once_and_not_beyond_the_limit() -> None:
    query = lucene_query("a a " + " ".join(f"w{number}" for number in range(2 * MAX_CLAUSES)), "c")
    assert query is not None
    assert query.count(" w") == 2 * (MAX_CLAUSES - 1)
