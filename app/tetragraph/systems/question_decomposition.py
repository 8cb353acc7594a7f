"""Decomposition of a question into sub-questions, by the parser or by the language model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tetragraph.errors import UnusableReply
from tetragraph.language.llm_steps import decomposition
from tetragraph.language.questions.decompose import Step, take_apart
from tetragraph.language.questions.steps import fill_placeholders, stand_in
from tetragraph.stores.corpus import Question

Decomposition: TypeAlias = Literal["parser", "llm"]


@dataclass(frozen=True, slots=True)
class Decomposed:
    """The sub-questions of a question.

    Attributes:
        steps: Sub-questions; a single one is the question itself.
        fault: Reason why the reply of the language model was not used; empty if it was, and if no model was asked.
        is_prompted: Whether the steps come from the language model.
    """

    steps: tuple[Step, ...]
    fault: str = ""
    is_prompted: bool = False

    def trace(self) -> dict[str, Any]:
        """The steps of the language model, as JSON values; empty if the steps come from the parser."""
        if not self.is_prompted:
            return {}
        return {"steps": [{"text": step.text, "answer": step.head, "refers": list(step.refers)} for step in self.steps]}


def decompose(question: Question, spans: Sequence[tuple[int, int]], way: Decomposition) -> Decomposed:
    """Divide a question into sub-questions; by the parser also if the steps of the model are no chain.

    Args:
        question: The question.
        spans: Character offsets of the entities of the corpus in it; the model does not need them.
        way: ``"parser"`` or ``"llm"``.

    Raises:
        LlmError: a model is asked, and none is configured, or it did not answer within the budget.
    """
    if way == "parser":
        return Decomposed(take_apart(question.text, spans))
    try:
        return Decomposed(decomposition.take_apart(question.llm(), question.text), is_prompted=True)
    except UnusableReply as error:
        fault = f"the language model's steps could not be used, those of the parser were: {error}"
        return Decomposed(take_apart(question.text, spans), fault)


def fill_variables(steps: Sequence[Step], step: Step, names: Mapping[int, str] | None = None) -> str:
    """A sub-question without placeholders.

    Args:
        steps: All sub-questions of the question.
        step: The sub-question to fill.
        names: Number of a step to its answer; a placeholder without one becomes the kind of its answer
            ("the director").
    """
    known = names or {}

    def answer(number: int) -> str:
        return known[number] if number in known else stand_in(steps[number - 1].head)

    return fill_placeholders(step.text, step.refers, answer)
