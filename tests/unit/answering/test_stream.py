"""How pieces become an answer."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tetragraph.answering.stream import AnswerStream
from tetragraph.errors import BudgetExhausted, InvalidInput
from tetragraph.model import Evidence
from tetragraph.model.answers import Answer


def made(*pieces: str, fails: bool = False) -> Generator[str, None, Answer]:
    yield from pieces
    if fails:
        raise BudgetExhausted("no tokens are left")
    return Answer("?", "".join(pieces), "generated", (), 0, False, Evidence("?", "dense", ()))


def test_a_stream_gives_its_pieces_once_and_the_answer_as_often_as_wanted() -> None:
    stream = AnswerStream(made("Old ", "Port"))
    assert next(stream) == "Old "
    assert list(stream) == ["Port"]
    assert stream.answer.text == "Old Port"
    assert list(stream) == []
    assert stream.answer is stream.answer


def test_an_answer_can_be_had_without_reading_its_pieces() -> None:
    assert AnswerStream(made("Old ", "Port")).answer.text == "Old Port"


def test_a_stream_that_failed_has_no_answer() -> None:
    stream = AnswerStream(made("Old ", fails=True))
    with pytest.raises(BudgetExhausted):
        list(stream)
    with pytest.raises(InvalidInput, match="ask again"):
        _ = stream.answer
