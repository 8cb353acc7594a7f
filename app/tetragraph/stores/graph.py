"""The graph store: runs query files on Neo4j and translates the driver's exceptions."""

from __future__ import annotations

import logging
import re
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self, TypeVar
from urllib.parse import urlsplit

import neo4j
from neo4j import exceptions as driver_errors

from tetragraph import errors, queries
from tetragraph.host.addresses import hide_credentials
from tetragraph.host.batches import in_batches
from tetragraph.host.free_space import require_space
from tetragraph.host.processors import map_ahead

Row = dict[str, Any]
Statement = tuple[str, Mapping[str, Any]]
"""A query's name and its parameters."""
Result = TypeVar("Result")

BATCH_ROWS = 20_000
"""Rows of one ``UNWIND`` transaction; the size measured best for relationships."""
_SCHEMES = ("bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc")
_ATTEMPTS = 3
_STOPPED = re.compile(r"TransactionStartFailed|TransactionLogError|Could not append transaction|critical error")
"""Codes and messages of a database that has stopped after an error, until the server is restarted."""
_EXPLAIN = "EXPLAIN\n"
"""Comes before a statement that is planned: a line of its own, so that the server echoes lines of the statement."""
_PLACE = re.compile(r"\(line (\d+), column (\d+) \(offset: (\d+)\)\)")
_ALWAYS_WRITTEN = frozenset({"ingest/upsert_lease", "ingest/drop_lease"})
"""Writes of a few bytes that a nearly full disk must not prevent: a command could not keep and release its lease."""
SLOW_S = 1.0
"""Seconds from which a query is logged at level INFO, not DEBUG."""
logger = logging.getLogger("tetragraph")
logging.getLogger("neo4j").addHandler(logging.NullHandler())
"""Python prints warnings of loggers without any handler to standard error: the driver's, of every repetition. The
handlers of a program still receive them."""


@dataclass(frozen=True, slots=True)
class ServerInfo:
    """Version and edition of the connected Neo4j server.

    Attributes:
        version: Version of Neo4j.
        edition: Edition of Neo4j.
        database: Identity of the database's store, which changes when the data are replaced.
    """

    version: str
    edition: str
    database: str


