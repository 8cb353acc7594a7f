"""Baseline: several rankings made into one by reciprocal ranks."""

from tetragraph.systems.fused.search import search

__all__ = ["search"]
