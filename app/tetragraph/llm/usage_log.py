"""The log of the usage of every call, in the database that all processes share."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, fields, replace
from datetime import UTC, datetime

from tetragraph.llm.database import LlmDatabase
from tetragraph.model.usage import NOTHING, Total, Usage

_RECENT_CALLS = 200
_BUFFER_S = 1.0
_COLUMNS = tuple(column.name for column in fields(Usage))
_SUMS = ", ".join(f"sum({name})" for name in _COLUMNS)
_INSERT = f"INSERT INTO entries VALUES (NULL, ?, ?, ?, ?, ?, ?{', ?' * len(_COLUMNS)})"  # noqa: S608 - question marks
_RECENT = "(SELECT * FROM entries WHERE model = ? AND calls > failed ORDER BY id DESC LIMIT ?)"


class UsageLog:
    """Log entries of one database. Safe to share between threads.

    Each paid call is one entry; usage that costs nothing is summed up for about a second. An entry is given as a
    :class:`Total`: the operation, corpus and model that it belongs to, and its usage.

    Attributes:
        paid: Usage of the paid calls that this object has recorded, of one process.
    """

    def __init__(self, database: LlmDatabase) -> None:
        self.paid = NOTHING
        self._database = database
        self._buffer: dict[Total, Usage] = {}
        self._buffered_since = 0.0
        self._guard = threading.Lock()

    @contextmanager
    def entry(self, entry: Total, characters: int = 0, *, is_counted: bool = False) -> Iterator[None]:
        """Record a paid call, in one transaction with the changes of the database inside the context.

        Args:
            entry: The call.
            characters: Size of the request, see :func:`tetragraph.llm.cost.weight`.
            is_counted: Whether the endpoint counted exactly the tokens of this request.
        """
        with self._database.change():
            yield
            self._insert(entry, characters, is_counted)
        with self._guard:
            self.paid += entry.usage

    def add(self, entry: Total) -> None:
        """Record usage that costs nothing, soon: a killed process may lose the last second of it."""
        key = replace(entry, usage=NOTHING)
        with self._guard:
            self._buffer[key] = self._buffer.get(key, NOTHING) + entry.usage
            is_due = time.monotonic() - self._buffered_since > _BUFFER_S
        if is_due:
            self.flush()

    def flush(self) -> None:
        """Write the buffered entries."""
        with self._guard:
            buffered, self._buffer = self._buffer, {}
            self._buffered_since = time.monotonic()
        if buffered:
            with self._database.change():
                for key, usage in buffered.items():
                    self._insert(replace(key, usage=usage))

    def totals(self, corpus: str | None = None) -> list[Total]:
        """Sums for each operation, corpus and model, in this order; of one corpus, or of all."""
        self.flush()
        rows = self._database.read(
            "SELECT * FROM totals WHERE corpus = ifnull(?, corpus) ORDER BY operation, corpus, model", (corpus,)
        )
        return [Total(operation, place, model, Usage(*usage)) for place, operation, model, *usage in rows]

    def spent(self, corpus: str) -> Usage:
        """Usage of all operations on a corpus, including those of other processes."""
        rows = self._database.read(f"SELECT {_SUMS} FROM totals WHERE corpus = ?", (corpus,))  # noqa: S608 - own columns
        return Usage(*rows[0]) if rows and rows[0][0] is not None else NOTHING

    def counted_calls(self, model: str) -> tuple[int, int, int]:
        """Number, characters and input tokens of those latest answered calls whose tokens the endpoint counted."""
        rows = self._database.read(
            "SELECT sum(is_counted), sum(characters * is_counted), sum(input_tokens * is_counted) "  # noqa: S608
            f"FROM {_RECENT}",
            (model, _RECENT_CALLS),
        )
        calls, characters, tokens = rows[0] if rows else (None, None, None)
        return calls or 0, characters or 0, tokens or 0

    def mean_seconds(self, model: str) -> float | None:
        """Mean duration of the latest answered calls; None if there are none."""
        rows = self._database.read(f"SELECT avg(seconds) FROM {_RECENT}", (model, _RECENT_CALLS))  # noqa: S608
        return float(rows[0][0]) if rows and rows[0][0] is not None else None

    def _insert(self, entry: Total, characters: int = 0, is_counted: bool = False) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        key = (entry.corpus, entry.operation, entry.model)
        with self._database.change() as writer:
            writer.execute(_INSERT, (now, *key, characters, is_counted, *astuple(entry.usage)))