class Graph:
    """A connection to one Neo4j database; safe to share between threads.

    Every method takes the name of a query file (``corpus/get_corpus``) and its parameters; no Cypher is written in
    Python, except by users (:meth:`read_text`). Reads and writes are managed transactions: the driver repeats them
    when a cluster changes leader or a deadlock is broken. Statements that commit in steps (``IN TRANSACTIONS``) run in
    an auto-commit session.

    Raises (all methods):
        StoreUnavailable, StoreDenied, StoreOutOfMemory, QueryFailed: translated from the driver's exceptions.
    """

    def __init__(
        self, driver: neo4j.Driver, database: str, *, timeout_s: float = 600.0, folder: Path | None = None
    ) -> None:
        self._open_driver = driver
        self._is_closed = False
        self._database = database
        self._folder = folder
        self._timeout_s = timeout_s
        self._timed = neo4j.unit_of_work(timeout=timeout_s)

    @classmethod
    def connect(
        cls,
        uri: str,
        user: str,
        password: str,
        database: str = "neo4j",
        *,
        retry_s: float = 5.0,
        timeout_s: float = 600.0,
        folder: Path | None = None,
    ) -> Self:
        """Open a connection and check that it works.

        Args:
            uri: ``bolt://host:7687`` or ``neo4j://``, with ``+s`` for TLS and ``+ssc`` for a self-signed certificate.
            user: Account of the database.
            password: Password of that account.
            database: Name of the database on the server.
            retry_s: Seconds during which a transaction is repeated when the server is lost or breaks a deadlock.
            timeout_s: Seconds after which the server ends a transaction; statements that commit in steps have no limit.
            folder: Folder of the data, where the server is the local one: a write is refused with a ``StoreError``
                while its disk is nearly full, as a full one damages the transaction logs. None for other servers.

        Raises:
            InvalidInput: ``uri`` is no Bolt address.
            StoreUnavailable: nothing answers at ``uri``, or it has no such database.
            StoreDenied: the user or the password is wrong.
        """
        driver = _driver(uri, user, password, retry_s)
        graph = cls(driver, database, timeout_s=timeout_s, folder=folder)
        try:
            with _translate_errors("connect", uri):
                driver.verify_connectivity()
            graph.read("server/get_server")
        except errors.StoreError:
            driver.close()
            raise
        return graph

    def close(self) -> None:
        """Close the connections; the object cannot be used afterwards."""
        self._open_driver.close()
        self._is_closed = True

    def read(self, name: str, /, **parameters: Any) -> list[Row]:
        """All rows of a read query."""
        query = neo4j.Query(queries.get(name).text, timeout=self._timeout_s)
        with _log_time(name), _translate_errors(name):
            try:
                # A statement without begin and commit takes a quarter less time, but the driver does not repeat it.
                with self._session(neo4j.READ_ACCESS) as session:
                    return _rows(session.run(query, parameters))
            except (driver_errors.DriverError, driver_errors.Neo4jError) as error:
                if not (_is_transient(error) or _is_hidden_deadlock(error)):
                    raise
            return self._driver.execute_query(
                query,
                parameters,
                database_=self._database,
                routing_=neo4j.RoutingControl.READ,
                result_transformer_=_rows,
                bookmark_manager_=None,
            )

    def pages(self, name: str, /, *, limit: int, by: str = "id", **parameters: Any) -> Iterator[Row]:
        """All rows of a read query that returns one page, ``$limit`` rows after ``$after`` in order of ``by``."""
        after = ""
        while page := self.read(name, after=after, limit=limit, **parameters):
            yield from page
            after = page[-1][by]

    def stream(self, name: str, /, **parameters: Any) -> Generator[Row, None, None]:
        """Yield the rows of a read query one by one, for results that are too large for memory.

        There is no time limit and no repetition, as rows already yielded cannot be withdrawn. Close the generator if
        not all rows are read.
        """
        query = queries.get(name)
        with _translate_errors(name), self._session(neo4j.READ_ACCESS) as session:
            for record in session.run(query.text, parameters):
                yield dict(record)

    def explain(self, text: str, parameters: Mapping[str, Any]) -> neo4j.ResultSummary:
        """The plan of a statement of a user, which is not run; for ``stores.read_only_cypher`` alone."""
        plan = f"{_EXPLAIN}{text}"
        try:
            with _translate_errors("the statement"), self._session(neo4j.READ_ACCESS) as session:
                return session.execute_read(lambda transaction: transaction.run(plan, dict(parameters)).consume())
        except errors.QueryFailed as error:
            raise errors.QueryFailed(_PLACE.sub(_in_text_of_user, str(error))) from error

    def read_text(
        self, text: str, parameters: Mapping[str, Any], *, most: int, timeout_s: float
    ) -> tuple[tuple[str, ...], list[Row]]:
        """Columns and the first rows of a statement of a user that was checked; see :meth:`explain`."""

        @neo4j.unit_of_work(timeout=timeout_s)
        def work(transaction: neo4j.ManagedTransaction) -> tuple[tuple[str, ...], list[Row]]:
            result = transaction.run(text, dict(parameters))
            return tuple(result.keys()), [dict(record) for record in result.fetch(most)]

        with (
            _log_time("the statement"),
            _translate_errors("the statement"),
            self._session(neo4j.READ_ACCESS) as session,
        ):
            return session.execute_read(work)

    def get(self, name: str, /, **parameters: Any) -> Row | None:
        """The only row of a query that returns at most one; None without one."""
        rows = self.read(name, **parameters)
        return rows[0] if rows else None

    def write(self, name: str, /, **parameters: Any) -> list[Row]:
        """Run one write query in its own transaction and return its rows."""
        if queries.get(name).in_transactions:
            return self._run_in_steps(name, parameters)
        return self.write_all([(name, parameters)])

    def write_all(self, statements: Sequence[Statement]) -> list[Row]:
        """Run several write queries in one transaction.

        Returns:
            The rows of the last statement.
        """
        self._require_space(*(name for name, _ in statements))
        texts = [(queries.get(name).text, parameters) for name, parameters in statements]

        def work(transaction: neo4j.ManagedTransaction) -> list[Row]:
            rows: list[Row] = []
            for text, parameters in texts:
                rows = _rows(transaction.run(text, dict(parameters)))
            return rows

        def attempt() -> list[Row]:
            with self._session(neo4j.WRITE_ACCESS) as session:
                return session.execute_write(self._timed(work))

        names = ", ".join(name for name, _ in statements)
        with _log_time(names), _translate_errors(names):
            return _repeat(attempt, _is_repeatable)

    def write_rows(
        self, name: str, rows: Iterable[Mapping[str, Any]], /, *, batch: int = BATCH_ROWS, **parameters: Any
    ) -> Iterator[int]:
        """Write ``$rows`` in batches, one transaction each; yields the size of every batch after its commit.

        A lazy iterator: nothing is written before it is consumed. The rows of a batch are made while the server writes
        the one before.
        """

        def write(some: Sequence[Mapping[str, Any]]) -> int:
            self.write(name, rows=some, **parameters)
            return len(some)

        yield from map_ahead(write, in_batches(rows, batch))

    def run_schema(self, statement: str) -> None:
        """Run one schema statement of a migration file; only for ``stores.migrations``."""
        self._require_space("a schema statement")

        def work(transaction: neo4j.ManagedTransaction) -> None:
            transaction.run(statement).consume()

        with _translate_errors("a schema statement"), self._session(neo4j.WRITE_ACCESS) as session:
            _repeat(lambda: session.execute_write(work), _was_created_meanwhile)

    def server(self) -> ServerInfo:
        """Version and edition of the server, and identity of the database."""
        found = self.read("server/get_server")[0]
        return ServerInfo(found["version"], found["edition"], found["database"])

    @property
    def _driver(self) -> neo4j.Driver:
        if self._is_closed:
            raise errors.StoreUnavailable("the client was closed: connect again with Tetragraph.connect()")
        return self._open_driver

    def _session(self, access: str) -> neo4j.Session:
        return self._driver.session(database=self._database, default_access_mode=access)

    def _require_space(self, *names: str) -> None:
        """Check before these writes that the disk of the local server has room."""
        if self._folder is not None and not _ALWAYS_WRITTEN.issuperset(names):
            require_space(self._folder, 0, f"writing to the local Neo4j in {self._folder}")

    def _run_in_steps(self, name: str, parameters: Mapping[str, Any]) -> list[Row]:
        self._require_space(name)
        text = queries.get(name).text
        with _log_time(name), _translate_errors(name), self._session(neo4j.WRITE_ACCESS) as session:
            return _repeat(lambda: _rows(session.run(text, dict(parameters))), _is_transient)


