"""Embedders, which convert texts to vectors of length 1."""

from tetragraph.language.embedders.base import Embedder, SpanEmbedder
from tetragraph.language.embedders.registry import ENGLISH, load_embedder

__all__ = ["ENGLISH", "Embedder", "SpanEmbedder", "load_embedder"]
