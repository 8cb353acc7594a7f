"""All errors of the driver become exceptions of this package."""

from __future__ import annotations

import inspect
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from neo4j import exceptions as driver_errors

from tetragraph import Settings, errors
from tetragraph.connection import open_graph
from tetragraph.progress import NoProgress
from tetragraph.stores import graph

RAISED = [
    error
    for _, error in inspect.getmembers(driver_errors, inspect.isclass)
    if issubclass(error, driver_errors.GqlError)
]


def made(kind: type[Exception]) -> Exception:
    needs_owner = issubclass(kind, driver_errors.TransactionError | driver_errors.ResultError)
    return kind(None, "x") if needs_owner else kind("x")


@pytest.mark.parametrize("kind", RAISED, ids=lambda kind: kind.__name__)
def test_no_exception_of_the_driver_gets_out(kind: type[Exception]) -> None:
    with (
        pytest.raises(errors.StoreError, match="while running corpus/get_corpus") as raised,
        graph._translate_errors("corpus/get_corpus"),
    ):
        raise made(kind)
    assert isinstance(raised.value.__cause__, kind)


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("Neo.TransientError.General.MemoryPoolOutOfMemoryError", errors.StoreOutOfMemory),
        ("Neo.ClientError.Security.Forbidden", errors.StoreDenied),
        ("Neo.ClientError.Security.Unauthorized", errors.StoreDenied),
        ("Neo.ClientError.Database.DatabaseNotFound", errors.StoreUnavailable),
        ("Neo.TransientError.General.DatabaseUnavailable", errors.StoreUnavailable),
        ("Neo.DatabaseError.Transaction.TransactionStartFailed", errors.StoreUnavailable),
        ("Neo.DatabaseError.Transaction.TransactionLogError", errors.StoreUnavailable),
        ("Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration", errors.QueryFailed),
        ("Neo.ClientError.Statement.SyntaxError", errors.QueryFailed),
        ("Neo.DatabaseError.General.UnknownError", errors.QueryFailed),
    ],
)
def test_a_status_code_becomes_the_exception_of_its_situation(code: str, expected: type[Exception]) -> None:
    error = driver_errors.Neo4jError._hydrate_neo4j(code=code, message="because")
    with pytest.raises(expected) as raised, graph._translate_errors("a/query"):
        raise error
    assert type(raised.value) is expected
    with pytest.raises(expected) as raised, graph._translate_errors("a/query"):
        raise made(driver_errors.ResultFailedError) from error  # of a result that is read after it has failed
    assert type(raised.value) is expected


def test_a_database_that_stopped_while_a_constraint_was_created_is_unavailable_with_the_remedy() -> None:
    error = driver_errors.Neo4jError._hydrate_neo4j(
        code="Neo.DatabaseError.Schema.ConstraintCreationFailed",
        message="Unable to create Constraint( name='a' ): Could not append transaction: Transaction #31 to log.",
    )
    remedy = r"full disk .*`tetragraph down` .*the same command again"
    with pytest.raises(errors.StoreUnavailable, match=remedy), graph._translate_errors("a schema statement"):
        raise error


def test_an_integer_too_large_for_the_database_is_the_callers_mistake() -> None:
    with pytest.raises(errors.InvalidInput, match="64 bits"), graph._translate_errors("a/query"):
        raise OverflowError("too large")


@pytest.mark.parametrize("uri", ["", "localhost:7687", "http://host:7474", "bolt://host:port", "bolt://host:99999"])
def test_a_uri_that_is_no_bolt_address_is_refused_with_the_rule(uri: str) -> None:
    with pytest.raises(errors.InvalidInput, match="NEO4J_URI must be like bolt://host:7687"):
        graph.Graph.connect(uri, "neo4j", "secret")


def test_an_address_with_a_password_is_refused_and_the_password_is_not_printed() -> None:
    with pytest.raises(errors.InvalidInput, match="must not hold a user or password, got 'bolt://…@host:7687'") as told:
        graph.Graph.connect("bolt://neo4j:s3cret@host:7687", "neo4j", "")
    assert "s3cret" not in str(told.value)


