"""A question as sub-questions with variables, each of which is searched once the variables in its text are bound."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.language.questions.answer_type import ExpectedAnswer, expected_type
from tetragraph.language.questions.reading import read_question
from tetragraph.language.questions.steps import PLACEHOLDER, Step, stand_in

FINAL: Final = "final_answer"
"""The variable of the last sub-question."""
_VARIABLE = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True, slots=True)
class SubQuery:
    """One question of a chain.

    Attributes:
        text: Text of the sub-question, or a description of its answer; ``{var1}`` is the placeholder for the value of
            variable ``var1``.
        variable: Variable that the answer binds: ``var1``, ``var2`` …, and finally ``final_answer``.
        depends_on: Variables in the text, ascending, which earlier sub-questions bind.
        expected: Types that the answer may have.
        stand_ins: Phrase for each of ``depends_on`` to use while it is not bound ("the director").
    """

    text: str
    variable: str
    depends_on: tuple[str, ...]
    expected: ExpectedAnswer
    stand_ins: tuple[str, ...]


def sub_queries(question: str, entity_spans: Sequence[tuple[int, int]]) -> tuple[SubQuery, ...]:
    """The sub-questions of a question, in an order in which they can be searched.

    Args:
        question: Text of the question.
        entity_spans: Character offsets of the known entities in the question.

    Returns:
        At least one sub-question, the last of which binds ``final_answer``; a question without an intermediate answer
        is its own single sub-question.

    Source:
        Algorithm 5 of BiG-RAG. Deviations: steps are the chain of
        :func:`tetragraph.language.questions.decompose.take_apart`, so descriptions without a clause are steps, too;
        a sub-question may need several earlier ones, not just the last, or none; and it may be a description ("the
        director of Jaws") instead of a question.
    """
    return as_sub_queries(question, read_question(question, entity_spans).steps)


def as_sub_queries(question: str, steps: Sequence[Step]) -> tuple[SubQuery, ...]:
    """Convert given steps to sub-questions: one or more steps, each of which refers to earlier ones only."""
    if len(steps) == 1:
        return (SubQuery(question, FINAL, (), expected_type(question), ()),)
    return tuple(_sub_query(steps, number) for number in range(1, len(steps) + 1))


def filled(sub_query: SubQuery, bindings: Mapping[str, str]) -> str:
    """Insert names for the variables of a sub-question, and descriptions for variables that are not bound.

    Args:
        sub_query: Sub-question.
        bindings: Name by variable; variables that the sub-question does not need are ignored.

    >>> query = sub_queries("Where was the director of Silver Harbour born?", ())[-1]
    >>> filled(query, {"var1": "Ada Byron"}), filled(query, {})
    ('Where was Ada Byron born?', 'Where was the director born?')
    """
    names = dict(zip(sub_query.depends_on, sub_query.stand_ins, strict=True))
    names |= {variable: name for variable, name in bindings.items() if variable in names}
    return _VARIABLE.sub(lambda match: names.get(match[1], match[0]), sub_query.text)


def _sub_query(steps: Sequence[Step], number: int) -> SubQuery:
    step = steps[number - 1]
    return SubQuery(
        PLACEHOLDER.sub(lambda match: f"{{{_variable(steps, int(match[1]))}}}", step.text),
        _variable(steps, number),
        tuple(_variable(steps, earlier) for earlier in step.refers),
        expected_type(step.text, step.head),
        tuple(stand_in(steps[earlier - 1].head) for earlier in step.refers),
    )


def _variable(steps: Sequence[Step], number: int) -> str:
    return FINAL if number == len(steps) else f"var{number}"
