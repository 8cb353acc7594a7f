"""HTML: one document; the text is the words of the page, block elements as paragraphs.

A page with one ``main`` element (or ``role="main"``) is read from that alone. Left out are scripts, styles, navigation,
footers, headers of the page without its title, side bars outside of ``main``, and what Sphinx and DocBook put around a
page. Offsets of headings count in the extracted text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tetragraph.model import Document, Heading, Unreadable
from tetragraph.model.documents import MAX_TITLE
from tetragraph_loaders.html_depth import limit_depth
from tetragraph_loaders.reading import load_one, title_from

_DROPPED = frozenset({"script", "style", "nav", "footer", "noscript", "template", "svg", "iframe", "-comment"})
_DROPPED_ROLES = frozenset({"navigation", "contentinfo", "search"})
_DROPPED_CLASSES = frozenset({"sphinxsidebar", "related", "navheader", "navfooter", "headerlink"})
"""Classes of Sphinx and DocBook around the words of a page, and of the link mark at the end of a heading."""
_BESIDE_MAIN = frozenset({"aside", "complementary", "sidebar"})
"""Tag, role or class of side bars; inside of ``main`` these are notes to the text."""
_TITLE_END = re.compile(r"\s*(?:[|·•»«]|::|[-–—:]\s)")
"""What separates the title of a page from the name of its site."""
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INLINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label|mark|q|s|samp|small|span"
    "|strike|strong|sub|sup|time|tt|u|var|wbr"
)


def load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
    """The page as one document, titled by its ``title``, else its first heading, else the file name."""
    return load_one(path, id_prefix, lambda text: _parse(text, path, id_prefix))


def _parse(text: str, path: Path, source: str) -> Document:
    page = LexborHTMLParser(limit_depth(text))
    title = page.css_first("head > title")
    paragraphs = _read_words(page)
    headings = tuple(paragraphs.headings)
    words = " ".join(title.text().split()) if title is not None else ""
    if len(words) > MAX_TITLE:
        words = ""
    name = _without_site(words, headings) or (headings[0].title if headings else title_from(path))
    return Document(source, name, paragraphs.text, source=source, headings=headings)


def _read_words(page: LexborHTMLParser) -> _Paragraphs:
    """The words of the main part of a page, else those of all of it."""
    paragraphs = _Paragraphs()
    mains = page.css("main, [role=main]")
    if len(mains) == 1:
        _walk(mains[0], paragraphs, is_main=True)
    if not paragraphs.text and page.body is not None:
        _walk(page.body, paragraphs, is_main=False)
    return paragraphs


def _without_site(title: str, headings: tuple[Heading, ...]) -> str:
    """The title without the name of its site, which stands behind a separator where the first heading has ended."""
    first = headings[0].title if headings else ""
    is_part = title.startswith(first) and _TITLE_END.match(title, len(first))
    return first if first and is_part else title


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
        if level is not None and len(paragraph) <= MAX_TITLE:  # a longer one is text like any other
            self.headings.append(Heading(start, level, " ".join(paragraph.split())))
        self._done.append(paragraph)
        self._length = start + len(paragraph)


def _walk(root: LexborNode, paragraphs: _Paragraphs, *, is_main: bool) -> None:
    """Visit the nodes in document order; a loop, since pages nest deeper than Python recurses."""
    stack = [(root, False)]
    while stack:
        node, is_left = stack.pop()
        tag = node.tag or ""
        if tag == "-text":
            paragraphs.add((node.text_content or "").replace("\0", " "))
        elif tag == "br":
            paragraphs.add("\0")
        elif is_left:
            paragraphs.close(_HEADINGS.get(tag))
        elif tag in _DROPPED or _is_furniture(node, tag, is_main=is_main):
            continue
        else:
            if not _INLINE.fullmatch(tag):
                paragraphs.close()
                stack.append((node, True))
            children = list(node.iter(include_text=True))
            stack.extend((child, False) for child in reversed(children))


def _is_furniture(node: LexborNode, tag: str, *, is_main: bool) -> bool:
    """Whether an element belongs to the site around the words of a page."""
    attributes = node.attributes
    role = attributes.get("role") or ""
    names = {tag, role, *(attributes.get("class") or "").split()}
    if role in _DROPPED_ROLES or not names.isdisjoint(_DROPPED_CLASSES):
        return True
    if is_main:
        return False
    return not names.isdisjoint(_BESIDE_MAIN) or _is_page_header(node, tag, role)


def _is_page_header(node: LexborNode, tag: str, role: str) -> bool:
    """Whether an element is the header of the page, not of an article, and does not hold the page's title."""
    if role == "banner" or (tag == "header" and node.parent is not None and node.parent.tag == "body"):
        return node.css_first("h1") is None
    return False
