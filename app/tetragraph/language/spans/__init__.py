"""The stretch of a passage that answers a question, found without a language model."""

from tetragraph.language.spans.reader import Span, find_span

__all__ = ["Span", "find_span"]
