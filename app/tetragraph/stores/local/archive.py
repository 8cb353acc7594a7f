"""The start archive: Java's classes, loaded and linked, so that a start takes about half the time.

It is made once for each lock and build of Java, by a server of its own in a throw-away home: making it takes a minute
or two at the server's end, which no user should have to wait for. A start does not depend on it: Java ignores an
archive that is damaged or does not fit.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from tetragraph.errors import LocalStoreError
from tetragraph.host import processes
from tetragraph.host.file_lock import exclusive
from tetragraph.progress import NoProgress, Progress
from tetragraph.settings import Settings
from tetragraph.stores import migrations
from tetragraph.stores.graph import Graph
from tetragraph.stores.local import (
    config,
    disk_space,
    download,
    jars,
    java,
    launch,
    ports,
)
from tetragraph.stores.local.homes import Home
from tetragraph.stores.local.jars import Distribution
from tetragraph.stores.local.java import Java

NEEDED_BYTES = 400_000_000
"""Disk for the archive (190 MB) and for what Java writes on the way."""
_WRITE_TIMEOUT_S = 600.0
_PREFIX = "warm-"
_CORPUS = "warm"
_PAGES = 200


def options(distribution: Distribution, runtime: Java) -> tuple[str, ...]:
    """Java options that use the archive; none where there is no archive for this build."""
    file = distribution.archive(runtime.version)
    # Java tells of many harmless things when it starts from an archive.
    return (f"-XX:AOTCache={file}", "-Xlog:disable", "-Xlog:all=error:stderr") if file.is_file() else ()


def warm(settings: Settings, progress: Progress | None = None) -> Path:
    """Make the start archive if there is none, and return where it is. Takes one to three minutes.

    Raises:
        LocalStoreError: Java is older than 25 or wrote no archive; the server works without it.
        DownloadFailed, JavaNotFound, StartFailed: as at a start.
    """
    progress = progress or NoProgress()
    distribution = jars.distribution(settings.cache)
    download.complete(distribution, download.source(settings), progress)
    runtime = java.find(settings.java, settings.java_home)
    if runtime.major < java.ARCHIVES_FROM:
        raise LocalStoreError(
            f"a start archive needs Java {java.ARCHIVES_FROM} or later, got {runtime.version} ({runtime.executable}): "
            "set TETRAGRAPH_JAVA to a newer one; Neo4j starts without it, only slower"
        )
    final = distribution.archive(runtime.version)
    with exclusive(distribution.folder / ".warm.lock"):
        if not final.is_file():
            disk_space.require_disk_space(distribution.folder, NEEDED_BYTES, "the start archive")
            progress.start("archive", None, "")
            _make(final, distribution, runtime, settings)
            for outdated in distribution.outdated_archives():
                outdated.unlink(missing_ok=True)
            progress.finish("archive")
    return final


def _make(final: Path, distribution: Distribution, runtime: Java, settings: Settings) -> None:
    for leftover in final.parent.glob(f"{_PREFIX}*"):
        _remove(Home(leftover))
    home = Home(Path(tempfile.mkdtemp(prefix=_PREFIX, dir=final.parent)))
    part = home.folder / "start.aot"
    own = settings.model_copy(
        update={"bolt_port": ports.free(), "http_port": ports.free(), "neo4j_config": {}, "heap_mb": 512}
    )
    try:
        home.prepare()
        state = launch.Launch(home, distribution, runtime, own, (f"-XX:AOTCacheOutput={part}",)).run()
        _run_training_workload(home, launch.uri(state))
        processes.stop(state.pid, config.home_argument(home), _WRITE_TIMEOUT_S)
        if not part.is_file():
            raise LocalStoreError(
                f"Java {runtime.version} wrote no start archive; Neo4j starts without it, only slower. "
                f"It says: {home.console.read_text(errors='replace')[-500:]}"
            )
        part.replace(final)
    finally:
        _remove(home)


def _run_training_workload(home: Home, uri: str) -> None:
    """Run what users run, so that the archive holds the classes for it."""
    graph = Graph.connect(uri, launch.USER, home.password())
    try:
        migrations.apply(graph)
        graph.write("warm/upsert_pages", corpus=_CORPUS, count=_PAGES)
        graph.read("warm/find_pages", corpus=_CORPUS)
        graph.write("warm/project_pages", corpus=_CORPUS, graph=_CORPUS)
        graph.write("warm/stream_ranks", graph=_CORPUS)
        graph.write("warm/drop_pages", graph=_CORPUS)
    finally:
        graph.close()


def _remove(home: Home) -> None:
    pid = processes.find(config.home_argument(home))
    if pid is not None:
        processes.stop(pid, config.home_argument(home), 0.0)
    shutil.rmtree(home.folder, ignore_errors=True)
