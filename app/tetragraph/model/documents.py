"""Documents, which are ingested, and chunks, the units of retrieval."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tetragraph.errors import InvalidInput

Scalar: TypeAlias = str | int | float | bool
Metadata: TypeAlias = Mapping[str, Scalar]
Range: TypeAlias = Mapping[Literal["gt", "gte", "lt", "lte"], int | float | str]
Filters: TypeAlias = Mapping[str, Scalar | Sequence[Scalar] | Range]
"""Metadata key to the value it must equal, the values it must be one of, or the bounds it must respect."""


CORPUS_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
"""Valid corpus names; they are parts of file names, collection names and links, too."""


MAX_TITLE = 1_000
"""Longest title and heading in characters. Both become names of entities, and Neo4j indexes no name of more than about
8,000 bytes."""


_LIKE_METADATA = re.compile(r"(?:=|(?:\A|\n)\d+,\d+,)[^\n]*\Z")
"""The end of a text whose last line looks like metadata or a heading in :attr:`Document.sha256`."""


def content_id(*parts: str) -> str:
    """Compute an id from content: 16 hex digits of SHA-256 over the parts, joined by newlines.

    >>> content_id("Title", "Text")
    '2c21b2810f4dce98'
    """
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a document: its offset in the text, its depth (1 is the highest) and its words."""

    start: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Document:
    """A source text as returned by a loader.

    Attributes:
        id: The source's own id if it has one, otherwise its path below the ingested folder.
        title: Shown to users, embedded with every chunk, and an entity of the corpus. May be empty.
        text: Text to which the character offsets of the chunks refer.
        source: Origin, for display: a path, with ``:line`` for formats of many documents.
        metadata: Scalars that searches can filter on.
        headings: Headings in order of ``start``.
        origin: Absolute path of the file that it was read from; empty for a document of the caller. By it an ingest
            tells a changed document from another one with the same id.

    Raises:
        InvalidInput: id, title, text or source is no text, or the id is empty or has a line end.
    """

    id: str
    title: str
    text: str
    source: str = ""
    metadata: Metadata = field(default_factory=dict)
    headings: tuple[Heading, ...] = ()
    origin: str = field(default="", compare=False)

    def __post_init__(self) -> None:
        for name in ("id", "title", "text", "source"):
            if not isinstance(given := getattr(self, name), str):
                raise InvalidInput(f"the {name} of a document must be a text, got {given!r:.100}: convert it to one")
        if len(self.id.splitlines()) != 1 or self.id != self.id.strip("\r\n"):
            raise InvalidInput(
                f"the id of a document must be one line of text, got {self.id!r:.200}: give it a name without line ends"
            )

    @property
    def place(self) -> str:
        """Where it was read, for messages: the path and, in formats of many documents, the line."""
        _, colon, line = self.source.rpartition(":")
        if not self.origin:
            return self.source or "a document of the caller"
        return f"{self.origin}:{line}" if colon and line.isdigit() else self.origin

    @property
    def sha256(self) -> str:
        """Hash of everything that searches depend on, by which unchanged documents are skipped.

        ``source`` and ``origin`` are no part of it.
        """
        facts = [self.title, self.text]
        facts += [f"{key}={value!r}" for key, value in sorted(self.metadata.items())]
        facts += [f"{h.start},{h.level},{h.title}" for h in self.headings]
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

    @property
    def place(self) -> str:
        """Where the chunk stands, for display: the file, or the document's id, and the heading above it, if any."""
        file = self.source or self.document_id
        return f"{file} › {self.title}" if self.title not in {"", self.document_title} else file

    @property
    def passage(self) -> str:
        """The text that is embedded: titles and text in one string."""
        titles = [self.document_title, self.title] if self.title != self.document_title else [self.title]
        lead = ": ".join(title for title in titles if title)
        return f"{lead}. {self.text}" if lead else self.text
