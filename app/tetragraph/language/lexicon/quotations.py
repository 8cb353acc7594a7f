"""Search for a quotation in a text, regardless of case, blanks and punctuation marks."""

from __future__ import annotations

import unicodedata
from typing import Final

_MARKS: Final = str.maketrans(
    {**dict.fromkeys("‘’‚‛`´′", "'"), **dict.fromkeys("“”„‟″«»", '"'), **dict.fromkeys("‐‑‒–—−", "-")}
)
"""Typographic quotation marks and dashes, and the ASCII characters that models write in their place."""
_EDGES: Final = " \"'.,;:…"
"""Characters around a quotation that are not part of it."""


def find_quotation(text: str, words: str) -> tuple[int, int] | None:
    r"""Find the first occurrence of a quotation, ignoring blanks, case and the kinds of quotation marks and dashes.

    Args:
        text: Text to search.
        words: Quotation, as a model copied it.

    Returns:
        Character offsets in ``text`` of whole words; None if the text does not contain the quotation.

    >>> text = "She said:\n“It’s  over.”"
    >>> text[slice(*find_quotation(text, "it's over"))], find_quotation(text, "she")
    ('It’s  over', (0, 3))
    """
    plain, places = _fold_text(text)
    wanted = _fold_text(words)[0].strip(_EDGES)
    start = plain.find(wanted) if wanted else -1
    while start >= 0:
        end = start + len(wanted)
        if not _is_inside_word(plain, start) and not _is_inside_word(plain, end):
            return places[start], places[end - 1] + 1
        start = plain.find(wanted, start + 1)
    return None


def _fold_text(text: str) -> tuple[str, list[int]]:
    """A text in one spelling, and for each of its characters its place in the original text."""
    folded: list[str] = []
    places: list[int] = []
    for place, character in enumerate(text):
        if character.isspace():
            if folded and folded[-1] != " ":
                folded.append(" ")
                places.append(place)
            continue
        for plain in _fold(character):
            folded.append(plain)
            places.append(place)
    return "".join(folded), places


def _fold(character: str) -> str:
    if character.isascii():
        return character.lower() if character != "`" else "'"
    return unicodedata.normalize("NFKC", character.translate(_MARKS)).casefold()


def _is_inside_word(text: str, place: int) -> bool:
    return 0 < place < len(text) and text[place - 1].isalnum() and text[place].isalnum()
