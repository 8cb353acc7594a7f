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
    """

    id: str
    title: str
    source: str
    chunks: int
    metadata: Metadata = field(default_factory=dict)

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
    """

    record: DocumentRecord
    chunks: tuple[Chunk, ...]

    @property
    def is_whole(self) -> bool:
        """Whether the chunks are all of the document."""
        return len(self.chunks) == self.record.chunks

    @property
    def text(self) -> str:
        """Text of the chunks in one piece, without repeating what two of them share."""
        pieces: list[str] = []
        end = self.chunks[0].start if self.chunks else 0
        for chunk in self.chunks:
            if chunk.start > end:
                pieces.append(GAP)
            pieces.append(chunk.text[max(0, end - chunk.start) :])
            end = max(end, chunk.end)
        return "".join(pieces)
