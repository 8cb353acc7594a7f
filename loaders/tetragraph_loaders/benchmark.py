"""Common parts of benchmark formats: questions with gold, and their passages.

A format is one object with two uses. ``read`` and ``recognises`` implement the protocol of the entry points
``tetragraph.questions``; ``load`` is a loader of passages, registered under the format's name in
``tetragraph.loaders``. A passage's id is ``content_id(title, text)``, so the same passage has the same id in every
file, and gold passages are found again after an ingest.
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
"""Title and text of a passage."""


def no_passages(_: Record) -> Iterable[Passage]:
    """Passages of a format that has only questions: none."""
    return ()


@dataclass(frozen=True, slots=True)
class Benchmark:
    """The format in which one benchmark is published.

    Attributes:
        fits: Returns whether a row has this format, by its keys.
        question: Returns the question of a row; raises ``InvalidInput`` if the row breaks a rule.
        passages: Returns the passages of a row; raises ``UnreadableDocument`` if the row breaks a rule.
    """

    fits: Callable[[Mapping[str, object]], bool]
    question: Callable[[Record], GoldQuestion]
    passages: Callable[[Record], Iterable[Passage]] = no_passages

    def recognises(self, path: Path) -> bool:
        """Whether the first row of a file has this format."""
        first = next(read_records(path, path.name), None)
        return isinstance(first, Record) and self.fits(first.values)

    def read(self, path: Path) -> Iterator[tuple[str, GoldQuestion]]:
        """Yield every question with its file and line.

        Raises:
            InvalidInput: a row breaks a rule; the message has its file and line.
        """
        for record in read_records(path, str(path)):
            if isinstance(record, Unreadable):
                raise InvalidInput(f"{record.source}: {record.reason}")
            try:
                question = self.question(record)
            except InvalidInput as error:
                raise InvalidInput(f"{record.where}: {error}") from error
            yield record.where, question

    def load(self, path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
        """Yield every passage of the file once, even if several questions have it."""
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
