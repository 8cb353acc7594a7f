"""Baseline: the passages whose embeddings are nearest to the question's."""

from tetragraph.systems.dense.options import DenseOptions
from tetragraph.systems.dense.search import search

__all__ = ["DenseOptions", "search"]
