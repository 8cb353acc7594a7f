"""Rules that a document must meet to be stored; checked before anything is written."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from tetragraph.errors import InvalidInput
from tetragraph.model import FILE_FILTERS, HIDDEN_DOCUMENTS, Document
from tetragraph.model.documents import MAX_TITLE
from tetragraph.model.validity import SUPERSEDES, Validity

MAX_ID_BYTES = 4_000
"""Longest id in bytes of UTF-8; Neo4j indexes no property above about 8,000."""
_INTEGERS = range(-(2**63), 2**63)
"""Range of integers that Neo4j stores."""
_HALF = re.compile("[\ud800-\udfff]")
"""Half of a character of Unicode, which no store can hold."""


def find_fault(document: Document) -> str:
    """The reason in words why a document cannot be stored; empty if it can.

    >>> find_fault(Document("a", "A", "Text", metadata={"@source": 3}))
    "metadata may not use the names of filters on files, got '@source': rename the field"
    """
    if fault := _find_type_fault(document):
        return fault
    if not document.text.strip():
        return "a document must have text, this one has none"
    if fault := _find_length_fault(document):
        return fault
    for key, value in document.metadata.items():
        if key in FILE_FILTERS or key == HIDDEN_DOCUMENTS:
            return f"metadata may not use the names of filters on files, got {key!r}: rename the field"
        if not isinstance(value, str | int | float | list | tuple):
            return f"metadata must be texts, numbers, booleans and lists of texts, got {_type(value)} for {key!r}"
        if isinstance(value, int) and value not in _INTEGERS:
            return f"an integer must fit into 64 bits, got {value} for {key!r}: give it as a text"
        if isinstance(value, float) and not math.isfinite(value):
            return f"a number must be finite, got {value} for {key!r}"
    return _find_version_fault(document)


def _find_version_fault(document: Document) -> str:
    """The reason why the validity that a document states cannot be used."""
    try:
        stated = Validity.of(document.metadata)
    except InvalidInput as error:
        return str(error)
    if document.id in stated.supersedes:
        return f"{SUPERSEDES} must name other documents, got the document itself, {document.id!r}: name its predecessor"
    return ""


def describe_place(document: Document) -> str:
    """Source or id of a document as a text that every terminal and file can hold, whatever type it has."""
    return str(document.source or document.id).encode(errors="backslashreplace").decode()


def _find_type_fault(document: Document) -> str:
    """The reason why a document that a program made has not the types of its fields, or half of a character."""
    if not isinstance(document.metadata, Mapping):
        return f"metadata must be a mapping of names to values, got {type(document.metadata).__name__}"
    texts: list[tuple[str, object]] = [(name, getattr(document, name)) for name in ("id", "title", "text", "source")]
    for key, value in document.metadata.items():
        texts.append(("name of metadata", key))
        members = [value] if isinstance(value, str) else value if isinstance(value, list | tuple) else []
        texts += [(f"metadata {key!a:.100}", member) for member in members]
    for name, given in texts:
        if not isinstance(given, str):
            return f"the {name} must be a text, got {_type(given)}"
        if half := _HALF.search(given):
            return f"the {name} must be whole characters of Unicode, got half of one at {half.start()}: remove it"
    return ""


def _type(value: object) -> str:
    return type(value).__name__


def _find_length_fault(document: Document) -> str:
    size = len(document.id.encode())
    if size > MAX_ID_BYTES:
        return f"an id may have {MAX_ID_BYTES:,} bytes, got {size:,}: give the document a shorter one"
    titles = {"title": [document.title], "heading": [heading.title for heading in document.headings]}
    for kind, found in titles.items():
        if (length := max(map(len, found), default=0)) > MAX_TITLE:
            return f"a {kind} may have {MAX_TITLE:,} characters, got {length:,}: move the rest into the text"
    return ""
