"""The anchor graph: a search in several steps that grows a small graph of what is known (GraphAnchor)."""

from tetragraph.systems.anchor_graph.build_walker import follow_up_query, make_walker
from tetragraph.systems.anchor_graph.linearisation import Linearised, linearise
from tetragraph.systems.anchor_graph.loop import Retrieve, Walker
from tetragraph.systems.anchor_graph.options import DEPTH, AnchorOptions
from tetragraph.systems.anchor_graph.ranking import chain_of, rank
from tetragraph.systems.anchor_graph.session_store import SessionStore

__all__ = [
    "DEPTH",
    "AnchorOptions",
    "Linearised",
    "Retrieve",
    "SessionStore",
    "Walker",
    "chain_of",
    "follow_up_query",
    "linearise",
    "make_walker",
    "rank",
]
