"""Plan of a sync: documents added, changed, renamed and removed, and doubts about the removals."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from pathlib import Path

from tetragraph.host.batches import in_batches
from tetragraph.indexing.document_checks import describe_place, find_fault
from tetragraph.indexing.origins import is_in_other_line
from tetragraph.indexing.renames import Rename
from tetragraph.indexing.repeated_ids import refuse_repeated
from tetragraph.indexing.sources import File, read_entries
from tetragraph.indexing.sync_source import FollowedSource, Look, Stored, Visit
from tetragraph.indexing.version_file import find_unknown_rows, read_versions
from tetragraph.model import Unreadable
from tetragraph.model.reading import ReadingOptions
from tetragraph.stores.corpus import CorpusStores

_PAGE = 10_000
MANY = 10
"""Documents below which any share of them may be removed without being asked for."""


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """Differences between a source and the documents that a corpus has from it, as ids in ascending order.

    Attributes:
        added: Documents that the corpus lacks.
        changed: Documents with another content.
        renamed: Documents whose file has another path, as pairs of the old and the new id.
        removed: Documents whose file or page, or row of a file, is gone.
        unchanged: Number of the others.
        skipped: What could not be read, documents that break a rule by themselves, and rows of the file of versions
            that are of no document of the source.
        held: Why the removals need a confirmation, in words; empty if they need none.
        requests: Number of requests to web servers by outcome: ``read``, ``not modified``, ``gone``, ``failed`` and
            ``sitemaps``; empty for a folder.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    skipped: tuple[Unreadable, ...] = ()
    held: str = ""
    requests: Mapping[str, int] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.added or self.changed or self.renamed or self.removed)


@dataclass(frozen=True, slots=True)
class Survey:
    """A plan with what its execution needs.

    Attributes:
        plan: The plan.
        renames: The renames of the plan.
        files: Files with documents to add or to replace.
        rename_files: File of each new id of the renames.
        moved: Documents of the corpus that another file, or another line of their file, has now; with this place.
        taken: Places by id of documents that are in none of these files.
        look: The source, whose state is to be stored when the plan was executed.
    """

    plan: SyncPlan
    renames: tuple[Rename, ...]
    files: tuple[File, ...]
    rename_files: Mapping[str, File]
    moved: tuple[Stored, ...]
    taken: Mapping[str, str]
    look: Look


@dataclass(frozen=True, slots=True)
class _New:
    sha256: str
    origin: str
    source: str
    file: File


@dataclass(slots=True)
class _Read:
    """Documents of the files that were read; no texts.

    Attributes:
        taken: Places by id of these, and of the documents of other files that are there.
        refused: Origins by id of new and changed documents that break a rule; what is stored of these stays.
    """

    taken: dict[str, str]
    new: dict[str, _New] = field(default_factory=dict)
    changed: dict[str, File] = field(default_factory=dict)
    elsewhere: dict[str, Stored] = field(default_factory=dict)
    refused: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    unchanged: int = 0
    skipped: list[Unreadable] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Followed:
    """A source, and how its files are read.

    Attributes:
        source: The folder, or the addresses.
        loader: Name of the loader that reads every file; None for that of each file's suffix.
        reading: Options of reading.
    """

    source: FollowedSource
    loader: str | None
    reading: ReadingOptions


def survey(stores: CorpusStores | None, followed: Followed, visit: Visit) -> Survey:
    """Compare a source with the documents that a corpus has from it. Files that have not changed are not read.

    Args:
        stores: Stores of the corpus; None for one that does not exist yet.
        followed: The source.
        visit: What a look at the source needs.

    Raises:
        InvalidInput: the source is not there.
    """
    followed.source.check()
    found = list(_find_stored(stores, followed.source)) if stores else []
    look = followed.source.look(found, visit)
    stored = {one.id: one for one in found if look.owns(one.origin)}
    gone = _find_gone(look, stored)
    read = _read_files(look, stored, gone, followed)
    read.skipped[:0] = look.unreadable
    gone |= read.lost
    moved = tuple(one for _, one in sorted(read.elsewhere.items()) if one.id in gone or _is_in_place(one, stored))
    gone -= read.seen
    read.skipped += _find_unknown_rows(followed, read.seen | (stored.keys() - gone))
    foreign = _find_foreign(stores, read.new)
    free = {one: new for one, new in read.new.items() if one not in foreign}
    renames = _pair(free, [stored[one] for one in sorted(gone)])
    removed = sorted(gone - {one.old for one in renames})
    held = _find_doubt(removed, stored, look)
    if held:  # the next sync has to doubt, too
        look.keep([stored[one].origin for one in removed])
    wanted = read.new.keys() - {one.new for one in renames}
    paths = {read.new[one].file.path for one in wanted} | {file.path for file in read.changed.values()}
    same = {one for one in wanted if foreign.get(one) == read.new[one].sha256}
    plan = _plan(read, sorted(wanted - same), renames, removed, held)
    plan = replace(plan, unchanged=plan.unchanged + len(same), requests=look.requests)
    rename_files = {one.new: read.new[one.new].file for one in renames}
    wanted_files = tuple(file for file in look.files if file.path in paths)
    return Survey(plan, tuple(renames), wanted_files, rename_files, moved, _find_taken(read, stored), look)


def _find_taken(read: _Read, stored: dict[str, Stored]) -> dict[str, str]:
    """Places by id of the documents of files without any that is new or changed."""
    files = {file.origin for file in read.changed.values()} | {one.origin for one in read.new.values()}
    origins = {one: found.origin for one, found in (stored | read.elsewhere).items()} | read.refused
    others = ((one, place) for one, place in read.taken.items() if one not in read.new)
    return {one: place for one, place in others if origins[one] not in files}


