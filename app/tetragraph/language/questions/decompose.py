"""Decomposition of a question with intermediate answers into an ordered chain of simple sub-questions.

"Where was the director of Jaws born?" becomes "the director of Jaws" and "Where was #1 born?". A noun phrase that
describes something without naming it, in terms of a name or of another such phrase, is a step; ``#n`` takes the place
of the answer of step n in later steps. With spaCy the phrases come from a parse, otherwise from a pattern with a single
split.
"""

from __future__ import annotations

from collections.abc import Sequence

from tetragraph.language.questions.reading import has_parser, read_question
from tetragraph.language.questions.steps import Step

__all__ = ["Step", "has_parser", "take_apart"]


def take_apart(question: str, entity_spans: Sequence[tuple[int, int]]) -> tuple[Step, ...]:
    """Decompose a question into a chain; a question without an intermediate answer is its own single step.

    Args:
        question: Text of the question.
        entity_spans: Character offsets of the known entities in the question.

    Returns:
        At least one step; steps refer to earlier ones only. A question that itself contains ``#1`` is not decomposed.
    """
    return read_question(question, entity_spans).steps
