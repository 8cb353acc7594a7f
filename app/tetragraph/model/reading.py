"""Options of reading: what a file does not state itself."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias, get_args

from tetragraph.errors import InvalidInput

Html: TypeAlias = Literal["main", "page"]
Boilerplate: TypeAlias = Literal["leave-out", "keep"]
Ocr: TypeAlias = Literal["auto", "off"]


@dataclass(frozen=True, slots=True)
class ReadingOptions:
    """How the files of a source are read.

    Attributes:
        encoding: Encoding of text files without a byte order mark, by Python's name for it; default: UTF-8 where the
            bytes are that, otherwise guessed, with a note.
        text_key: Column of tables, or key of JSON rows, with the text of a document; default: ``text``, otherwise
            guessed, with a note.
        title_key: Column or key with the title; default: ``title``.
        id_key: Column or key with the id; default: ``id``.
        html: ``main`` to read the main text of web pages, ``page`` to read whole pages, without the elements that they
            mark as navigation.
        boilerplate: ``leave-out`` to index text files without navigation, teasers and notices; ``keep`` to index
            everything.
        versions: Path of a CSV or JSON Lines file with the validity of documents: ``id``, ``valid_from``, ``valid_to``,
            ``supersedes``; its values replace those that the documents state.
        ocr: ``auto`` to recognise the text of pictures, and of pages of a PDF that have none, where the extra ``ocr``
            is installed; ``off`` to recognise none.

    Raises:
        InvalidInput: there is no such encoding, a key is empty, or another option has none of its values.
    """

    encoding: str | None = None
    text_key: str | None = None
    title_key: str | None = None
    id_key: str | None = None
    html: Html = "main"
    boilerplate: Boilerplate = "leave-out"
    versions: str | Path | None = None
    ocr: Ocr = "auto"

    def __post_init__(self) -> None:
        if self.encoding is not None and not _is_encoding(self.encoding):
            raise InvalidInput(f"an encoding must be one such as utf-8, latin-1 or cp1252, got {self.encoding!r}")
        if self.html not in get_args(Html):
            raise InvalidInput(f"html must be main or page, got {self.html!r}")
        if self.boilerplate not in get_args(Boilerplate):
            raise InvalidInput(f"boilerplate must be leave-out or keep, got {self.boilerplate!r}")
        if self.ocr not in get_args(Ocr):
            raise InvalidInput(f"ocr must be auto or off, got {self.ocr!r}")
        for name in ("text_key", "title_key", "id_key"):
            if (key := getattr(self, name)) is not None and (not isinstance(key, str) or not key.strip()):
                raise InvalidInput(f"{name} must be the name of a column or key, got {key!r}")
        if self.versions is not None and not isinstance(self.versions, str | Path):
            raise InvalidInput(f"versions must be the path of a file, got {self.versions!r}")


def _is_encoding(name: str) -> bool:
    """Whether Python encodes text by this name; codecs such as ``hex`` only convert bytes."""
    try:
        "".encode(name)
    except (LookupError, TypeError, ValueError, AttributeError):
        return False
    return True


DEFAULT_READING = ReadingOptions()
"""Options where none are given."""
