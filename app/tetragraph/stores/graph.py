"""The graph store: runs query files on Neo4j and translates the driver's exceptions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, LiteralString, Self, cast

import neo4j
from neo4j import exceptions as driver_errors

from tetragraph import errors, queries

Row = dict[str, Any]
Statement = tuple[str, Mapping[str, Any]]
"""A query's name and its parameters."""

BATCH_ROWS = 20_000
"""Rows of one ``UNWIND`` transaction; the size measured best for relationships."""
_COMMIT_ATTEMPTS = 3


@dataclass(frozen=True, slots=True)
class Server:
    """What answers at the other end.

    Attributes:
        database: Identity of the database's store: changes when the data are not the same data.
        gds: Version of Graph Data Science, or None where it is not installed.
    """

    version: str
    edition: str
    database: str
    gds: str | None


class Graph:
    """A connection to one Neo4j database; safe to share between threads.

    Every method takes the name of a query file (``corpus/get_corpus``) and its parameters; no Cypher is written
    in Python. Reads and writes are managed transactions: the driver repeats them when a cluster changes leader or
    a deadlock is broken. Statements that commit in steps (``IN TRANSACTIONS``) run in an auto-commit session.

    Raises (all methods):
        StoreUnavailable, StoreDenied, StoreOutOfMemory, QueryFailed: what the driver reported, in our words.
    """

    def __init__(self, driver: neo4j.Driver, database: str) -> None:
        self._driver = driver
        self._database = database

    @classmethod
    def connect(cls, uri: str, user: str, password: str, database: str = "neo4j") -> Self:
        """Open a connection and check that it works.

        Raises:
            StoreUnavailable: nothing answers at ``uri``.
            StoreDenied: the user or the password is wrong.
        """
        try:
            driver = neo4j.GraphDatabase.driver(
                uri,
                auth=(user, password),
                notifications_min_severity="OFF",
                max_transaction_retry_time=15.0,
                connection_acquisition_timeout=15.0,
            )
        except (driver_errors.ConfigurationError, ValueError) as error:
            raise errors.InvalidInput(f"NEO4J_URI must be a Bolt address such as bolt://host:7687, got {uri!r}") from error
        graph = cls(driver, database)
        try:
            with _translated("connect", uri):
                driver.verify_connectivity(database=database)
        except errors.StoreError:
            driver.close()
            raise
        return graph

    def close(self) -> None:
        """Give the connections back; the object cannot be used afterwards."""
        self._driver.close()

    def read(self, name: str, /, **parameters: Any) -> list[Row]:
        """All rows of a read query."""
        query = queries.get(name)

        def work(transaction: neo4j.ManagedTransaction) -> list[Row]:
            return transaction.run(cast("LiteralString", query.text), parameters).data()

        with _translated(name), self._session(neo4j.READ_ACCESS) as session:
            return session.execute_read(work)

    def get(self, name: str, /, **parameters: Any) -> Row | None:
        """The only row of a query that finds one thing or nothing."""
        rows = self.read(name, **parameters)
        return rows[0] if rows else None

    def write(self, name: str, /, **parameters: Any) -> list[Row]:
        """Run one write query in a transaction of its own and return its rows."""
        if queries.get(name).in_transactions:
            return self._run_in_steps(name, parameters)
        return self.write_all([(name, parameters)])

    def write_all(self, statements: Sequence[Statement]) -> list[Row]:
        """Run several write queries in one transaction: all of them happen, or none.

        Returns:
            The rows of the last statement.
        """
        texts = [(queries.get(name).text, parameters) for name, parameters in statements]

        def work(transaction: neo4j.ManagedTransaction) -> list[Row]:
            rows: list[Row] = []
            for text, parameters in texts:
                rows = transaction.run(cast("LiteralString", text), dict(parameters)).data()
            return rows

        with _translated(", ".join(name for name, _ in statements)), self._session(neo4j.WRITE_ACCESS) as session:
            return _committed(lambda: session.execute_write(work))

    def write_rows(
        self, name: str, rows: Iterable[Mapping[str, Any]], /, *, batch: int = BATCH_ROWS, **parameters: Any
    ) -> Iterator[int]:
        """Feed ``$rows`` to a query in batches, one transaction each; yields the size of every batch once it is safe.

        A lazy iterator: nothing is written before it is consumed.
        """
        pending: list[Mapping[str, Any]] = []
        for row in rows:
            pending.append(row)
            if len(pending) == batch:
                self.write(name, rows=pending, **parameters)
                yield len(pending)
                pending = []
        if pending:
            self.write(name, rows=pending, **parameters)
            yield len(pending)

    def run_schema(self, statement: str) -> list[Row]:
        """Run one schema statement of a migration file; for ``stores.migrations`` alone."""
        with _translated("schema"), self._session(neo4j.WRITE_ACCESS) as session:
            return session.run(cast("LiteralString", statement)).data()

    def server(self) -> Server:
        """Versions and identity of the server."""
        component = self.read("server/get_server")[0]
        gds = self.read("server/get_gds")
        return Server(component["version"], component["edition"], component["database"], gds[0]["version"] if gds else None)

    def _session(self, access: str) -> neo4j.Session:
        return self._driver.session(database=self._database, default_access_mode=access)

    def _run_in_steps(self, name: str, parameters: Mapping[str, Any]) -> list[Row]:
        with _translated(name), self._session(neo4j.WRITE_ACCESS) as session:
            return session.run(cast("LiteralString", queries.get(name).text), dict(parameters)).data()


def _committed(work: Any) -> list[Row]:
    """Repeat a transaction whose commit was not acknowledged: our writes are MERGEs, so twice does no harm."""
    for attempt in range(1, _COMMIT_ATTEMPTS + 1):
        try:
            return cast("list[Row]", work())
        except driver_errors.IncompleteCommit:
            if attempt == _COMMIT_ATTEMPTS:
                raise
    raise AssertionError


@contextmanager
def _translated(name: str, uri: str = "") -> Iterator[None]:
    """Turn the driver's exceptions into ours; ``name`` says which query, or what, was under way."""
    where = f" at {uri}" if uri else f" (while running {name})"
    try:
        yield
    except driver_errors.AuthError as error:
        raise errors.StoreDenied(
            f"Neo4j refused user or password{where}: set NEO4J_USERNAME and NEO4J_PASSWORD"
        ) from error
    except (driver_errors.ServiceUnavailable, driver_errors.SessionExpired, OSError) as error:
        raise errors.StoreUnavailable(
            f"Neo4j does not answer{where}: is it running? `tetragraph status` tells. The driver says: {error}"
        ) from error
    except driver_errors.Neo4jError as error:
        code = error.code or ""
        if "MemoryPoolOutOfMemory" in code or "OutOfMemory" in code:
            raise errors.StoreOutOfMemory(
                f"Neo4j ran out of transaction memory{where}: raise TETRAGRAPH_HEAP_MB or the server's heap"
            ) from error
        if code.startswith("Neo.ClientError.Security"):
            raise errors.StoreDenied(f"Neo4j does not allow this{where}: {error.message}") from error
        if code.startswith("Neo.TransientError") or "DatabaseUnavailable" in code:
            raise errors.StoreUnavailable(f"Neo4j could not serve this now{where}: {error.message}") from error
        raise errors.QueryFailed(f"Neo4j refused a statement{where}: {error.message}") from error
    except driver_errors.DriverError as error:
        raise errors.StoreUnavailable(f"the Neo4j driver failed{where}: {error}") from error
