"""The anchor graph: a search in several steps that grows a small graph of what is known (GraphAnchor)."""

from tetragraph.systems.anchor_graph.loop import Retrieve, Walker
from tetragraph.systems.anchor_graph.options import DEPTH, AnchorOptions
from tetragraph.systems.anchor_graph.ranking import rank
from tetragraph.systems.anchor_graph.walking import make_walker

__all__ = ["DEPTH", "AnchorOptions", "Retrieve", "Walker", "make_walker", "rank"]
