"""Jupyter notebooks: one document with the text of the cells, in order, and the headings of its Markdown cells.

Output is kept where it is text; images and HTML are left out. Each cell is a page of the document, so that a hit shows
its number.
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
from tetragraph_loaders.markdown import find_headings
from tetragraph_loaders.reading import load_one, title_from

MAX_OUTPUT = 2_000
"""Largest number of characters of the output of one cell; longer ones are logs and tables of data."""
_LINE_END = re.compile(r"\r\n?")


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
    for number, cell in enumerate(cells, start=1):
        if isinstance(cell, dict):
            composer.begin_page(number, f"cell {number}")
            _add_cell(composer, cell)
    title = next((heading.title for heading in composer.headings if heading.level == 1), "")
    return composer.document(source, title, title_from(path))


def _add_cell(composer: Composer, cell: Mapping[str, object]) -> None:
    words = _LINE_END.sub("\n", _joined(cell.get("source")).replace("\0", ""))  # so that the composer changes nothing
    start = composer.add(words)
    if cell.get("cell_type") == "markdown" and start is not None:
        lead = len(words) - len(words.lstrip("\n"))
        for heading in find_headings(words):
            composer.headings.append(replace(heading, start=start + max(heading.start - lead, 0)))
    outputs = cell.get("outputs")
    for output in outputs if isinstance(outputs, list) else []:
        if isinstance(output, dict):
            data = output.get("data")
            shown = data.get("text/plain") if isinstance(data, dict) else output.get("text")
            composer.add(_joined(shown)[:MAX_OUTPUT])


def _joined(value: object) -> str:
    """The text of a cell, which is stored as one text or as a list of lines."""
    lines = value if isinstance(value, list) else [value]
    return "".join(line for line in lines if isinstance(line, str))
