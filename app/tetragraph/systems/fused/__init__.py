"""Fusion of several rankings, by their scores or by their ranks."""

from tetragraph.systems.fused.options import FusedOptions
from tetragraph.systems.fused.search import search

__all__ = ["FusedOptions", "search"]
