"""Prepares presentations (PPTX) for kreuzberg, which drops some of the text of their slides without a trace.

It drops what a slide has in several versions, as PowerPoint writes a text box with an equation: of these the first with
text is taken. It drops equations, too: they become text at their places.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from tetragraph_loaders.prepared_xml import COMPATIBLE, parse, prepare_parts
from tetragraph_loaders.word_equations import describe_equation

if TYPE_CHECKING:
    from lxml.etree import _Element

SLIDE_SUFFIXES = frozenset({".pptm", ".pptx", ".ppsx"})
_SLIDES = re.compile(r"ppt/slides/[^/]+\.xml")
_DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
_EQUATION = "{http://schemas.microsoft.com/office/drawing/2010/main}m"


def prepare_slides(path: Path) -> bytes | None:
    """The content of a presentation in the form that kreuzberg reads in full, without pictures.

    Returns:
        The content to read instead of the file's; None for files that are damaged, protected, or too large, which
        kreuzberg reports.
    """
    return prepare_parts(path, _SLIDES, _prepare_slide)


def _prepare_slide(content: bytes) -> bytes:
    from lxml import etree

    root = parse(content)
    _write_equations(root)
    _choose_versions(root)
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


def _has_text(element: _Element) -> bool:
    return any((text.text or "").strip() for text in element.iter(f"{_DRAWING}t"))
