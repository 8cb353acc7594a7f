"""Copies a corpus into other stores: a backup that is restored there, and never read by anybody else.

So everything that holds for the two holds for a copy: one generation, the source is searched meanwhile, and the copy
exists only when it has been read back and compared.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from tetragraph.archive.backup import write_backup
from tetragraph.archive.report import CopyReport
from tetragraph.archive.restore import restore_backup
from tetragraph.connection import Connection, open_graph
from tetragraph.errors import InvalidInput
from tetragraph.host.addresses import hide_credentials
from tetragraph.host.temporary_folder import temporary_folder
from tetragraph.progress import Progress
from tetragraph.settings import Settings


def copy_corpus(connection: Connection, corpus: str, to: Settings, name: str | None, progress: Progress) -> CopyReport:
    """Copy a corpus into the stores of other settings; see ``Corpus.copy``."""
    copied = corpus if name is None else name
    connection.stores(corpus)
    with _open_target(connection, to, progress) as target:
        if target.find_stores(copied):
            raise InvalidInput(
                f"a copy replaces nothing, got {copied!r}, the name of an existing corpus of the other stores: copy "
                "it under another name (--as, name=…), or delete that corpus first"
            )
        target.vectors.server()  # a wrong key is refused before the corpus is read
        with temporary_folder(connection.settings.cache / "copies", "TETRAGRAPH_CACHE") as folder:
            file = folder / "copy.tetragraph"
            saved = write_backup(connection, corpus, file, vectors=True, overwrite=False, progress=progress)
            done = restore_backup(target, file, copied, progress)
    return CopyReport(corpus, done.corpus, done.generation, done.rows, done.fingerprint, (*saved.notes, *done.notes))


@contextmanager
def _open_target(connection: Connection, to: Settings, progress: Progress) -> Iterator[Connection]:
    """The other stores; the connection itself if they are the same.

    Raises:
        InvalidInput: one of the two stores is the same, the other one is not.
    """
    own = connection.settings
    has_same_engine = own.qdrant_url is None and to.qdrant_url is None and own.home == to.home
    has_same_vectors = has_same_engine or (own.qdrant_url is not None and own.qdrant_url == to.qdrant_url)
    if connection.server.database == _read_database(to, progress):
        if not has_same_vectors:
            place = hide_credentials(to.qdrant_url or f"the engine in {to.home}")
            raise InvalidInput(
                "a copy in the same Neo4j must have its vectors where that Neo4j has those of all corpora, got "
                f"{place!r}: name another Neo4j, or the same vectors (--to local, or a file of their settings); "
                "`tetragraph vectors copy` moves the vectors of a Neo4j that stays"
            )
        yield connection
        return
    if has_same_engine:
        raise InvalidInput(
            f"other stores must have other vectors, got the engine in {own.home} for both: name a Qdrant server "
            "(--qdrant, QDRANT_URL), or another home (TETRAGRAPH_HOME) in the file of their settings"
        )
    target = Connection.open(to, progress)
    try:
        yield target
    finally:
        target.close()


def _read_database(to: Settings, progress: Progress) -> str:
    """The identity of a Neo4j database, which is the same by each of its addresses."""
    graph = open_graph(to, progress)
    try:
        return graph.server().database
    finally:
        graph.close()
