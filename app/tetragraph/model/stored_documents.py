"""Documents as a corpus stores them: their properties, and their text in chunks."""

from __future__ import annotations

from dataclasses import dataclass, field

from tetragraph.model.documents import Chunk, Metadata

GAP = "\n\n"
"""Text between two chunks that do not touch; blank lines between them are stored in neither."""


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """Properties of a stored document.

    Attributes:
        id: Id of the document.
        title: Title; may be empty.
        source: Origin, such as its file.
        chunks: Number of its chunks.
        metadata: Values that searches can filter on.
        left_out: Number of characters of the text that are stored and not indexed, such as those of a navigation.
        language: ISO 639-1 code of the language that was found, such as ``de``; empty where it is unknown.
    """

    id: str
    title: str
    source: str
    chunks: int
    metadata: Metadata = field(default_factory=dict)
    left_out: int = 0
    language: str = ""

    @property
    def name(self) -> str:
        """Title for display: that of the document, otherwise its source, otherwise its id."""
        return self.title or self.source or self.id


@dataclass(frozen=True, slots=True)
class StoredDocument:
    """A stored document, or a part of one.

    Attributes:
        record: Properties of the document.
        chunks: Consecutive chunks in reading order.
        left_out: Parts of the text that are not indexed, each with the offset of its first character, in order; of a
            part of a document those between its chunks.
    """

    record: DocumentRecord
    chunks: tuple[Chunk, ...]
    left_out: tuple[tuple[int, str], ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the chunks are all of the document."""
        return len(self.chunks) == self.record.chunks

    @property
    def text(self) -> str:
        """Text of the chunks and of what is not indexed, in one piece, without repeating what two of them share."""
        parts = sorted([*((chunk.start, chunk.text) for chunk in self.chunks), *self.left_out])
        pieces: list[str] = []
        end = parts[0][0] if parts else 0
        for start, text in parts:
            if start > end:
                pieces.append(GAP)
            pieces.append(text[max(0, end - start) :])
            end = max(end, start + len(text))
        return "".join(pieces)
