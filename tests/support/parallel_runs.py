"""A pytest plugin for the processes that run tests: workers of pytest-xdist, each with a Neo4j of its own, and Java.

A Neo4j cannot be shared: BM25 counts words of every corpus, and migrations act on the whole database.
"""

from __future__ import annotations

import os
from typing import Any

import pytest

from tetragraph.host import processors

ANSWERED = pytest.StashKey[str]()
"""Version and origin of the Neo4j that the tests ran on."""
_BEGINNING = pytest.StashKey[dict[str, str]]()
"""The environment in which pytest was started."""


def worker_count(config: pytest.Config) -> int:
    """Number of processes that run tests."""
    workers = _input_of_worker(config).get("workercount") or len(config.getoption("tx", None) or ())
    return max(1, int(workers))


def pytest_configure(config: pytest.Config) -> None:
    """Prepare for servers that live for minutes, refuse to share one between workers, and divide the cores among them.

    Comes before ``conftest.py`` removes variables from the environment, in a worker as in its parent.
    """
    os.environ.update(_input_of_worker(config).get("environment", {}))
    config.stash[_BEGINNING] = dict(os.environ)
    # What Java's second compiler costs, a server of tests does not live long enough to gain.
    os.environ.setdefault("JDK_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1")
    workers = worker_count(config)
    if workers == 1:
        return
    if os.environ.get("NEO4J_URI"):
        raise pytest.UsageError("workers cannot share the server of NEO4J_URI: unset it, or test with WORKERS=0")
    os.environ.setdefault("OPENBLAS_NUM_THREADS", str(max(1, processors.count_processors() // workers)))


@pytest.hookimpl(optionalhook=True)
def pytest_configure_node(node: Any) -> None:
    """Give a new worker the variables that its parent has removed meanwhile."""
    node.workerinput["environment"] = node.config.stash[_BEGINNING]


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the parent which server answered."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput["answered"] = session.config.stash.get(ANSWERED, "")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Keep what a worker said at its end; one that died said nothing."""
    if answered := getattr(node, "workeroutput", {}).get("answered"):
        node.config.stash[ANSWERED] = answered


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    if ANSWERED in config.stash:
        terminalreporter.write_line(f"integration tests ran on {config.stash[ANSWERED]}")


def _input_of_worker(config: pytest.Config) -> dict[str, Any]:
    """What the parent gave this worker; empty in a process that is none."""
    given: dict[str, Any] = getattr(config, "workerinput", {})
    return given
