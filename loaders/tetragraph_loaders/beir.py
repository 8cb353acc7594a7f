"""Folders in the format of BEIR: ``corpus.jsonl``, ``queries.jsonl`` and ``qrels/<split>.tsv``.

The questions of a folder are those that its split ``test`` judges, otherwise those of its only split; the file of a
split, ``qrels/dev.tsv``, stands for that split. Gold is relevant or not: a grade of at least 1 counts. Ids of documents
are those of the corpus.

Source: Thakur et al. (2021), BEIR, as published in its repository.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from tetragraph.errors import InvalidInput, UnreadableDocument
from tetragraph.evaluate.model import Gold, GoldQuestion
from tetragraph.model import Document, Unreadable
from tetragraph_loaders.reading import NO_TEXT
from tetragraph_loaders.records import Record, read_records
from tetragraph_loaders.rows import to_document

CORPUS = ("corpus.jsonl", "corpus.jsonl.gz")
QUERIES = ("queries.jsonl", "queries.jsonl.gz")
SPLIT = "test"


class BeirFolder:
    """The format of a folder; see the module."""

    def recognises(self, path: Path) -> bool:
        """Whether a folder, or the file of a split, is part of a data set in this format."""
        folder = path if path.is_dir() else path.parent.parent
        is_split = path.is_dir() or (path.suffix == ".tsv" and path.parent.name == "qrels")
        return is_split and _find(folder, QUERIES) is not None and (folder / "qrels").is_dir()

    def read(self, path: Path) -> Iterator[tuple[str, GoldQuestion]]:
        """Yield every question that the split judges, in order of the queries, with its file and line.

        Raises:
            InvalidInput: a file is missing, a row breaks a rule, or a judged query does not exist.
        """
        split = _split(path) if path.is_dir() else path
        queries = _find(split.parent.parent, QUERIES)
        if queries is None:
            raise InvalidInput(f"a folder of BEIR must have {QUERIES[0]}, {split.parent.parent} has none")
        gold = _gold(split)
        for record in _rows(queries):
            try:
                identity, text = record.identity("_id"), record.text("text")
            except UnreadableDocument as error:
                raise InvalidInput(f"{record.where}: {error}") from error
            if identity in gold:
                yield record.where, GoldQuestion(identity, text, gold.pop(identity))
        if gold:
            raise InvalidInput(f"{split} judges {next(iter(gold))!r}, which is not in {queries}; complete the queries")

    def load(self, path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
        """Yield every document of the corpus; queries and qrels of the folder are no documents."""
        if path.name in QUERIES or path.parent.name == "qrels":
            return
        rows = 0
        for record in read_records(path, id_prefix):
            rows += 1
            yield record if isinstance(record, Unreadable) else _document(record, f"{id_prefix}#{rows}")
        if not rows:
            yield Unreadable(id_prefix, NO_TEXT)


def _document(record: Record, fallback_id: str) -> Document | Unreadable:
    """A row as a document; one without text has its title as text, nested metadata are left out."""
    row = dict(record.values)
    nested = row.pop("metadata", None)
    others = {**nested, **row} if isinstance(nested, dict) else row
    scalars = {key: value for key, value in others.items() if isinstance(value, str | int | float)}
    text = scalars.get("text") or scalars.get("title")
    identity = scalars.pop("_id", None)
    try:
        own = {**scalars, "text": text, "id": identity}
        return to_document(own, source=record.where, fallback_id=fallback_id)
    except UnreadableDocument as error:
        return Unreadable(record.where, str(error))


def _split(folder: Path) -> Path:
    """The file of the split ``test``, otherwise of the only one."""
    splits = sorted((folder / "qrels").glob("*.tsv"))
    chosen = [file for file in splits if file.stem == SPLIT] or splits
    if len(chosen) != 1:
        names = ", ".join(file.name for file in splits) or "none"
        raise InvalidInput(f"a folder of BEIR must have qrels/{SPLIT}.tsv or one split, got {names}: name the file")
    return chosen[0]


def _gold(split: Path) -> dict[str, tuple[Gold, ...]]:
    """Relevant documents by query; queries without any are left out."""
    found: dict[str, dict[Gold, None]] = {}
    for record in _rows(split):
        try:
            query, document, grade = (record.text(key) for key in ("query-id", "corpus-id", "score"))
            is_relevant = float(grade) > 0
        except (UnreadableDocument, ValueError) as error:
            raise InvalidInput(f"{record.where}: {error}") from error
        if is_relevant:
            found.setdefault(query, {})[Gold(document)] = None
    return {query: tuple(gold) for query, gold in found.items()}


def _rows(file: Path) -> Iterator[Record]:
    for record in read_records(file, str(file)):
        if isinstance(record, Unreadable):
            raise InvalidInput(f"{record.source}: {record.reason}")
        yield record


def _find(folder: Path, names: tuple[str, ...]) -> Path | None:
    return next((folder / name for name in names if (folder / name).is_file()), None)


BEIR = BeirFolder()
