"""Prepares Word documents (DOCX) and XML for kreuzberg, which drops some of their characters without a trace.

In both it drops what XML writes as a reference: ``&amp;``, ``&lt;``, ``&gt;`` and others. It is given the characters
themselves, and stand-ins for those three. Of a Word document it also drops tabs, page breaks, hyphens that do not break
and signs of other fonts, and a paragraph that holds a text box. These become characters, and the paragraphs of a box
follow its paragraph. Equations inside a paragraph, which it moves in front of it, stay in it as text. A text whose move
is tracked is left out where it was.
"""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from tetragraph.model import Document
from tetragraph_loaders.word_equations import write_equations
from tetragraph_loaders.word_symbols import find_character

if TYPE_CHECKING:
    from lxml.etree import _Element

WORD_SUFFIXES = frozenset({".docm", ".docx"})
XML_SUFFIXES = frozenset({".docbook", ".fb2", ".xml"})
_MOST_BYTES = 100_000_000
"""Largest size of what is prepared, unpacked; a file above it is read as it is."""
_COPIED = (".xml", ".rels")
"""Ends of the names of the parts of an Office file that have text or what it refers to; pictures are left out."""
_TEXTS = re.compile(r"word/(?:document|(?:end|foot)notes\d*|(?:foot|head)er\d*)\.xml")
_STAND_INS = {ord("&"): "\ue002", ord("<"): "\ue003", ord(">"): "\ue004"}
"""Characters for private use, so that no text has them."""
_RESTORED = {ord(stand_in): chr(character) for character, stand_in in _STAND_INS.items()}
_WORD = "{http://schemas.openxmlformats.org/wordprocessingml/2006/main}"
COMPATIBLE = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_CHARACTERS = {f"{_WORD}tab": "\t", f"{_WORD}ptab": "\t", f"{_WORD}noBreakHyphen": "-", f"{_WORD}cr": "\n"}
"""Elements of a run that stand for a character."""


def prepare(path: Path) -> bytes | None:
    """The content of a file in the form that kreuzberg reads in full; the text is for :func:`restore_characters`.

    Returns:
        The content to read instead of the file's; None for other formats, and for files that are damaged, protected,
        or too large, which kreuzberg reports.
    """
    from lxml import etree

    suffix = path.suffix.lower()
    if suffix in WORD_SUFFIXES:
        return prepare_parts(path, _TEXTS, _prepare_text)
    try:
        if suffix in XML_SUFFIXES and path.stat().st_size <= _MOST_BYTES:
            root = parse(path.read_bytes())
            _stand_in(root)
            return bytes(etree.tostring(root.getroottree(), encoding="utf-8"))
    except (OSError, etree.XMLSyntaxError):
        return None
    return None


def prepare_parts(
    path: Path,
    names: re.Pattern[str],
    change: Callable[[bytes], bytes],
    find_new_names: Callable[[zipfile.ZipFile], Mapping[str, str]] = lambda _: {},
) -> bytes | None:
    """The content of an Office file without pictures, with some of its parts changed.

    Args:
        path: The file.
        names: Names of the parts that are changed.
        change: Makes the new content of a part from the old one.
        find_new_names: Finds new names of parts by the old ones; a part with an empty one is left out.

    Returns:
        None for files that are damaged, protected, or too large.
    """
    from lxml import etree

    packed = io.BytesIO()
    try:
        with zipfile.ZipFile(path) as archive, zipfile.ZipFile(packed, "w") as prepared:
            parts = [one for one in archive.infolist() if one.filename.endswith(_COPIED)]
            if sum(one.file_size for one in parts) > _MOST_BYTES:
                return None
            new_names = find_new_names(archive)
            for part in parts:
                content = archive.read(part)
                if new_name := new_names.get(part.filename, part.filename):
                    prepared.writestr(new_name, change(content) if names.fullmatch(part.filename) else content)
    except (OSError, zipfile.BadZipFile, zlib.error, RuntimeError, etree.XMLSyntaxError):
        return None
    return packed.getvalue()


def restore_characters(document: Document) -> Document:
    """A document with the characters for which its texts have stand-ins, one for one."""
    headings = tuple(replace(one, title=one.title.translate(_RESTORED)) for one in document.headings)
    text, title = document.text.translate(_RESTORED), document.title.translate(_RESTORED)
    return replace(document, text=text, title=title, headings=headings)


def parse(content: bytes) -> _Element:
    """The root of XML, whose entities lead nowhere."""
    from lxml import etree

    return etree.fromstring(content, etree.XMLParser(resolve_entities=False, no_network=True))


def _prepare_text(content: bytes) -> bytes:
    from lxml import etree

    root = parse(content)
    for moved in list(root.iter(f"{_WORD}moveFrom")):
        moved.getparent().remove(moved)
    _write_characters(root)
    _move_boxes(root)
    write_equations(root)
    _stand_in(root)
    return bytes(etree.tostring(root, encoding="utf-8"))


def _stand_in(root: _Element) -> None:
    for element in root.iter():
        if element.text and isinstance(element.tag, str):  # others are comments, instructions and entities
            element.text = element.text.translate(_STAND_INS)
        if element.tail:
            element.tail = element.tail.translate(_STAND_INS)


def _write_characters(root: _Element) -> None:
    """Replace the elements of runs that stand for a character, and the breaks of pages and columns."""
    for run in root.iter(f"{_WORD}r"):
        for element in run:
            character = _CHARACTERS.get(str(element.tag))
            if element.tag == f"{_WORD}sym":
                character = find_character(element.get(f"{_WORD}font", ""), element.get(f"{_WORD}char", ""))
            if character is not None:
                element.attrib.clear()
                element.tag, element.text = f"{_WORD}t", character
                element.set(_SPACE, "preserve")
            elif element.tag == f"{_WORD}br":
                element.attrib.clear()  # a break without attributes is a line end


def _move_boxes(root: _Element) -> None:
    """Move the paragraphs of text boxes behind the paragraph that holds the box."""
    for choice in root.iter(f"{COMPATIBLE}Choice"):
        if choice.find(f".//{_WORD}txbxContent") is not None:  # the alternatives have the same words
            for other in list(choice.itersiblings()):
                other.getparent().remove(other)
    for box in reversed(list(root.iter(f"{_WORD}txbxContent"))):  # inner boxes first, those of a paragraph in order
        holder = next(box.iterancestors(f"{_WORD}p"), None)
        if holder is not None:
            for paragraph in reversed(box):
                holder.addnext(paragraph)
            box.getparent().remove(box)
