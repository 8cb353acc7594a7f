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
_LETTER = r"[^\W\d_]"
_TOKEN = re.compile(rf"{_PART}(?:(?:['.]|(?<=\d)[,;](?=\d)|(?<={_LETTER}):(?={_LETTER})){_PART})*")
"""The same as the index divides texts: numbers such as ``1,250`` and words such as ``mode:strict`` are one token."""
_APOSTROPHE = re.compile("['\u2019](?!s$)")
"""An apostrophe that the index keeps; it cuts off a final ``'s``."""
_OTHER_APOSTROPHE = str.maketrans("'\u2019", "\u2019'")


def lucene_query(text: str, corpus: str, *, every: bool = False, is_fuzzy: bool = False) -> str | None:
    r"""The query for the chunks of a corpus that contain any word of the text, or every one; None without a word.

    A fuzzy query also finds words that differ in at most two letters.

    Words are lower case and without ASCII punctuation except between the parts of a token, so that no character of the
    text, nor ``AND``, ``OR``, ``NOT`` in it, has a meaning for Lucene's parser. Of a token with an apostrophe the other
    apostrophe is searched for, too, and of one with commas, semicolons and colons its parts, unless every word must be
    there. The corpus does not change the score. It filters by the words of its name only, as the index tokenizes it:
    the query file compares it exactly.

    >>> print(lucene_query("Is Mugain (NOT) king's AND-law*?", "kings"))
    +corpus:"kings"^0 +(title:(is mugain not king's and law) text:(is mugain not king's and law))
    >>> print(lucene_query("mode:strict 1,250", "kings", every=True))
    +corpus:"kings"^0 +(title:(mode\:strict) text:(mode\:strict)) +(title:(1,250) text:(1,250))
    """
    tokens = dict.fromkeys(token for token in _TOKEN.findall(text.lower()) if any(map(str.isalnum, token)))
    groups = [_forms(token, has_parts=not every) for token in tokens]
    words = _words_within_limit(dict.fromkeys(word for group in groups for word in group))
    if not words:
        return None
    kept = [[word for word in group if word in words] for group in groups] if every else [words]
    phrase = re.sub(r'(["\\])', r"\\\1", corpus)
    asked = [" ".join(_escaped(word) + "~" * is_fuzzy for word in group) for group in kept if group]
    return " ".join([f'+corpus:"{phrase}"^0', *(f"+(title:({one}) text:({one}))" for one in asked)])


def _forms(token: str, *, has_parts: bool) -> list[str]:
    """The words by which a token is searched for: itself, with the other apostrophe, and its parts."""
    others = [token.translate(_OTHER_APOSTROPHE)] if _APOSTROPHE.search(token) else []
    return list(dict.fromkeys([token, *others, *(_WORD.findall(token) if has_parts else [])]))


def _escaped(word: str) -> str:
    return word.replace(":", r"\:")


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
