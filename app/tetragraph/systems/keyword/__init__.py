"""Baseline: the chunks that share words with the question, ranked by BM25."""

from tetragraph.systems.keyword.search import search

__all__ = ["search"]
