"""Jupyter notebooks: one document with the text of the cells, in order, and the headings of its Markdown cells.

Output is kept where it is text, Markdown before plain text; images, HTML, colours of a terminal, the names of objects
in memory, and the places where an error was raised are left out, and pictures in base64 with a note. Each cell is a
page of the document, so that a hit shows its number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from tetragraph.errors import UnreadableDocument
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.composing import Composer
from tetragraph_loaders.embedded_data import LEFT_OUT, cut_data
from tetragraph_loaders.markdown import find_headings
from tetragraph_loaders.reading import load_one, title_from

MAX_OUTPUT = 2_000
"""Largest number of characters of the output of one cell; longer ones are logs and tables of data."""
_LINE_END = re.compile(r"\r\n?")
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\))")
"""A sequence of a terminal, for a colour or a link."""
_OBJECT = re.compile(
    r"\s*\[?<(?:(?:Figure|Axes)[^<>]*|[\w.]+(?: object| at 0x[\da-fA-F]+| object at 0x[\da-fA-F]+))>\]?\s*"
)
"""Text that Python prints for a picture or another object."""


def load(path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING) -> Iterator[Document | Unreadable]:
    """Read the notebook as one document, titled by its first heading of level 1, otherwise by the file name."""
    return load_one(path, id_prefix, lambda text: _parse(text, path, id_prefix), options)


def _parse(text: str, path: Path, source: str) -> Document:
    try:
        notebook = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableDocument(f"a notebook must be JSON, got {error}; save it again from Jupyter") from error
    cells = notebook.get("cells") if isinstance(notebook, dict) else None
    if not isinstance(cells, list):
        raise UnreadableDocument("a notebook must have cells, this one has none; save it in format 4 from Jupyter")
    composer = Composer()
    is_whole = True
    for number, cell in enumerate(cells, start=1):
        if isinstance(cell, dict):
            composer.begin_page(number, f"cell {number}")
            is_whole &= _add_cell(composer, cell)
    title = next((heading.title for heading in composer.headings if heading.level == 1), "")
    document = composer.document(source, title, title_from(path))
    return document if is_whole else replace(document, notes=(LEFT_OUT,))


def _add_cell(composer: Composer, cell: Mapping[str, object]) -> bool:
    """Add the text and the output of a cell; returns whether no data were cut out of them."""
    found = _LINE_END.sub("\n", _joined(cell.get("source")).replace("\0", ""))  # so that the composer changes nothing
    words = cut_data(found)
    start = composer.add(words)
    if cell.get("cell_type") == "markdown" and start is not None:
        lead = len(words) - len(words.lstrip("\n"))
        for heading in find_headings(words):
            composer.headings.append(replace(heading, start=start + max(heading.start - lead, 0)))
    outputs = cell.get("outputs")
    shown = (
        [_read_output(output) for output in outputs if isinstance(output, dict)] if isinstance(outputs, list) else []
    )
    kept = [cut_data(output) for output in shown]
    for output in kept:
        composer.add(output[:MAX_OUTPUT])
    return words == found and kept == shown


def _read_output(output: Mapping[str, object]) -> str:
    """The words of an output; empty without any."""
    data = output.get("data")
    if output.get("output_type") == "error":
        parts = [_joined(output.get(key)) for key in ("ename", "evalue")]
        words = ": ".join(part for part in parts if part)
    elif isinstance(data, dict):
        words = _joined(data.get("text/markdown", data.get("text/plain")))
    else:
        words = _joined(output.get("text"))
    words = _ESCAPE.sub("", words)
    return "" if _OBJECT.fullmatch(words) else words


def _joined(value: object) -> str:
    """The text of a cell, which is stored as one text or as a list of lines."""
    lines = value if isinstance(value, list) else [value]
    return "".join(line for line in lines if isinstance(line, str))
