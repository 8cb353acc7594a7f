"""Documents and chunks: what is ingested, and the unit of retrieval."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

Scalar: TypeAlias = str | int | float | bool
Metadata: TypeAlias = Mapping[str, Scalar]
Range: TypeAlias = Mapping[Literal["gt", "gte", "lt", "lte"], int | float | str]
Filters: TypeAlias = Mapping[str, Scalar | Sequence[Scalar] | Range]
"""Metadata key to the value it must equal, the values it must be one of, or the bounds it must respect."""


CORPUS_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
"""Names of corpora; they are parts of file names, collection names and links too."""


def content_id(*parts: str) -> str:
    """Name a thing by its content: 16 hex digits of SHA-256 over the parts, a newline between them.

    >>> content_id("Title", "Text")
    '2c21b2810f4dce98'
    """
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a document: where it begins in the text, its depth (1 is the highest) and its words."""

    start: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Document:
    """A source text as a loader gives it.

    Attributes:
        id: The source's own id where it has one, else its path below the folder that was ingested.
        title: Shown to people, embedded with every chunk, and an entity of the corpus. May be empty.
        text: What the character offsets of the chunks count in.
        source: Where it came from, for people: a path, with ``:line`` for formats of many documents.
        metadata: Scalars that searches can filter on.
        headings: In order of ``start``.
    """

    id: str
    title: str
    text: str
    source: str = ""
    metadata: Metadata = field(default_factory=dict)
    headings: tuple[Heading, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of all that searches depend on (not of ``source``), so that an unchanged document costs no work."""
        facts = [self.title, self.text]
        facts += [f"{key}={value!r}" for key, value in sorted(self.metadata.items())]
        facts += [f"{h.start},{h.level},{h.title}" for h in self.headings]
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A source that a loader could not turn into a document, with the reason for people."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: ``text`` is exactly ``document.text[start:end]``.

    Attributes:
        id: ``content_id`` of the document's id, the position, the title and the text.
        document_id: The source's own id where it has one.
        title: The nearest heading, or the document's title where no heading stands above the passage.
        document_title: Title of the document.
        position: 0-based place in the document.
        tokens: Length in tokens of the corpus' embedder.
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

    @property
    def passage(self) -> str:
        """The text that is embedded: titles and text in one string."""
        titles = [self.document_title, self.title] if self.title != self.document_title else [self.title]
        lead = ": ".join(title for title in titles if title)
        return f"{lead}. {self.text}" if lead else self.text
