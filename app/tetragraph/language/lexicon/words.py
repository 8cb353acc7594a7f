"""Stop words, connectors of names, months, and stems for keyword search."""

from __future__ import annotations

_STOP_WORDS = """
a about above after again all also although am an and any are as at be because been before being below between both
but by can could did do does doing during each either every few for from further had has have having he her here
hers him his how however i if in into is it its itself just may me might more most much must my neither no nor not
of off on once one only or other our out over own same she should since so some such than that the their theirs
them then there these they this those through to too under until up upon us very was we were what when where
whether which while who whom whose why will with within would you your
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Normalised words that carry no information on the subject of a text."""
_CONNECTORS = "of the de van von der den di da del della des du la le el al bin ibn"
CONNECTORS = frozenset(_CONNECTORS.split())
"""Small words inside names."""
MONTHS = "January|February|March|April|May|June|July|August|September|October|November|December"
"""Pattern of the names of months."""
_VOWELS = frozenset("aeiouy")


def stem(word: str) -> str:
    """Remove the common English endings of a normalised word; other words are returned unchanged.

    Only ``s``, ``ed``, ``ing``, ``ly`` and a silent ``e`` are removed; derivations (``nation``, ``national``) stay
    distinct.

    >>> [stem(word) for word in ("directed", "directing", "directs", "cities", "stopped", "bus", "1990s")]
    ['direct', 'direct', 'direct', 'city', 'stop', 'bus', '1990s']
    """
    if len(word) < 4 or not word.isalpha() or not word.isascii():
        return word
    base = _singular(word)
    for ending in ("ing", "ed", "ly"):
        short = base.removesuffix(ending)
        if short != base and len(short) >= 3 and not _VOWELS.isdisjoint(short):
            base = _single_consonant(short) if ending != "ly" else short
            break
    if len(base) > 4 and base.endswith("e"):
        base = base[:-1]
    return base[:-1] + "i" if len(base) > 4 and base.endswith("y") and base[-2] not in _VOWELS else base


def _singular(word: str) -> str:
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


def _single_consonant(word: str) -> str:
    return word[:-1] if len(word) > 3 and word[-1] == word[-2] and word[-1] not in "lsz" else word
