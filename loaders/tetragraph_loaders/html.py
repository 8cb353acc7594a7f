"""HTML: one document with the text of the page, in which block elements are paragraphs.

Scripts, styles, navigation and footers are left out. Offsets of headings refer to the extracted text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tetragraph.model import Document, Heading, Unreadable
from tetragraph_loaders.reading import load_one, title_from

_DROPPED = frozenset({"script", "style", "nav", "footer", "noscript", "template", "svg", "iframe", "-comment"})
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INLINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label|mark|q|s|samp|small|span"
    "|strike|strong|sub|sup|time|tt|u|var|wbr"
)


def load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
    """Read the page as one document, titled by its ``title``, otherwise its first heading, otherwise the file name."""
    return load_one(path, id_prefix, lambda text: _parse(text, path, id_prefix))


def _parse(text: str, path: Path, source: str) -> Document:
    page = LexborHTMLParser(text)
    title = page.css_first("head > title")
    paragraphs = _Paragraphs()
    if page.body is not None:
        _walk(page.body, paragraphs)
    headings = tuple(paragraphs.headings)
    words = " ".join(title.text().split()) if title is not None else ""
    name = words or (headings[0].title if headings else title_from(path))
    return Document(source, name, paragraphs.text, source=source, headings=headings)


class _Paragraphs:
    """Collects the text of a page and the places where its headings begin."""

    def __init__(self) -> None:
        self.headings: list[Heading] = []
        self._done: list[str] = []
        self._length = 0
        self._open: list[str] = []

    @property
    def text(self) -> str:
        return "\n\n".join(self._done)

    def add(self, words: str) -> None:
        self._open.append(words)

    def close(self, level: int | None = None) -> None:
        """End the paragraph; it is a heading if it has a level."""
        lines = (" ".join(line.split()) for line in "".join(self._open).split("\0"))
        paragraph = "\n".join(lines).strip()
        self._open.clear()
        if not paragraph:
            return
        start = self._length + 2 if self._done else 0
        if level is not None:
            self.headings.append(Heading(start, level, " ".join(paragraph.split())))
        self._done.append(paragraph)
        self._length = start + len(paragraph)


def _walk(body: LexborNode, paragraphs: _Paragraphs) -> None:
    """Visit the nodes in document order; a loop, since pages may nest deeper than Python's limit of recursion."""
    stack = [(body, False)]
    while stack:
        node, is_left = stack.pop()
        tag = node.tag or ""
        if tag == "-text":
            paragraphs.add((node.text_content or "").replace("\0", " "))
        elif tag == "br":
            paragraphs.add("\0")
        elif tag in _DROPPED:
            continue
        elif is_left:
            paragraphs.close(_HEADINGS.get(tag))
        else:
            if not _INLINE.fullmatch(tag):
                paragraphs.close()
                stack.append((node, True))
            children = list(node.iter(include_text=True))
            stack.extend((child, False) for child in reversed(children))
