"""Pictures: one document each, with the text that is recognised in it; of a TIFF the text of all its pages.

Needs the extra ``ocr``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders import recognition
from tetragraph_loaders.composing import Composer
from tetragraph_loaders.reading import title_from
from tetragraph_loaders.scanned_pages import describe_recognised

if TYPE_CHECKING:
    from PIL.Image import Image

_NO_TEXT = "no text was recognised in the picture"
_IS_OFF = "pictures are not read with --ocr off"


def load(path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING) -> Iterator[Document | Unreadable]:
    """Read a picture as one document, titled by the name of its file."""
    try:
        yield _to_document(path, id_prefix, options)
    except UnreadableDocument as error:
        yield Unreadable(id_prefix, str(error))


def _to_document(path: Path, source: str, options: ReadingOptions) -> Document:
    if options.ocr == "off":
        raise UnreadableDocument(_IS_OFF)
    if not recognition.is_installed():
        unread = f"files that end in {path.suffix.lower()} have no text; read the words of a picture by"
        raise UnreadableDocument(f"{unread} {recognition.WAY_OUT}")
    with recognition.open_picture(path) as picture:
        count = recognition.count_pages(picture)
        found, failed = recognition.recognise_pages(
            {number: partial(_page, picture, number - 1) for number in range(1, count + 1)}
        )
    texts = {number: text for number, text in found.items() if text}
    if not texts:
        raise UnreadableDocument(next(iter(failed), _NO_TEXT))
    composer = Composer()
    for number, text in texts.items():
        if count > 1:
            composer.begin_page(number)
        composer.add(text)
    document = composer.document(source, "", title_from(path))
    return replace(document, notes=describe_recognised(len(texts), failed))


def _page(picture: Image, number: int) -> Image:
    """A page of a picture, which is the same object at another place of the file."""
    recognition.go_to_page(picture, number)
    return picture
