"""The answer is read from a streamed reply, regardless of the limits of its pieces."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tetragraph.language.llm_steps.answer import one_line
from tetragraph.language.llm_steps.answer_reader import AnswerReader

QUOTES = [{"passage": 1, "words": 'a "quote", {with} "answer": "no"'}]


def read(text: str, size: int) -> list[str]:
    reader = AnswerReader()
    pieces = [reader.feed(text[start : start + size]) for start in range(0, len(text), size)]
    return [piece for piece in pieces if piece]


def written(answer: str, *, sufficient: bool = True, ascii_only: bool = False, indent: int | None = None) -> str:
    reply = {"quotes": QUOTES, "sufficient": sufficient, "answer": answer, "follow_up": "And then?"}
    return json.dumps(reply, ensure_ascii=ascii_only, indent=indent)


@given(st.text(), st.integers(1, 7), st.booleans(), st.sampled_from([None, 2]))
@example('He said: "no"\\\n', 1, True, None)
@example("😀 and 𝔘", 1, True, None)
@example("\x1b[31m \x1b[0m x  y ", 3, False, 2)
@example("so " * 1000, 5, False, None)
def test_the_pieces_are_the_answer_in_one_line(answer: str, size: int, ascii_only: bool, indent: int | None) -> None:
    assert "".join(read(written(answer, ascii_only=ascii_only, indent=indent), size)) == one_line(answer)


def test_a_piece_comes_as_soon_as_it_is_known() -> None:
    reader = AnswerReader()
    assert reader.feed('{"quotes": [], "sufficient": true, "answer": "Old') == "Old"
    assert reader.feed(" ") == ""
    assert reader.feed("Port \\u00e") == " Port"
    assert reader.feed("9t") == " ét"
    assert reader.feed('é"}') == "é"


def test_half_of_a_character_waits_for_the_other_half() -> None:
    reader = AnswerReader()
    assert reader.feed('{"sufficient": true, "answer": "\\ud83d') == ""
    assert reader.feed('\\ude00"') == "😀"


def test_an_answer_that_is_called_insufficient_is_not_shown() -> None:
    assert read(written("a guess", sufficient=False), 4) == []


def test_json_in_a_fence_after_prose_is_read_too() -> None:
    assert "".join(read(f"Here you are:\n```json\n{written('Halvik')}\n```", 6)) == "Halvik"


@pytest.mark.parametrize(
    "text", ["", "Halvik.", '["answer", "x"]', '{"reply": {"sufficient": true, "answer": "x"}}', "}}}{"]
)
def test_anything_else_shows_nothing(text: str) -> None:
    assert read(text, 3) == []


@given(st.text(alphabet='{}[]",:\\ answeruficnt0', max_size=80), st.integers(1, 9))
def test_no_text_makes_it_fail(text: str, size: int) -> None:
    read(text, size)
