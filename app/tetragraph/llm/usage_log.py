"""The books: what every call of every process on this file cost."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields
from datetime import UTC, datetime

from tetragraph.llm.cost import Habits
from tetragraph.llm.database import LlmDatabase
from tetragraph.model.usage import NOTHING, Total, Usage

_RECENT = 200
_WAIT_S = 1.0
_COLUMNS = tuple(one.name for one in fields(Usage))
_SUMS = ", ".join(f"sum({name})" for name in _COLUMNS)
_ENTER = f"INSERT INTO entries VALUES (NULL, ?, ?, ?, ?, ?, ?{', ?' * len(_COLUMNS)})"  # noqa: S608 - question marks


@dataclass(frozen=True, slots=True)
class Account:
    """Where something is entered."""

    corpus: str
    operation: str
    model: str


class Ledger:
    """Entries in the file; each paid call is one, what cost nothing is summed up for about a second."""

    def __init__(self, file: LlmDatabase) -> None:
        self._file = file
        self._free: dict[Account, Usage] = {}
        self._free_since = 0.0
        self._guard = threading.Lock()

    @contextmanager
    def entry(self, account: Account, usage: Usage, characters: int = 0, *, is_counted: bool = False) -> Iterator[None]:
        """Enter a paid call; changes of the file inside belong to the entry: both happen, or neither."""
        with self._file.change():
            yield
            self._enter(account, usage, characters, is_counted)

    def note(self, account: Account, usage: Usage) -> None:
        """Enter what cost nothing, soon: a process that is killed may take the last second of it along."""
        with self._guard:
            self._free[account] = self._free.get(account, NOTHING) + usage
            is_due = time.monotonic() - self._free_since > _WAIT_S
        if is_due:
            self.write()

    def write(self) -> None:
        """Enter all that was noted."""
        with self._guard:
            noted, self._free = self._free, {}
            self._free_since = time.monotonic()
        if noted:
            with self._file.change():
                for account, usage in noted.items():
                    self._enter(account, usage)

    def totals(self, corpus: str | None = None) -> list[Total]:
        """Sums for each operation, corpus and model, in this order; of one corpus, or of all."""
        self.write()
        rows = self._file.read(
            "SELECT * FROM totals WHERE corpus = ifnull(?, corpus) ORDER BY operation, corpus, model", (corpus,)
        )
        return [Total(operation, place, model, Usage(*spent)) for place, operation, model, *spent in rows]

    def spent(self, corpus: str) -> Usage:
        """What all operations on a corpus cost, with those of other processes."""
        rows = self._file.read(f"SELECT {_SUMS} FROM totals WHERE corpus = ?", (corpus,))  # noqa: S608 - own columns
        return Usage(*rows[0]) if rows and rows[0][0] is not None else NOTHING

    def habits(self, model: str) -> Habits:
        """How the model did lately."""
        rows = self._file.read(
            "SELECT count(*), sum(is_counted), sum(characters * is_counted), sum(input_tokens * is_counted), "
            "sum(seconds) FROM (SELECT * FROM entries WHERE model = ? AND calls > failed ORDER BY id DESC LIMIT ?)",
            (model, _RECENT),
        )
        return Habits(*rows[0]) if rows and rows[0][0] else Habits()

    def _enter(self, account: Account, usage: Usage, characters: int = 0, is_counted: bool = False) -> None:
        now = datetime.now(UTC).isoformat(timespec="milliseconds")
        where = (account.corpus, account.operation, account.model)
        with self._file.change() as writer:
            writer.execute(_ENTER, (now, *where, characters, is_counted, *astuple(usage)))
