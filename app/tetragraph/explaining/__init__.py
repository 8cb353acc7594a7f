"""Explanations of results: made by ``Corpus.explain`` and ``Corpus.subgraph``."""

from tetragraph.explaining.explanation import explain, read_subgraph

__all__ = ["explain", "read_subgraph"]
