"""Extraction of answers from chunks, without a language model."""

from tetragraph.language.extractive_qa.answers import Reading, read_answer
from tetragraph.language.extractive_qa.reader import Span, find_span

__all__ = ["Reading", "Span", "find_span", "read_answer"]
