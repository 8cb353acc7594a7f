"""Checks what this version of tetragraph would change in the stores and files of an earlier one; reads only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tetragraph.archive.file_format import VERSION
from tetragraph.archive.reading import BackupReader
from tetragraph.archive.report import UpgradeReport, UpgradeStep
from tetragraph.connection import open_arrays, open_graph
from tetragraph.errors import InvalidInput, TetragraphError, UnusableBackup
from tetragraph.indexing.unfinished_reembed import UnfinishedReembed, find_unfinished
from tetragraph.language.embedders import load_embedder
from tetragraph.progress import NoProgress
from tetragraph.settings import Settings
from tetragraph.stores import local, migrations
from tetragraph.stores.array_cache import ArrayCache
from tetragraph.stores.chunk_table import KIND
from tetragraph.stores.corpus import CorpusRecord
from tetragraph.stores.graph import Graph
from tetragraph.systems.registry import BUILD_TARGETS
from tetragraph.version import __version__

CONNECTING: Final = "runs by itself on the next connection, or by `tetragraph schema apply`"
_ACTIONS: Final = {
    "damaged": "use another copy of the file, or make the backup again",
    "newer": "keep the version that made it, or install a later one",
    "no base": "put the base that it was made with beside it",
}
"""Reason why a backup cannot be used to what is to be done."""


def check_upgrade(settings: Settings, backups: Sequence[str | Path] = ()) -> UpgradeReport:
    """Find what this version would migrate, and what has to be ingested or built again; see ``Tetragraph``.

    Raises:
        MigrationError: the database is newer than this version, or has another history.
        StoreUnavailable: it does not answer.
    """
    steps = [*_check_database(settings), *(_check_backup(Path(path)) for path in backups)]
    return UpgradeReport(__version__, migrations.schema_version(), VERSION, tuple(steps))


def _check_database(settings: Settings) -> Iterator[UpgradeStep]:
    if not settings.neo4j_uri and not local.has_data(settings):
        yield UpgradeStep("schema", is_current=True, detail=f"no data yet: Neo4j was never started in {settings.home}")
        return
    graph = open_graph(settings, NoProgress())
    try:
        yield _check_schema(graph)
        arrays = open_arrays(settings)
        database = graph.server().database
        for found in graph.read("corpus/find_corpora"):
            row = graph.read("corpus/get_corpus", corpus=found["name"])[0]
            record = CorpusRecord.from_row(row, database)
            yield _check_corpus(settings, arrays, record, find_unfinished(graph, record.name))
    finally:
        graph.close()


def _check_schema(graph: Graph) -> UpgradeStep:
    gaps = migrations.find_gaps(graph)
    newest = migrations.schema_version()
    if gaps.other:
        detail = "; ".join(gaps.other)
        return UpgradeStep("schema", is_current=False, detail=detail, action="drop what differs: `tetragraph doctor`")
    if gaps.missing:
        detail = f"{', '.join(gaps.missing)} missing"
        return UpgradeStep("schema", is_current=False, detail=detail, action="`tetragraph doctor --repair` makes them")
    if gaps.unapplied:
        detail = f"version {newest - len(gaps.unapplied)}; to be applied: {', '.join(gaps.unapplied)}"
        return UpgradeStep("schema", is_current=False, detail=detail, action=CONNECTING)
    return UpgradeStep("schema", is_current=True, detail=f"version {newest}")


def _check_corpus(
    settings: Settings, arrays: ArrayCache, record: CorpusRecord, unfinished: UnfinishedReembed | None
) -> UpgradeStep:
    subject = f"corpus {record.name}"
    faults = [*_find_faults(settings, record)]
    if unfinished:
        detail = (
            f"the change of its embedder to {unfinished.embedder} is not complete, and is best ended before the upgrade"
        )
        faults.append((detail, unfinished.remedy))
    if faults:
        details, actions = zip(*faults, strict=True)
        return UpgradeStep(
            subject, is_current=False, detail="; ".join(details), action="; ".join(dict.fromkeys(actions))
        )
    detail = f"generation {record.published} is complete"
    if record.has_arrays and not arrays.has(record.key, KIND, record.published):
        detail += f"; the first search of version {__version__} computes its arrays"
    return UpgradeStep(subject, is_current=True, detail=detail)


def _find_faults(settings: Settings, record: CorpusRecord) -> Iterator[tuple[str, str]]:
    """Yield what is to be done for a corpus, and by which command."""
    if unknown := sorted(set(record.graphs) - BUILD_TARGETS.keys()):
        yield f"it has {', '.join(unknown)}, which this version does not know", "use the version that built it"
    if not record.generation:
        command = f"run that ingest again, or `tetragraph delete {record.name}`"
        yield "its first ingest has written nothing", command
    elif record.published != record.generation:
        command = f"run the interrupted change again, or `tetragraph doctor --repair -c {record.name}`"
        yield "a change of it was interrupted, and is best completed before the upgrade", command
    elif record.chunks is None:
        yield (
            "an earlier version published it without the numbers of its terms, which engine=stores needs",
            f"the next change of its documents writes them, such as `tetragraph ingest SOURCE -c {record.name}`",
        )
    if record.must_rebuild:
        yield "its graphs are to be built again", f"`tetragraph build GRAPH -c {record.name}` builds all of them"
    try:
        dimension = load_embedder(record.embedder, settings).dimension
    except (TetragraphError, ImportError) as error:
        yield f"its embedder {record.embedder!r} cannot be used here: {error}", "install it, or reembed the corpus"
        return
    if dimension != record.dimension:
        yield (
            f"{record.embedder!r} gives vectors of {dimension} numbers, those of the corpus have {record.dimension}",
            f"`tetragraph reembed {record.name} --embedder NAME`",
        )


def _check_backup(path: Path) -> UpgradeStep:
    subject = f"backup {path}"
    try:
        with BackupReader.open(path) as backup:
            manifest = backup.manifest
    except UnusableBackup as error:
        return UpgradeStep(subject, is_current=False, detail=str(error), action=_ACTIONS[error.reason])
    except InvalidInput as error:
        return UpgradeStep(subject, is_current=False, detail=str(error), action="name a file that can be read")
    newest = migrations.schema_version()
    older = "" if manifest.schema == newest else f", which a restore brings to schema {newest}"
    return UpgradeStep(
        subject,
        is_current=True,
        detail=f"of tetragraph {manifest.tetragraph}, format {manifest.version}, schema {manifest.schema}{older}; only "
        "format and schema were checked, `tetragraph verify` checks the contents",
    )
