"""Report of a change of a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field

from tetragraph.model import Unreadable
from tetragraph.model.usage import NOTHING, Usage


@dataclass(frozen=True, slots=True)
class IngestReport:
    """Result of a change of a corpus.

    Attributes:
        added, changed, deleted: Ids of documents.
        unchanged: Number of documents that were already stored with the same content.
        recovered: Number of documents whose vectors an interrupted run had not written.
        skipped: Sources that could not be read, each with the reason.
        counts: Number of nodes and relationships of the corpus, by kind.
        generation: Published generation.
        written: Whether anything was written.
        notes: Recommendations in words; empty if there are none.
        seconds: Wall time in seconds by stage.
        usage: Language model usage; zero where none was called.
        executor: Where documents were embedded and parsed: ``local`` or ``ray``.
    """

    added: tuple[str, ...]
    changed: tuple[str, ...]
    deleted: tuple[str, ...]
    unchanged: int
    recovered: int
    skipped: tuple[Unreadable, ...]
    counts: dict[str, int]
    generation: int
    written: bool
    notes: tuple[str, ...] = ()
    seconds: dict[str, float] = field(default_factory=dict)
    usage: Usage = NOTHING
    executor: str = "local"
