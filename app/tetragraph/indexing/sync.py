"""Sync: a corpus follows a folder, or what a list of addresses serves."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime
from operator import attrgetter
from pathlib import Path

from tetragraph.connection import Connection
from tetragraph.executors import LOCAL, Executor
from tetragraph.host.private_files import make_private_folder, write_private
from tetragraph.host.system_errors import report_refusals
from tetragraph.host.temporary_folder import temporary_folder
from tetragraph.indexing import operations
from tetragraph.indexing.furniture import Furniture
from tetragraph.indexing.known_entities import set_gazetteer
from tetragraph.indexing.origins import write_places
from tetragraph.indexing.renames import Rename, note_lost_successors, rename
from tetragraph.indexing.repeated_ids import refuse_repeated
from tetragraph.indexing.report import IngestReport
from tetragraph.indexing.sources import read_entries
from tetragraph.indexing.sync_plan import Followed, Survey, SyncPlan, survey
from tetragraph.indexing.sync_source import Visit
from tetragraph.indexing.version_file import read_versions
from tetragraph.language.lexicon.gazetteer import NO_GAZETTEER, Gazetteer
from tetragraph.model import Document, Unreadable, content_id
from tetragraph.model.usage import Budget
from tetragraph.progress import Progress


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
    """A source and how it is followed; see ``Corpus.sync``."""

    followed: Followed
    build: tuple[str, ...]
    confirmed: bool
    budget: Budget
    gazetteer: Gazetteer = NO_GAZETTEER
    executor: Executor = LOCAL


def plan_sync(connection: Connection, corpus: str, followed: Followed, progress: Progress) -> SyncReport:
    """Find what a sync would do; see ``Corpus.sync``."""
    with _surveyed(connection, corpus, followed, progress) as found:
        return SyncReport(found.plan)


def run_sync(connection: Connection, corpus: str, request: SyncRequest, progress: Progress) -> SyncReport:
    """Let a corpus follow a source; see ``Corpus.sync``."""
    with _surveyed(connection, corpus, request.followed, progress) as found:
        _forget_other_reading(_state_file(connection, corpus, request.followed), request.followed)
        removed = found.plan.removed if request.confirmed or not found.plan.held else ()
        ingest = _apply(connection, corpus, request, found, removed, progress)
    report = SyncReport(found.plan, removed, ingest)
    if ingest.skipped:  # some contents are not in the corpus, so all are compared next time
        for file in found.files:
            found.look.forget(file.origin)
    state = _state_file(connection, corpus, request.followed)  # a corpus that was created just now has another
    found.look.save(state)
    write_private(_reading_file(state), _describe_reading(request.followed))
    if ingest.written:
        _record(connection, corpus, request.followed, report)
    return report


@contextmanager
def _surveyed(connection: Connection, corpus: str, followed: Followed, progress: Progress) -> Iterator[Survey]:
    """The survey of a source; files that were fetched for it stay until the end of the block."""
    if followed.reading.versions:
        read_versions(followed.reading.versions)
    with temporary_folder(connection.settings.cache / "syncs", "TETRAGRAPH_CACHE") as scratch:
        known = _state_file(connection, corpus, followed)
        afresh = bool(followed.reading.versions) or not _is_read_alike(known, followed)
        visit = Visit(known, scratch, afresh, progress)
        yield survey(connection.find_stores(corpus), followed, visit)


def _apply(
    connection: Connection,
    corpus: str,
    request: SyncRequest,
    found: Survey,
    removed: tuple[str, ...],
    progress: Progress,
) -> IngestReport:
    notes = []
    if removed != found.plan.removed:
        notes.append(
            f"{len(found.plan.removed):,} documents stay that would be removed, as {found.plan.held}: if they are to "
            "be deleted, run it again with --yes (confirmed=True)"
        )
    opened = operations.begin_sync(
        connection, corpus, request.build, request.budget, request.gazetteer, progress, request.executor
    )
    with opened as (stores, lease, work):
        with work.watch.stage("documents"):
            work.writer.recover()
            set_gazetteer(stores, lease, request.gazetteer)
            if found.renames:
                work.complete_interrupted()
            replaced = {*found.plan.changed, *removed}
            done = rename(stores, lease, found.renames, replaced)
            left = [one for one in found.renames if one not in done.renames]
            notes += [*done.notes, *note_lost_successors(stores, left, replaced)]
            write_places(stores, lease, found.moved, is_shown=True)
            furniture, reading = Furniture(stores), request.followed.reading
            documents = _read(found, left, request.followed)
            work.writer.ingest(furniture.leave_out(documents, reading))
            furniture.save()
            gone = tuple(sorted((*removed, *(one.old for one in left))))
            work.writer.delete(gone)
        return work.publish(request.build, rebuilt=(), deleted=gone, notes=tuple(notes))


def _read(found: Survey, left: Sequence[Rename], followed: Followed) -> Iterator[Document | Unreadable]:
    """The documents to write: those of a survey, and of the renames that are left."""
    files = (*found.files, *(found.rename_files[one.new] for one in left))
    in_order = sorted(files, key=attrgetter("id"))  # as in the survey: of two with one id the same one is refused
    return refuse_repeated(read_entries(in_order, followed.loader, followed.reading), {**found.taken})


def _state_file(connection: Connection, corpus: str, followed: Followed) -> Path:
    """Where the state of a source is kept; another database, or a corpus created again, has another place."""
    stores = connection.find_stores(corpus)
    key = content_id(stores.record.key if stores else corpus, followed.source.identity)
    return followed.source.state_folder(connection.settings) / f"{key}.json"


def _reading_file(state: Path) -> Path:
    """Where it is kept how the source was read when its state was stored."""
    return state.with_suffix(".reading")


def _describe_reading(followed: Followed) -> str:
    """How a source is read, without the file of versions, which is read every time."""
    options = asdict(replace(followed.reading, versions=None))
    return json.dumps({"loader": followed.loader, **options}, sort_keys=True)


def _is_read_alike(state: Path, followed: Followed) -> bool:
    """Whether the stored state tells what another sync with these options would read."""
    try:
        return _reading_file(state).read_text(encoding="utf-8") == _describe_reading(followed)
    except FileNotFoundError:
        return False


def _forget_other_reading(state: Path, followed: Followed) -> None:
    """Let every sync read all files until one is complete, if this one reads them otherwise than the last."""
    if not _is_read_alike(state, followed):
        _reading_file(state).unlink(missing_ok=True)


def _record(connection: Connection, corpus: str, followed: Followed, report: SyncReport) -> None:
    """Add a line to the record of the syncs of a corpus."""
    place = connection.settings.home / "sync" / f"{corpus}.jsonl"
    held = report.plan.held if report.removed != report.plan.removed else ""  # else the removals were confirmed
    plan = asdict(report.plan) | {"removed": report.removed, "held": held, "skipped": len(report.plan.skipped)}
    generation = report.ingest.generation if report.ingest else 0
    row = {"time": datetime.now(UTC).isoformat(), **followed.source.shown, "generation": generation, **plan}
    with report_refusals(place.parent, "TETRAGRAPH_HOME"):
        make_private_folder(place.parent)
        with open(place, "a", encoding="utf-8", opener=lambda name, flags: os.open(name, flags, 0o600)) as file:
            file.write(json.dumps(row, ensure_ascii=False) + "\n")
