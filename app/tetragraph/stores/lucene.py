"""Converts a text to a Lucene query of plain words, without interpreting its syntax."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_CLAUSES = 500
"""Limit of words in each of title and text; Lucene refuses more than 1,024 clauses in all."""
_LONGEST_TOKEN = 255
"""Lucene splits longer words into pieces of this many characters."""
_PART = r"[0-9A-Za-z_\u0080-\ud7ff\ue000-\U0010ffff]+"
_WORD = re.compile(rf"{_PART}(?:['.]{_PART})*")
"""Lucene's syntax consists of ASCII punctuation alone; other scripts are left to its tokenizer."""


def lucene_query(text: str, corpus: str, *, every: bool = False, is_fuzzy: bool = False) -> str | None:
    """The query for the chunks of a corpus that contain any word of the text, or every one; None without a word.

    A fuzzy query also finds words that differ in at most two letters.

    Words are lower case and without ASCII punctuation except inner apostrophes and full stops, so that no character of
    the text, nor ``AND``, ``OR``, ``NOT`` in it, has a meaning for Lucene's parser. The corpus does not change the
    score. It filters by the words of its name only, as the index tokenizes it: the query file compares it exactly.

    >>> print(lucene_query("Is Mugain (NOT) king's AND-law*?", "kings"))
    +corpus:"kings"^0 +(title:(is mugain not king's and law) text:(is mugain not king's and law))
    """
    found = dict.fromkeys(word for word in _WORD.findall(text.lower()) if any(map(str.isalnum, word)))
    words = _words_within_limit(found)
    if not words:
        return None
    phrase = re.sub(r'(["\\])', r"\\\1", corpus)
    if is_fuzzy:
        words = [f"{word}~" for word in words]
    groups = [[word] for word in words] if every else [words]
    return " ".join([f'+corpus:"{phrase}"^0', *(f"+(title:({one}) text:({one}))" for one in map(" ".join, groups))])


def _words_within_limit(words: Iterable[str]) -> list[str]:
    """The longest prefix of the words that cannot exceed the limit of clauses."""
    chosen: list[str] = []
    left = MAX_CLAUSES
    for word in words:
        left -= _max_tokens(word)
        if left < 0:
            break
        chosen.append(word)
    return chosen


def _max_tokens(word: str) -> int:
    """Upper bound of the tokens of a word in Lucene: one, but one for each character of Chinese text."""
    return 1 + len(word) // _LONGEST_TOKEN if word.isascii() and word.isalnum() else len(word)