def _find_unknown_rows(followed: Followed, known: Set[str]) -> Iterator[Unreadable]:
    """Rows of the file of versions of a source, if it has one, that are of none of its documents."""
    if followed.reading.versions:
        yield from find_unknown_rows(read_versions(followed.reading.versions), known)


def _is_in_place(document: Stored, stored: Mapping[str, Stored]) -> bool:
    """Whether a document is still in its file."""
    return document.origin == stored[document.id].origin


def _find_gone(look: Look, stored: Mapping[str, Stored]) -> set[str]:
    there = {file.origin for file in look.files} | look.unchanged
    return {one.id for one in stored.values() if one.origin not in there and look.is_gone(one.origin)}


def _plan(read: _Read, added: Sequence[str], renames: Sequence[Rename], removed: Sequence[str], held: str) -> SyncPlan:
    return SyncPlan(
        added=tuple(added),
        changed=tuple(sorted(read.changed)),
        renamed=tuple((one.old, one.new) for one in renames),
        removed=tuple(removed),
        unchanged=read.unchanged,
        skipped=tuple(read.skipped),
        held=held,
    )


def _find_foreign(stores: CorpusStores | None, new: Mapping[str, _New]) -> dict[str, str]:
    """Hash by id of documents that the corpus has from other places, under ids that documents of the folder have."""
    if stores is None:
        return {}
    pages = in_batches(sorted(new), _PAGE)
    rows = [stores.graph.read("ingest/find_documents_by_id", corpus=stores.name, ids=page) for page in pages]
    return {row["id"]: row["sha256"] for page in rows for row in page}


def _find_stored(stores: CorpusStores, source: FollowedSource) -> Iterator[Stored]:
    for row in stores.graph.pages("ingest/find_files", corpus=stores.name, limit=_PAGE):
        if source.may_own(row["origin"]):
            yield Stored(row["id"], row["sha256"], row["origin"], row["source"])


def _read_files(look: Look, stored: Mapping[str, Stored], gone: Set[str], followed: Followed) -> _Read:
    """Read the files that may have changed; of the others the documents count as unchanged, and keep their ids."""
    origins = {file.origin for file in look.files}
    read = _Read({one.id: one.origin for one in stored.values() if one.origin not in origins and one.id not in gone})
    by_origin: dict[str, set[str]] = {}
    for one in stored.values():
        by_origin.setdefault(one.origin, set()).add(one.id)
    read.unchanged = sum(len(by_origin.get(origin, ())) for origin in look.unchanged)
    for file in look.files:
        before = len(read.skipped)
        _read_one(read, file, stored, by_origin.get(file.origin, set()), followed)
        if len(read.skipped) > before:
            look.forget(file.origin)
    return read


def _read_one(read: _Read, file: File, stored: Mapping[str, Stored], here: set[str], followed: Followed) -> None:
    seen: set[str] = set()
    is_whole = True
    for item in refuse_repeated(read_entries([file], followed.loader, followed.reading), read.taken):
        if isinstance(item, Unreadable):
            read.skipped.append(item)
            is_whole = False
            continue
        seen.add(item.id)
        before = stored.get(item.id)
        is_other = before is None or before.sha256 != item.sha256
        if is_other and (fault := find_fault(item)):
            read.skipped.append(Unreadable(describe_place(item), fault))
            read.refused[item.id] = item.origin
            continue
        if before is None:
            read.new[item.id] = _New(item.sha256, item.origin, item.source, file)
            continue
        if before.origin != item.origin or is_in_other_line(item, before.source):
            read.elsewhere[item.id] = Stored(item.id, item.sha256, item.origin, item.source)
        if is_other:
            read.changed[item.id] = file
        else:
            read.unchanged += 1
    read.seen |= seen
    if is_whole:
        read.lost |= here - seen


def _pair(new: Mapping[str, _New], gone: Sequence[Stored]) -> list[Rename]:
    """Pairs of gone and new documents with the same content; first those with the same file name, in order of id."""
    by_name: dict[tuple[str, str], deque[Stored]] = {}
    by_hash: dict[str, deque[Stored]] = {}
    for one in gone:
        if one.sha256:
            by_name.setdefault((one.sha256, Path(one.origin).name), deque()).append(one)
            by_hash.setdefault(one.sha256, deque()).append(one)
    taken: dict[str, str] = {}
    for document_id, document in sorted(new.items()):
        if same := by_name.get((document.sha256, Path(document.origin).name)):
            taken[same.popleft().id] = document_id
    for document_id in sorted(new.keys() - set(taken.values())):
        waiting = by_hash.get(new[document_id].sha256, deque())
        while waiting and waiting[0].id in taken:
            waiting.popleft()
        if waiting:
            taken[waiting.popleft().id] = document_id
    return sorted(Rename(old, one, new[one].origin, new[one].source) for old, one in taken.items())


def _find_doubt(removed: Sequence[str], stored: Mapping[str, Stored], look: Look) -> str:
    """A reason to doubt that what is not there was deleted by somebody, in words; empty without one."""
    if not removed:
        return ""
    if reason := look.doubt([stored[one].origin for one in removed]):
        return reason
    if len(stored) >= MANY and 2 * len(removed) > len(stored):
        return f"{len(removed):,} of {len(stored):,} documents are gone"
    return ""
