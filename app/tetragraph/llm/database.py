"""The SQLite database of replies and usage, shared by threads and processes."""

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
from tetragraph.host.private_files import close_to_others, create_private

if TYPE_CHECKING:
    from tetragraph.settings import Settings

APPLICATION_ID = 0x74675270
"""``PRAGMA application_id`` of the file, which distinguishes it from those of other programs."""
VERSION = 1
_BUSY_S = 60.0
_RETRY_S = 0.01
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
    f"PRAGMA application_id = {APPLICATION_ID}",
    f"PRAGMA user_version = {VERSION}",
)
Rows = list[tuple[Any, ...]]


class LlmDatabase:
    """One reading and one writing connection, opened on first use. Safe to share between threads.

    A change is on the disk when it ends (a write-ahead log, synced at each commit): it survives the end of the process
    and a loss of power. Readers never wait for writers.
    """

    def __init__(self, path: Path) -> None:
        self.path = path.expanduser().absolute()
        self._connections: dict[str, sqlite3.Connection] = {}
        self._reading = threading.Lock()
        self._writing = threading.RLock()
        weakref.finalize(self, _close, self._connections)

    @classmethod
    def of(cls, settings: Settings) -> LlmDatabase:
        """Return the database that the settings name."""
        return cls(settings.llm_cache or settings.home / "llm.sqlite")

    @property
    def size_bytes(self) -> int:
        """Size of the file and its log; 0 without a file."""
        files = (self.path, self.path.with_name(f"{self.path.name}-wal"))
        return sum(file.stat().st_size for file in files if file.is_file())

    def read(self, statement: str, values: Sequence[Any] = ()) -> Rows:
        """Return the rows of a query; none if there is no file yet.

        Raises:
            UnusableCache: the file is damaged or belongs to another program.
        """
        with self._reading, self._errors_translated():
            if "reader" not in self._connections and not self.path.exists():
                return []
            return self._connection("reader").execute(statement, values).fetchall()

    @contextmanager
    def change(self) -> Iterator[sqlite3.Connection]:
        """Open a transaction; inside another change of the same thread, become part of it.

        Raises:
            UnusableCache: the file is damaged, belongs to another program, is not writable, or was locked for too long.
        """
        with self._writing, self._errors_translated():
            writer = self._connection("writer")
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
        """Return the space of deleted rows to the disk."""
        with self._writing, self._errors_translated():
            writer = self._connection("writer")
            writer.execute("VACUUM")
            writer.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    def close(self) -> None:
        """Close the connections; the next use opens them again."""
        with self._writing, self._reading:
            _close(self._connections)

    def _connection(self, role: str) -> sqlite3.Connection:
        if role not in self._connections:
            self._create_folder()
            connection = sqlite3.connect(self.path, timeout=_BUSY_S, isolation_level=None, check_same_thread=False)
            try:
                self._prepare(connection)
            except BaseException:
                connection.close()
                raise
            self._connections[role] = connection
        return self._connections[role]

    def _prepare(self, connection: sqlite3.Connection) -> None:
        connection.execute("BEGIN")  # one snapshot of the three, while another process may create the file
        ((application,),) = connection.execute("PRAGMA application_id")
        ((version,),) = connection.execute("PRAGMA user_version")
        ((tables,),) = connection.execute("SELECT count(*) FROM sqlite_schema")
        connection.execute("COMMIT")
        if application != APPLICATION_ID and tables:
            raise self._unusable("it is an SQLite file of another program")
        if version > VERSION:
            raise self._unusable(
                f"it has version {version}, written by a newer tetragraph; this one reads up to {VERSION}"
            )
        _switch_to_log(connection)
        connection.execute("PRAGMA synchronous = FULL")
        if application == APPLICATION_ID:
            return
        connection.execute("BEGIN IMMEDIATE")
        for statement in _SCHEMA:
            connection.execute(statement)
        connection.execute("COMMIT")

    def _create_folder(self) -> None:
        try:
            create_private(self.path.parent)
            if self.path.exists():
                close_to_others(self.path)
            else:
                self.path.touch(mode=0o600)
        except OSError as error:
            raise self._unusable(str(error)) from error

    @contextmanager
    def _errors_translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            is_locked = getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_BUSY
            raise self._unusable("another process locks it" if is_locked else str(error)) from error

    def _unusable(self, reason: str) -> UnusableCache:
        return UnusableCache(
            f"the file of the language model's replies cannot be used: {reason} ({self.path}); repair it or move it "
            "away, or name another with TETRAGRAPH_LLM_CACHE; replies that are not in it have to be paid for again"
        )


def _switch_to_log(connection: sqlite3.Connection) -> None:
    """Switch to write-ahead logging, with retries: SQLite does not wait when several processes switch a new file."""
    deadline = time.monotonic() + _BUSY_S
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL").fetchall()
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", None) != sqlite3.SQLITE_BUSY or time.monotonic() > deadline:
                raise
            time.sleep(_RETRY_S)
        else:
            return


def _close(connections: dict[str, sqlite3.Connection]) -> None:
    while connections:
        connections.popitem()[1].close()
