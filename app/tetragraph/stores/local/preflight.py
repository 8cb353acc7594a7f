"""Checks of the requirements of a start, with remedies."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from tetragraph.errors import InvalidInput, LocalStoreError, MissingDependency, StoreError
from tetragraph.host import optional_imports
from tetragraph.settings import Settings
from tetragraph.stores.local import (
    config,
    disk_space,
    homes,
    jars,
    java,
    launch,
    ports,
    server,
)


@dataclass(frozen=True, slots=True)
class PreflightFinding:
    """The outcome of one check.

    Attributes:
        name: Subject of the check.
        ok: Whether it permits a start.
        detail: Finding in words and, where there is one, the remedy.
    """

    name: str
    ok: bool
    detail: str


def inspect(settings: Settings) -> list[PreflightFinding]:
    """Check the requirements of a start, in order of need; changes nothing."""
    checks: dict[str, Callable[[Settings], str]] = {
        "packages": _packages,
        "java": _java,
        "jars": _jars,
        "disk": _disk,
        "home": _home,
        "server": _server,
    }
    return [_finding(name, check, settings) for name, check in checks.items()]


def _finding(name: str, check: Callable[[Settings], str], settings: Settings) -> PreflightFinding:
    try:
        return PreflightFinding(name, ok=True, detail=check(settings))
    except (StoreError, MissingDependency, InvalidInput) as error:
        return PreflightFinding(name, ok=False, detail=str(error))


def _packages(settings: Settings) -> str:
    optional_imports.load_local("psutil")
    if settings.maven_url is None:
        optional_imports.load_local("jgo.constants")
    return "those of the extra `local` are installed"


def _java(settings: Settings) -> str:
    found = java.find(settings.java, settings.java_home)
    return f"Java {found.version} ({found.executable})"


def _jars(settings: Settings) -> str:
    distribution = jars.distribution(settings.cache)
    lock, missing = distribution.lock, distribution.missing()
    if missing:
        size = sum(jar.size for jar in missing) / 1e6
        raise LocalStoreError(
            f"{len(missing)} of {len(lock.jars)} jars ({size:.0f} MB) are not in {distribution.folder}: "
            "`tetragraph up` fetches them"
        )
    return f"{len(lock.jars)} jars: Neo4j {lock.neo4j}, GDS {lock.gds}, Browser {lock.browser} ({distribution.folder})"


def _disk(settings: Settings) -> str:
    for folder in (settings.home, settings.cache):
        disk_space.require_disk_space(_existing(folder.expanduser().resolve()), 0, "Neo4j")
    return f"more than {disk_space.RESERVE_BYTES / 1e6:.0f} MB are free"


def _home(settings: Settings) -> str:
    config.check_folders(settings)
    home = homes.of(settings)
    if not home.folder.exists():
        above = next(parent for parent in home.folder.parents if parent.exists())
        if not above.is_dir() or not os.access(above, os.W_OK | os.X_OK):
            raise LocalStoreError(
                f"{home.folder} cannot be made, as {above} must be a folder that this user may write: "
                "mend it, or set TETRAGRAPH_HOME to another place"
            )
        return f"{home.folder} will be made at the first start"
    home.check(jars.distribution(settings.cache).lock.neo4j)
    return f"{home.folder}, {homes.size_bytes(home.folder) / 1e6:.0f} MB"


def _server(settings: Settings) -> str:
    home = homes.of(settings)
    running = server.find(settings)
    if running:
        state = home.state()
        if state is None or not launch.is_ready(state):
            raise LocalStoreError(
                f"process {running.pid} runs and does not answer at {running.uri}: `tetragraph down` ends it "
                f"(log: {home.console})"
            )
        launch.ask(home, state)
        return f"answers at {running.uri} and {running.http_url}"
    launch.refuse_orphan(home)
    chosen = ports.choose(settings.bolt_port, settings.http_port, home.last_ports())
    return f"does not run; would take the ports {chosen.bolt} and {chosen.http}"


def _existing(folder: Path) -> Path:
    return next(parent for parent in (folder, *folder.parents) if parent.is_dir())
