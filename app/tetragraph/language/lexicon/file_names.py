"""Words of the names of files, and how many of them a question has.

People name files by what distinguishes them (``BESTBUY_2024Q2_10Q``), and such names have words written together.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from tetragraph.language.lexicon.names import normalise_word
from tetragraph.language.lexicon.words import STOP_WORDS, stem

_PART = re.compile(r"\d{3,}|[^\W\d_]+\d{1,2}(?!\d)|[^\W\d_]+")
"""A number such as a year, letters with a short number (``Q2``), or letters."""
_SUFFIX = re.compile(r"\.[^\W\d_]\w{0,4}$")
_LONGEST_JOINED = 3
"""Words of a question that a name may have as one."""
_FEWEST = 3
"""Number of words that a shorter name counts as: a question may have a single word by chance."""


@lru_cache(maxsize=100_000)
def name_words(name: str) -> frozenset[str]:
    """Stems of the words of a file's name, without its suffix.

    >>> sorted(name_words("BESTBUY_2024Q2_10Q.pdf"))
    ['2024', 'bestbuy', 'q2']
    >>> sorted(name_words("minutes.2024"))
    ['2024', 'minut']
    """
    return frozenset(_stems(_parts(_SUFFIX.sub("", name))))


def asked_words(question: str) -> frozenset[str]:
    """Stems of the words by which a question can name a file: its own, and neighbours written together.

    >>> sorted(asked_words("Best Buy, FY2024"))
    ['2024', 'best', 'bestbuy', 'bestbuyfi', 'buy', 'buyfi', 'fy']
    """
    parts = list(_parts(question))
    words = [part for part in parts if part.isalpha()]
    joined = (
        "".join(words[start : start + length])
        for length in range(2, _LONGEST_JOINED + 1)
        for start in range(len(words) - length + 1)
    )
    return frozenset(_stems((*parts, *joined)))


def share_named(name: str, asked: frozenset[str]) -> float:
    """Share of the words of a file's name that a question has, 0 to 1.

    >>> asked = asked_words("What was the revenue of Best Buy in Q2 of FY2024?")
    >>> [round(share_named(name, asked), 2) for name in ("BESTBUY_2024Q2_10Q.pdf", "revenue.txt", "AMCOR_2024Q2_10Q")]
    [1.0, 0.33, 0.67]
    """
    words = name_words(name)
    return len(words & asked) / max(len(words), _FEWEST)


def _parts(text: str) -> Iterator[str]:
    return (normalise_word(part) for part in _PART.findall(text))


def _stems(words: Iterable[str]) -> Iterator[str]:
    return (stem(word) for word in words if len(word) > 1 and word not in STOP_WORDS)