def _rows(result: neo4j.Result) -> list[Row]:
    """All records with unconverted values: the driver's own conversion searches every list for nodes."""
    return [dict(record) for record in result]


def _in_text_of_user(place: re.Match[str]) -> str:
    """A place of a fault without what was put before the statement."""
    line, column, offset = map(int, place.groups())
    return f"(line {line - 1}, column {column} (offset: {offset - len(_EXPLAIN)}))"


def _driver(uri: str, user: str, password: str, retry_s: float) -> neo4j.Driver:
    if hide_credentials(uri) != uri:
        raise errors.InvalidInput(
            f"NEO4J_URI must not hold a user or password, got {hide_credentials(uri)!r}: "
            "set NEO4J_USERNAME and NEO4J_PASSWORD"
        )
    try:
        is_address = urlsplit(uri).scheme in _SCHEMES and urlsplit(uri).port != 0
        if is_address:
            return neo4j.GraphDatabase.driver(
                uri,
                auth=(user, password),
                notifications_min_severity="OFF",
                max_transaction_retry_time=retry_s,
                connection_acquisition_timeout=15.0,
            )
        reason = "not such an address"
    except (driver_errors.ConfigurationError, ValueError) as error:
        reason = str(error)
    raise errors.InvalidInput(
        f"NEO4J_URI must be like bolt://host:7687, with a scheme of {', '.join(_SCHEMES)}, got {uri!r}: {reason}"
    )


def _repeat(work: Callable[[], Result], may_repeat: Callable[[Exception], bool]) -> Result:
    """Run work at most ``_ATTEMPTS`` times; a write that is repeated has the effect of one, but for counts of steps."""
    for _ in range(_ATTEMPTS - 1):
        try:
            return work()
        except (driver_errors.DriverError, driver_errors.Neo4jError) as error:
            if not may_repeat(error):
                raise
    return work()


def _is_unacknowledged(error: Exception) -> bool:
    """Whether the connection was lost during the commit; its outcome is unknown, and the driver does not repeat it."""
    return isinstance(error, driver_errors.IncompleteCommit)


