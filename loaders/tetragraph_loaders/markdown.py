"""Markdown: one document with its headings; the text stays Markdown, and offsets refer to it.

A long table becomes several tables that repeat its header, so that each chunk of it has the words of its columns.

Front matter (``key: value`` lines between two ``---`` at the very beginning) becomes metadata and is not part of the
text. The document's title is the ``title`` of the front matter, otherwise the first heading of level 1, otherwise the
file name. Lists, in brackets or of lines that begin with ``-``, are lists of texts; other nested values are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise, takewhile
from pathlib import Path

from markdown_it import MarkdownIt

from tetragraph.model import Document, Heading, Scalar, Unreadable
from tetragraph.model.documents import MAX_TITLE
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders.reading import load_one, title_from
from tetragraph_loaders.rows import number_or_text
from tetragraph_loaders.tables import repeat_headers

_FRONT_MATTER = re.compile(r"---[ \t]*\n(.*?\n)?(?:---|\.\.\.)[ \t]*(?:\n|\Z)", re.DOTALL)
_YAML_LINE = re.compile(r"\s*|\s*#.*|\s+.*|-(\s.*)?|[\w.-]+:(\s.*)?")
_PAIR = re.compile(r"([\w.-]+):(?:[ \t]+(\S.*?))?[ \t]*")
_ITEM = re.compile(r"[ \t]*-[ \t]+(\S.*?)[ \t]*")
_LIST = re.compile(r"\[([^\[\]{}]*)\]")
_LISTED = re.compile(r"""[ \t]*("[^"]*"|'[^']*'|[^,]*?)[ \t]*(?:,|\Z)""")
_NOT_SCALAR = ("[", "{", "|", ">", "&", "*", "!")
_LINE_END = re.compile(r"\r\n?|\n")


def load(path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING) -> Iterator[Document | Unreadable]:
    """Read the file as one document; headings inside quotes and lists are treated as text."""
    return load_one(path, id_prefix, lambda text: _parse(text, path, id_prefix), options)


def _parse(text: str, path: Path, source: str) -> Document:
    metadata, body = split_front_matter(text)
    body = repeat_headers(body)
    headings = find_headings(body)
    first = next((heading.title for heading in headings if heading.level == 1), "")
    title = str(metadata.pop("title", first))
    return Document(
        source,
        title or title_from(path),
        body,
        source=source,
        metadata=metadata,
        headings=headings,
        named_by_file=not title,
    )


def split_front_matter(text: str) -> tuple[dict[str, Scalar | list[str]], str]:
    r"""Split off the front matter; returns its values as scalars and lists of texts, and the text after it.

    >>> split_front_matter("---\nyear: 2024\ntags: [sea, 'a, b']\n---\nText")
    ({'year': 2024, 'tags': ['sea', 'a, b']}, 'Text')
    """
    match = _FRONT_MATTER.match(text)
    lines = (match[1] or "").splitlines() if match else []
    if match is None or not all(_YAML_LINE.fullmatch(line) for line in lines):
        return {}, text
    return dict(_find_values(lines)), text[match.end() :]


def _find_values(lines: Sequence[str]) -> Iterator[tuple[str, Scalar | list[str]]]:
    for number, line in enumerate(lines):
        pair = _PAIR.fullmatch(line)
        if pair is None:
            continue
        key, value = pair.groups()
        if value is None:
            if items := _read_items(lines[number + 1 :]):
                yield key, items
        elif listed := _LIST.fullmatch(value):
            yield key, [_unquote(item) for item in _LISTED.findall(listed[1]) if item]
        elif not value.startswith(_NOT_SCALAR):
            yield key, _scalar(value)


def _read_items(lines: Sequence[str]) -> list[str]:
    """The texts of a list in lines; empty if one of them is no text."""
    items = [item[1] for item in map(_ITEM.fullmatch, takewhile(_ITEM.fullmatch, lines)) if item]
    is_nested = any(item.startswith(_NOT_SCALAR) or _PAIR.fullmatch(item) for item in items)
    return [] if is_nested else [_unquote(item) for item in items]


def _unquote(value: str) -> str:
    return value[1:-1] if _is_quoted(value) else value


def _is_quoted(value: str) -> bool:
    return len(value) > 1 and value[0] == value[-1] and value[0] in "'\""


def _scalar(value: str) -> Scalar:
    if _is_quoted(value):
        return _unquote(value)
    if value.lower() in {"true", "false"}:
        return value.lower() == "true"
    return number_or_text(value)


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
    """The text of a heading, without emphasis, links and code marks."""
    children = MarkdownIt("commonmark").parseInline(inline)[0].children or []
    words = (" " if child.type in {"softbreak", "hardbreak"} else child.content for child in children)
    return " ".join("".join(words).split())
