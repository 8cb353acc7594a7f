"""Search for a quotation in a text, regardless of case, blanks and punctuation marks."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from tetragraph.language.lexicon.names import INSIDE_WORD

_MARKS: Final = str.maketrans(
    {
        **dict.fromkeys("‘’‚‛`´′", "'"),
        **dict.fromkeys("“”„‟″«»", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\u00ad\u200b\ufeff", ""),
    }
)
"""Typographic quotation marks and dashes, and the ASCII characters that models write in their place; nothing in place
of soft hyphens and zero width spaces."""
_EDGES: Final = " \"'.,;:…"
"""Characters around a quotation that are not part of it."""


def find_quotation(text: str, words: str) -> tuple[int, int] | None:
    r"""Find the first occurrence of a quotation, ignoring blanks, case and the kinds of quotation marks and dashes.

    In Chinese, Japanese, Thai and Lao, which have no spaces, words are syllables: see
    :data:`tetragraph.language.lexicon.names.SYLLABLE`. Letters with accents are equal in all of Unicode's forms.

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
        if not INSIDE_WORD.match(plain, start) and not INSIDE_WORD.match(plain, end):
            return places[start][0], places[end - 1][1]
        start = plain.find(wanted, start + 1)
    return None


def _fold_text(text: str) -> tuple[str, list[tuple[int, int]]]:
    """A text in one spelling, and for each of its characters the start and end of what it stands for."""
    folded: list[str] = []
    places: list[tuple[int, int]] = []
    for start, end in _composed(text):
        plain = " " if text[start].isspace() else _fold(text[start:end])
        if plain == " " and (not folded or folded[-1] == " "):
            continue
        folded.extend(plain)
        places.extend([(start, end)] * len(plain))
    return "".join(folded), places


def _composed(text: str) -> Iterator[tuple[int, int]]:
    """Start and end of each character with the signs behind it that Unicode may compose with it."""
    starts: Sequence[int] = range(len(text))
    if not unicodedata.is_normalized("NFC", text):
        starts = [place for place in starts if not place or not _continues(text[place])]
    return pairwise([*starts, len(text)])


def _continues(character: str) -> bool:
    """Whether a character is an accent or another sign at the one before it, or a Korean letter inside a syllable."""
    is_sign = not character.isascii() and unicodedata.category(character).startswith("M")
    return is_sign or "\u1160" <= character <= "\u11ff"


def _fold(characters: str) -> str:
    if characters.isascii():
        return characters.lower() if characters != "`" else "'"
    return unicodedata.normalize("NFKC", characters.translate(_MARKS)).casefold()
