"""Plan of a sync of a folder: documents added, changed, renamed and removed, and doubts about the removals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from tetragraph.errors import InvalidInput
from tetragraph.indexing.folder_state import FolderState
from tetragraph.indexing.origins import is_gone
from tetragraph.indexing.renames import Rename
from tetragraph.indexing.sources import File, find_entries, read_entries
from tetragraph.model import Unreadable
from tetragraph.model.reading import ReadingOptions
from tetragraph.stores.corpus import CorpusStores

_PAGE = 10_000
MANY = 10
"""Documents below which any share of them may be removed without being asked for."""


@dataclass(frozen=True, slots=True)
class SyncPlan:
    """Differences between a folder and the documents that a corpus has from it, as ids in ascending order.

    Attributes:
        added: Documents that the corpus lacks.
        changed: Documents with another content.
        renamed: Documents whose file has another path, as pairs of the old and the new id.
        removed: Documents whose file, or row of a file, is gone.
        unchanged: Number of the others.
        skipped: What could not be read.
        held: Why the removals need a confirmation, in words; empty if they need none.
    """

    added: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()
    renamed: tuple[tuple[str, str], ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    skipped: tuple[Unreadable, ...] = ()
    held: str = ""

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
        moved: Present path of unchanged documents that another file of the folder has now, by id.
        state: State of the folder, to be stored when the plan was executed.
    """

    plan: SyncPlan
    renames: tuple[Rename, ...]
    files: tuple[File, ...]
    rename_files: Mapping[str, File]
    moved: Mapping[str, str]
    state: FolderState


@dataclass(frozen=True, slots=True)
class _Stored:
    id: str
    sha256: str
    origin: Path


@dataclass(frozen=True, slots=True)
class _New:
    sha256: str
    origin: str
    source: str
    file: File


@dataclass(slots=True)
class _Read:
    """Documents of the files that were read; no texts."""

    new: dict[str, _New] = field(default_factory=dict)
    changed: dict[str, File] = field(default_factory=dict)
    elsewhere: dict[str, str] = field(default_factory=dict)
    seen: set[str] = field(default_factory=set)
    lost: set[str] = field(default_factory=set)
    unchanged: int = 0
    skipped: list[Unreadable] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Followed:
    """A folder, and how its files are read.

    Attributes:
        folder: The folder.
        loader: Name of the loader that reads every file; None for that of each file's suffix.
        prefix: First part of all ids; None for the name of the folder.
        reading: Options of reading.
    """

    folder: Path
    loader: str | None
    prefix: str | None
    reading: ReadingOptions


def survey(stores: CorpusStores | None, followed: Followed, known: FolderState) -> Survey:
    """Compare a folder with the documents that a corpus has from it. Files that have not changed are not read.

    Args:
        stores: Stores of the corpus; None for one that does not exist yet.
        followed: The folder.
        known: State of the folder at the last sync.

    Raises:
        InvalidInput: the folder is not there.
    """
    folder = followed.folder
    _check_folder(folder)
    entries = list(find_entries(folder, followed.prefix))
    files = [entry for entry in entries if isinstance(entry, File)]
    state = FolderState.look(file.path for file in files)
    stored = {one.id: one for one in _find_stored(stores, folder)} if stores else {}
    read = _read_files(files, stored, known, state, followed)
    read.skipped[:0] = [entry for entry in entries if isinstance(entry, Unreadable)]
    there = {str(file.path) for file in files}
    gone = {one.id for one in stored.values() if str(one.origin) not in there and is_gone(one.origin)} | read.lost
    moved = {one: origin for one, origin in read.elsewhere.items() if one in gone}
    gone -= read.seen
    foreign = _find_foreign(stores, read.new)
    free = {one: new for one, new in read.new.items() if one not in foreign}
    renames = _pair(free, [stored[one] for one in sorted(gone)])
    removed = sorted(gone - {one.old for one in renames})
    held = _find_doubt(removed, stored, files, read.skipped, known)
    if held:  # the next sync has to doubt, too
        parents = {str(stored[one].origin.parent) for one in removed}
        state.devices.update({place: known.devices[place] for place in parents & known.devices.keys()})
    wanted = read.new.keys() - {one.new for one in renames}
    paths = {read.new[one].file.path for one in wanted} | {file.path for file in read.changed.values()}
    same = {one for one in wanted if foreign.get(one) == read.new[one].sha256}
    plan = _plan(read, sorted(wanted - same), renames, removed, held)
    plan = replace(plan, unchanged=plan.unchanged + len(same))
    rename_files = {one.new: read.new[one.new].file for one in renames}
    wanted_files = tuple(file for file in files if file.path in paths)
    return Survey(plan, tuple(renames), wanted_files, rename_files, moved, state)


