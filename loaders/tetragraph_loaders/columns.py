"""Chooses which columns of a table, or keys of rows, are the text, the title and the id of a document."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from tetragraph.model.reading import ReadingOptions

SAMPLE_ROWS = 100
"""Rows from which the columns are chosen."""
LONG_TEXT = 40
"""Least mean number of characters of a column that is the text without being named so."""
_TEXTS = ("text", "content", "contents", "body", "passage", "description", "abstract", "summary", "message", "article")
_TITLES = ("title", "headline", "heading", "subject", "name", "question")
_IDS = ("id", "_id", "doc_id", "docid", "document_id", "identifier", "uuid")


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that are no metadata.

    Attributes:
        text: Column of the text; None if the text is the whole row, a line ``column: value`` for each column.
        title: Column of the title.
        id: Column of the id.
        note: What was guessed, in words; empty if nothing was.
    """

    text: str | None = "text"
    title: str = "title"
    id: str = "id"
    note: str = ""

    @property
    def is_guess(self) -> bool:
        """Whether the columns were guessed; a row without text in a guessed column is read whole."""
        return bool(self.note)

    @property
    def own(self) -> frozenset[str]:
        """Names of the columns that are no metadata."""
        return frozenset({self.title, self.id} | ({self.text} if self.text else set()))


DEFAULT_COLUMNS = Columns()
"""Columns of rows that have ``text``."""


def choose_columns(
    names: Iterable[str], rows: Sequence[Mapping[str, object]], options: ReadingOptions, *, beside: int = 0
) -> Columns:
    """Choose the columns by the options, otherwise by their names, otherwise by the lengths of their values.

    Columns are only guessed if none is called ``text``. The guess depends on the first rows of a file alone.

    Args:
        names: Names of all columns, in order.
        rows: First rows, at most ``SAMPLE_ROWS``.
        options: Options of reading.
        beside: Number of characters of the rows that are in no column; no column is guessed as the text that has less.
    """
    known = list(dict.fromkeys(names))
    text, title, identity = options.text_key, options.title_key or "title", options.id_key or "id"
    if text is not None or "text" in known or not known:
        return Columns(text or "text", title, identity)
    text = _find(known, _TEXTS) or _longest(known, rows)
    if text and beside > sum(len(value) for row in rows if isinstance(value := row.get(text), str)):
        text = None
    title = options.title_key or _find([name for name in known if name != text], _TITLES) or "title"
    identity = options.id_key or _find(known, _IDS) or "id"
    what = f"column {text!r} was taken" if text else "each row was read whole"
    return Columns(text, title, identity, f"no column 'text', {what}: --text-column (text_key=…) names another")


def _find(known: Sequence[str], wanted: Sequence[str]) -> str | None:
    """The first wanted name among the columns, in any case."""
    by_name: dict[str, str] = {}
    for name in known:
        by_name.setdefault(name.lower(), name)
    return next((by_name[name] for name in wanted if name in by_name), None)


def _longest(known: Sequence[str], rows: Sequence[Mapping[str, object]]) -> str | None:
    """The column with the longest texts; None if no column has long ones."""
    lengths = {
        name: sum(len(value) for row in rows if isinstance(value := row.get(name), str)) / max(len(rows), 1)
        for name in known
    }
    longest = max(known, key=lambda name: lengths[name])
    return longest if lengths[longest] >= LONG_TEXT else None
