"""A question taken apart into steps, by the parser or by the language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from tetragraph.errors import UnusableReply
from tetragraph.language.llm_steps import decomposition
from tetragraph.language.questions.decompose import Step, take_apart
from tetragraph.stores.corpus import Question

Decomposition: TypeAlias = Literal["parser", "llm"]


@dataclass(frozen=True, slots=True)
class Decomposed:
    """The chain of a question.

    Attributes:
        steps: One is the question itself.
        fault: Why the steps are not those of the language model that was asked; empty where they are, and where none
            was.
        is_prompted: Whether they are a language model's.
    """

    steps: tuple[Step, ...]
    fault: str = ""
    is_prompted: bool = False

    def trace(self) -> dict[str, Any]:
        """The steps as the language model gave them; nothing where they are not its."""
        if not self.is_prompted:
            return {}
        return {"steps": [{"text": step.text, "answer": step.head, "refers": list(step.refers)} for step in self.steps]}


def decompose(question: Question, spans: Sequence[tuple[int, int]], way: Decomposition) -> Decomposed:
    """Take a question apart; by the parser, too, where the model's steps are no chain.

    Args:
        question: Any.
        spans: Character offsets of the entities in it that the corpus knows; the model does not need them.
        way: Who does it.

    Raises:
        LlmError: the model is asked, and none is set, or it did not answer within the budget.
    """
    if way == "parser":
        return Decomposed(take_apart(question.text, spans))
    try:
        return Decomposed(decomposition.take_apart(question.llm(), question.text), is_prompted=True)
    except UnusableReply as error:
        fault = f"the language model's steps could not be used, those of the parser were: {error}"
        return Decomposed(take_apart(question.text, spans), fault)
