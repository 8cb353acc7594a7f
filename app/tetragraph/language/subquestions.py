"""A question that asks in several steps, taken apart into an ordered chain of questions that ask in one.

"Where was the director of Jaws born?" becomes "the director of Jaws" and "Where was #1 born?". A noun phrase that
describes something without naming it, in terms of a name or of another such phrase, is a step; the answer of step n
stands as ``#n`` in the steps after it. With spaCy the phrases come from a parse, else from a pattern (one split).
"""

from __future__ import annotations

from collections.abc import Sequence

from tetragraph.language.questions.chain import Chain
from tetragraph.language.questions.names import find_names
from tetragraph.language.questions.parse import parse_question
from tetragraph.language.questions.steps import PLACEHOLDER, Step, has_content, make_step
from tetragraph.language.questions.surface import split_once
from tetragraph.language.spacy_model import installed_model

__all__ = ["Step", "has_parser", "take_apart"]


def has_parser() -> bool:
    """Whether questions are parsed; without spaCy and its English model they are split by a pattern, once."""
    return installed_model() is not None


def take_apart(question: str, entity_spans: Sequence[tuple[int, int]]) -> tuple[Step, ...]:
    """The chain of a question; of one step, the question itself, where it asks for nothing in between.

    Args:
        question: Any text.
        entity_spans: Character offsets of the entities in it that the corpus knows.

    Returns:
        At least one step; steps refer to earlier ones only. A question that itself writes ``#1`` is not taken apart.
    """
    if PLACEHOLDER.search(question):
        return (Step(question, "", ()),)
    names = find_names(question, entity_spans)
    steps = Chain(parse_question(question, names)).steps() if has_parser() else []
    if len(steps) < 2:
        steps = _split_by_surface(question, names)
    return tuple(steps) or (Step(question, "", ()),)


def _split_by_surface(question: str, names: Sequence[tuple[int, int]]) -> list[Step]:
    found = split_once(question, names)
    if found is None:
        return []
    start, end, head = found
    rest = f"{question[:start]}#1{question[end:]}"
    return [make_step(question[start:end], head), make_step(rest)] if has_content(rest) else []
