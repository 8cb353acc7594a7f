"""Writes a backup of one generation of a corpus while it is searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tetragraph.archive.contents import Sessions, find_layouts, find_links, find_nodes, find_vectors
from tetragraph.archive.file_format import Base, Manifest, SavedCorpus
from tetragraph.archive.reading import BackupReader
from tetragraph.archive.report import BackupReport
from tetragraph.archive.writing import BackupWriter, complete_or_absent
from tetragraph.connection import Connection
from tetragraph.errors import CorpusBusy, InvalidInput, NotBuilt, StoreError
from tetragraph.indexing.documents import find_pending
from tetragraph.indexing.lease import find_holder
from tetragraph.progress import Progress
from tetragraph.stores import migrations
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.registry import BUILD_TARGETS
from tetragraph.version import __version__

STATISTICS = ("chunks", "mean_terms", "similarity_scale", "near_copies", "stem_languages")
"""Properties of a corpus that are computed at each publish."""
MOST_FILES = 100
"""Largest number of incremental backups, with the full one below them, that are made one upon another."""
_ATTEMPTS = 3
"""Times that a corpus is read which is changed meanwhile."""


def write_backup(
    connection: Connection,
    corpus: str,
    path: Path,
    *,
    vectors: bool,
    overwrite: bool,
    progress: Progress,
    since: Path | None = None,
) -> BackupReport:
    """Write a backup of a corpus; see ``Corpus.backup``."""
    if path.exists() and not (overwrite and path.is_file()):
        raise InvalidInput(
            f"a backup replaces nothing unless it is told to, got {str(path)!r}, which exists: overwrite=True or "
            "--force replaces a file"
        )
    base, known = _read_base(path, since)
    for _ in range(_ATTEMPTS):
        before = _read_state(connection, corpus)
        try:
            with complete_or_absent(path) as file:
                writer = BackupWriter(file, base, known)
                manifest = _write(connection.stores(corpus), before, writer, vectors, progress)
                _check_unchanged(connection, before)
        except _ChangedError:
            continue
        except StoreError:
            if _read_state(connection, corpus) == before:
                raise
            continue
        return BackupReport.of(path, manifest, notes=before.sessions.notes())
    raise CorpusBusy(
        f"corpus {corpus!r} was changed each of the {_ATTEMPTS} times that it was read: nothing was written; back it "
        "up while no ingest runs"
    )


class _ChangedError(Exception):
    """The corpus was changed while it was read."""


@dataclass(frozen=True, slots=True)
class _State:
    corpus: SavedCorpus
    sessions: Sessions


def _read_state(connection: Connection, corpus: str) -> _State:
    """The state of a complete corpus.

    Raises:
        CorpusBusy: another process is changing it.
        NotBuilt: a change was interrupted.
    """
    stores = connection.stores(corpus)
    holder = find_holder(connection.graph, corpus)
    if holder and holder.is_alive:
        raise CorpusBusy(f"corpus {corpus!r} is being changed by {holder.name}: back it up when that has finished")
    if not _is_complete(stores):
        raise NotBuilt(
            f"a change of corpus {corpus!r} was interrupted, and a backup has complete generations only: run the "
            f"change again, or `tetragraph doctor --repair -c {corpus}`"
        )
    row = connection.graph.read("corpus/get_corpus", corpus=corpus)[0]
    contents = connection.graph.read("ingest/count_contents", corpus=corpus)[0]["contents"]
    saved = SavedCorpus(
        row["name"],
        row["created"],
        row["embedder"],
        row["dimension"],
        row["settings"],
        row["schema_version"],
        row["generation"],
        tuple(row["metadata_keys"]),
        tuple(row["graphs"]),
        contents,
        {name: row[name] for name in STATISTICS if row[name] is not None},
        tuple(sorted(connection.graph.read("ingest/get_furniture", corpus=corpus)[0]["furniture"])),
    )
    return _State(saved, Sessions.read(connection.graph, corpus))


def _is_complete(stores: CorpusStores) -> bool:
    record = stores.record
    unfinished = [name for name in record.graphs if name in BUILD_TARGETS and BUILD_TARGETS[name].is_unfinished(stores)]
    return 0 < record.published == record.generation and not find_pending(stores) and not unfinished


def _check_unchanged(connection: Connection, before: _State) -> None:
    """Check that what was read is one generation.

    Raises:
        _ChangedError: the corpus was changed meanwhile, is being changed now, lost sessions, or one was taken over.
    """
    try:
        after = _read_state(connection, before.corpus.name)
    except (CorpusBusy, NotBuilt) as error:
        raise _ChangedError from error
    if after.corpus != before.corpus or not before.sessions.owners.items() <= after.sessions.owners.items():
        raise _ChangedError


def _read_base(path: Path, since: Path | None) -> tuple[Base | None, frozenset[str]]:
    """The base of an incremental backup, which is checked completely, and the hashes of its parts.

    Raises:
        InvalidInput: it is in another folder, it or one of its own bases is the file to be written, or these are too
            many.
        UnusableBackup: it is damaged.
    """
    if since is None:
        return None, frozenset()
    if since.resolve().parent != path.resolve().parent or since.resolve() == path.resolve():
        raise InvalidInput(
            f"an incremental backup must be beside its base, as another file, got {str(path)!r} and {str(since)!r}"
        )
    with BackupReader.open(since) as reader:
        _check_chain(path, reader.files)
        reader.check()
        return Base(since.name, reader.sha256), frozenset(part.sha256 for part in reader.manifest.parts)


def _check_chain(path: Path, files: Sequence[Path]) -> None:
    """Check that a backup may be written that needs these files.

    Raises:
        InvalidInput: it would replace one of them, or they are too many.
    """
    if any(one.resolve() == path.resolve() for one in files):
        raise InvalidInput(
            f"an incremental backup must not replace a backup that it needs, got {str(path)!r}, which "
            f"{files[0].name!r} was made with: write it to another file"
        )
    if len(files) >= MOST_FILES:
        raise InvalidInput(
            f"a restore may need {MOST_FILES} files, {str(files[0])!r} is the last of {len(files)}: make a full one"
        )


def _write(stores: CorpusStores, state: _State, writer: BackupWriter, vectors: bool, progress: Progress) -> Manifest:
    stages = {
        "nodes": find_nodes(stores.graph, stores.name, state.sessions),
        "relationships": find_links(stores.graph, stores.name, state.sessions),
        **({"vectors": find_vectors(stores)} if vectors else {}),
    }
    for stage, rows in stages.items():
        progress.start(stage, None, "rows")
        for section, row in rows:
            writer.write(section, row)
            progress.advance(stage)
        progress.finish(stage)
    layouts = find_layouts(stores) if vectors else None
    return writer.finish(Manifest(__version__, migrations.schema_version(), state.corpus, layouts, {}))
