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
from tetragraph.systems.bipartite_graph.options import QueryEntities
from tetragraph.systems.bipartite_graph.view import FactView


@dataclass(frozen=True, slots=True)
class PromptedNames:
    """The names that a language model finds in a question.

    Attributes:
        names: The names; None if it was not used.
        fault: Reason why the reply of the model was not used; empty if it was used, or none was requested.
    """

    names: tuple[str, ...] | None = None
    fault: str = ""


def ask_names(question: Question, way: QueryEntities) -> PromptedNames:
    """Request the names in a question from the language model, unless they are found by the graph.

    Raises:
        LlmError: the model is needed, and none is configured, or it did not answer within the budget.
    """
    if way == "names":
        return PromptedNames()
    try:
        return PromptedNames(query_entities.find_names(question.llm(), question.text))
    except UnusableReply as error:
        return PromptedNames(
            fault=f"the language model's names could not be used, those that the graph knows were: {error}"
        )


def find_entities(index: FactView, text: str, prompted: PromptedNames) -> Names:
    """Find the entities that a question names, by the names of the model if there are any."""
    if prompted.names is None:
        return find_names(index, text)
    return find_known_names(index, text, prompted.names)


def find_known_names(index: FactView, text: str, prompted: Sequence[str]) -> Names:
    """Find the entities of the graph for given names: as a whole, otherwise the longest names inside them.

    Args:
        index: Index of the corpus.
        text: Text that contains the names.
        prompted: Names from the language model.
    """
    rows: set[int] = set()
    for name in prompted:
        entity = content_id(normalise_name(name))
        named = index.named_in(name)
        rows.update([named[entity]] if entity in named else find_names(index, name).entities.tolist())
    spans = {place for place in (find_quotation(text, name) for name in prompted) if place}
    return Names(np.array(sorted(rows), dtype=np.int64), _remove_overlaps(spans), tuple(prompted))


def _remove_overlaps(spans: set[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Remove overlaps; the first span wins, and of several with the same start the longest."""
    disjoint: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not disjoint or start >= disjoint[-1][1]:
            disjoint.append((start, end))
    return tuple(disjoint)
