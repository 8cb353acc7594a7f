"""The words of a corpus as columns."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.language.lexicon.analysis import (
    CAPITAL,
    FIRST,
    LOWER,
    TITLE,
    Analysis,
    analyse_chunks,
    analyse_text,
    titles,
)
from tetragraph.model import Chunk, content_id

TEXTS = st.text(alphabet="AbC dé.,'\n1-", max_size=40)


def chunk(text: str, title: str = "", document_title: str = "", position: int = 0) -> Chunk:
    key = content_id(document_title, title, text, str(position))
    return Chunk(key, "d", title or document_title, document_title, text, position, 0, len(text), 1)


def assert_same(first: Analysis, second: Analysis) -> None:
    left, right = first.arrays(), second.arrays()
    assert left.keys() == right.keys()
    for name in left:
        np.testing.assert_array_equal(left[name], right[name], err_msg=name)
        assert left[name].dtype == right[name].dtype, name


def spans(analysis: Analysis, text: str) -> list[str]:
    first = np.flatnonzero(analysis.span)
    last = first + analysis.span[first] - 1
    return [text[a:b] for a, b in zip(analysis.start[first].tolist(), analysis.end[last].tolist(), strict=True)]


def test_columns_tell_word_place_and_case() -> None:
    text = "Ada met bob. He left."
    analysis = analyse_text(text)
    assert [analysis.words[word] for word in analysis.word] == ["ada", "met", "bob", "he", "left"]
    assert [text[a:b] for a, b in zip(analysis.start, analysis.end, strict=True)] == ["Ada", "met", "bob", "He", "left"]
    assert analysis.flags.tolist() == [CAPITAL | FIRST, LOWER, LOWER, CAPITAL | FIRST, LOWER]


def test_titles_come_first_and_are_marked() -> None:
    analysis = analyse_chunks([chunk("It grew.", title="History", document_title="Paris")])
    assert [analysis.words[word] for word in analysis.word] == ["paris", "history", "it", "grew"]
    assert (analysis.flags & TITLE > 0).tolist() == [True, True, False, False]


def test_equal_titles_count_once_and_empty_ones_not() -> None:
    assert titles(chunk("x", title="Paris", document_title="Paris")) == ("Paris",)
    assert titles(chunk("x")) == ()


def test_capitalised_spans_join_over_small_words_and_digits() -> None:
    text = "The Lord of the Rings and Apollo 11 opened near Mount Everest."
    assert spans(analyse_text(text), text) == ["The Lord of the Rings", "Apollo 11", "Mount Everest"]


def test_punctuation_and_sentences_end_a_span() -> None:
    text = "We saw Paris, Rome (Ostia). Then Jean-Luc Godard came."
    assert spans(analyse_text(text), text) == ["We", "Paris", "Rome", "Ostia", "Then Jean-Luc Godard"]


def test_a_word_that_is_joined_to_a_syllable_begins_no_name() -> None:
    text = "The O記實錄 of Panthers隊 and Apple 公司, then II."
    analysis = analyse_text(text)
    assert spans(analysis, text) == ["The", "Apple", "II"]
    assert [analysis.words[word] for word in analysis.word][1:6] == ["o", "記", "實", "錄", "of"]


def test_a_span_does_not_end_in_a_small_word() -> None:
    text = "the House of nobody"
    assert spans(analyse_text(text), text) == ["House"]


def test_no_chunk_and_no_text_give_empty_columns() -> None:
    assert len(analyse_chunks([]).word) == 0
    empty = analyse_chunks([chunk("")])
    assert empty.bounds.tolist() == [0, 0]


@given(st.lists(TEXTS, unique=True, max_size=6), st.lists(TEXTS, unique=True, max_size=6))
def test_what_is_known_gives_the_same_columns_as_reading_anew(before: list[str], now: list[str]) -> None:
    known = analyse_chunks([chunk(text, "Title A") for text in before]).arrays()
    chunks = [chunk(text, "Title A") for text in now]
    assert_same(analyse_chunks(chunks, known), analyse_chunks(chunks))


def test_words_of_a_chunk_with_other_titles_are_read_anew() -> None:
    before, now = (replace(chunk("A text."), document_title=title) for title in ("Halvik Mill", "Torsund"))
    known = analyse_chunks([before]).arrays()
    assert_same(analyse_chunks([now], known), analyse_chunks([now]))


def test_arrays_make_the_analysis_again() -> None:
    analysis = analyse_chunks([chunk("Ada, Bob and ζeta.", "Title")])
    assert_same(Analysis.from_arrays(analysis.arrays()), analysis)
