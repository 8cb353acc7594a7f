"""Extraction of answers from chunks, without a language model."""

from tetragraph.language.extractive_qa.reader import Span, find_span

__all__ = ["Span", "find_span"]
