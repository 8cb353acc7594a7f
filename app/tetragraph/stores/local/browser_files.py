"""Files for Neo4j Browser: a style sheet, a guide, and the guide's queries as favourites."""

from __future__ import annotations

import io
import re
import zipfile
from pathlib import Path

from tetragraph import queries
from tetragraph.errors import InvalidInput
from tetragraph.stores.local import browser_guide

STYLE = "style.grass"
GUIDE = "guide.html"
FAVOURITES = "favourites.zip"
_LONG_AGO = (1980, 1, 1, 0, 0, 0)


def files() -> dict[str, bytes]:
    """Content by file name of the files that Browser loads by address; the same bytes at each call."""
    style = queries.root("schema") / "browser" / STYLE
    return {STYLE: style.read_bytes(), GUIDE: browser_guide.page(browser_guide.slides()).encode()}


def favourites() -> bytes:
    """An archive for dropping on Browser's window: the guide's queries, a folder for each slide."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for slide in browser_guide.slides():
            for name in slide.queries:
                query = queries.get(name)
                folder = f"tetragraph {re.sub(r'[^a-z0-9]+', ' ', slide.title.partition(':')[0].lower())}"
                archive.writestr(entry(f"{folder}/{name.partition('/')[2]}.cypher"), browser_guide.statement(query))
    return buffer.getvalue()


def write(folder: Path) -> list[Path]:
    """Write style sheet, guide and favourites to a folder, for other servers than the local one; returns the files.

    Raises:
        InvalidInput: the folder is not writable.
    """
    written = []
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, content in {**files(), FAVOURITES: favourites()}.items():
            (folder / name).write_bytes(content)
            written.append(folder / name)
    except OSError as error:
        raise InvalidInput(f"the files for Neo4j Browser need a folder to go into, {folder}: {error}") from error
    return written


def entry(name: str) -> zipfile.ZipInfo:
    """An archive entry with a fixed date, so that the bytes are reproducible."""
    info = zipfile.ZipInfo(name, _LONG_AGO)
    info.compress_type = zipfile.ZIP_DEFLATED
    info.external_attr = 0o644 << 16
    return info
