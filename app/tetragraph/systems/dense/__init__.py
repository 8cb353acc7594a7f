"""Baseline: the chunks whose embeddings are most similar to that of the question."""

from tetragraph.systems.dense.options import DenseOptions
from tetragraph.systems.dense.search import search

__all__ = ["DenseOptions", "search"]
