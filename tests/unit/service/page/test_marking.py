"""Marks in texts: all text is escaped, and nothing but marks is added."""

from __future__ import annotations

import html
import re

from hypothesis import given
from hypothesis import strategies as st

from tetragraph.service.page.marking import mark_spans, mark_words


@given(st.text(max_size=200), st.text(max_size=60))
def test_without_its_marks_a_text_is_the_escaped_text(text: str, question: str) -> None:
    marked = str(mark_words(text, question))
    assert html.unescape(re.sub(r"</?mark>", "", marked)) == text
    assert "<" not in re.sub(r"</?mark>", "", marked)


def test_words_of_the_question_are_marked_in_any_case_and_as_plurals() -> None:
    marked = mark_words(
        "Harbours of HALVIK: the harbour, and Halvik's fleet of 1874", "Who built Halvik harbour in 1874?"
    )
    assert re.findall("<mark>(.*?)</mark>", str(marked)) == ["Harbours", "HALVIK", "harbour", "Halvik&#39;s", "1874"]


def test_words_that_carry_nothing_are_not_marked() -> None:
    assert "<mark>" not in mark_words("The who of it is in an", "Who is the of in it?")


def test_only_the_first_span_can_be_linked_to() -> None:
    assert mark_spans("a<b>c", [(0, 1), (4, 5)], name="cited") == ('<mark id="cited">a</mark>&lt;b&gt;<mark>c</mark>')
