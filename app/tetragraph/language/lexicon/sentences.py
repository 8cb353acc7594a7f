"""Splits texts into sentences."""

from __future__ import annotations

import re

import sentencex

# sentencex fails on spaces other than the plain one after an initial ("J.\u0085Smith").
_UNUSUAL_SPACE = re.compile(r"[^\S\t\n\r ]")


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """Character offsets of the sentences of a text, in order, without the whitespace around them.

    English abbreviations do not end a sentence; the sentence marks of other scripts do.

    Returns:
        ``(start, end)`` of each sentence; together they cover everything but whitespace.

    >>> text = "Dr. Smith left. It rained."
    >>> [text[start:end] for start, end in sentence_spans(text)]
    ['Dr. Smith left.', 'It rained.']
    """
    spans = []
    start = 0
    for segment in sentencex.segment("en", _UNUSUAL_SPACE.sub(" ", text)):
        words = segment.strip()
        if words:
            begin = start + len(segment) - len(segment.lstrip())
            spans.append((begin, begin + len(words)))
        start += len(segment)
    return spans
