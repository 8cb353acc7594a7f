"""Splits texts into sentences."""

from __future__ import annotations

import re

import sentencex

# sentencex fails on spaces other than the plain one after an initial ("J.\u0085Smith").
_UNUSUAL_SPACE = re.compile(r"[^\S\t\n\r ]")
_UNUSUAL_IN_ASCII = {code: " " for code in range(128) if _UNUSUAL_SPACE.match(chr(code))}


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
    for segment in sentencex.segment("en", _with_plain_spaces(text)):
        words = segment.strip()
        if words:
            begin = start + len(segment) - len(segment.lstrip())
            spans.append((begin, begin + len(words)))
        start += len(segment)
    return spans


def _with_plain_spaces(text: str) -> str:
    """A text with plain spaces in place of unusual ones; three times as fast for ASCII as by a pattern."""
    return text.translate(_UNUSUAL_IN_ASCII) if text.isascii() else _UNUSUAL_SPACE.sub(" ", text)
