"""What a model is shown of the evidence, what options mean, and how pieces become an answer."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from tetragraph.answers import Answer
from tetragraph.asking import AnswerStream, AskOptions, fitting
from tetragraph.errors import BudgetExhausted, InvalidInput
from tetragraph.model import Chunk, Evidence

TEXT = "x" * 400


def chunk(name: str, text: str = TEXT) -> Chunk:
    return Chunk(name, name, "", "", text, 0, 0, len(text), 9)


def test_passages_are_shown_from_the_first_as_long_as_there_is_room() -> None:
    passages = [chunk("a"), chunk("b"), chunk("c", "short")]
    assert [one.id for one in fitting(passages, 1000)] == ["a", "b", "c"]
    assert [one.id for one in fitting(passages, 240)] == ["a", "b"]
    assert [one.id for one in fitting(passages, 239)] == ["a"]
    assert fitting([], 50) == []


def test_a_first_passage_that_is_too_long_is_cut_so_that_its_offsets_stay() -> None:
    (cut,) = fitting([chunk("a", TEXT + "end"), chunk("b")], 60)
    assert cut.id == "a"
    assert 0 < len(cut.text) < len(TEXT)
    assert TEXT.startswith(cut.text)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"iterations": 0}, "iterations must be"),
        ({"iterations": 1.5}, "iterations must be"),
        ({"context_tokens": 10}, "context_tokens must be"),
        ({"generate": "yes"}, "generate must be true, false or none, got 'yes'"),
        ({"generate": False, "iterations": 2}, "follow-up questions need a language model"),
    ],
)
def test_a_wrong_option_is_told(options: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        AskOptions(**options)  # type: ignore[arg-type]  # what is wrong is the test


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
