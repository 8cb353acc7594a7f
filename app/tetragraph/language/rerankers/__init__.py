"""Rerankers, which read a question together with a passage and score how well the passage answers it."""

from tetragraph.language.rerankers.base import Reranker
from tetragraph.language.rerankers.registry import RERANKERS, load_reranker

__all__ = ["RERANKERS", "Reranker", "load_reranker"]
