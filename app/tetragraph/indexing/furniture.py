"""Finds the furniture of pages in text files: navigation, teasers, notices.

A line is furniture if at least ``LEAST_DOCUMENTS`` documents have it, among those that are read together, or if the
corpus remembers it from an earlier ingest. Lines of prose are none, unless they are a notice on cookies and the like.
Furniture is left out in runs: a run has at least ``LEAST_LINES`` lines of furniture, and beside them nothing but blank
lines, decoration, and lines that are only links. What is left out is stored with its document, and is neither embedded
nor indexed.

A line that is not only a link stays in the first of the documents that are read together, if enough of these have it,
so that what it states can still be found. Documents that were written before a line was recognised keep their passages
until they change.

The lines of a web page that was saved as Markdown are also judged one by one, by what they are and what is around them
(:mod:`tetragraph.language.page_lines`).
"""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath
from typing import Final

from tetragraph.language.page_lines.lines import LINK, read_lines
from tetragraph.language.page_lines.model import find_furniture, is_saved_page
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import ReadingOptions
from tetragraph.stores.corpus import CorpusStores

LEAST_DOCUMENTS: Final = 5
LEAST_LINES: Final = 3
LEAST_SHARE: Final = 0.01
"""Least share of the documents that are read together which must have a line of furniture."""
MOST_REMEMBERED: Final = 10_000
"""Largest number of lines that a corpus remembers."""
SUFFIXES: Final = frozenset({".htm", ".html", ".markdown", ".md", ".mdx", ".text", ".txt", ".xhtml"})
"""Formats in which furniture is looked for: running text, and not source code, tables or Office files."""
MARKDOWN: Final = SUFFIXES - {".htm", ".html", ".xhtml"}
"""Formats in which a saved web page is looked for: of HTML files only the main text is read."""
WINDOW_CHARACTERS: Final = 4_000_000
WINDOW_DOCUMENTS: Final = 1_000
_PROSE = 8
"""Number of words outside of links above which a line is prose."""
_MARKS = re.compile(r"^[\s*#>+•·|\-]+|[\s*|]+$")
_LETTER = re.compile(r"[^\W\d_]")
_NOTICE = re.compile(
    r"\b(cookies?|javascript|newsletters?|subscribe|sign (?:in|up)|log ?in|all rights reserved|copyright|©"
    r"|privacy policy|terms of (?:use|service)|advert(?:s|ising|isements?)?)(?!\w)",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class _Line:
    """A line: offsets in the text, its words without marks and targets of links, and whether these are all links."""

    start: int
    end: int
    words: str
    is_link: bool

    @property
    def is_blank(self) -> bool:
        """Whether the line has neither letters nor digits."""
        return not any(character.isalnum() for character in self.words)

    @property
    def can_be_furniture(self) -> bool:
        return bool(_LETTER.search(self.words)) and (
            self.is_link or len(self.words.split()) <= _PROSE or bool(_NOTICE.search(self.words))
        )


_END = _Line(0, 0, "end", is_link=False)
"""A line behind the last one, which ends a run."""


def leave_out(documents: Iterable[Document | Unreadable], remembered: set[str]) -> Iterator[Document | Unreadable]:
    """Yield documents with the places of their furniture in ``left_out``; other documents pass through.

    Documents of files with one of ``SUFFIXES`` are held back until four million characters or a thousand of them were
    read, or all; these are read together.

    Args:
        documents: Documents of a loader.
        remembered: Keys of the lines that the corpus remembers, to which those of newly recognised lines are added.
    """
    window: list[Document] = []
    characters = 0
    for item in documents:
        if isinstance(item, Unreadable) or not _is_subject(item):
            yield item
            continue
        window.append(item)
        characters += len(item.text)
        if len(window) >= WINDOW_DOCUMENTS or characters >= WINDOW_CHARACTERS:
            yield from _leave_out(window, remembered)
            window, characters = [], 0
    yield from _leave_out(window, remembered)


def line_key(words: str) -> str:
    """Key of a line by which a corpus remembers it."""
    return hashlib.sha256(words.encode()).hexdigest()[:16]


class Furniture:
    """The lines of furniture that a corpus remembers.

    Args:
        stores: Stores of the corpus; None for a corpus that does not exist yet, which remembers none. The caller holds
            its lease when it saves.
    """

    def __init__(self, stores: CorpusStores | None) -> None:
        self._stores = stores
        row = stores.graph.get("ingest/get_furniture", corpus=stores.name) if stores else None
        self._known: set[str] = {*row["furniture"]} if row else set()
        self._remembered = {*self._known}

    def leave_out(
        self, documents: Iterable[Document | Unreadable], reading: ReadingOptions
    ) -> Iterator[Document | Unreadable]:
        """The documents of :func:`leave_out`, unless the options of reading keep everything."""
        return iter(documents) if reading.boilerplate == "keep" else leave_out(documents, self._remembered)

    def save(self) -> None:
        """Let the corpus remember the lines that were recognised.

        To be called after the documents were written: a killed ingest then recognises them again, with the same result.
        """
        new = sorted(self._remembered - self._known)
        if new and self._stores:
            self._stores.graph.write("ingest/upsert_furniture", corpus=self._stores.name, keys=new)


def _is_subject(document: Document) -> bool:
    return bool(document.origin) and PurePath(document.source).suffix.lower() in SUFFIXES


def _leave_out(window: Sequence[Document], remembered: set[str]) -> Iterator[Document]:
    lines = [_read_lines(document.text) for document in window]
    counts = _count_documents(lines)
    least = max(LEAST_DOCUMENTS, LEAST_SHARE * len(window))
    repeated = {words for words, count in counts.items() if count >= least}
    seen = {words for words in counts.keys() - repeated if remembered and line_key(words) in remembered}
    furniture = repeated | seen
    room = max(0, MOST_REMEMBERED - len(remembered))
    remembered.update(sorted({*map(line_key, repeated)} - remembered)[:room])
    for document, of_document in zip(window, lines, strict=True):
        judged = _judge(document, of_document, counts, remembered)
        mine = [line.words in furniture and (line.is_link or line.words in seen) for line in of_document]
        seen |= {line.words for line in of_document if line.words in furniture}
        spans = _join((*_find_runs(of_document, mine), *judged))
        yield _mark(document, spans) if spans else document


def count_documents(texts: Sequence[str]) -> list[list[int]]:
    """For each line that is not blank of each text, the number of these texts that have it."""
    lines = [_read_lines(text) for text in texts]
    counts = _count_documents(lines)
    return [_documents_of(text, of_text, counts, ()) for text, of_text in zip(texts, lines, strict=True)]


def _count_documents(lines: Iterable[Sequence[_Line]]) -> Counter[str]:
    counts: Counter[str] = Counter()
    for of_document in lines:
        counts.update({line.words for line in of_document if line.can_be_furniture})
    return counts


def _documents_of(
    text: str, lines: Sequence[_Line], counts: Mapping[str, int], remembered: Container[str]
) -> list[int]:
    """For each line that is not blank the number of documents with it; the least for one that the corpus remembers."""
    return [
        max(counts.get(line.words, 1), LEAST_DOCUMENTS if remembered and line_key(line.words) in remembered else 1)
        for line in lines
        if text[line.start : line.end].strip()
    ]


def _judge(
    document: Document, lines: Sequence[_Line], counts: Mapping[str, int], remembered: Container[str]
) -> list[tuple[int, int]]:
    """Runs of furniture of a saved web page; none of another document."""
    if PurePath(document.source).suffix.lower() not in MARKDOWN or not is_saved_page(document.text):
        return []
    return find_furniture(read_lines(document.text), _documents_of(document.text, lines, counts, remembered))


def _join(spans: Iterable[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Spans in order, those that overlap as one."""
    joined: list[tuple[int, int]] = []
    for start, end in sorted(spans):
        if joined and start <= joined[-1][1]:
            start, end = joined[-1][0], max(end, joined.pop()[1])
        joined.append((start, end))
    return tuple(joined)


def _read_lines(text: str) -> list[_Line]:
    found, start = [], 0
    for line in text.split("\n"):
        outside = LINK.sub("", line) if "](" in line else line
        words = " ".join(_MARKS.sub("", LINK.sub(r"\1", line) if outside is not line else line).split())
        if words.startswith("[") or line.lstrip().startswith("|"):
            words = ""  # a footnote, or a row of a table
        found.append(_Line(start, start + len(line), words, outside is not line and not _LETTER.search(outside)))
        start += len(line) + 1
    return found


def _find_runs(lines: Sequence[_Line], is_furniture: Sequence[bool]) -> tuple[tuple[int, int], ...]:
    """Offsets of the runs that are left out."""
    runs: list[tuple[int, int]] = []
    run: list[int] = []
    count = 0
    for place, line in enumerate((*lines, _END)):
        if place < len(lines) and (is_furniture[place] or line.is_link):
            run.append(place)
            count += is_furniture[place]
        elif not line.is_blank:
            if count >= LEAST_LINES:
                runs.append((lines[run[0]].start, lines[run[-1]].end))
            run, count = [], 0
    return tuple(runs)


def _mark(document: Document, spans: tuple[tuple[int, int], ...]) -> Document:
    """The document without the spans in its index; as it is where nothing would be left."""
    ends = [0, *(place for span in spans for place in span), len(document.text)]
    rest = "".join(document.text[start:end] for start, end in zip(ends[::2], ends[1::2], strict=True))
    if not _LETTER.search(rest):
        return document
    note = "lines of navigation, teasers and notices are not indexed: --boilerplate keep does"
    return replace(document, left_out=spans, notes=(*document.notes, note))
