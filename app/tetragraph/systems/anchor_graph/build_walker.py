"""Builds the walker of a search in several steps from its options."""

from __future__ import annotations

from collections.abc import Callable

from tetragraph.llm import LazyOperation
from tetragraph.model.usage import NOTHING, Usage
from tetragraph.stores.corpus import Question
from tetragraph.systems.anchor_graph.indexes import NameIndex
from tetragraph.systems.anchor_graph.llm_reasoner import LlmReasoner
from tetragraph.systems.anchor_graph.loop import Retrieve, Walker
from tetragraph.systems.anchor_graph.options import AnchorOptions
from tetragraph.systems.anchor_graph.passage_facts import TripleSource
from tetragraph.systems.anchor_graph.plain_reasoner import PlainReasoner
from tetragraph.systems.anchor_graph.reasoner import Reasoner
from tetragraph.systems.anchor_graph.token_free_reasoner import TokenFreeReasoner

FindTriples = Callable[[], TripleSource]
"""Returns the source of the triples that chunks state; called only by a reasoner that needs it."""


def make_walker(
    question: Question, options: AnchorOptions, retrieve: Retrieve, names: NameIndex, find_triples: FindTriples
) -> Walker:
    """The walker of a search.

    Args:
        question: The question; embeds queries and returns the language model operation.
        options: Options of the search.
        retrieve: Searches the corpus.
        names: Names of the corpus.
        find_triples: Returns the source of triples.

    Raises:
        LlmNotConfigured: a language model is to reason, and none is configured.
    """

    def usage() -> Usage:
        return question.llm.usage if isinstance(question.llm, LazyOperation) else NOTHING

    reasoner = _make_reasoner(question, options, names, find_triples)
    return Walker(retrieve, reasoner, options, names.entity_ids, usage, question.deadline)


def _make_reasoner(question: Question, options: AnchorOptions, names: NameIndex, find_triples: FindTriples) -> Reasoner:
    if options.reasoner == "llm":
        return LlmReasoner(question.llm, options)
    return TokenFreeReasoner(names, find_triples(), question.embed) if options.graph else PlainReasoner()
