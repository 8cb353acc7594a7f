"""Our own method: a question-aware walk between passages and entities, then a selection by information gain."""

from tetragraph.systems.evidence_walk.index import load
from tetragraph.systems.evidence_walk.options import EvidenceOptions
from tetragraph.systems.evidence_walk.search import search

__all__ = ["EvidenceOptions", "load", "search"]
