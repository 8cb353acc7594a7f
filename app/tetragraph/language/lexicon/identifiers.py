"""Identifiers in technical text: the names of settings, options, functions and files.

They are names like capitalised words, but most are written in small letters.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_IDENTIFIER = re.compile(
    r"""
    (?<![\w/.-])(?:
        --[a-zA-Z][\w-]*\w                  # --max-count
      | ~?(?:/[\w.+-]*\w){2,}               # /etc/hosts
    )
    | \b[^\W\d_]\w*_\w*\w\b                 # hot_standby_feedback
    | \b[a-z]+[A-Z]\w*\b                    # maxTasksPerChild
    """,
    re.VERBOSE,
)
_HINTS = re.compile(r"_|--[a-zA-Z]|/|[a-z][A-Z]")


def find_identifiers(text: str) -> Iterator[tuple[int, int]]:
    """Character offsets of the identifiers of a text, in order.

    >>> text = "Set hot_standby_feedback in /etc/app.conf, or give --max-count."
    >>> [text[start:end] for start, end in find_identifiers(text)]
    ['hot_standby_feedback', '/etc/app.conf', '--max-count']
    """
    if _HINTS.search(text):
        yield from (match.span() for match in _IDENTIFIER.finditer(text))
