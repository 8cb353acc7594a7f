"""Asks a language model to decompose a question."""

from __future__ import annotations

from typing import Final

from pydantic import BaseModel

from tetragraph.errors import UnusableReply
from tetragraph.language.llm_steps.answer import one_line
from tetragraph.language.prompts import fence, load
from tetragraph.language.questions.steps import PLACEHOLDER, Step, has_content, make_step
from tetragraph.llm import Operation, Request
from tetragraph.llm.structured import with_schema

MOST_STEPS: Final = 5
_REPLY: Final = 400
_EXPECTED: Final = 60
_LONGEST: Final = 300
"""Limit of a sub-question in characters."""
_ARTICLES: Final = frozenset(["a", "an", "the"])


class StepForm(BaseModel):
    """One step."""

    question: str
    answer: str


class StepsReply(BaseModel):
    """A reply."""

    steps: list[StepForm]


def steps_request(question: str) -> Request:
    """The request for the sub-questions of a question."""
    prompt = load("decomposition").request(_REPLY, {"question": fence("question", question)}, expected=_EXPECTED)
    return with_schema(prompt, StepsReply)


def take_apart(operation: Operation, question: str) -> tuple[Step, ...]:
    """Decompose a question, with a result like :func:`tetragraph.language.questions.decompose.take_apart`.

    Args:
        operation: Calls the model; a question that itself contains ``#1`` is returned whole, without a call.
        question: Text of the question.

    Returns:
        One to ``MOST_STEPS`` sub-questions; if one, the question itself.

    Raises:
        UnusableReply: there are too many sub-questions, one refers to a later one, or one has no content.
        LlmError: the operation failed otherwise.

    Source:
        BiG-RAG, section 4.3.3: the decomposition by a model at the beginning of algorithm 5.
    """
    if PLACEHOLDER.search(question):
        return (Step(question, "", ()),)
    asked = steps_request(question)
    reply = operation.structured(asked, StepsReply)
    with operation.describing(asked):
        return check_steps(question, reply)


def check_steps(question: str, reply: StepsReply) -> tuple[Step, ...]:
    """The sub-questions of a reply; see :func:`take_apart`."""
    steps = tuple(make_step(one_line(one.question)[:_LONGEST], _head(one.answer)) for one in reply.steps)
    fault = _find_fault(steps)
    if fault:
        raise UnusableReply(f"the steps of a question must be a chain: {fault}", reply.model_dump_json())
    return steps if len(steps) > 1 else (Step(question, "", ()),)


def _find_fault(steps: tuple[Step, ...]) -> str:
    """Fault of a chain of sub-questions; empty for none."""
    if not 1 <= len(steps) <= MOST_STEPS:
        return f"1 to {MOST_STEPS} steps, got {len(steps)}"
    for number, step in enumerate(steps, start=1):
        if any(not 1 <= earlier < number for earlier in step.refers):
            return f"step {number} may need the answers of steps before it, got {step.text!r}"
        if not has_content(step.text):
            return f"step {number} must ask for something, got {step.text!r}"
    return ""


def _head(answer: str) -> str:
    """Head noun of a kind of answer as named by the model: "place" for "the place of birth"."""
    words = [word for word in one_line(answer).lower().split(" of ")[0].split() if word not in _ARTICLES]
    return words[-1].strip(".,;:!?\"'") if words and not PLACEHOLDER.search(answer) else ""
