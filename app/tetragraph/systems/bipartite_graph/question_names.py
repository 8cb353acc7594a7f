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
        said: The names as returned by the language model; None if it was not used.
        fault: Reason why the reply of the model was not used; empty if it was used, or none was requested.
    """

    names: Names
    said: tuple[str, ...] | None = None
    fault: str = ""


def read_names(index: BipartiteIndex, question: Question, way: QueryEntities) -> QuestionNames:
    """Find the entities that a question names; by the names of the graph if the model's reply is unusable.

    Raises:
        LlmError: the model is needed, and none is configured, or it did not answer within the budget.
    """
    if way == "names":
        return QuestionNames(find_names(index, question.text))
    try:
        said = query_entities.find_names(question.llm(), question.text)
    except UnusableReply as error:
        fault = f"the language model's names could not be used, those that the graph knows were: {error}"
        return QuestionNames(find_names(index, question.text), fault=fault)
    return QuestionNames(known_names(index, question.text, said), said)


def known_names(index: BipartiteIndex, text: str, said: Sequence[str]) -> Names:
    """Find the entities of the graph for given names: as a whole, otherwise the longest names inside them.

    Args:
        index: Index of the corpus.
        text: Text that contains the names.
        said: The names.
    """
    rows: set[int] = set()
    for name in said:
        entity = content_id(normalise_name(name))
        rows.update([index.named[entity]] if entity in index.named else find_names(index, name).entities.tolist())
    spans = {place for place in (find_quotation(text, name) for name in said) if place}
    return Names(np.array(sorted(rows), dtype=np.int64), _apart(spans), tuple(said))


def _apart(spans: set[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Remove overlaps; the first span wins, and of several with the same start the longest."""
    kept: list[tuple[int, int]] = []
    for start, end in sorted(spans, key=lambda span: (span[0], -span[1])):
        if not kept or start >= kept[-1][1]:
            kept.append((start, end))
    return tuple(kept)
