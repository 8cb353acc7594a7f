"""What a search in several steps works with, made from its options."""

from __future__ import annotations

from tetragraph.llm import LazyOperation
from tetragraph.model import content_id
from tetragraph.model.anchors import AnchorStep
from tetragraph.model.usage import NOTHING, Usage
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.systems import evidence_walk
from tetragraph.systems.anchor_graph.llm_reasoner import LlmReasoner
from tetragraph.systems.anchor_graph.loop import Retrieve, Walker
from tetragraph.systems.anchor_graph.options import AnchorOptions
from tetragraph.systems.anchor_graph.plain_reasoner import PlainReasoner
from tetragraph.systems.anchor_graph.reasoner import Reasoner
from tetragraph.systems.anchor_graph.token_free_reasoner import TokenFreeReasoner


def make_walker(stores: CorpusStores, question: Question, options: AnchorOptions, retrieve: Retrieve) -> Walker:
    """Reasoner and lookups for a corpus.

    Args:
        stores: Of the corpus.
        question: Embeds queries, and gives what asks the language model.
        options: Of the search.
        retrieve: Searches the corpus.

    Raises:
        LlmNotConfigured: a model is to reason, and none is set.
        NotBuilt: the corpus is being changed, and its last complete index is not at hand.
    """
    names = evidence_walk.load(stores).rows_by_name

    def find_entity(key: str) -> str:
        return content_id(key) if key in names else ""

    def usage() -> Usage:
        return question.llm.usage if isinstance(question.llm, LazyOperation) else NOTHING

    return Walker(retrieve, _reasoner(stores, question, options), options, find_entity, usage, question.deadline)


def _reasoner(stores: CorpusStores, question: Question, options: AnchorOptions) -> Reasoner:
    if options.reasoner == "llm":
        return LlmReasoner(question.llm, options)
    return TokenFreeReasoner(stores, question.embed) if options.graph else PlainReasoner()


def follow_up_query(stores: CorpusStores, question: str, last: AnchorStep) -> str:
    """What a follow-up question is searched for with.

    One that names an entity of the corpus speaks for itself; one that does not ("When was he born?") gets the answer
    before it, or, where there is none, the question before it.

    Args:
        stores: Of the corpus.
        question: The follow-up question.
        last: The last step before it.
    """
    if evidence_walk.load(stores).read(question).entities:
        return question
    return f"{question} {last.answer or last.question}"
