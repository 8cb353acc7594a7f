"""Errors in the log become specific exceptions with advice."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tetragraph.errors import CorruptHome, LocalStoreError, PortInUse, StartFailed, StoreError
from tetragraph.stores.local import startup_errors

INFO = "2026-01-20 10:00:00.000+0000 INFO  Starting...\n"


@pytest.mark.parametrize(
    ("line", "kind", "advice"),
    [
        (
            "Error: LinkageError occurred while loading main class org.neo4j.server.Neo4jCommunity\n"
            "java.lang.UnsupportedClassVersionError: org/neo4j/server/Neo4jCommunity has been compiled by a more "
            "recent version of the Java Runtime (class file version 65.0)",
            StartFailed,
            "TETRAGRAPH_JAVA",
        ),
        ("Error evaluating value for setting 'a'. Unrecognized setting. No declared setting with name: a.",
         StartFailed, "TETRAGRAPH_NEO4J_CONFIG"),
        ("'x' is not a valid size, must be e.g. 10", StartFailed, "TETRAGRAPH_NEO4J_CONFIG"),
        ("ERROR Invalid memory configuration - exceeds physical memory.", StartFailed, "TETRAGRAPH_HEAP_MB"),
        ("Caused by: Lock file has been locked by another process: /d/store_lock", CorruptHome, "another server"),
        ("Caused by: java.net.BindException: Address already in use", PortInUse, "TETRAGRAPH_BOLT_PORT"),
        ("ERROR Address localhost:7474 is already in use, cannot bind to it.", PortInUse, "TETRAGRAPH_HTTP_PORT"),
        ("Caused by: Some jar procedure files (proc-2.26.0.jar) are invalid", StartFailed, "up --check"),
        ("Exception in thread main java.lang.NoClassDefFoundError: org/neo4j/A", StartFailed, "up --check"),
        ("Caused by: java.io.IOException: No space left on device", StartFailed, "disk is full"),
        ("Log file contains entries with prefix 28, which don't support downgrading", CorruptHome, "newer Neo4j"),
        ("Terminating due to java.lang.OutOfMemoryError: Java heap space", StartFailed, "TETRAGRAPH_HEAP_MB"),
    ],
)  # fmt: skip
def test_a_known_reason_gets_its_exception_and_advice(line: str, kind: type[LocalStoreError], advice: str) -> None:
    error = startup_errors.explain(INFO + line, "/home/logs/console.log")
    assert type(error) is kind
    assert advice in str(error)
    assert line.splitlines()[0][:40] in str(error)
    assert "/home/logs/console.log" in str(error)


def test_an_unknown_reason_is_quoted() -> None:
    error = startup_errors.explain(INFO + "ERROR Something new\n\tat some.Class\nCaused by: deeper\n", "log")
    assert type(error) is StartFailed
    assert "It says: " in str(error)
    assert "ERROR Something new | Caused by: deeper" in str(error)


def test_only_the_first_three_telling_lines_are_quoted() -> None:
    text = str(startup_errors.explain("".join(f"ERROR number {number}\n" for number in range(9)), "log"))
    assert "number 2" in text
    assert "number 3" not in text


def test_the_last_error_of_a_database_is_told_with_its_cause() -> None:
    lines = [
        {"level": "ERROR", "message": "an older one"},
        {"level": "ERROR", "message": "Failed to start neo4j", "stacktrace": "Failed to read store version.\n\tat a.B"},
        {"level": "INFO", "message": "went on"},
    ]
    log = "\n".join(json.dumps(line, separators=(",", ":")) for line in lines)
    told = "Failed to start neo4j: Failed to read store version"
    assert startup_errors.database_error(log) == told
    assert startup_errors.database_error(log + '\n{"level":"ERROR","mess') == told
    assert startup_errors.database_error("") == ""


def test_damaged_transaction_logs_have_a_way_out_that_loses_no_data() -> None:
    stack = (
        "LifecycleException: Component 'TransactionLogsRecovery' failed to initialize.\n\tat a"
        "\nCaused by: RuntimeException: Error reading transaction logs, recovery not possible. To force the …"
    )
    damaged = json.dumps(
        {"level": "ERROR", "message": "Failed to start neo4j", "stacktrace": stack}, separators=(",", ":")
    )
    other = json.dumps({"level": "ERROR", "message": "Failed to start neo4j"}, separators=(",", ":"))

    def told(log: str) -> str:
        return str(
            startup_errors.explain_database(log, StoreError("no answer"), Path("/home/data"), Path("/debug.log"))
        )

    assert startup_errors.CUT_LOGS in told(damaged)
    assert "move them away" not in told(damaged)
    for log in (f"{damaged}\n{other}", other, ""):
        assert "the data in /home/data are damaged, move them away" in told(log)
    assert "no answer" in told("")


def test_a_log_that_tells_nothing_is_quoted_from_its_end() -> None:
    assert "one | two" in str(startup_errors.explain("one\n\ntwo\n", "log"))
    assert "It says nothing" in str(startup_errors.explain("", "log"))
