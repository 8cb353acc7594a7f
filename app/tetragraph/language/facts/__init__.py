"""Fact extraction: n-ary facts that a text states, found by a parser or read from a file."""