def _is_hidden_deadlock(error: Exception) -> bool:
    """Whether the driver reported a failed transaction without its cause, and so did not repeat it."""
    return isinstance(error, driver_errors.ResultFailedError) and _is_transient(error.__cause__ or error)


def _is_repeatable(error: Exception) -> bool:
    """Whether a write may be repeated after an error that the driver itself does not handle."""
    return _is_unacknowledged(error) or _is_hidden_deadlock(error)


def _was_created_meanwhile(error: Exception) -> bool:
    """Whether another process created the index between the check of ``IF NOT EXISTS`` and the creation."""
    return isinstance(error, driver_errors.ClientError) and "AlreadyExists" in (error.code or "")


def _is_transient(error: BaseException) -> bool:
    """Whether the driver would repeat the call in a managed transaction."""
    return isinstance(error, driver_errors.DriverError | driver_errors.Neo4jError) and error.is_retryable()


@contextmanager
def _log_time(name: str) -> Iterator[None]:
    """Log the time of a query by its name, never with parameters, which may hold texts; a slow one at level INFO."""
    began = time.perf_counter()
    try:
        yield
    finally:
        seconds = time.perf_counter() - began
        logger.log(logging.INFO if seconds >= SLOW_S else logging.DEBUG, "query %s took %.3f s", name, seconds)


@contextmanager
def _translate_errors(name: str, uri: str = "") -> Iterator[None]:
    """Translate the driver's exceptions; ``name`` is the query or action that was running."""
    where = f" at {uri}" if uri else f" (while running {name})"
    try:
        yield
    except errors.StoreUnavailable:  # of a closed client; also an OSError
        raise
    except driver_errors.AuthError as error:
        raise errors.StoreDenied(
            f"Neo4j refused user or password{where}: set NEO4J_USERNAME and NEO4J_PASSWORD"
        ) from error
    except driver_errors.Neo4jError as error:
        raise _from_server(error, where) from error
    except driver_errors.ResultFailedError as error:
        if isinstance(error.__cause__, driver_errors.Neo4jError):  # the answer of the server, found by the next read
            raise _from_server(error.__cause__, where) from error
        raise errors.StoreUnavailable(f"the Neo4j driver failed{where}: {error}") from error
    except (driver_errors.ServiceUnavailable, driver_errors.SessionExpired, OSError) as error:
        raise errors.StoreUnavailable(
            f"Neo4j does not answer{where}: is it running? `tetragraph status` tells. The driver says: {error}"
        ) from error
    except (ValueError, TypeError, OverflowError) as error:  # of a parameter that the driver cannot encode
        raise errors.InvalidInput(
            "Neo4j takes texts that can be encoded in UTF-8, integers of 64 bits, other numbers, truth values, times, "
            f"and lists and mappings of these by text, got another value{where}: {error}"
        ) from error
    except (driver_errors.DriverError, driver_errors.GqlError) as error:
        raise errors.StoreUnavailable(f"the Neo4j driver failed{where}: {error}") from error


def _from_server(error: driver_errors.Neo4jError, where: str) -> errors.StoreError:
    """The store error for an error of the server, chosen by its status code."""
    code = error.code or ""
    if "OutOfMemory" in code:
        return errors.StoreOutOfMemory(
            f"Neo4j ran out of transaction memory{where}: raise TETRAGRAPH_HEAP_MB or the server's heap"
        )
    if code.startswith("Neo.ClientError.Security"):
        return errors.StoreDenied(f"Neo4j does not allow this{where}: {error.message}")
    if "DatabaseNotFound" in code:
        return errors.StoreUnavailable(f"Neo4j has no such database{where}: {error.message} Set NEO4J_DATABASE")
    if "TransactionTimedOut" in code:
        return errors.QueryFailed(f"Neo4j ended a statement that took too long{where}: {error.message}")
    if _STOPPED.search(f"{code} {error.message}"):
        return errors.StoreUnavailable(
            f"Neo4j stopped its database after an error, mostly of a full disk{where}: free some there, end the local "
            "Neo4j with `tetragraph down` (restart a server of your own), and run the same command again. "
            f"It says: {error.message}"
        )
    if code.startswith("Neo.TransientError") or "DatabaseUnavailable" in code:
        return errors.StoreUnavailable(f"Neo4j could not serve this now{where}: {error.message}")
    return errors.QueryFailed(f"Neo4j refused a statement{where}: {error.message}")
