"""Entities that a question names: by the entity names of the graph, or by a language model."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.errors import UnusableReply
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.lexicon.quotations import find_quotation
from tetragraph.language.llm_steps import query_entities
from tetragraph.model import content_id
from tetragraph.stores.corpus import Question
from tetragraph.systems.bipartite_graph.dual_path import Names, find_names
from tetragraph.systems.bipartite_graph.index import BipartiteIndex
from tetragraph.systems.bipartite_graph.options import QueryEntities


@dataclass(frozen=True, slots=True)
class QuestionNames:
    """Entities that a question names.

    Attributes:
        names: The entities.
        prompted: The names as returned by the language model; None if it was not used.
        fault: Reason why the reply of the model was not used; empty if it was used, or none was requested.
    """

    names: Names
    prompted: tuple[str, ...] | None = None
    fault: str = ""


def read_names(index: BipartiteIndex, question: Question, way: QueryEntities) -> QuestionNames:
    """Find the entities that a question names; by the names of the graph if the model's reply is unusable.

    Raises:
        LlmError: the model is needed, and none is configured, or it did not answer within the budget.
    """
    if way == "names":
        return QuestionNames(find_names(index, question.text))
    try:
        prompted = query_entities.find_names(question.llm(), question.text)
    except UnusableReply as error:
        fault = f"the language model's names could not be used, those that the graph knows were: {error}"
        return QuestionNames(find_names(index, question.text), fault=fault)
    return QuestionNames(find_known_names(index, question.text, prompted), prompted)


def find_known_names(index: BipartiteIndex, text: str, prompted: Sequence[str]) -> Names:
    """Find the entities of the graph for given names: as a whole, otherwise the longest names inside them.

    Args:
        index: Index of the corpus.
        text: Text that contains the names.
        prompted: Names from the language model.
    """
    rows: set[int] = set()
    for name in prompted:
        entity = content_id(normalise_name(name))
        rows.update([index.named[entity]] if entity in index.named else find_names(index, name).entities.tolist())
    spans = {place for place in (find_quotation(text, name) for name in prompted) if place}
    return Names(np.array(sorted(rows), dtype=np.int64), _remove_overlaps(spans), tuple(prompted))


def _remove_overlaps(spans: set[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Remove overlaps; the first span wins, and of several with the same start the longest."""
    disjoint: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not disjoint or start >= disjoint[-1][1]:
            disjoint.append((start, end))
    return tuple(disjoint)
