"""Documents of Docling: its JSON, and files that it converts here if it is installed (``--loader docling``).

`Docling <https://docling-project.github.io/docling/>`_ finds the layout of pages, tables and formulas by models that it
downloads, so it is no dependency. Its JSON (``docling --to json``) is recognised among other JSON and needs nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

from tetragraph.errors import MissingDependency, UnreadableDocument
from tetragraph.host.optional_imports import required
from tetragraph.model import Document, Unreadable
from tetragraph.model.characters import unify_document
from tetragraph_loaders.composing import Composer
from tetragraph_loaders.reading import cannot_open, read_bytes, title_from

SCHEMA = "DoclingDocument"
"""Value of ``schema_name`` in Docling's JSON."""
_DAMAGED = "the file must be a document of Docling with body and texts, this one is damaged; export it again"
_NO_TEXT = "a document must have text, this document of Docling has none; convert the file with text recognition"
_NO_PACKAGE = (
    "the loader docling converts files other than JSON with the package docling, which is not installed; run: pip "
    "install docling, or convert the files elsewhere with `docling --to json` and ingest the result"
)


def load(path: Path, *, id_prefix: str) -> Iterator[Document | Unreadable]:
    """Read the file as one document with its headings, pages and tables; one that is no JSON is converted first."""
    try:
        value = json.loads(read_bytes(path)) if path.suffix.lower() == ".json" else _convert(path)
        yield unify_document(to_document(value, path, id_prefix))
    except UnreadableDocument as error:
        yield Unreadable(id_prefix, str(error))
    except OSError as error:
        yield Unreadable(id_prefix, cannot_open(error))
    except (ValueError, RecursionError) as error:
        yield Unreadable(id_prefix, f"the file must be JSON, got {error}; export it again")


def is_docling(value: object) -> TypeGuard[Mapping[str, Any]]:
    """Whether a value of JSON is a document of Docling."""
    return isinstance(value, dict) and value.get("schema_name") == SCHEMA


def to_document(value: object, path: Path, source: str) -> Document:
    """The document of Docling's JSON, titled by its own title, otherwise by the file name.

    What repeats at the edges of pages (headers, footers) is left out. A caption stands above each group of rows of its
    table.

    Raises:
        UnreadableDocument: it has no text, or is not as Docling writes it.
    """
    if not is_docling(value):
        raise UnreadableDocument(f"the file must be JSON of Docling with schema_name {SCHEMA!r}; leave --loader out")
    composer = Composer()
    reader = _Reader(value, composer)
    try:
        reader.add("#/body")
    except (AttributeError, IndexError, KeyError, RecursionError, TypeError, ValueError) as error:
        raise UnreadableDocument(_DAMAGED) from error
    if not composer.text.strip():
        raise UnreadableDocument(_NO_TEXT)
    return composer.document(source, reader.title, title_from(path))


class _Reader:
    """Adds the items of a document in reading order, each once.

    Attributes:
        title: Title of the document; empty if there is none.
    """

    def __init__(self, value: Mapping[str, Any], composer: Composer) -> None:
        self.title = ""
        self._value = value
        self._composer = composer
        self._seen = {one["$ref"] for table in value.get("tables", ()) for one in table.get("captions", ())}
        self._page = 0

    def add(self, reference: str) -> None:
        """Add an item and those inside of it.

        Args:
            reference: Place in the JSON, such as ``#/texts/3``.
        """
        if reference in self._seen:
            return
        self._seen.add(reference)
        item = self._find(reference)
        if item.get("content_layer", "body") != "body":
            return
        self._begin_page(item)
        if "data" in item and reference.startswith("#/tables/"):
            self._add_table(item)
        elif "text" in item:
            self._add_text(item)
        for child in item.get("children", ()):
            self.add(child["$ref"])

    def _find(self, reference: str) -> Mapping[str, Any]:
        found: Any = self._value
        for part in reference.removeprefix("#/").split("/"):
            found = found[int(part)] if isinstance(found, list) else found[part]
        return found  # type: ignore[no-any-return]  # of JSON; what is no object fails where it is read

    def _begin_page(self, item: Mapping[str, Any]) -> None:
        number = next((int(one["page_no"]) for one in item.get("prov", ())), self._page)
        if number > self._page:
            self._page = number
            self._composer.begin_page(number)

    def _add_text(self, item: Mapping[str, Any]) -> None:
        label, words = item["label"], str(item["text"])
        if label == "title":
            self.title = self.title or " ".join(words.split())
            self._composer.add_heading(1, words)
        elif label == "section_header":
            self._composer.add_heading(int(item.get("level", 1)) + 1, words)
        else:
            self._composer.add(f"- {words}" if label == "list_item" else words)

    def _add_table(self, item: Mapping[str, Any]) -> None:
        captions = (str(self._find(one["$ref"])["text"]) for one in item.get("captions", ()))
        rows = [[str(cell["text"]) for cell in row] for row in item["data"]["grid"]]
        if rows:
            self._composer.add_table(rows, " ".join(captions))


def _convert(path: Path) -> object:
    """The document of Docling that it makes of a file."""
    try:
        converter = _load_converter()
    except MissingDependency as error:
        raise UnreadableDocument(str(error)) from error
    try:
        return converter.convert(path).document.export_to_dict()
    except Exception as error:
        raise UnreadableDocument(f"docling cannot convert the file: {error}; see the log of docling") from error


@cache
def _load_converter() -> Any:
    """The converter with its models, which are loaded once."""
    return required("docling.document_converter", _NO_PACKAGE).DocumentConverter()
