"""The number of members that a text states of a group: "a trio", "three members", or a list of their names."""

from __future__ import annotations

import re
from typing import Final

from tetragraph.language.extractive_qa.numerals import NUMBERS
from tetragraph.language.extractive_qa.stated import Stated, find_count
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.language.lexicon.words import stem

MEMBER: Final = stem("members")
"""Stem of the noun that is counted here."""
_SIZES: Final = {"duo": 2, "trio": 3, "quartet": 4, "quintet": 5, "sextet": 6, "septet": 7, "octet": 8}
_SIZE: Final = re.compile(rf"\b(?:{'|'.join(_SIZES)})\b", re.IGNORECASE)
_PIECE: Final = re.compile(r"\b(two|three|four|five|six|seven|eight)[\s-]piece\b", re.IGNORECASE)
_LIST: Final = re.compile(
    r"\b(?:(?:consist(?:s|ed|ing)?|composed|made\s+up|comprised)\s+of"
    r"|compris(?:es|ed|ing)"
    r"|(?:members|line-?up)\s+(?:currently\s+)?(?:are|is|was|were|includes?|included))\b",
    re.IGNORECASE,
)
_FOUNDERS: Final = re.compile(r"\b(?:formed|founded)\b.*?\bby\b")
_ASIDE: Final = re.compile(r"\([^()]*\)|\"[^\"]*\"|“[^”]*”")
_BETWEEN: Final = re.compile(r"[,;/&]|\band\b")
_NAME: Final = re.compile(r"\b[A-Z]")


def find_members(text: str) -> Stated | None:
    """The number of members of the group that a text is about: stated, or counted in the list of their names.

    >>> find_members("The Gulls are a rock trio.").value
    3.0
    >>> find_members("The Reeds consist of Ida Holt (vocals, harp), guitarist Per Lind and Olga Sund.").value
    3.0
    """
    if size := _SIZE.search(text):
        return Stated(float(_SIZES[size[0].lower()]), size.span())
    if piece := _PIECE.search(text):
        return Stated(NUMBERS[piece[1].lower()], piece.span())
    return find_count(text, MEMBER) or _count_names(text, _LIST) or _count_names(text, _FOUNDERS)


def _count_names(text: str, opening: re.Pattern[str]) -> Stated | None:
    """The number of parts with a name in the rest of the sentence behind certain words; None for less than two."""
    for start, end in sentence_spans(text):
        found = opening.search(text, start, end)
        if found:
            parts = _BETWEEN.split(_ASIDE.sub(" ", text[found.end() : end]))
            names = sum(bool(_NAME.search(part)) for part in parts)
            return Stated(float(names), (found.start(), end)) if names > 1 else None
    return None
