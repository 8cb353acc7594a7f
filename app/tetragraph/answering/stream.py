"""Answers that arrive in pieces: iterate over the pieces, then read the answer."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
from typing import TypeVar

from pydantic import BaseModel

from tetragraph.errors import InvalidInput
from tetragraph.llm import Operation, Request
from tetragraph.model.answers import Answer

Piece = TypeVar("Piece")
Reply = TypeVar("Reply", bound=BaseModel)
GetReply = Callable[[Operation, Request, type[Reply]], Generator[str, None, Reply]]
"""Sends a request, yields the pieces of the answer's text, and returns the whole reply."""


class AnswerIterator(Iterator[Piece]):
    """An iterator over the pieces of a computation that ends with an answer; read ``.answer`` at any time.

    Args:
        pieces: Yields the pieces, and returns the answer.
        no_answer: Message of the error that ``.answer`` raises after the pieces ended with an error.
    """

    def __init__(self, pieces: Generator[Piece, None, Answer], no_answer: str) -> None:
        self._pieces = pieces
        self._no_answer = no_answer
        self._answer: Answer | None = None

    def __next__(self) -> Piece:
        try:
            return next(self._pieces)
        except StopIteration as end:
            self._answer = self._answer or end.value
            raise

    @property
    def answer(self) -> Answer:
        """The answer; pieces that have not been read yet are computed and skipped.

        Raises:
            InvalidInput: the pieces ended with an error.
        """
        for _ in self:
            pass
        if self._answer is None:
            raise InvalidInput(self._no_answer)
        return self._answer


class AnswerStream(AnswerIterator[str]):
    """The pieces of an answer's text while it is written, and then the whole answer.

    The pieces add up to ``answer.text``, unless the model's reply was cut off or did not have the requested form: then
    the model was asked again, and the text of ``answer`` is the valid one.
    """

    def __init__(self, pieces: Generator[str, None, Answer]) -> None:
        super().__init__(pieces, "an answer whose pieces ended with an error has no text: ask again")


def begin_later(begin: Callable[[], AnswerStream]) -> AnswerStream:
    """The stream of an answer that begins when its first piece is read."""

    def pieces() -> Generator[str, None, Answer]:
        stream = begin()
        yield from stream
        return stream.answer

    return AnswerStream(pieces())


def single_piece(find_answer: Callable[[], Answer]) -> Generator[str, None, Answer]:
    """Yield the text of an answer as one piece, and return the answer; an answer without text has no piece."""
    answer = find_answer()
    if answer.text:
        yield answer.text
    return answer


def record_pieces(reply: Generator[str, None, Reply], pieces: list[str]) -> Generator[str, None, Reply]:
    """Yield the pieces of a reply, append each to a list, and return the reply."""
    while True:
        try:
            piece = next(reply)
        except StopIteration as end:
            whole: Reply = end.value
            return whole
        pieces.append(piece)
        yield piece
