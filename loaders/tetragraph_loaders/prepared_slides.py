"""Prepares presentations (PPTX) for kreuzberg, which drops some of the text of their slides without a trace.

It drops what a slide has in several versions, as PowerPoint writes a text box with an equation: of these the first with
text is taken. It drops equations, too: they become text at their places. Of a table it gives each row as a paragraph:
instead it is given one paragraph for the table, in which marks divide rows and cells.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tetragraph_loaders.order_of_slides import find_new_names
from tetragraph_loaders.prepared_xml import COMPATIBLE, parse, prepare_parts
from tetragraph_loaders.word_equations import describe_equation

if TYPE_CHECKING:
    from lxml.etree import _Element

SLIDE_SUFFIXES = frozenset({".pptm", ".pptx", ".ppsx"})
_SLIDES = re.compile(r"ppt/slides/[^/]+\.xml")
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_SHOWN = "{http://schemas.openxmlformats.org/presentationml/2006/main}"
_EQUATION = "{http://schemas.microsoft.com/office/drawing/2010/main}m"
_ROW, _CELL = "\ue005", "\ue006"
"""Marks before each row and between cells of a table; the characters are for private use, so that no text has them."""


def prepare_slides(path: Path) -> bytes | None:
    """The content of a presentation in the form that kreuzberg reads in full, without pictures.

    Returns:
        The content to read instead of the file's; None for files that are damaged, protected, or too large, which
        kreuzberg reports.
    """
    return prepare_parts(path, _SLIDES, _prepare_slide, find_new_names)


def find_rows(words: str) -> list[list[str]]:
    r"""The cells of a table by a paragraph of a prepared presentation; none for other paragraphs.

    >>> find_rows("\ue005Port\ue006Boats\ue005Orla\ue0067"), find_rows("Orla")
    ([['Port', 'Boats'], ['Orla', '7']], [])
    """
    return [row.split(_CELL) for row in words.split(_ROW)[1:]] if words.startswith(_ROW) else []


def _prepare_slide(content: bytes) -> bytes:
    from lxml import etree

    root = parse(content)
    _write_equations(root)
    _choose_versions(root)
    _write_tables(root)
    return bytes(etree.tostring(root, encoding="utf-8"))


def _write_equations(root: _Element) -> None:
    for equation in list(root.iter(_EQUATION)):
        run, text = (equation.makeelement(f"{_DRAWING}{name}") for name in "rt")
        text.text = describe_equation(equation)
        run.append(text)
        equation.getparent().replace(equation, run)


def _choose_versions(root: _Element) -> None:
    """Put the first version with text in the place of what has several; without text all stay."""
    for several in list(root.iter(f"{COMPATIBLE}AlternateContent")):
        versions = several.iterchildren(f"{COMPATIBLE}Choice", f"{COMPATIBLE}Fallback")
        if (chosen := next(filter(_has_text, versions), None)) is not None:
            for child in list(chosen):
                several.addprevious(child)
            several.getparent().remove(several)


def _write_tables(root: _Element) -> None:
    """Replace each table by a shape with one paragraph at its place, which decides where kreuzberg reads it."""
    for frame in list(root.iter(f"{_SHOWN}graphicFrame")):
        table = frame.find(f".//{_DRAWING}tbl")
        if table is None:
            continue
        shape = frame.makeelement(f"{_SHOWN}sp")
        holder = _add(shape, f"{_SHOWN}spPr")
        if (place := frame.find(f"{_SHOWN}xfrm")) is not None:
            _add(holder, f"{_DRAWING}xfrm").extend(list(place))
        run = _add(_add(_add(shape, f"{_SHOWN}txBody"), f"{_DRAWING}p"), f"{_DRAWING}r")
        rows = ([_cell_text(cell) for cell in row.iter(f"{_DRAWING}tc")] for row in table.iter(f"{_DRAWING}tr"))
        _add(run, f"{_DRAWING}t").text = "".join(_ROW + _CELL.join(row) for row in rows)
        frame.getparent().replace(frame, shape)


def _add(element: _Element, name: str) -> _Element:
    child = element.makeelement(name)
    element.append(child)
    return child


def _cell_text(cell: _Element) -> str:
    paragraphs = (paragraph.iter(f"{_DRAWING}t", f"{_DRAWING}br") for paragraph in cell.iter(f"{_DRAWING}p"))
    return " ".join("".join(part.text or " " for part in parts) for parts in paragraphs)


def _has_text(element: _Element) -> bool:
    return any((text.text or "").strip() for text in element.iter(f"{_DRAWING}t"))
