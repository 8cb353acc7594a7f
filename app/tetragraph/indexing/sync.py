"""Sync: a corpus follows a folder."""

from __future__ import annotations

import json
import os
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from tetragraph.connection import Connection
from tetragraph.host.private_files import make_private_folder
from tetragraph.host.system_errors import report_refusals
from tetragraph.indexing import operations
from tetragraph.indexing.folder_state import FolderState
from tetragraph.indexing.furniture import Furniture
from tetragraph.indexing.lease import Lease
from tetragraph.indexing.renames import rename
from tetragraph.indexing.report import IngestReport
from tetragraph.indexing.sources import read_entries
from tetragraph.indexing.sync_plan import Followed, Survey, SyncPlan, survey
from tetragraph.indexing.version_file import read_versions
from tetragraph.model import content_id
from tetragraph.model.usage import Budget
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores


@dataclass(frozen=True, slots=True)
class SyncReport:
    """Result of a sync.

    Attributes:
        plan: Differences that were found.
        removed: Documents that were deleted; none while the plan is held and not confirmed.
        ingest: Report of the change; None for a dry run.
    """

    plan: SyncPlan
    removed: tuple[str, ...] = ()
    ingest: IngestReport | None = None


@dataclass(frozen=True, slots=True)
class SyncRequest:
    """A folder and how it is followed; see ``Corpus.sync``."""

    followed: Followed
    build: tuple[str, ...]
    confirmed: bool
    budget: Budget


def plan_sync(connection: Connection, corpus: str, followed: Followed) -> SyncReport:
    """Find what a sync would do; see ``Corpus.sync``."""
    return SyncReport(_survey(connection, corpus, followed).plan)


def run_sync(connection: Connection, corpus: str, request: SyncRequest, progress: Progress) -> SyncReport:
    """Let a corpus follow a folder; see ``Corpus.sync``."""
    found = _survey(connection, corpus, request.followed)
    removed = found.plan.removed if request.confirmed or not found.plan.held else ()
    ingest = _apply(connection, corpus, request, found, removed, progress)
    report = SyncReport(found.plan, removed, ingest)
    if ingest.skipped:  # some contents are not in the corpus, so all are compared next time
        for file in found.files:
            found.state.files.pop(str(file.path), None)
    found.state.save(_state_file(connection, corpus, request.followed.folder))
    if ingest.written:
        _record(connection, corpus, request.followed.folder, report)
    return report


def _survey(connection: Connection, corpus: str, followed: Followed) -> Survey:
    known = FolderState.load(_state_file(connection, corpus, followed.folder))
    if followed.reading.versions:  # it may have changed, so every document is compared
        read_versions(followed.reading.versions)
        known = FolderState(devices=known.devices)
    return survey(connection.find_stores(corpus), followed, known)


def _apply(
    connection: Connection,
    corpus: str,
    request: SyncRequest,
    found: Survey,
    removed: tuple[str, ...],
    progress: Progress,
) -> IngestReport:
    notes = [f"{len(found.plan.removed):,} documents stay although their files are gone, as {found.plan.held}: if they "
             "were deleted, run it again with --yes (confirmed=True)"]  # fmt: skip
    with operations.begin_sync(connection, corpus, request.build, request.budget, progress) as (stores, lease, work):
        with work.watch.stage("documents"):
            work.writer.recover()
            done = rename(stores, lease, found.renames)
            left = [one for one in found.renames if one not in done]
            _write_moved(stores, lease, found)
            files = (*found.files, *(found.rename_files[one.new] for one in left))
            furniture, reading = Furniture(stores), request.followed.reading
            documents = read_entries(files, request.followed.loader, reading)
            work.writer.ingest(furniture.leave_out(documents, reading))
            furniture.save()
            gone = tuple(sorted((*removed, *(one.old for one in left))))
            work.writer.delete(gone)
        return work.publish(
            request.build, rebuilt=(), deleted=gone, notes=tuple(notes if removed != found.plan.removed else ())
        )


def _write_moved(stores: CorpusStores, lease: Lease, found: Survey) -> None:
    """Store the present paths of documents that another file has now."""
    if found.moved:
        lease.hold()
        rows = [{"id": document, "origin": origin} for document, origin in sorted(found.moved.items())]
        stores.graph.write("ingest/upsert_origins", corpus=stores.name, rows=rows)


def _state_file(connection: Connection, corpus: str, folder: Path) -> Path:
    """Where the state of a folder is cached; another database, or a corpus created again, has another place."""
    stores = connection.find_stores(corpus)
    key = content_id(stores.record.key if stores else corpus, str(folder.resolve()))
    return connection.settings.cache / "sync" / f"{key}.json"


def _record(connection: Connection, corpus: str, folder: Path, report: SyncReport) -> None:
    """Add a line to the record of the syncs of a corpus."""
    place = connection.settings.home / "sync" / f"{corpus}.jsonl"
    plan = asdict(report.plan) | {"removed": report.removed, "skipped": len(report.plan.skipped)}
    generation = report.ingest.generation if report.ingest else 0
    row = {"time": datetime.now(UTC).isoformat(), "folder": str(folder.resolve()), "generation": generation, **plan}
    with report_refusals(place.parent, "TETRAGRAPH_HOME"):
        make_private_folder(place.parent)
        with open(place, "a", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
