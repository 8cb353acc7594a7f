"""The text of a stored document is that of its chunks, without gaps and repetitions."""

from __future__ import annotations

import pytest

from tetragraph.model import Chunk
from tetragraph.model.stored_documents import DocumentRecord, StoredDocument

RECORD = DocumentRecord("a", "", "a.txt", 2)


def chunk(text: str, start: int) -> Chunk:
    return Chunk(f"at-{start}", "a", "", "", text, 0, start, start + len(text), 3)


@pytest.mark.parametrize(
    ("chunks", "text"),
    [
        ((), ""),
        ((chunk("One. ", 0), chunk("Two.", 5)), "One. Two."),
        ((chunk("One. Two.", 0), chunk("Two. Three.", 5)), "One. Two. Three."),
        ((chunk("One.", 0), chunk("Two.", 9)), "One.\n\nTwo."),
        ((chunk("Two.", 9),), "Two."),
    ],
)
def test_chunks_are_joined_once_and_gaps_are_blank_lines(chunks: tuple[Chunk, ...], text: str) -> None:
    document = StoredDocument(RECORD, chunks)
    assert document.text == text
    assert document.is_whole == (len(chunks) == 2)


def test_a_document_is_called_by_its_title_otherwise_by_its_source_otherwise_by_its_id() -> None:
    assert DocumentRecord("a", "A title", "a.txt", 1).name == "A title"
    assert RECORD.name == "a.txt"
    assert DocumentRecord("a", "", "", 1).name == "a"
