"""Notes on reading name each file once."""

from __future__ import annotations

from tetragraph.indexing.reading_notes import ReadingNotes
from tetragraph.model import Document


def noted(source: str, *notes: str) -> Document:
    return Document(f"id of {source}", "Title", "Text.", source=source, notes=notes)


def test_rows_of_a_file_are_one_place_and_other_files_are_counted() -> None:
    notes = ReadingNotes()
    for source in ("a.csv:2", "a.csv:3", "b.csv:2", "c.csv:2", "c.csv:9"):
        notes.add(noted(source, "each row was read whole"))
    notes.add(noted("a.txt", "read as latin-1", "each row was read whole"))
    notes.add(noted("b.txt"))
    assert list(notes.lines()) == ["a.csv and 3 more: each row was read whole", "a.txt: read as latin-1"]


def test_a_document_without_a_source_is_named_by_its_id() -> None:
    notes = ReadingNotes()
    notes.add(noted("", "read as latin-1"))
    assert list(notes.lines()) == ["id of : read as latin-1"]
