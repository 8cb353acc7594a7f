"""Turns what a user wrote into a Lucene query of plain words: nothing in it is ever syntax."""

from __future__ import annotations

import re
from collections.abc import Iterable

MAX_CLAUSES = 500
"""Words looked for in each of title and text; Lucene refuses more than 1,024 in all."""
_LONGEST_TOKEN = 255
"""Lucene cuts longer words into pieces of this many characters."""
_PART = r"[0-9A-Za-z_\u0080-\ud7ff\ue000-\U0010ffff]+"
_WORD = re.compile(rf"{_PART}(?:['.]{_PART})*")
"""Lucene's syntax is made of ASCII punctuation alone; other scripts are left whole for its tokenizer."""


def lucene_query(text: str, corpus: str) -> str | None:
    """The query for passages of a corpus that hold any word of the text; None where it has no word.

    Words are lower case and without ASCII punctuation but apostrophes and full stops inside, so that no character of
    the text, nor ``AND``, ``OR``, ``NOT`` in it, means anything to Lucene's parser. The corpus adds nothing to the
    score; it only narrows, since the index cuts its name into words: the query file checks it exactly.

    >>> print(lucene_query("Is Mugain (NOT) king's AND-law*?", "kings"))
    +corpus:"kings"^0 +(title:(is mugain not king's and law) text:(is mugain not king's and law))
    """
    found = dict.fromkeys(word for word in _WORD.findall(text.lower()) if any(map(str.isalnum, word)))
    words = " ".join(_affordable(found))
    if not words:
        return None
    phrase = re.sub(r'(["\\])', r"\\\1", corpus)
    return f'+corpus:"{phrase}"^0 +(title:({words}) text:({words}))'


def _affordable(words: Iterable[str]) -> list[str]:
    """The first words that surely make no more clauses than allowed."""
    chosen: list[str] = []
    left = MAX_CLAUSES
    for word in words:
        left -= _most_tokens(word)
        if left < 0:
            break
        chosen.append(word)
    return chosen


def _most_tokens(word: str) -> int:
    """An upper bound of the tokens that Lucene makes of a word: one, but Chinese text is one a character."""
    return 1 + len(word) // _LONGEST_TOKEN if word.isascii() and word.isalnum() else len(word)
