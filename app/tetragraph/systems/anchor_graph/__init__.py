"""The anchor graph: a search in several steps that extends a small graph of evidence (GraphAnchor)."""

from tetragraph.systems.anchor_graph.linearisation import Linearised, linearise
from tetragraph.systems.anchor_graph.loop import Choose, Retrieve, Walker
from tetragraph.systems.anchor_graph.options import DEPTH, AnchorOptions
from tetragraph.systems.anchor_graph.ranking import chain_of, rank
from tetragraph.systems.anchor_graph.reasoner import latest_summary
from tetragraph.systems.anchor_graph.session_store import SessionStore

__all__ = [
    "DEPTH",
    "AnchorOptions",
    "Choose",
    "Linearised",
    "Retrieve",
    "SessionStore",
    "Walker",
    "chain_of",
    "latest_summary",
    "linearise",
    "rank",
]
