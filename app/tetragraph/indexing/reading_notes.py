"""Guesses and replacements that reading documents made, in few lines however many documents there are."""

from __future__ import annotations

from collections.abc import Iterator

from tetragraph.model import Document
from tetragraph.model.display import first_of


class ReadingNotes:
    """The notes of documents, each with the files that it is about."""

    def __init__(self) -> None:
        self._places: dict[str, list[str]] = {}

    def add(self, document: Document) -> None:
        """Add the notes of a document, once for each file: that of a row is ``FILE:LINE``."""
        file, _, line = document.source.rpartition(":")
        place = (file if line.isdigit() else document.source) or document.id
        for note in document.notes:
            places = self._places.setdefault(note, [])
            if not places or places[-1] != place:
                places.append(place)

    def lines(self) -> Iterator[str]:
        """One line for each note, with the first file and the number of the others."""
        for note, places in self._places.items():
            yield f"{first_of(places, 1)}: {note}"
