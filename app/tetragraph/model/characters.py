"""One spelling for characters that Unicode writes in several ways, so that words are found however a file has them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import replace
from itertools import pairwise

from tetragraph.model.documents import MAX_TITLE, Document

_WITHOUT_BLANKS = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff"
"""Letters of Thai, Lao, Burmese and Khmer, in which a zero width space stands between words."""
_REPLACED = re.compile(f"[\u00ad\ufb00-\ufb06\ufeff]|(?<![{_WITHOUT_BLANKS}])\u200b(?![{_WITHOUT_BLANKS}])")


def unify_characters(text: str) -> str:
    r"""The text in Unicode's form NFC, with letters for ligatures, without soft hyphens and zero width spaces.

    Joiners stay, as Persian, the scripts of India and emoji need them, and so do zero width spaces of languages that
    have no other blanks.

    >>> unify_characters("Gro\u0308\u00ade o\ufb03ce")
    'Gröe office'
    """
    if text.isascii():
        return text
    return unicodedata.normalize("NFC", _REPLACED.sub(lambda found: _letters(found[0]), text))


def _letters(character: str) -> str:
    is_ligature = "\ufb00" <= character <= "\ufb06"
    return unicodedata.normalize("NFKC", character) if is_ligature else ""


def spellings(text: str) -> list[str]:
    """The text, and its forms NFC and NFD where they differ: names of files may have either."""
    return [*dict.fromkeys((text, unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)))]


def unify_document(document: Document) -> Document:
    """The document with its text and titles by :func:`unify_characters`, and its offsets in the new text.

    The id and the metadata stay, and so does a document of which nothing would be left.
    """
    text = unify_characters(document.text)
    titles = [unify_characters(heading.title) for heading in document.headings]
    found = replace(document, title=unify_characters(document.title))
    if text == document.text and titles == [heading.title for heading in document.headings]:
        return found if found != document else document
    if not text.strip():
        return document
    places = [heading.start for heading in document.headings] + [page.start for page in document.pages]
    text, moved = _move(document.text, [*places, *(place for span in document.left_out for place in span)])
    headings = [
        replace(heading, start=moved[heading.start], title=title)
        for heading, title in zip(document.headings, titles, strict=True)
        if 0 < len(title) <= MAX_TITLE
    ]
    return replace(
        found,
        text=text,
        headings=tuple(headings),
        pages=tuple(replace(page, start=moved[page.start]) for page in document.pages),
        left_out=tuple((moved[start], moved[end]) for start, end in document.left_out),
    )


def _move(text: str, places: Iterable[int]) -> tuple[str, Mapping[int, int]]:
    """The text, unified between each two places, and the new offset of each place."""
    cuts = sorted({0, *places, len(text)})
    parts, moved, length = [], {0: 0}, 0
    for start, end in pairwise(cuts):
        parts.append(unify_characters(text[start:end]))
        length += len(parts[-1])
        moved[end] = length
    return "".join(parts), moved