@pytest.mark.parametrize(
    ("configured", "printed"), [("", ""), ("logging.basicConfig(format='%(message)s');", "again\n")]
)
def test_a_program_prints_warnings_of_the_driver_only_if_it_configures_logging(configured: str, printed: str) -> None:
    warn = "logging.getLogger('neo4j.session').warning('again')"
    code = f"import logging; import tetragraph.stores.graph; {configured} {warn}"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stderr == printed


def test_a_lost_server_is_asked_again_for_as_long_as_the_setting_says(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[float] = []

    def refuse(*_: object, max_transaction_retry_time: float, **__: object) -> None:
        asked.append(max_transaction_retry_time)
        raise ValueError

    monkeypatch.setattr("neo4j.GraphDatabase.driver", refuse)
    settings = Settings(neo4j_uri="bolt://127.0.0.1:1")
    for one in (settings, settings.model_copy(update={"neo4j_retry_s": 0.5})):
        with pytest.raises(errors.InvalidInput):
            open_graph(one, NoProgress())
    assert asked == [5.0, 0.5]


@pytest.mark.parametrize("is_local", [True, False])
def test_a_nearly_full_disk_refuses_all_writes_to_the_local_server_but_those_of_the_lease(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_local: bool
) -> None:
    driver = graph._driver("bolt://127.0.0.1:1", "neo4j", "secret", 0.0)  # nothing listens there
    store = graph.Graph(driver, "neo4j", folder=tmp_path / "data" if is_local else None)
    monkeypatch.setattr(shutil, "disk_usage", lambda _: shutil._ntuple_diskusage(10**9, 10**9 - 63_000_000, 63_000_000))
    writes: list[Callable[[], object]] = [
        lambda: store.write("corpus/delete_corpus", corpus="c"),
        lambda: store.write("corpus/delete_chunks", corpus="c"),
        lambda: list(store.write_rows("ingest/upsert_documents", [{"id": "d"}], corpus="c")),
        lambda: store.run_schema("CREATE INDEX x IF NOT EXISTS FOR (n:X) ON (n.id)"),
    ]
    for write in writes:
        with pytest.raises(errors.StoreError) as told:
            write()
        assert isinstance(told.value, errors.StoreUnavailable) is not is_local
        assert ("data needs 64 MB of free disk, it has 63 MB: free some and run" in str(told.value)) is is_local
    for name in ("ingest/upsert_lease", "ingest/drop_lease"):
        with pytest.raises(errors.StoreUnavailable):
            store.write(name, corpus="c", holder="h", expected="", lease_ms=1)
    driver.close()


@pytest.mark.parametrize("scheme", ["bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"])
def test_every_scheme_of_bolt_is_an_address(scheme: str) -> None:
    graph._driver(f"{scheme}://127.0.0.1:7687", "neo4j", "secret", 1.0).close()


def test_a_commit_that_was_not_acknowledged_is_repeated_and_then_given_up() -> None:
    calls: list[int] = []

    def fails_twice() -> str:
        calls.append(1)
        if len(calls) < 3:
            raise driver_errors.IncompleteCommit("gone")
        return "done"

    assert graph._repeat(fails_twice, graph._is_unacknowledged) == "done"
    calls.clear()
    with pytest.raises(driver_errors.ServiceUnavailable):
        graph._repeat(lambda: (_ for _ in ()).throw(driver_errors.IncompleteCommit("gone")), graph._is_unacknowledged)
    with pytest.raises(driver_errors.ConstraintError):
        graph._repeat(lambda: (_ for _ in ()).throw(driver_errors.ConstraintError("no")), graph._is_unacknowledged)


def test_a_deadlock_that_the_driver_hid_behind_another_error_is_repeated() -> None:
    deadlock = driver_errors.TransientError("deadlock")
    hidden, other = driver_errors.ResultFailedError("a result failed"), driver_errors.ResultFailedError("likewise")
    hidden.__cause__, other.__cause__ = deadlock, driver_errors.ConstraintError("no")
    errors = iter([hidden])

    def fails_once() -> str:
        for error in errors:
            raise error
        return "done"

    assert graph._repeat(fails_once, graph._is_repeatable) == "done"
    with pytest.raises(driver_errors.ResultFailedError):
        graph._repeat(lambda: (_ for _ in ()).throw(other), graph._is_repeatable)
