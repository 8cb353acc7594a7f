"""Writes a graph as GraphML, for programs that draw and analyse graphs, such as Gephi, yEd and networkx.

The id of a node consists of label and id, ``Chunk:1f2e…``; percent signs and characters that XML cannot represent are
percent-encoded (``%00``), so that ids stay distinct. Its data are ``kind`` (the label), ``label`` (its caption), ``id``
and its properties; those of a relationship are ``kind`` (the type), ``label`` (its caption) and its properties. Types
are ``boolean``, ``long``, ``double`` and ``string``. A list is a string of JSON, and so is every value, except texts,
of a property that has values of several types.
"""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any
from urllib.parse import quote
from xml.sax.saxutils import escape, quoteattr

from tetragraph.export.contents import (
    Contents,
    Type,
    type_of,
    wider,
)
from tetragraph.export.session_files import NO_XML, xml_text
from tetragraph.model.captions import as_text, caption, phrase
from tetragraph.model.subgraphs import NodeKey

_HEAD = """<?xml version="1.0" encoding="utf-8"?>
<graphml xmlns="http://graphml.graphdrawing.org/xmlns" xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" \
xsi:schemaLocation="http://graphml.graphdrawing.org/xmlns http://graphml.graphdrawing.org/xmlns/1.0/graphml.xsd">
"""
_TYPES = {"boolean": "boolean", "integer": "long", "number": "double", "text": "string"}
_UNSAFE = re.compile(rf"[%\t\n]|{NO_XML.pattern}")


class _Keys:
    """The properties seen so far: number and type by domain and name, in order of their first appearance."""

    def __init__(self) -> None:
        self._types: dict[tuple[str, str], Type] = {}
        self._numbers: dict[tuple[str, str], int] = {}

    def data(self, domain: str, properties: Mapping[str, Any]) -> str:
        """Return the properties of one node or relationship as elements."""
        return "".join(self._element(domain, name, value) for name, value in properties.items())

    def _element(self, domain: str, name: str, value: Any) -> str:
        key, found = (domain, name), type_of(value)
        if key in self._types:
            found = wider(self._types[key], found)
        self._types[key] = found
        number = self._numbers.setdefault(key, len(self._numbers))
        return f'<data key="d{number}">{escape(xml_text(as_text(value)))}</data>'

    def declarations(self) -> Iterable[str]:
        """Yield the declaration of each property."""
        for (domain, name), number in self._numbers.items():
            found = self._types[domain, name]
            written = "string" if found.is_list else _TYPES[found.scalar or "text"]
            about = f'id="d{number}" for="{domain}" attr.name={quoteattr(xml_text(name))} attr.type="{written}"'
            yield f"  <key {about}/>\n"


def write(contents: Contents, file: Path) -> None:
    """Write the file, in UTF-8.

    Types are declared before the graph but known only after it, so the graph is first written to a temporary file.
    """
    keys = _Keys()
    with TemporaryFile("w+", encoding="utf-8", newline="\n", dir=file.parent) as body:
        _write_body(contents, keys, body)
        body.seek(0)
        with file.open("w", encoding="utf-8", newline="\n") as whole:
            whole.write(_HEAD)
            whole.writelines(keys.declarations())
            whole.write('  <graph edgedefault="directed">\n')
            shutil.copyfileobj(body, whole, 1 << 20)
            whole.write("  </graph>\n</graphml>\n")


def _write_body(contents: Contents, keys: _Keys, body: IO[str]) -> None:
    body.write(f"    {keys.data('graph', {'corpus': contents.corpus})}\n")
    for node, properties in contents.each_node():
        about = {"kind": node.label, "label": caption(properties, node.id), "id": node.id}
        body.write(f"    <node id={_id(node)}>{keys.data('node', {**about, **properties})}</node>\n")
    for link, properties in contents.each_link():
        about = {"kind": link.type, "label": phrase(properties, link.type)}
        ends = f"source={_id(link.start)} target={_id(link.end)}"
        body.write(f"    <edge {ends}>{keys.data('edge', {**about, **properties})}</edge>\n")


def _id(node: NodeKey) -> str:
    return quoteattr(_UNSAFE.sub(lambda found: quote(found[0], safe=""), f"{node.label}:{node.id}"))
