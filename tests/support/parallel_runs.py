"""A pytest plugin for test processes: workers of pytest-xdist, each with its own Neo4j, and settings of Java.

A Neo4j cannot be shared: BM25 counts words of every corpus, and migrations act on the whole database.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from environments import prefer_short_lived_java
from tetragraph.host import processors

ANSWERED = pytest.StashKey[str]()
"""Version and origin of the Neo4j of the tests."""
_BEGINNING = pytest.StashKey[dict[str, str]]()
"""The environment in which pytest was started."""


def worker_count(config: pytest.Config) -> int:
    """Number of processes that run tests."""
    workers = _input_of_worker(config).get("workercount") or len(config.getoption("tx", None) or ())
    return max(1, int(workers))


def pytest_configure(config: pytest.Config) -> None:
    """Prepare short-lived servers, reject a server shared between workers, and divide the cores among them.

    This runs before ``conftest.py`` removes variables from the environment, both in a worker and in its parent.
    """
    os.environ.update(_input_of_worker(config).get("environment", {}))
    config.stash[_BEGINNING] = dict(os.environ)
    prefer_short_lived_java()
    workers = worker_count(config)
    if workers == 1:
        return
    if os.environ.get("NEO4J_URI"):
        raise pytest.UsageError("workers cannot share the server of NEO4J_URI: unset it, or test with WORKERS=0")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(max(1, processors.count_processors() // workers)))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Pass the variables that the parent has removed to a new worker."""
    node.workerinput["environment"] = node.config.stash[_BEGINNING]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Report the server to the parent."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["answered"] = session.config.stash.get(ANSWERED, "")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Store the report of a worker; a worker that crashed has none."""
    if answered := getattr(node, "workeroutput", {}).get("answered"):
        node.config.stash[ANSWERED] = answered


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if ANSWERED in config.stash:
        terminalreporter.write_line(f"integration tests ran on {config.stash[ANSWERED]}")


def _input_of_worker(config: pytest.Config) -> dict[str, Any]:
    """Input of this worker from the parent; empty in a process that is not a worker."""
    given: dict[str, Any] = getattr(config, "workerinput", {})
    return given
