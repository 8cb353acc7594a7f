"""Asks a language model whether an answer is right, and to rate it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from tetragraph.language.prompts import fence, fences, load
from tetragraph.llm import Operation, Request
from tetragraph.llm.structured import with_schema

HIGHEST: Final = 10
"""Best rating; the worst is 0."""
_VERDICT, _RATINGS = 8, 60
"""Approximate tokens of the replies."""
_ROOM: Final = 4
"""Ratio of the longest to the expected reply, as replies may be indented and tokenizers differ."""


def _check_rating(value: float) -> float:
    """A rating in its range, which the schema does not state, as not every endpoint accepts limits of numbers."""
    if not 0 <= value <= HIGHEST:
        raise ValueError(f"a rating must be from 0 to {HIGHEST}")
    return value


Rating = Annotated[float, Field(allow_inf_nan=False), AfterValidator(_check_rating)]


class Verdict(BaseModel):
    """A reply to the question whether an answer is right."""

    model_config = ConfigDict(json_schema_extra={"description": "Whether an answer is right."})

    correct: bool


class Ratings(BaseModel):
    """A reply with the seven ratings of an answer.

    Source: BiG-RAG, section 6.1.3.
    """

    model_config = ConfigDict(json_schema_extra={"description": "Seven ratings of an answer."})

    comprehensiveness: Rating
    knowledgeability: Rating
    correctness: Rating
    relevance: Rating
    diversity: Rating
    coherence: Rating
    factuality: Rating


DIMENSIONS: Final = tuple(Ratings.model_fields)


def verdict_request(question: str, accepted: Sequence[str], answer: str) -> Request:
    """The request for a :class:`Verdict`.

    Args:
        question: The question.
        accepted: Accepted answers, at least one.
        answer: Answer to judge.
    """
    return with_schema(_request("judge_answer", question, accepted, answer, _VERDICT), Verdict)


def ratings_request(question: str, accepted: Sequence[str], answer: str) -> Request:
    """The request for :class:`Ratings`; arguments as for :func:`verdict_request`."""
    return with_schema(_request("rate_answer", question, accepted, answer, _RATINGS), Ratings)


def judge_answer(operation: Operation, question: str, accepted: Sequence[str], answer: str) -> bool:
    """Whether an answer is right according to the model.

    Raises:
        UnusableReply: the reply is no verdict, even after a correction request.
        LlmError: the operation failed otherwise.
    """
    return operation.structured(verdict_request(question, accepted, answer), Verdict).correct


def rate_answer(operation: Operation, question: str, accepted: Sequence[str], answer: str) -> dict[str, float]:
    """Ratings of an answer by the model, 0 to ``HIGHEST``, by dimension.

    Raises:
        UnusableReply: the reply lacks a rating or has one out of range, even after a correction request.
        LlmError: the operation failed otherwise.
    """
    ratings = operation.structured(ratings_request(question, accepted, answer), Ratings)
    return {name: getattr(ratings, name) for name in DIMENSIONS}


def _request(prompt: str, question: str, accepted: Sequence[str], answer: str, expected: int) -> Request:
    values = {
        "question": fence("question", question),
        "accepted": fences("accepted", accepted),
        "answer": fence("answer", answer),
    }
    return load(prompt).request(_ROOM * expected, values, expected=expected)
