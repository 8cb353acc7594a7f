"""Question-aware walk between chunks and entities, then a selection by coverage; the default method."""

from tetragraph.systems.evidence_walk.index import load
from tetragraph.systems.evidence_walk.options import EvidenceOptions
from tetragraph.systems.evidence_walk.search import search

__all__ = ["EvidenceOptions", "load", "search"]
