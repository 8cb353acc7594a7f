"""Common part of the formats of benchmarks: questions with gold, and their passages.

A format is one object with two uses. ``read`` and ``recognises`` are the protocol of the entry points
``tetragraph.questions``; ``load`` is a loader of passages, found under the format's name in ``tetragraph.loaders``. A
passage's id is ``content_id(title, text)``, so the same passage has the same id wherever it is published, and gold
passages are found again after an ingest.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from tetragraph.errors import InvalidInput, UnreadableDocument
from tetragraph.evaluate.model import Gold, GoldQuestion
from tetragraph.model import Document, Unreadable, content_id
from tetragraph_loaders.reading import NO_TEXT
from tetragraph_loaders.records import Record, read_records

Passage: TypeAlias = tuple[str, str]
"""Title and text."""


def no_passages(_: Record) -> Iterable[Passage]:
    """The release has questions only."""
    return ()


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The format of one benchmark's release.

    Attributes:
        fits: Whether a row is one of this format, from its keys.
        question: The question of a row; raises ``UnreadableDocument`` where the row breaks a rule.
        passages: The passages of a row, likewise.
    """

    fits: Callable[[Mapping[str, object]], bool]
    question: Callable[[Record], GoldQuestion]
    passages: Callable[[Record], Iterable[Passage]] = no_passages

    def recognises(self, path: Path) -> bool:
        """Whether the first row of a file is one of this format."""
        first = next(read_records(path, path.name), None)
        return isinstance(first, Record) and self.fits(first.values)

    def read(self, path: Path) -> Iterator[tuple[str, GoldQuestion]]:
        """Every question with its file and line.

        Raises:
            InvalidInput: at the first row that breaks a rule, with file and line.
        """
        for record in read_records(path, str(path)):
            if isinstance(record, Unreadable):
                raise InvalidInput(f"{record.source}: {record.reason}")
            try:
                yield record.where, self.question(record)
            except UnreadableDocument as error:
                raise InvalidInput(f"{record.where}: {error}") from error

    def load(self, path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
        """Every passage of the file once, even if several questions have it."""
        seen: set[str] = set()
        empty = True
        for record in read_records(path, id_prefix):
            empty = False
            if isinstance(record, Unreadable):
                yield record
                continue
            try:
                yield from _documents(self.passages(record), record.where, seen)
            except UnreadableDocument as error:
                yield Unreadable(record.where, str(error))
        if empty:
            yield Unreadable(id_prefix, NO_TEXT)


def _documents(passages: Iterable[Passage], where: str, seen: set[str]) -> Iterator[Document | Unreadable]:
    for title, text in passages:
        identity = content_id(title, text)
        if identity in seen:
            continue
        seen.add(identity)
        if text.strip():
            yield Document(identity, title, text, where)
        else:
            yield Unreadable(where, f"a passage must have text, {title!r} has none; remove it")


def gold_of(passages: Iterable[Passage]) -> tuple[Gold, ...]:
    """Whole passages as gold, each once."""
    return tuple(Gold(identity) for identity in dict.fromkeys(content_id(*passage) for passage in passages))
