"""Status of the local Neo4j: processes and files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from tetragraph.errors import JavaNotFound
from tetragraph.host import processes
from tetragraph.settings import Settings
from tetragraph.stores.local import homes, jars, java
from tetragraph.stores.local.server import find


@dataclass(frozen=True, slots=True)
class LocalStatus:
    """The local Neo4j at this moment.

    Attributes:
        server: None unless one runs and is ready; its parts are there for JSON output too.
        neo4j, gds, browser: Versions of the lock file.
        java: Full version of the running server's Java, else of the one that a start would take; None without any.
        resident_mb: Resident memory; 0 when nothing runs. MB are 10^6 bytes.
        data_mb: Size of the data folder.
        jars_present: How many of ``jars_total`` are in the cache with their size.
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


def status(settings: Settings) -> LocalStatus:
    """Look at home, cache and process; changes nothing."""
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
    )


def _java(settings: Settings) -> java.Java | None:
    try:
        return java.find(settings.java, settings.java_home)
    except JavaNotFound:
        return None
