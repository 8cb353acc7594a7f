"""Data sets of ``ir-datasets``, named ``ir-datasets:<id>``; needs the extra ``ir-datasets``.

The package downloads what a data set consists of, and keeps it in a folder of its own. Gold is relevant or not: a grade
of at least 1 counts. Ids of documents and questions are those of the data set.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tetragraph.errors import InvalidInput, MissingDependency, UnreadableDocument
from tetragraph.evaluate.model import Gold, GoldQuestion
from tetragraph.host.optional_imports import install_command
from tetragraph.model import Document, Unreadable
from tetragraph_loaders.rows import to_document


class IrDataSet:
    """The format of a named data set; the path of each method is its id."""

    def recognises(self, path: Path) -> bool:  # noqa: ARG002 - the protocol has it
        """Never: a data set is named, and is no file."""
        return False

    def read(self, path: Path) -> Iterator[tuple[str, GoldQuestion]]:
        """Yield every query with its relevant documents.

        Raises:
            InvalidInput: there is no such data set, or it has no queries.
            MissingDependency: the package is not installed.
        """
        data_set = _open(path)
        _require(data_set, path, "queries")
        gold: dict[str, dict[Gold, None]] = {}
        for one in data_set.qrels_iter() if data_set.has_qrels() else ():
            if one.relevance > 0:
                gold.setdefault(one.query_id, {})[Gold(one.doc_id)] = None
        for query in data_set.queries_iter():
            found = tuple(gold.get(query.query_id, ()))
            yield f"ir-datasets:{path.as_posix()}", GoldQuestion(query.query_id, query.default_text(), found)

    def load(self, path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
        """Yield every document.

        Raises:
            InvalidInput: there is no such data set, or it has no documents.
            MissingDependency: the package is not installed.
        """
        data_set = _open(path)
        _require(data_set, path, "docs")
        for one in data_set.docs_iter():
            try:
                yield to_document(_row(one), source=f"{id_prefix}/{one.doc_id}", fallback_id=one.doc_id)
            except UnreadableDocument as error:
                yield Unreadable(f"{id_prefix}/{one.doc_id}", str(error))


def _row(document: Any) -> dict[str, object]:
    """The document as a row: its scalars are metadata, and all its text is the text where no field is called so."""
    fields = {key: value for key, value in document._asdict().items() if isinstance(value, str | int | float)}
    identity = fields.pop("doc_id")
    return {**fields, "id": identity, "text": fields.get("text") or document.default_text()}


def _open(path: Path) -> Any:
    name = path.as_posix()
    try:
        import ir_datasets
    except ImportError as error:
        needed = f"data sets of ir-datasets need that package: {install_command('ir-datasets')}"
        raise MissingDependency(needed) from error
    try:
        return ir_datasets.load(name)
    except KeyError as error:
        raise InvalidInput(
            f"a data set must be one of ir-datasets, such as 'beir/scifact/test', got {name!r}"
        ) from error


def _require(data_set: Any, path: Path, part: str) -> None:
    if not getattr(data_set, f"has_{part}")():
        raise InvalidInput(f"the data set {path.as_posix()!r} must have {part} for this, it has none; name another one")


IR_DATA_SETS = IrDataSet()
