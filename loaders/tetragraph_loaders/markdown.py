"""Markdown: one document with its headings; the text stays Markdown, and offsets refer to it.

A long table becomes several tables that repeat its header, so that each chunk of it has the words of its columns.
Pictures in base64 are left out with a note.

Front matter at the very beginning becomes metadata and is not part of the text. The document's title is the ``title``
of the front matter, otherwise the first heading of level 1, otherwise the ``h1`` in HTML with which the text begins,
otherwise the file name.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from markdown_it import MarkdownIt
from selectolax.lexbor import LexborHTMLParser

from tetragraph.model import Document, Heading, Unreadable
from tetragraph.model.documents import MAX_TITLE
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.embedded_data import LEFT_OUT, cut_data
from tetragraph_loaders.front_matter import Values, split_front_matter
from tetragraph_loaders.reading import load_one, title_from
from tetragraph_loaders.tables import repeat_headers

_ATTRIBUTES = re.compile(r"\s*\{:?\s*[#.][^{}]*\}\s*\Z")
"""Name and classes of a heading at its end: ``# Install {#install .wide}``."""
_FIRST_TITLE = re.compile(
    r"\s*(?:<(?:center|div|p)\b[^<>]*>\s*)*<h1\b[^<>]*>(.{0,2000}?)</h1>", re.DOTALL | re.IGNORECASE
)
_LINE_END = re.compile(r"\r\n?|\n")


def load(path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING) -> Iterator[Document | Unreadable]:
    """Read the file as one document; headings inside quotes and lists are treated as text."""
    return load_one(path, id_prefix, lambda text: _parse(text, path, id_prefix), options)


def _parse(text: str, path: Path, source: str) -> Document:
    cut = cut_data(text)
    front = split_front_matter(cut)
    body = repeat_headers(front.text)
    headings = find_headings(body)
    first = next((heading.title for heading in headings if heading.level == 1), "") or _find_title(body)
    title = _read_title(front.values, first)
    return Document(
        source,
        title or title_from(path),
        body,
        source=source,
        metadata={key: value for key, value in front.values.items() if key != "title"},
        headings=headings,
        named_by_file=not title,
        notes=tuple(filter(None, (front.note, LEFT_OUT if cut != text else ""))),
    )


def _read_title(values: Values, first: str) -> str:
    """The title in front matter as one line; the words of a list are those in its brackets."""
    title = values.get("title", first)
    words = ", ".join(title) if isinstance(title, list) else str(title)
    return " ".join(words.split()) if "\n" in words else words


def _find_title(text: str) -> str:
    """The words of the element ``h1`` with which a text begins; empty without one."""
    found = _FIRST_TITLE.match(text)
    words = " ".join(LexborHTMLParser(found[1]).text().split()) if found else ""
    return words if len(words) <= MAX_TITLE else ""


def find_headings(text: str) -> tuple[Heading, ...]:
    """Find the headings of a Markdown text in order; the offset of a heading is that of the line on which it begins.

    A heading longer than ``MAX_TITLE`` is text: mostly a paragraph that a line of ``---`` follows by accident.
    """
    parser = MarkdownIt("commonmark").disable("inline")
    tokens = parser.parse(text)
    starts = [0, *(match.end() for match in _LINE_END.finditer(text))]
    found = []
    for opening, content in pairwise(tokens):
        if opening.type == "heading_open" and opening.level == 0 and opening.map:
            title = _plain(content.content)
            if 0 < len(title) <= MAX_TITLE:
                found.append(Heading(starts[opening.map[0]], int(opening.tag[1]), title))
    return tuple(found)


def _plain(inline: str) -> str:
    """The text of a heading, without emphasis, links, code marks and attributes."""
    children = MarkdownIt("commonmark").parseInline(_ATTRIBUTES.sub("", inline))[0].children or []
    words = (" " if child.type in {"softbreak", "hardbreak"} else child.content for child in children)
    return " ".join("".join(words).split())
