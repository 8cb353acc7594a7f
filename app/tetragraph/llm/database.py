"""The SQLite file of replies and books, shared by threads and processes."""

from __future__ import annotations

import sqlite3
import threading
import time
import weakref
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tetragraph.errors import UnusableCache

if TYPE_CHECKING:
    from tetragraph.settings import Settings

APPLICATION = 0x74675270
"""``PRAGMA application_id`` of the file: by it another program's file is told apart."""
VERSION = 1
_BUSY_S = 60.0
_PAUSE_S = 0.01
_SCHEMA = (
    """
CREATE TABLE IF NOT EXISTS replies (
    key TEXT PRIMARY KEY, model TEXT NOT NULL, reply BLOB NOT NULL, content BLOB NOT NULL
)""",
    """
CREATE TABLE IF NOT EXISTS entries (
    id INTEGER PRIMARY KEY, at TEXT NOT NULL, corpus TEXT NOT NULL, operation TEXT NOT NULL, model TEXT NOT NULL,
    characters INTEGER NOT NULL, is_counted INTEGER NOT NULL,
    calls INTEGER NOT NULL, cached INTEGER NOT NULL, failed INTEGER NOT NULL, retries INTEGER NOT NULL,
    repairs INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    cost REAL NOT NULL, seconds REAL NOT NULL
)""",
    "CREATE INDEX IF NOT EXISTS answered ON entries (model, id) WHERE calls > failed",
    """
CREATE TABLE IF NOT EXISTS totals (
    corpus TEXT NOT NULL, operation TEXT NOT NULL, model TEXT NOT NULL,
    calls INTEGER NOT NULL, cached INTEGER NOT NULL, failed INTEGER NOT NULL, retries INTEGER NOT NULL,
    repairs INTEGER NOT NULL, input_tokens INTEGER NOT NULL, output_tokens INTEGER NOT NULL,
    cost REAL NOT NULL, seconds REAL NOT NULL,
    PRIMARY KEY (corpus, operation, model)
) WITHOUT ROWID""",
    """
CREATE TRIGGER IF NOT EXISTS add_up AFTER INSERT ON entries BEGIN
    INSERT INTO totals VALUES (
        new.corpus, new.operation, new.model, new.calls, new.cached, new.failed, new.retries, new.repairs,
        new.input_tokens, new.output_tokens, new.cost, new.seconds
    ) ON CONFLICT DO UPDATE SET
        calls = calls + excluded.calls, cached = cached + excluded.cached, failed = failed + excluded.failed,
        retries = retries + excluded.retries, repairs = repairs + excluded.repairs,
        input_tokens = input_tokens + excluded.input_tokens, output_tokens = output_tokens + excluded.output_tokens,
        cost = cost + excluded.cost, seconds = seconds + excluded.seconds;
END""",
    f"PRAGMA application_id = {APPLICATION}",
    f"PRAGMA user_version = {VERSION}",
)
Rows = list[tuple[Any, ...]]


class LlmDatabase:
    """One connection that reads and one that writes, opened when they are first needed. Safe to share between threads.

    A change is on the disk when it ends (a write-ahead log, synced at each commit): neither the death of the process
    nor a loss of power takes it back. Readers wait for nobody.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.expanduser().absolute()
        self._open: dict[str, sqlite3.Connection] = {}
        self._reading = threading.Lock()
        self._writing = threading.RLock()
        weakref.finalize(self, _close, self._open)

    @classmethod
    def of(cls, settings: Settings) -> LlmDatabase:
        """The file that the settings name."""
        return cls(settings.llm_cache or settings.home / "llm.sqlite")

    @property
    def size_bytes(self) -> int:
        """Of the file and its log; 0 where there is none."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.is_file())

    def read(self, statement: str, values: Sequence[Any] = ()) -> Rows:
        """Rows of a query; none where there is no file yet.

        Raises:
            UnusableCache: the file is damaged or another program's.
        """
        with self._reading, self._telling():
            if "reader" not in self._open and not self.path.exists():
                return []
            return self._connected("reader").execute(statement, values).fetchall()

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """Statements that happen together or not at all; within another change of the thread they are part of it.

        Raises:
            UnusableCache: the file is damaged, another program's, not writable, or held for too long.
        """
        with self._writing, self._telling():
            writer = self._connected("writer")
            if writer.in_transaction:
                yield writer
                return
            writer.execute("BEGIN IMMEDIATE")
            try:
                yield writer
                writer.execute("COMMIT")
            except BaseException:
                if writer.in_transaction:
                    writer.execute("ROLLBACK")
                raise

    def shrink(self) -> None:
        """Give the room of what was deleted back to the disk."""
        with self._writing, self._telling():
            writer = self._connected("writer")
            writer.execute("VACUUM")
            writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Let go of the file; it is opened again when it is needed again."""
        with self._writing, self._reading:
            _close(self._open)

    def _connected(self, role: str) -> sqlite3.Connection:
        if role not in self._open:
            self._make_folder()
            opened = sqlite3.connect(self.path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(opened)
            except BaseException:
                opened.close()
                raise
            self._open[role] = opened
        return self._open[role]

    def _prepare(self, opened: sqlite3.Connection) -> None:
        opened.execute("BEGIN")  # so that the three belong together while another process makes the file
        ((application,),) = opened.execute("PRAGMA application_id")
        ((version,),) = opened.execute("PRAGMA user_version")
        ((tables,),) = opened.execute("SELECT count(*) FROM sqlite_schema")
        opened.execute("COMMIT")
        if application != APPLICATION and tables:
            raise self._unusable("it is an SQLite file of another program")
        if version > VERSION:
            raise self._unusable(f"it is of version {version}, made by a newer tetragraph; this one knows {VERSION}")
        _switch_to_log(opened)
        opened.execute("PRAGMA synchronous = FULL")
        if application == APPLICATION:
            return
        opened.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            opened.execute(statement)
        opened.execute("COMMIT")

    def _make_folder(self) -> None:
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise self._unusable(str(error)) from error

    @contextmanager
    def _telling(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            is_held = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
            raise self._unusable("another process holds it" if is_held else str(error)) from error

    def _unusable(self, reason: str) -> UnusableCache:
        return UnusableCache(
            f"the file of the language model's replies cannot be used: {reason} ({self.path}); mend it or move it "
            "away, or name another with TETRAGRAPH_LLM_CACHE; replies that are not in it have to be paid for again"
        )


def _switch_to_log(opened: sqlite3.Connection) -> None:
    """Write-ahead logging; SQLite does not wait where several processes switch a new file at once, so this does."""
    until = time.monotonic() + _BUSY_S
    while True:
        try:
            opened.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_PAUSE_S)
        else:
            return


def _close(opened: dict[str, sqlite3.Connection]) -> None:
    while opened:
        opened.popitem()[1].close()
