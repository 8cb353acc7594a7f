"""Status of the local Neo4j: processes and files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tetragraph.errors import JavaNotFound
from tetragraph.host import processes
from tetragraph.settings import Settings
from tetragraph.stores.local import homes, jars, java, launch
from tetragraph.stores.local.server import find


@dataclass(frozen=True, slots=True)
class LocalStatus:
    """Current status of the local Neo4j.

    Attributes:
        running: Whether its process runs and its start was completed; ``pid`` and the addresses are None otherwise.
        neo4j, gds, browser: Versions of the lock file.
        java: Full version of the running server's Java, otherwise of the one that a start would use; None without any.
        resident_mb: Resident memory in MB (10^6 bytes); 0 when no server runs.
        data_mb: Size of the data folder in MB.
        jars_present: Number of the ``jars_total`` jars that are in the cache with their size.
        answers: Whether the server answers on Bolt and HTTP within 2 seconds each; one that is paused does not.
    """

    running: bool
    pid: int | None
    uri: str | None
    http_url: str | None
    browser_url: str | None
    neo4j: str
    gds: str
    browser: str
    java: str | None
    resident_mb: float
    data_mb: float
    jars_present: int
    jars_total: int
    home: Path
    answers: bool = False


def status(settings: Settings) -> LocalStatus:
    """Inspect home, cache and process, and wait up to 4 seconds for its answers; changes nothing."""
    home = homes.of(settings)
    distribution = jars.distribution(settings.cache)
    server = find(settings)
    state = home.state() if server else None
    runtime = None if state else _java(settings)
    version = state.java if state else runtime.version if runtime else None
    total = len(distribution.lock.jars)
    return LocalStatus(
        running=server is not None,
        pid=server.pid if server else None,
        uri=server.uri if server else None,
        http_url=server.http_url if server else None,
        browser_url=server.browser_url if server else None,
        neo4j=distribution.lock.neo4j,
        gds=distribution.lock.gds,
        browser=distribution.lock.browser,
        java=version,
        resident_mb=processes.resident_mb(server.pid) if server else 0.0,
        data_mb=homes.size_bytes(home.folder / "data") / 1e6,
        jars_present=total - len(distribution.missing()),
        jars_total=total,
        home=home.folder,
        answers=state is not None and launch.is_ready(state),
    )


def _java(settings: Settings) -> java.Java | None:
    try:
        return java.find(settings.java, settings.java_home)
    except JavaNotFound:
        return None
