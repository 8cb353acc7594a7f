"""The stretch of a chunk that answers a question, found without a language model."""

from tetragraph.language.extractive_qa.reader import Span, find_span

__all__ = ["Span", "find_span"]