def _check_folder(folder: Path) -> None:
    if not folder.is_dir():
        raise InvalidInput(
            f"a sync follows a folder, got {str(folder)!r}, which is none now: nothing was changed; check that it is "
            "mounted, or delete its documents with `tetragraph delete`"
        )


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
    ids = sorted(new)
    pages = (ids[start : start + _PAGE] for start in range(0, len(ids), _PAGE))
    rows = [stores.graph.read("ingest/find_documents_by_id", corpus=stores.name, ids=page) for page in pages]
    return {row["id"]: row["sha256"] for page in rows for row in page}


def _find_stored(stores: CorpusStores, folder: Path) -> Iterator[_Stored]:
    place = folder.resolve()
    for row in stores.graph.pages("ingest/find_files", corpus=stores.name, limit=_PAGE):
        origin = Path(row["origin"])
        if origin.is_relative_to(place):
            yield _Stored(row["id"], row["sha256"], origin)


def _read_files(
    files: Sequence[File], stored: Mapping[str, _Stored], known: FolderState, state: FolderState, followed: Followed
) -> _Read:
    """Read the files that may have changed; of the others the documents count as unchanged."""
    read, by_origin = _Read(), dict[str, set[str]]()
    for one in stored.values():
        by_origin.setdefault(str(one.origin), set()).add(one.id)
    for file in files:
        place = str(file.path)
        here = by_origin.get(place, set())
        is_complete = all(stored[one].sha256 for one in here)
        if here and is_complete and place in state.files and known.files.get(place) == state.files[place]:
            read.unchanged += len(here)
        else:
            before = len(read.skipped)
            _read_one(read, file, stored, here, followed)
            if len(read.skipped) > before:  # it is read again next time
                state.files.pop(place, None)
    return read


def _read_one(read: _Read, file: File, stored: Mapping[str, _Stored], here: set[str], followed: Followed) -> None:
    seen: set[str] = set()
    is_whole = True
    for item in read_entries([file], followed.loader, followed.reading):
        if isinstance(item, Unreadable):
            read.skipped.append(item)
            is_whole = False
            continue
        seen.add(item.id)
        before = stored.get(item.id)
        if before is None:
            read.new.setdefault(item.id, _New(item.sha256, item.origin, item.source, file))
            continue
        if str(before.origin) != item.origin:
            read.elsewhere[item.id] = item.origin
        if before.sha256 != item.sha256:
            read.changed[item.id] = file
        else:
            read.unchanged += 1
    read.seen |= seen
    if is_whole:
        read.lost |= here - seen


def _pair(new: Mapping[str, _New], gone: Sequence[_Stored]) -> list[Rename]:
    """Pairs of gone and new documents with the same content; those with the same file name first."""
    by_hash: dict[str, list[_Stored]] = {}
    for one in gone:
        if one.sha256:
            by_hash.setdefault(one.sha256, []).append(one)
    pairs: list[Rename] = []
    for wants_name in (True, False):
        taken = {pair.new for pair in pairs}
        for document_id in sorted(new.keys() - taken):
            document = new[document_id]
            waiting = by_hash.get(document.sha256, [])
            same = [one for one in waiting if not wants_name or one.origin.name == document.file.path.name]
            if same:
                waiting.remove(same[0])
                pairs.append(Rename(same[0].id, document_id, document.origin, document.source))
    return sorted(pairs)


def _find_doubt(
    removed: Sequence[str],
    stored: Mapping[str, _Stored],
    files: Sequence[File],
    skipped: Sequence[Unreadable],
    known: FolderState,
) -> str:
    """A reason to doubt that what is not there was deleted by somebody, in words; empty without one."""
    if not removed:
        return ""
    if not files:
        return "the folder is empty"
    if moved := [one for one in removed if known.is_on_other_device(stored[one].origin)]:
        return f"the folder of {moved[0]!r} is on another device than before"
    closed = [one.source for one in skipped if one.reason.startswith("the folder cannot be read")]
    if closed:
        return f"the folder {closed[0]!r} cannot be read"
    if len(stored) >= MANY and 2 * len(removed) > len(stored):
        return f"{len(removed):,} of {len(stored):,} documents are gone"
    return ""
