"""Pages of a PDF without text, which are drawn as pictures and recognised where the extra ``ocr`` is installed."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tetragraph.errors import UnreadableDocument
from tetragraph.model.display import first_of
from tetragraph.model.reading import ReadingOptions
from tetragraph_loaders import recognition

if TYPE_CHECKING:
    from PIL.Image import Image

SIGN = re.compile(r"[^\s\u00ad\x02-]")
"""A character that is neither blank nor a hyphen, as which PDFium writes ``\\x02`` at the end of a line."""
_MAX_SIGNS = 30
"""Number of characters from which on a page has text; a scan may have fewer, of a stamp or a number of the page."""
_GAIN = 2
"""How many times as many characters must be recognised as a page has, to take the place of its own."""
_DOTS = 150
"""Dots an inch in which a page is drawn."""
_POINTS = 72
"""Points an inch, and the fewest dots in which kreuzberg draws."""
_MAX_POINTS = 72_000_000
"""Largest area of a page in square points that is drawn; a sheet of A0 has 8,000,000."""


@dataclass(frozen=True, slots=True)
class Recognised:
    """Texts of the pages of a file that were recognised.

    Attributes:
        texts: Texts by the number of their page.
        notes: Numbers of recognised pages and of those that could not be, in words.
        was_tried: Whether pages were looked at.
    """

    texts: Mapping[int, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    was_tried: bool = False


def recognise_pages(
    path: Path, pages: Sequence[tuple[int, str]], metadata: Mapping[str, Any], options: ReadingOptions
) -> Recognised:
    """Recognise the text of the pages of a PDF that have none.

    Args:
        path: The PDF.
        pages: Number and text of each page.
        metadata: What kreuzberg has found, with the sizes of the pages.
        options: Options of reading.
    """
    if options.ocr == "off" or not recognition.is_installed():
        return Recognised()
    own = {number: len(SIGN.findall(text)) for number, text in pages}
    sizes = {one["number"]: one.get("dimensions") for one in (metadata.get("pages") or {}).get("pages") or ()}
    found, failed = recognition.recognise_pages(
        {number: partial(_draw, path, number, sizes.get(number)) for number, signs in own.items() if signs < _MAX_SIGNS}
    )
    texts = {number: text for number, text in found.items() if len(SIGN.findall(text)) > _GAIN * own[number]}
    return Recognised(texts, describe_recognised(len(texts), failed), was_tried=True)


def describe_recognised(pages: int, failed: Mapping[str, Sequence[int]]) -> tuple[str, ...]:
    """Notes of a file.

    Args:
        pages: Number of recognised pages.
        failed: Numbers of the pages that could not be recognised, by the reason.
    """
    notes = [f"the text of {pages:,} page{'s' * (pages > 1)} was recognised, and may have errors"] if pages else []
    for reason, numbers in failed.items():
        pages_failed = first_of([str(number) for number in numbers], 1)
        notes.append(f"page {pages_failed} could not be recognised: {reason}")
    return tuple(notes)


def _draw(path: Path, number: int, size: tuple[float, float] | None) -> Image:
    """A page as a picture, of the largest size at most.

    Raises:
        UnreadableDocument: the page has no size, is larger than a sheet of 9 m², or cannot be drawn.
    """
    import kreuzberg

    width, height = size or (0.0, 0.0)
    if not 0 < width * height <= _MAX_POINTS:
        raise UnreadableDocument(f"a page may have {_MAX_POINTS:,} square points, this one has {width * height:,.0f}")
    dots = min(_DOTS, max(_POINTS, int(recognition.MAX_SIDE * _POINTS / max(width, height))))
    try:
        drawn = kreuzberg.render_pdf_page(path, number - 1, dpi=dots)
    except (kreuzberg.KreuzbergError, RuntimeError, ValueError, OSError) as error:
        raise UnreadableDocument(f"the page cannot be drawn: {error}"[:300]) from error
    return recognition.open_picture(drawn)
