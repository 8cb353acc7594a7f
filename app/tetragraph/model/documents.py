"""Documents, which are ingested, and chunks, the units of retrieval."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath
from typing import Literal, TypeAlias

from tetragraph.errors import InvalidInput

Scalar: TypeAlias = str | int | float | bool
Metadata: TypeAlias = Mapping[str, Scalar | Sequence[str]]
"""Values of a document by key; a sequence is a list or tuple of texts, such as tags."""
Range: TypeAlias = Mapping[Literal["gt", "gte", "lt", "lte", "ne"], Scalar | Sequence[Scalar]]
Filters: TypeAlias = Mapping[str, Scalar | Sequence[Scalar] | Range]
"""Metadata key to the value it must equal, the values it must be one of, or the bounds that it must respect, numbers or
days such as ``2024-05-31``, of which ``ne`` has the value or values that it must not equal. A list of texts equals each
of its members. Keys that begin with ``@`` are those of :data:`FILE_FILTERS`."""
FILE_FILTERS = ("@source", "@suffix", "@language")
"""Filters on the file of a document: a path or pattern of its ``source``, the ending of its name, and the language that
was found for its text, as an ISO 639-1 code."""
HIDDEN_DOCUMENTS = "@hidden"
"""Key under which a search adds the ids of documents that it leaves out; no filter of a caller."""


CORPUS_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
"""Valid corpus names; they are parts of file names, collection names and links, too."""


MAX_TITLE = 1_000
"""Longest title and heading in characters. Both become names of entities, and Neo4j indexes no name of more than about
8,000 bytes."""


LONG_PASSAGE = 200
"""Least number of characters of a text whose copies are the same passage under any title."""


_LIKE_METADATA = re.compile(r"(?:=|(?:\A|\n)\d+,\d+,)[^\n]*\Z")
"""The end of a text whose last line looks like metadata or a heading in :attr:`Document.sha256`."""


def content_id(*parts: str) -> str:
    """Compute an id from content: 16 hex digits of SHA-256 over the parts, joined by newlines.

    >>> content_id("Title", "Text")
    '2c21b2810f4dce98'
    """
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def own_titles(document_title: str, title: str, *, named_by_file: bool) -> tuple[str, ...]:
    """Titles of a chunk that its document itself has; see :attr:`Chunk.own_titles`.

    >>> own_titles("notes.txt", "Summary", named_by_file=True)
    ('Summary',)
    """
    file_name = document_title if named_by_file else ""
    return tuple(one for one in dict.fromkeys((document_title, title)) if one not in {"", file_name})


def _shown(value: Scalar | Sequence[str]) -> str:
    """A value of metadata in a hash, the same for every type of sequence."""
    return repr(value if isinstance(value, str | int | float) else list(value))


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a document: its offset in the text, its depth (1 is the highest) and its words."""

    start: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Page:
    """A page of a file, or another part with a number, such as a slide or a sheet.

    Attributes:
        start: Offset in the text at which it begins.
        number: Number, from 1.
        label: Name for display, such as ``slide 3``; empty for a page.
    """

    start: int
    number: int
    label: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A source text as returned by a loader.

    Attributes:
        id: The source's own id if it has one, otherwise its path below the ingested folder.
        title: Shown to users, embedded with every chunk, and an entity of the corpus. May be empty.
        text: Text to which the character offsets of the chunks refer.
        source: Origin, for display: a path, with ``:line`` for formats of many documents.
        metadata: Scalars, and lists of texts, that searches can filter on.
        headings: Headings in order of ``start``.
        pages: Pages in order of ``start``; empty for formats without pages.
        named_by_file: Whether the title is only the name of the file, as the document has none; then it is no entity.
        notes: What reading has guessed or replaced, in words, for the report of the ingest.
        origin: Absolute path of the file that it was read from; empty for a document of the caller. By it an ingest
            tells a changed document from another one with the same id.
        left_out: Offsets of the parts of the text that are stored and not indexed, ascending.
        from_file: Whether it was read from a file of another machine, whose path is unknown: then an ingest tells it
            from another document with the same id by ``source``.

    Raises:
        InvalidInput: id, title, text or source is no text, or the id is blank or has a line end.
    """

    id: str
    title: str
    text: str
    source: str = ""
    metadata: Metadata = field(default_factory=dict)
    headings: tuple[Heading, ...] = ()
    origin: str = field(default="", compare=False)
    pages: tuple[Page, ...] = ()
    named_by_file: bool = False
    notes: tuple[str, ...] = field(default=(), compare=False)
    left_out: tuple[tuple[int, int], ...] = ()
    from_file: bool = field(default=False, compare=False)

    def __post_init__(self) -> None:
        for name in ("id", "title", "text", "source"):
            if not isinstance(given := getattr(self, name), str):
                raise InvalidInput(f"the {name} of a document must be a text, got {given!r:.100}: convert it to one")
        if not self.id.strip() or len(self.id.splitlines()) != 1 or self.id != self.id.strip("\r\n"):
            raise InvalidInput(
                f"the id of a document must be one line of text, got {self.id!r:.200}: give it a name without line ends"
            )

    @property
    def place(self) -> str:
        """Where it was read, for messages: the path, the member of an archive, and the line in formats of rows."""
        file, colon, line = self.source.rpartition(":")
        if not self.origin:
            return self.source or "a document of the caller"
        name = PurePath(self.origin).name
        _, is_member, member = f"/{self.source}".partition(f"/{name}/")
        if is_member and PurePath(file if line.isdigit() else self.source).name != name:
            return f"{self.origin}/{member}"
        return f"{self.origin}:{line}" if colon and line.isdigit() else self.origin

    @property
    def sha256(self) -> str:
        """Hash of everything that searches depend on, by which unchanged documents are skipped.

        ``source``, ``origin``, ``notes``, ``left_out``, ``named_by_file`` and ``from_file`` are no part of it.
        """
        facts = [self.title, self.text]
        facts += [f"{key}={_shown(value)}" for key, value in sorted(self.metadata.items())]
        facts += [f"{h.start},{h.level},{h.title}" for h in self.headings]
        if self.pages:
            facts.append("pages=" + ",".join(f"{page.number}:{page.start}" for page in self.pages))
            facts += [f"label={page.label}" for page in self.pages if page.label]
        if self._is_ambiguous:
            facts.append(f"lengths={len(self.title)},{len(self.text)}")
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()

    @property
    def _is_ambiguous(self) -> bool:
        """Whether title, text and metadata, joined by line ends, could be those of another document."""
        titles = (self.title, *(heading.title for heading in self.headings))
        return any("\n" in title for title in titles) or bool(_LIKE_METADATA.search(self.text))


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A source that a loader could not turn into a document, with the reason in words."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A chunk: ``text`` is exactly ``document.text[start:end]``.

    Attributes:
        id: ``content_id`` of the document's id, the position, the title and the text.
        document_id: Id of the document.
        title: The nearest heading above the chunk, otherwise the document's title.
        document_title: Title of the document.
        position: 0-based place in the document.
        tokens: Length in tokens of the corpus' embedder.
        source: Origin of the document, as in :attr:`Document.source`.
        page: Number of the page, slide, sheet or cell of a notebook in which the chunk begins, from 1; None where the
            document has none.
        location: Name of that part for display where it is no page, such as ``slide 3`` or ``sheet Prices, row 40``.
        section: Titles of the headings above the chunk, from the outermost, joined by `` › ``; empty without any.
        named_by_file: As in :attr:`Document.named_by_file`.
    """

    id: str
    document_id: str
    title: str
    document_title: str
    text: str
    position: int
    start: int
    end: int
    tokens: int
    metadata: Metadata = field(default_factory=dict)
    source: str = ""
    page: int | None = None
    named_by_file: bool = False
    location: str = ""
    section: str = ""

    @property
    def own_titles(self) -> tuple[str, ...]:
        """Titles that the document itself has: its title and the heading above the chunk, each once if not empty."""
        return own_titles(self.document_title, self.title, named_by_file=self.named_by_file)

    @property
    def place(self) -> str:
        """Where the chunk stands, for display: the file, or the document's id, with page and headings, if any."""
        file = self.source or self.document_id
        part = self.location or ("" if self.page is None else f"page {self.page}")
        heading = self.section or self.title
        placed = f"{file}, {part}" if part else file
        return f"{placed} › {heading}" if heading not in {"", self.document_title} else placed

    @property
    def content(self) -> str:
        """Text by which copies of a passage are recognised.

        A long passage is its text alone. A short one such as "None." may mean another thing in another place, so the
        titles that its document has count, too.
        """
        return self.text if len(self.text) >= LONG_PASSAGE else "\n".join((*self.own_titles, self.text))

    @property
    def passage(self) -> str:
        """The text that is embedded: titles and text in one string."""
        titles = [self.document_title, self.title] if self.title != self.document_title else [self.title]
        lead = ": ".join(title for title in titles if title)
        return f"{lead}. {self.text}" if lead else self.text
