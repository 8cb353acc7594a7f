"""Answers sub-queries one after the other, with earlier answers inserted into the text of each.

Source:
    BiG-RAG, section 4.3.3: the sequential execution below algorithm 5.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

from tetragraph.language.questions.variables import SubQuery, filled
from tetragraph.systems.bipartite_graph.dual_path import find_names
from tetragraph.systems.bipartite_graph.joint_binding import Answer
from tetragraph.systems.bipartite_graph.view import FactView

Retrieve: TypeAlias = Callable[[str], Sequence[int]]
"""Function from the text of a question to the rows of its facts, best first."""


def bind_sequentially(index: FactView, queries: Sequence[SubQuery], retrieve: Retrieve) -> tuple[Answer, ...]:
    """Answer the sub-queries of a question in order.

    Args:
        index: Index of the corpus.
        queries: One or more sub-queries.
        retrieve: Dual-path retrieval and traversal for a sub-query.

    Returns:
        An answer for each sub-query: its facts share the probability by reciprocal rank; at most one entity is bound.

    Source:
        Algorithm 5 of BiG-RAG. The paper does not define how facts yield an answer without a language model: here
        it is the first participant, in order of the facts, that has the expected type and is not in the sub-query.
    """
    names: dict[str, str] = {}
    answers: list[Answer] = []
    needed = {variable for query in queries for variable in query.depends_on}
    for query in queries:
        text = filled(query, names)
        facts = list(retrieve(text))
        entity = _bind(index, query, text, facts) if query.variable in needed else None
        if entity is not None:
            names[query.variable] = index.name(entity)
        answers.append(Answer(_shares(facts), {} if entity is None else {entity: 1.0}))
    return tuple(answers)


def _bind(index: FactView, query: SubQuery, text: str, facts: Sequence[int]) -> int | None:
    """The entity that answers a sub-query; None if no fact contains a candidate."""
    asked = frozenset(find_names(index, text).entities.tolist())
    offered = [e for row in facts for e in index.members.of(row).tolist() if e not in asked]
    expected = [e for e in offered if query.expected.types and index.entity_types[e] in query.expected.types]
    admitted = [e for e in offered if query.expected.admits(index.entity_types[e]) and not index.is_unnamed[e]]
    return next(iter([*expected, *admitted]), None)


def _shares(facts: Sequence[int]) -> Mapping[int, float]:
    total = sum(1 / rank for rank in range(1, len(facts) + 1))
    return {row: 1 / rank / total for rank, row in enumerate(facts, start=1)}
