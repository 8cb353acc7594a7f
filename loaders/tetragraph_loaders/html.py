"""HTML: one document with the main text of the page, in which block elements are paragraphs.

The main text is found by :mod:`tetragraph_loaders.main_text`, unless the page is short, most of its paragraphs would be
missing, or the options of reading want the whole page. Of a whole page with one ``main`` element (or ``role="main"``)
only that is read. Scripts, styles, navigation, footers, page
headers without the title, side bars outside of ``main``, and the navigation of Sphinx and DocBook are left out. Tables
of data are Markdown, in groups of rows that repeat the caption and the header. Offsets of headings refer to the
extracted text. The links of this text are metadata. Elements ``pre`` keep their lines and blanks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from tetragraph.host.optional_imports import install_command
from tetragraph.model import Document, Heading, Scalar, Unreadable
from tetragraph.model.documents import MAX_TITLE
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders import main_text
from tetragraph_loaders.composing import Composer
from tetragraph_loaders.html_depth import limit_depth
from tetragraph_loaders.html_table import has_full_tables, read_table
from tetragraph_loaders.page_links import find_base, read_addresses
from tetragraph_loaders.reading import load_one, title_from
from tetragraph_loaders.tables import render_groups

_DROPPED = frozenset({"script", "style", "nav", "footer", "noscript", "template", "svg", "iframe", "-comment"})
_DROPPED_ROLES = frozenset({"navigation", "contentinfo", "search"})
_DROPPED_CLASSES = frozenset({"sphinxsidebar", "related", "navheader", "navfooter"})
"""Classes of the navigation of Sphinx and DocBook."""
_MARKS = ".headerlink, .mw-editsection"
"""Marks at the end of a heading: a link to it, and to its source in a wiki."""
_BESIDE_MAIN = frozenset({"aside", "complementary", "sidebar"})
"""Tags, roles and classes of side bars; inside of ``main`` they are notes on the text."""
_TITLE_END = re.compile(r"\s*(?:[|·•»«]|::|[-–—:]\s)")
"""Separator between the title of a page and the name of its site."""
_METADATA = {
    "url": ("head > link[rel=canonical]", "href"),
    "date": (
        "head > meta[property='article:published_time'], head > meta[name=date], head > meta[name='dcterms.date'], "
        "head > meta[name='DC.date']",
        "content",
    ),
    "author": ("head > meta[name=author]", "content"),
}
"""Where a page states what becomes metadata: selector and attribute by key."""
_MOST_METADATA = 500
_FULL_TABLES = "web pages whose tables repeat few cells in many rows and columns are read whole, these tables as text"
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_INLINE = re.compile(
    "a|abbr|acronym|b|bdi|bdo|big|cite|code|data|del|dfn|em|font|i|img|input|ins|kbd|label|mark|q|s|samp|small|span"
    "|strike|strong|sub|sup|time|tt|u|var|wbr"
)


def load(path: Path, *, id_prefix: str, options: ReadingOptions = DEFAULT_READING) -> Iterator[Document | Unreadable]:
    """Read the page as one document, titled by its ``title``, otherwise its first heading, otherwise the file name."""
    return load_one(path, id_prefix, lambda text: _parse(text, path, id_prefix, options), options, is_web_page=True)


def _parse(text: str, path: Path, source: str, options: ReadingOptions) -> Document:
    text = limit_depth(text)
    page = LexborHTMLParser(text)
    text = _drop_marks(page) or text
    are_full = has_full_tables(page)
    title = page.css_first("head > title")
    whole = _read_words(page, has_tables=not are_full)
    if are_full:  # trafilatura fills tables as well
        found, note = None, _FULL_TABLES
    else:
        found, note = (None, "") if options.html == "page" else _choose_text(text, page, whole)
    words = " ".join(title.text().split()) if title is not None else ""
    if len(words) > MAX_TITLE:
        words = ""
    first = (*whole.headings, *(found.headings if found else ()))[:1]
    name = _without_site(words, first) or (first[0].title if first else "")
    return Document(
        source,
        name or title_from(path),
        found.text if found else whole.text,
        source=source,
        metadata={**_read_metadata(page), **_read_links(page, source, whole, found)},
        headings=tuple(found.headings if found else whole.headings),
        named_by_file=not name,
        notes=(note,) if note else (),
    )


def _drop_marks(page: LexborHTMLParser) -> str:
    """Take the marks out of the headings of a page; returns the page without them, empty if it has none."""
    marks = page.css(_MARKS)
    for mark in marks:
        mark.decompose()
    return (page.html or "") if marks else ""


def read_whole_page(text: str) -> tuple[str, list[Heading]]:
    """The text and headings of HTML that is no page of a web site, such as that of an e-mail."""
    page = LexborHTMLParser(limit_depth(text))
    words = _read_words(page, has_tables=not has_full_tables(page))
    return words.text, words.headings


def _choose_text(text: str, parsed: LexborHTMLParser, whole: _Paragraphs) -> tuple[Composer | None, str]:
    """The main text of a page, or None where the whole page is read; and a note on the choice."""
    page = whole.text
    if len(page) < main_text.LEAST_CHARACTERS:
        return None, ""
    if len(text) > main_text.MOST_CHARACTERS:
        return None, f"web pages above {main_text.MOST_CHARACTERS:,} characters are read whole"
    try:
        found = main_text.find_main_text(text, [*filter(None, map(read_table, parsed.css("table")))])
    except ImportError:
        return None, (
            "web pages are read with what is around their main text, as trafilatura is not installed; run: "
            f"{install_command('docs')}"
        )
    most = main_text.MOST_MISSING_OF_MAIN if whole.is_main else main_text.MOST_MISSING
    missing = main_text.missing_share(found.text, page) if found else 1.0
    if found is None or missing > most:
        return None, "web pages are read whole, as the main text that was found in them lacks too much"
    if missing > main_text.MUCH:
        return (
            found,
            "most of the long paragraphs of web pages are taken for no part of their main text: "
            '--html page (html="page") reads all',
        )
    return found, ""


def _read_metadata(page: LexborHTMLParser) -> dict[str, Scalar | list[str]]:
    """Address, date and author of a page, as far as it states them."""
    found: dict[str, Scalar | list[str]] = {}
    for key, (query, attribute) in _METADATA.items():
        value = next((one.attributes.get(attribute) or "" for one in page.css(query)), "").strip()
        if 0 < len(value) <= _MOST_METADATA:
            found[key] = " ".join(value.split())
    return found


def _read_links(
    page: LexborHTMLParser, source: str, whole: _Paragraphs, found: Composer | None
) -> dict[str, list[str]]:
    """The addresses to which the text of a page links, where it has any."""
    is_part = main_text.find_membership(found.text) if found and whole.links else None
    kept = [link for paragraph, link in whole.links if is_part is None or is_part(paragraph)]
    addresses = read_addresses(kept, find_base(page, source))
    return {"links": addresses} if addresses else {}


def _read_words(page: LexborHTMLParser, *, has_tables: bool) -> _Paragraphs:
    """Read the text of the main part of a page, otherwise of the whole page."""
    paragraphs = _Paragraphs(has_tables=has_tables)
    mains = page.css("main, [role=main]")
    if len(mains) == 1:
        _walk(mains[0], paragraphs, is_main=True)
        paragraphs.is_main = bool(paragraphs.text)
    if not paragraphs.text and page.body is not None:
        _walk(page.body, paragraphs, is_main=False)
    return paragraphs


def _without_site(title: str, headings: tuple[Heading, ...]) -> str:
    """The title without the name of the site: the first heading, if the title is that heading and a separated rest."""
    first = headings[0].title if headings else ""
    is_part = title.startswith(first) and _TITLE_END.match(title, len(first))
    return first if first and is_part else title


class _Paragraphs:
    """Collects the text of a page and the places where its headings begin.

    Attributes:
        headings: Headings so far, in order.
        has_tables: Whether tables of data are read as such; otherwise as text.
        is_main: Whether it is the text of the one main element of the page.
        typed: Number of open elements ``pre``; inside of them lines and blanks are kept.
    """

    def __init__(self, *, has_tables: bool) -> None:
        self.has_tables = has_tables
        self.is_main = False
        self.typed = 0
        self.headings: list[Heading] = []
        self._done: list[str] = []
        self._length = 0
        self._open: list[str] = []
        self._links: list[tuple[int, str]] = []

    @property
    def text(self) -> str:
        return "\n\n".join(self._done)

    @property
    def links(self) -> list[tuple[str, str]]:
        """The links in order, each with its paragraph; for a table that is its first group of rows."""
        return [(self._done[place], link) for place, link in self._links if place < len(self._done)]

    def add(self, words: str) -> None:
        self._open.append(words)

    def add_link(self, link: str) -> None:
        """Add a link of the open paragraph."""
        self._links.append((len(self._done), link))

    def add_table(self, rows: Sequence[Sequence[str]], caption: str, links: Sequence[str] = ()) -> None:
        """Add a table as groups of rows, each with the caption and the header, as one paragraph each."""
        self.close()
        for link in links:
            self.add_link(link)
        for _, group in render_groups(rows, caption):
            self._open.append(group.replace("\n", "\0"))
            self.close()

    def close(self, level: int | None = None) -> None:
        """End the paragraph; it is a heading if it has a level."""
        words = "".join(self._open)
        if self.typed and level is None:
            paragraph = "\n".join(line.rstrip() for line in words.replace("\0", "\n").split("\n")).strip("\n")
        else:
            paragraph = "\n".join(" ".join(line.split()) for line in words.split("\0")).strip()
        self._open.clear()
        if not paragraph:
            return
        start = self._length + 2 if self._done else 0
        if level is not None and len(paragraph) <= MAX_TITLE:  # a longer one is text like any other
            self.headings.append(Heading(start, level, " ".join(paragraph.split())))
        self._done.append(paragraph)
        self._length = start + len(paragraph)


def _walk(root: LexborNode, paragraphs: _Paragraphs, *, is_main: bool) -> None:
    """Visit the nodes in document order; a loop, since pages may nest deeper than Python's limit of recursion."""
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
            paragraphs.typed -= tag == "pre"
        elif tag in _DROPPED or _is_furniture(node, tag, is_main=is_main):
            continue
        elif tag == "table" and paragraphs.has_tables and (table := read_table(node)):
            paragraphs.add_table(*table, [one.attributes.get("href") or "" for one in node.css("a[href]")])
        else:
            if tag == "a" and (link := node.attributes.get("href")):
                paragraphs.add_link(link)
            if not _INLINE.fullmatch(tag):
                paragraphs.close()
                paragraphs.typed += tag == "pre"
                stack.append((node, True))
            children = list(node.iter(include_text=True))
            stack.extend((child, False) for child in reversed(children))


def _is_furniture(node: LexborNode, tag: str, *, is_main: bool) -> bool:
    """Whether an element is no content of the page, but navigation or decoration of the site."""
    attributes = node.attributes
    role = attributes.get("role") or ""
    names = {tag, role, *(attributes.get("class") or "").split()}
    if role in _DROPPED_ROLES or not names.isdisjoint(_DROPPED_CLASSES):
        return True
    if is_main:
        return False
    return not names.isdisjoint(_BESIDE_MAIN) or _is_page_header(node, tag, role)


def _is_page_header(node: LexborNode, tag: str, role: str) -> bool:
    """Whether an element is the header of the page (not of an article), and does not contain the page's title."""
    if role == "banner" or (tag == "header" and node.parent is not None and node.parent.tag == "body"):
        return node.css_first("h1") is None
    return False
