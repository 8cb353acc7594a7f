"""Reasons of failed starts, from the server's log, with remedies."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from tetragraph.errors import CorruptHome, LocalStoreError, PortInUse, StartFailed, StoreError

_REASONS: tuple[tuple[str, type[LocalStoreError], str], ...] = (
    (
        r"UnsupportedClassVersionError",
        StartFailed,
        "this Java is too old: set TETRAGRAPH_JAVA to a Java 21 or 25, or leave it out",
    ),
    (
        r"Unrecognized setting|is not a valid|declared multiple times|Error evaluating value|Bad value",
        StartFailed,
        "a setting is wrong: mend TETRAGRAPH_NEO4J_CONFIG",
    ),
    (
        r"Invalid memory configuration",
        StartFailed,
        "heap and page cache do not fit into memory: lower TETRAGRAPH_HEAP_MB or TETRAGRAPH_PAGE_CACHE_MB",
    ),
    (
        r"Could not reserve enough space|Initial heap size set to a larger value",
        StartFailed,
        "the machine cannot give this much memory: lower TETRAGRAPH_HEAP_MB",
    ),
    (
        r"Lock file has been locked by another process|store_lock",
        CorruptHome,
        "another server uses these data: stop it, or set TETRAGRAPH_HOME to another place",
    ),
    (
        r"[Aa]ddress already in use|already in use, cannot bind",
        PortInUse,
        "a port was taken meanwhile: start again, or set TETRAGRAPH_BOLT_PORT and TETRAGRAPH_HTTP_PORT",
    ),
    (
        r"Some jar procedure files|ClassNotFoundException|NoClassDefFoundError|Could not find or load main class",
        StartFailed,
        "a jar is damaged: `tetragraph up --check` verifies all of them and fetches the bad ones again",
    ),
    (r"No space left on device", StartFailed, "the disk is full: free some"),
    (
        r"don't support downgrading",
        CorruptHome,
        "the data were written by a newer Neo4j: update tetragraph, or set TETRAGRAPH_HOME to another place",
    ),
    (
        r"OutOfMemoryError",
        StartFailed,
        "the server ran out of memory: raise TETRAGRAPH_HEAP_MB",
    ),
)
_TELLING = re.compile(r"ERROR|Caused|Error:|Exception|Unrecognized|Invalid")
_DAMAGED_LOGS = re.compile(r"Error reading transaction logs|recovery not possible")
CUT_LOGS = """TETRAGRAPH_NEO4J_CONFIG='{"internal.dbms.tx_log.fail_on_corrupted_log_files": "false"}' tetragraph up"""
"""Command that starts Neo4j on transaction logs whose end is damaged, and cuts that end off."""
_LINES = 3
_WIDTH = 300


def explain(log: str, where: str) -> LocalStoreError:
    """The exception for a failed start, with the reason found in the server's log.

    Args:
        log: Output of the server since it was started.
        where: Path of the full log.
    """
    for pattern, kind, advice in _REASONS:
        if re.search(pattern, log):
            return kind(f"the local Neo4j did not start; {advice}. {_excerpt(log)} (log: {where})")
    return StartFailed(
        f"the local Neo4j did not start; `tetragraph doctor` checks what it needs. {_excerpt(log)} (log: {where})"
    )


def database_error(debug_log: str) -> str:
    """The last error in ``debug.log`` (a JSON object per line), with the first line of its stack; empty without one."""
    entry = _last_error(debug_log)
    stack = str(entry.get("stacktrace", "")).split("\n", 1)[0]
    return f"{entry['message']}: {stack}".rstrip(".")[:_WIDTH] if entry else ""


def explain_database(debug_log: str, error: StoreError, data: Path, where: Path) -> CorruptHome:
    """The exception for a server that runs and does not open its database.

    Args:
        debug_log: Content of ``debug.log``.
        error: What a client was told.
        data: Folder of the data.
        where: Path of ``debug.log``.
    """
    reason = database_error(debug_log) or str(error)
    if _DAMAGED_LOGS.search(str(_last_error(debug_log).get("stacktrace", ""))):
        return CorruptHome(
            f"the local Neo4j cannot recover the end of its transaction logs, as after a full disk: {reason}. The data "
            f"before it are whole: free some disk, copy {data} to be safe, run `{CUT_LOGS}`, which cuts the damaged "
            f"end off, then `tetragraph doctor`, and the interrupted command again (log: {where})"
        )
    return CorruptHome(
        f"the local Neo4j runs and its database does not answer as it should: {reason}. If the data in {data} are "
        f"damaged, move them away and ingest again (log: {where})"
    )


def _last_error(debug_log: str) -> dict[str, Any]:
    """The last error in ``debug.log``; empty without one.

    The reason why a server runs without one of its databases is logged there, and not on the console.
    """
    for line in reversed(debug_log.splitlines()):
        if '"level":"ERROR"' not in line:
            continue
        try:
            return {"message": "", **json.loads(line)}
        except ValueError:  # a partly written line
            continue
    return {}


def _excerpt(log: str) -> str:
    lines = [line.strip()[:_WIDTH] for line in log.splitlines() if line.strip()]
    telling = [line for line in lines if _TELLING.search(line)] or lines[-_LINES:]
    return "It says: " + " | ".join(telling[:_LINES]) if telling else "It says nothing"
