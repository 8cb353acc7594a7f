"""The mark of a restore that has begun and not ended: until its last statement there is no such corpus.

The mark is a property of the ``IngestState``, which the lease of the corpus needs anyway. While it is there, nobody can
ingest into a corpus of that name, no list shows it and no search finds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from tetragraph.errors import InvalidInput
from tetragraph.indexing.drop_contents import delete_nodes, delete_vectors
from tetragraph.indexing.lease import Lease
from tetragraph.stores.graph import Graph
from tetragraph.stores.vectors import VectorStore

_ANY_GENERATION: Final = 2**62


def find_restore(graph: Graph, corpus: str) -> str | None:
    """Fingerprint of the backup from which a corpus is being restored; None without such a restore."""
    row = graph.get("archive/get_restore", corpus=corpus)
    return row["backup"] if row else None


def find_restores(graph: Graph) -> list[str]:
    """Names of all corpora whose restore has begun and not ended, in order."""
    return [row["name"] for row in graph.read("archive/find_restores")]


@contextmanager
def begin_restore(graph: Graph, vectors: VectorStore, corpus: str, backup: str) -> Iterator[Lease]:
    """Mark a corpus as being restored, delete what an interrupted restore of that name left, and hold its lease.

    Args:
        graph: The graph store.
        vectors: The vector store.
        corpus: Name of the corpus.
        backup: Fingerprint of the backup.

    Raises:
        InvalidInput: there is a corpus of that name.
        CorpusBusy: another process restores it.
    """
    is_begun = find_restore(graph, corpus) is not None
    if not graph.write("archive/upsert_restore", corpus=corpus, backup=backup):
        raise InvalidInput(
            f"a backup must be restored under a name that no corpus has, got {corpus!r}, the name of an existing "
            f"corpus: restore it under another name (--as), or delete that corpus first (`tetragraph delete {corpus}`)"
        )
    with Lease(graph, corpus) as lease:
        lease.hold()
        if is_begun:
            _delete_contents(graph, vectors, corpus)
        yield lease


def abandon_restore(graph: Graph, vectors: VectorStore, corpus: str, job: str = "") -> bool:
    """Delete what an interrupted restore left; returns whether there was one.

    Args:
        graph: The graph store.
        vectors: The vector store.
        corpus: Name of the corpus.
        job: Id of the job that drops the corpus, which stays; empty for none.

    Raises:
        CorpusBusy: the restore is still running.
    """
    if find_restore(graph, corpus) is None:
        return False
    with Lease(graph, corpus) as lease:
        lease.hold()
        _delete_contents(graph, vectors, corpus, job)
        begun = ("corpus/delete_jobs", {"corpus": corpus, "job": job})
        graph.write_all([("archive/delete_restore", {"corpus": corpus}), begun])
    return True


def _delete_contents(graph: Graph, vectors: VectorStore, corpus: str, job: str = "") -> None:
    delete_nodes(graph, corpus, job)
    graph.write("ingest/delete_pending_documents", corpus=corpus, published=_ANY_GENERATION)
    delete_vectors(vectors, corpus)
