"""Distinctive words of names: without articles, connecting words, forms of address and legal forms."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from tetragraph.language.entity_resolution.spellings import fold
from tetragraph.language.lexicon.words import CONNECTORS

_SMALL = CONNECTORS | {"and"}
_ARTICLES = frozenset(["a", "an"])
_ADDRESS_LIST = """
sir dame dr mr mrs ms miss rev reverend prof professor captain capt colonel col general gen lieutenant lt sergeant sgt
president senator governor judge justice
"""
ADDRESS: Final = frozenset(_ADDRESS_LIST.split())
"""Forms of address, which precede a person's name and are no part of it."""
_HONOURS_LIST = "esq mp obe cbe kbe mbe gbe kcb kc qc ac phd md"
_HONOURS = frozenset(_HONOURS_LIST.split())
_RULERS_LIST = "king queen emperor empress pope tsar sultan"
_RULERS = frozenset(_RULERS_LIST.split())
"""Titles that are redundant beside the number of a ruler: "King Henry VIII"."""
_LEGAL_FORMS_LIST = "inc ltd limited llc plc gmbh corp corporation incorporated ag"
LEGAL_FORMS: Final = frozenset(_LEGAL_FORMS_LIST.split())
"""Legal forms at the end of company names."""
_ROMAN = re.compile(r"(?!li?$)(?=[ivxlc])(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})$")


@dataclass(frozen=True, slots=True)
class Core:
    """Distinctive words of a name.

    Attributes:
        words: Folded distinctive words in their order; at least one.
        address: Forms of address and ranks that were left out.
        is_cut: Whether the name ends with "of" or another word that needs a continuation.
    """

    words: tuple[str, ...]
    address: frozenset[str]
    is_cut: bool


def core_of(words: tuple[str, ...]) -> Core:
    """The core of a name's normalised words.

    >>> core_of(("sir", "walter", "scott")).words, core_of(("the", "rank", "organisation")).words
    (('walter', 'scott'), ('rank', 'organization'))
    """
    telling = [word for place, word in enumerate(words) if word not in (_SMALL if place else _SMALL | _ARTICLES)]
    bare = telling[:-1] if len(telling) > 2 and telling[-1] in _HONOURS else telling
    before = ADDRESS | (_RULERS if any(is_numeral(word) for word in bare[1:]) else frozenset())
    start = next((place for place, word in enumerate(bare) if word not in before), 0)
    bare, address = (bare[start:], frozenset(bare[:start])) if len(bare) - start > 1 else (bare, frozenset())
    if len(bare) > 1 and bare[-1] in LEGAL_FORMS:
        bare = bare[:-1]
    left = tuple(fold(word) for word in bare or words)
    return Core(left, address, words[-1] in (CONNECTORS if len(left) > 1 else _SMALL))


def is_numeral(word: str) -> bool:
    """Whether a word contains digits or is a roman numeral below 100."""
    return any(letter.isdigit() for letter in word) or bool(_ROMAN.match(word))
