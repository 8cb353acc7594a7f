"""Restores a corpus from a backup; until its last statement there is no such corpus."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, cast

from tetragraph.archive.contents import Row, Sessions, find_links, find_nodes, find_vectors, read_point, with_name
from tetragraph.archive.file_format import PART_ROWS, Manifest, Part, SavedCorpus
from tetragraph.archive.fingerprint import FingerprintSum, digest_of, find_differences
from tetragraph.archive.reading import BackupReader
from tetragraph.archive.report import BackupReport
from tetragraph.connection import Connection
from tetragraph.doctor.vector_checks import Contents
from tetragraph.errors import EmbedderError, EmbedderMismatch, InvalidInput, StoreError, UnusableBackup
from tetragraph.host.processors import map_ahead
from tetragraph.indexing.lease import Lease
from tetragraph.indexing.restore_mark import begin_restore
from tetragraph.model import CORPUS_NAME
from tetragraph.progress import Progress
from tetragraph.stores.chunk_table import metadata_of
from tetragraph.stores.corpus import CorpusRecord, CorpusStores
from tetragraph.stores.vectors import KINDS, Kind
from tetragraph.systems.base import CheckContext
from tetragraph.systems.registry import BUILD_TARGETS

_STAGES = {"nodes": "nodes", "internal": "nodes", "links": "relationships", "vectors": "vectors"}
"""Stage of each folder of a backup."""
_DOCUMENTS, _CHUNKS = "nodes/Document", "links/Document-HAS_CHUNK-Chunk"
"""Sections that are written before all vectors, as those of chunks get the metadata of their documents."""


def restore_backup(connection: Connection, path: Path, name: str | None, progress: Progress) -> BackupReport:
    """Restore a corpus; see ``Tetragraph.restore``."""
    with BackupReader.open(path) as backup:
        manifest = backup.manifest
        corpus = manifest.corpus.name if name is None else name
        if not isinstance(corpus, str) or not CORPUS_NAME.fullmatch(corpus):
            raise InvalidInput(f"a corpus name must be 1 to 63 of a-z, 0-9, dot, dash and underscore, got {corpus!r}")
        _check_graphs(manifest)
        backup.check_hashes()  # whether the fingerprint is that of the rows is seen when they are read back
        stores = _stores_of(connection, manifest.corpus, corpus)
        if manifest.vectors is None:
            connection.embedder_of(stores.record)  # raises what would stop the restore later
        with begin_restore(connection.graph, connection.vectors, corpus, digest_of(manifest.fingerprint)) as lease:
            _Restore(connection, stores, lease, backup, progress).run()
        return BackupReport.of(path, manifest, corpus, _notes(connection, manifest.corpus))


class _Restore:
    """Writes the contents of one backup; the caller holds the lease of a marked corpus without contents."""

    def __init__(
        self, connection: Connection, stores: CorpusStores, lease: Lease, backup: BackupReader, progress: Progress
    ) -> None:
        self._connection = connection
        self._stores = stores
        self._lease = lease
        self._backup = backup
        self._progress = progress
        self._found = FingerprintSum()
        self._document_metadata: dict[str, dict[str, Any]] = {}
        self._chunk_metadata: dict[str, dict[str, Any]] = {}

    def run(self) -> None:
        self._create_collections()
        parts: dict[str, list[Part]] = {"nodes": [], "relationships": [], "vectors": []}
        for part in self._backup.manifest.parts:
            parts["nodes" if part.section == _CHUNKS else _STAGES[part.section.split("/")[0]]].append(part)
        self._write_parts("nodes", parts["nodes"])
        with ThreadPoolExecutor(1) as pool:
            beside = pool.submit(self._write_vectors, parts["vectors"])
            self._write_parts("relationships", parts["relationships"])
            beside.result()
        if self._backup.manifest.vectors is None:
            self._embed()
        self._compare()
        self._lease.hold()
        self._publish()

    def _write_vectors(self, parts: Sequence[Part]) -> None:
        """Write vectors, then read them and the nodes back, all while Neo4j writes relationships.

        Relationships cannot be read meanwhile: a node that gets some can be read without one that it has.
        """
        self._write_parts("vectors", parts)
        self._found.add_all(find_nodes(self._stores.graph, self._stores.name))
        if self._backup.manifest.vectors is not None:
            self._found.add_all(find_vectors(self._stores))

    def _write_parts(self, stage: str, parts: Sequence[Part]) -> None:
        """Write parts one after another, and read the next one meanwhile."""
        self._progress.start(stage, sum(part.rows for part in parts), "rows")
        for written in map_ahead(self._write, self._read(parts)):
            self._progress.advance(stage, written)
        self._progress.finish(stage)

    def _read(self, parts: Sequence[Part]) -> Iterator[tuple[str, list[Row]]]:
        """Rows for one transaction each; short parts of one kind of relationships go together."""
        waiting: list[Row] = []
        section = ""
        for part in parts:
            if waiting and (part.section != section or len(waiting) + part.rows > PART_ROWS):
                yield section, waiting
                waiting = []
            section = part.section
            if section.startswith("links/"):
                waiting += self._backup.rows(part)
            else:
                yield section, self._backup.rows(part)
        if waiting:
            yield section, waiting

    def _write(self, part: tuple[str, list[Row]]) -> int:
        """Write rows of one section; returns their number."""
        section, rows = part
        folder, _, name = section.partition("/")
        self._lease.hold()
        graph, corpus = self._stores.graph, self._stores.name
        if folder == "links":
            self._link(name, rows)
        elif folder == "vectors":
            kind = cast("Kind", name)
            points = [read_point(row) for row in rows]
            if kind == "chunks":
                points = [replace(point, payload=self._chunk_metadata.get(point.id, {})) for point in points]
            self._stores.vectors.upsert(corpus, kind, points)
        else:
            _check_properties(section, rows)
            if section == _DOCUMENTS:
                self._document_metadata |= {row["id"]: metadata_of(row["properties"]) for row in rows}
            named = [{**row, "label": name, "id": with_name(name, row["id"], corpus)} for row in rows]
            graph.write("archive/upsert_nodes", corpus=corpus, rows=named)
        return len(rows)

    def _link(self, kind: str, rows: list[Row]) -> None:
        corpus = self._stores.name
        if f"links/{kind}" == _CHUNKS:
            self._chunk_metadata |= {row["end"]: self._document_metadata.get(row["start"], {}) for row in rows}
        start, _, end = kind.split("-")
        starts = [
            {
                "start": with_name(start, node, corpus),
                "ends": [{"id": with_name(end, row["end"], corpus), "properties": row["properties"]} for row in links],
            }
            for node, links in groupby(rows, key=itemgetter("start"))
        ]
        found = self._stores.graph.write("archive/link_nodes", corpus=corpus, kind=kind, rows=starts)
        written = sum(row["written"] for row in found)
        if written != len(rows):
            raise StoreError(f"{len(rows) - written:,} relationships {kind} of the backup lack an end: restore again")

    def _create_collections(self) -> None:
        for kind, (dimension, has_sentences) in (self._backup.manifest.vectors or {}).items():
            self._stores.vectors.ensure(self._stores.name, cast("Kind", kind), dimension, sentences=has_sentences)

    def _embed(self) -> None:
        """Make the vectors that the backup lacks as the builds make them."""
        context = CheckContext(self._stores, lambda: self._connection.embedder_of(self._stores.record), self._progress)
        contents = Contents(context)
        for kind in contents.kinds:
            layout = contents.layout(kind)
            missing = contents.compare(kind).missing
            if missing or kind == "chunks":
                self._stores.vectors.ensure(self._stores.name, kind, layout.dimension, sentences=layout.sentences)
            for points in contents.points(kind, missing):
                self._lease.hold()
                self._stores.vectors.upsert(self._stores.name, kind, points)

    def _compare(self) -> None:
        """Read the relationships back, too, and compare everything with the backup.

        Raises:
            StoreError: it differs, so there is still no such corpus.
        """
        self._found.add_all(find_links(self._stores.graph, self._stores.name))
        if different := find_differences(self._found.sections, self._backup.manifest.fingerprint):
            raise StoreError(
                f"what was restored differs from the backup in {different[0]}: something else has changed it; restore "
                "it again"
            )

    def _publish(self) -> None:
        saved = self._backup.manifest.corpus
        self._stores.graph.write(
            "archive/upsert_restored",
            corpus=self._stores.name,
            properties={
                **saved.statistics,
                "embedder": saved.embedder,
                "dimension": saved.dimension,
                "settings": saved.settings,
                "schema_version": saved.schema_version,
            },
            generation=saved.generation,
            graphs=list(saved.graphs),
            contents=saved.contents,
            metadata_keys=list(saved.metadata_keys),
            furniture=list(saved.furniture),
        )


def _check_properties(section: str, rows: Sequence[Row]) -> None:
    """Refuse nodes that would be written to another corpus, or over another node.

    Raises:
        UnusableBackup: properties of a row name its corpus or id.
    """
    for row in rows:
        if {"corpus", "id"} & row["properties"].keys():
            raise UnusableBackup(
                f"properties of a node must have neither 'corpus' nor 'id', those of {row['id']!r} in {section} of the "
                "backup have: tetragraph did not write it"
            )


def fingerprint_of(stores: CorpusStores) -> dict[str, str]:
    """Digest of the contents of a corpus by section, without the sessions that are being written."""
    sessions = Sessions.read(stores.graph, stores.name)
    total = FingerprintSum()
    total.add_all(find_nodes(stores.graph, stores.name, sessions))
    total.add_all(find_links(stores.graph, stores.name, sessions))
    total.add_all(find_vectors(stores))
    return total.sections


def read_fingerprint(connection: Connection, corpus: str) -> str:
    """Digest of the contents of a corpus; see ``Corpus.fingerprint``."""
    return digest_of(fingerprint_of(connection.stores(corpus)))


def _stores_of(connection: Connection, saved: SavedCorpus, corpus: str) -> CorpusStores:
    """The stores of a corpus that is not there yet."""
    settings: dict[str, Any] = json.loads(saved.settings)
    record = CorpusRecord(
        corpus,
        saved.created,
        saved.embedder,
        saved.dimension,
        settings,
        saved.generation,
        saved.generation,
        connection.server.database,
        saved.metadata_keys,
        saved.graphs,
    )
    return CorpusStores(record, connection.graph, connection.vectors, connection.arrays, policies=connection.policies)


def _check_graphs(manifest: Manifest) -> None:
    """Refuse a backup with graphs or vectors that this version does not know."""
    graphs = {*manifest.corpus.graphs} - BUILD_TARGETS.keys()
    kinds = {*(manifest.vectors or ())} - {*KINDS}
    if graphs or kinds:
        raise UnusableBackup(
            f"this version of tetragraph has no {', '.join(sorted(graphs | kinds))}, which the backup of tetragraph "
            f"{manifest.tetragraph} has: restore it with that version, or a later one"
        )


def _notes(connection: Connection, saved: SavedCorpus) -> tuple[str, ...]:
    """A note if questions cannot be embedded here."""
    try:
        dimension = connection.embedder(saved.embedder).dimension
    except (EmbedderError, ImportError, InvalidInput) as error:
        return (f"searches with vectors need the embedder {saved.embedder!r}, which is not usable here: {error}",)
    if dimension != saved.dimension:
        return (str(EmbedderMismatch(f"{saved.embedder} gives vectors of another size here: reembed the corpus")),)
    return ()
