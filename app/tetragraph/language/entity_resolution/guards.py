"""Guards that forbid a merge of two names, however similar they are."""

from __future__ import annotations

from typing import Final

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.entity_resolution.name_cores import Core, is_numeral
from tetragraph.language.entity_resolution.names import Name
from tetragraph.language.entity_resolution.spellings import singular

_NUMBER_WORDS_LIST = """
one two three four five six seven eight nine ten eleven twelve first second third fourth fifth sixth seventh eighth
ninth tenth last next previous primary secondary half double triple single
"""
_OPPOSITES_LIST = """
north south east west northern southern eastern western northeast northwest southeast southwest northeastern
northwestern southeastern southwestern central upper lower inner outer left right old new young big great little small
senior junior sr jr elder younger male female men women man woman boys girls boy girl ladies gentlemen
father mother son daughter brother sister husband wife king queen prince princess duke duchess count countess emperor
empress lord lady uncle aunt pre post pro anti non vice deputy sub under over major minor black white red blue green
summer winter spring autumn home away day night morning evening
"""
_RANKS_LIST = """
duke duchess archduke archduchess count countess earl baron baroness marquis marquess margrave margravine landgrave
burgrave prince princess king queen emperor empress lord lady viscount viscountess sultan shah emir caliph raja maharaja
rani pope bishop archbishop abbot tsar infante infanta dauphin
"""
RANKS: Final = frozenset(_RANKS_LIST.split())
"""Words of rank that may precede or follow a person's name."""
DISTINGUISHING: Final = frozenset(_NUMBER_WORDS_LIST.split()) | frozenset(_OPPOSITES_LIST.split())
"""Words that distinguish a name from another: numbers, directions, opposites, kin and rank."""
_SINGLE = frozenset([TYPES[label] for label in ("PERSON", "GPE", "ORG", "WORK_OF_ART", "NORP", "LANGUAGE")])
"""Types that exclude each other; those of events, products and laws are confused too often to be evidence."""


def may_be_one(first: Name, second: Name) -> bool:
    """Whether types, numbers, initials and distinctive words allow two names to be one entity.

    False for two titles of different documents, for dates and numbers, and for a name and a phrase without a capital.
    """
    if first.is_counted or second.is_counted or (first.is_title and second.is_title):
        return False
    if first.is_concept != second.is_concept or not types_fit(first, second):
        return False
    if sorted(numbers(first.words)) != sorted(numbers(second.words)) or not initials_fit(first, second):
        return False
    return _distinguishing_words(first.core) == _distinguishing_words(second.core) and _addresses_fit(
        first.core, second.core
    )


def _distinguishing_words(core: Core) -> set[str]:
    return {singular(word) for word in core.words if word in DISTINGUISHING or singular(word) in DISTINGUISHING}


def types_fit(first: Name, second: Name) -> bool:
    """Whether two names share a type that the parser gives to both, or one has none that excludes the other's."""
    if first.types & second.types:
        return True
    return not (first.types & _SINGLE and second.types & _SINGLE)


def numbers(words: tuple[str, ...]) -> tuple[str, ...]:
    """Digits, ordinals and roman numerals of a name, in their order.

    A single letter is a numeral at the end ("Malcolm X" too) or if it is I or V ("George I of Greece").

    >>> numbers(("henry", "iv", "of", "apollo", "13")), numbers(("c", "s", "lewis")), numbers(("i", "robot"))
    (('iv', '13'), (), ())
    """
    last = len(words) - 1
    return tuple(
        word
        for place, word in enumerate(words)
        if is_numeral(word)
        and (not word.isalpha() or (place > 0 and (len(word) > 1 or place == last or word in ("i", "v"))))
    )


def initials_fit(first: Name, second: Name) -> bool:
    """Whether no initial contradicts a word in its place: "J. Smith" is not "K. Smith", nor "Karl Smith".

    Names of different lengths always pass.
    """
    if len(first.words) != len(second.words):
        return True
    pairs = zip(first.words, second.words, strict=True)
    return all(one[0] == other[0] for one, other in pairs if min(len(one), len(other)) == 1)


def _addresses_fit(first: Core, second: Core) -> bool:
    """Whether the forms of address of two names do not differ: "Captain Cook" is not "Dr. Cook"."""
    return not first.address or not second.address or first.address == second.address
