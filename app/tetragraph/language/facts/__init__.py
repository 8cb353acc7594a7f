"""Extraction of the n-ary facts that a text states, by a parser or from a file."""
