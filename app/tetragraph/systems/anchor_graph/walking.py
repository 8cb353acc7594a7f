"""What a search in several steps works with, made from its options."""

from __future__ import annotations


from tetragraph.model import content_id
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.systems import evidence_walk
from tetragraph.systems.anchor_graph.loop import Retrieve, Walker
from tetragraph.systems.anchor_graph.options import AnchorOptions
from tetragraph.systems.anchor_graph.reasoner import Reasoner
from tetragraph.systems.anchor_graph.token_free import TokenFreeReasoner


def make_walker(stores: CorpusStores, question: Question, options: AnchorOptions, retrieve: Retrieve) -> Walker:
    """Reasoner and lookups for a corpus.

    Args:
        stores: Of the corpus.
        question: Embeds queries, and gives what asks the language model.
        options: Of the search.
        retrieve: Searches the corpus.
    """
    names = evidence_walk.load(stores).rows_by_name

    def find_entity(key: str) -> str:
        return content_id(key) if key in names else ""

    return Walker(retrieve, _reasoner(stores, question, options), options, find_entity)


def _reasoner(stores: CorpusStores, question: Question, options: AnchorOptions) -> Reasoner:
    return TokenFreeReasoner(stores, question.embed)
