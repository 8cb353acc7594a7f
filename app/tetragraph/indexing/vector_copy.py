"""Copies vectors between the engine in the process and a Qdrant server, so that nothing is embedded again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal, get_args

from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.indexing.lease import Lease
from tetragraph.progress import Progress
from tetragraph.stores import chunk_table
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.open_vectors import open_engine, open_server
from tetragraph.stores.vector_sets import set_name, use_set
from tetragraph.stores.vectors import KINDS, Kind, Point, VectorStore

Side = Literal["server", "local"]
_STAGE = "vectors"


@dataclass(frozen=True, slots=True)
class VectorCopy:
    """Result of copying the vectors of a corpus.

    Attributes:
        corpus: Name of the corpus.
        copied: Number of points written.
        present: Number of points that the other side had already, by id and hash.
    """

    corpus: str
    copied: int
    present: int


def copy_vectors(connection: Connection, to: Side, corpora: Sequence[str], progress: Progress) -> list[VectorCopy]:
    """Copy the vectors of corpora to the server, or from it to the engine in this process.

    Points that the other side has with the same hash are left as they are, so an interrupted copy continues; nothing
    is deleted on either side.

    Args:
        connection: Connection with the settings of both sides.
        to: Where the vectors go.
        corpora: Names of the corpora.
        progress: Receives the number of points.

    Raises:
        InvalidInput: ``to`` is neither "server" nor "local", or QDRANT_URL is not set.
        MissingDependency: the engine is not installed.
        UnknownCorpus: there is no such corpus.
        CorpusBusy: another process is changing a corpus.
    """
    if to not in get_args(Side):
        raise InvalidInput(f"vectors are copied to 'server' or 'local', got {to!r}")
    found = [connection.stores(corpus) for corpus in corpora]
    server, engine = open_server(connection.settings, connection.server.database), open_engine(connection.settings)
    source, target = (engine, server) if to == "server" else (server, engine)
    try:
        return [_copy_corpus(stores, source, target, progress) for stores in found]
    finally:
        server.close()
        engine.close()


def claim_vectors(connection: Connection, corpus: str) -> list[Kind]:
    """Mark the collections of a corpus on the server as those of this Neo4j database; returns their kinds.

    Raises:
        InvalidInput: QDRANT_URL is not set.
        UnknownCorpus: there is no such corpus.
    """
    stores = connection.stores(corpus)
    server = open_server(connection.settings, connection.server.database)
    try:
        return server.claim(set_name(stores.name, stores.record.vector_set))
    finally:
        server.close()


def _copy_corpus(stores: CorpusStores, source: VectorStore, target: VectorStore, progress: Progress) -> VectorCopy:
    source, target = (use_set(side, stores.record.vector_set) for side in (source, target))
    total = sum(source.count(stores.name, kind) for kind in KINDS)
    copied = 0
    progress.start(_STAGE, total, "vectors")
    with Lease(stores.graph, stores.name) as lease:
        for kind in KINDS:
            layout = source.layout(stores.name, kind)
            if layout is None:
                continue
            lease.hold()
            target.ensure(stores.name, kind, layout.dimension, sentences=layout.sentences)
            present = target.hashes(stores.name, kind)
            for page in source.points(stores.name, kind):
                lease.hold()
                points = list(with_metadata(stores, kind, [one for one in page if present.get(one.id) != one.sha256]))
                target.upsert(stores.name, kind, points)
                copied += len(points)
                progress.advance(_STAGE, len(page))
    progress.finish(_STAGE)
    return VectorCopy(stores.name, copied, total - copied)


def with_metadata(stores: CorpusStores, kind: Kind, points: Sequence[Point]) -> Iterator[Point]:
    """The points with their metadata in Neo4j, which is the record: the stores do not keep all types apart."""
    if kind != "chunks":
        yield from points
        return
    chunks = chunk_table.fetch(stores, [point.id for point in points])
    for point in points:
        if point.id in chunks:
            yield replace(point, payload=chunks[point.id].metadata)
