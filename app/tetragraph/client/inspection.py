"""Inspection of a corpus: counts, explanations, themes, entities, analytics and exports."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tetragraph import export, queries
from tetragraph.archive.backup import write_backup
from tetragraph.archive.copying import copy_corpus
from tetragraph.archive.report import BackupReport, CopyReport
from tetragraph.archive.restore import read_fingerprint
from tetragraph.client.analytics import Analytics, Table
from tetragraph.client.entities import Entities
from tetragraph.connection import Connection
from tetragraph.export import ExportReport
from tetragraph.model import Chunk, Evidence, Hit
from tetragraph.model.answers import Answer
from tetragraph.model.display import html_table
from tetragraph.model.explanations import Explanation
from tetragraph.model.stored_documents import DocumentRecord, StoredDocument
from tetragraph.model.subgraphs import NodeKey, Subgraph
from tetragraph.progress import NoProgress, Progress
from tetragraph.retrieval import explanation
from tetragraph.settings import Settings
from tetragraph.stores import chunk_table, read_only_cypher, stored_documents
from tetragraph.systems.encoding_tree import overview, themes
from tetragraph.systems.encoding_tree.overview import TreeOverview
from tetragraph.systems.encoding_tree.themes import Affinity, ThemeReport
from tetragraph.validation import check_boolean, check_integer, check_list, check_text


class CorpusInspection:
    """Methods of a corpus that read its graphs; thread-safe."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self.name = name

    def __repr__(self) -> str:
        return f"Corpus({self.name!r})"

    def _repr_html_(self) -> str:
        return html_table(f"corpus {self.name}", ("what", "count"), [*self.counts().items()])

    def explain(self, result: Evidence | Answer, hit: Hit | int) -> Explanation:
        """Explain the score of a hit: the parts that add up to it, and the paths that led to its chunk.

        The search is not repeated: the result records how it was computed. The nodes that the record names are read
        from the graph once.

        Args:
            result: Result of a :meth:`search` of this corpus, by any method, or an answer, for its evidence.
            hit: A hit of the result, or its rank.

        Raises:
            InvalidInput: the hit does not belong to the result, or the result to this corpus, or it is no such result.
            UnknownCorpus, StoreUnavailable: see :meth:`search`.
        """
        return explanation.explain(self._connection, self.name, result, hit)

    def subgraph(self, result: Evidence | Answer, *hits: Hit | int) -> Subgraph:
        """The part of the graph that led to the hits of a result, with all properties.

        Args:
            result: Result of a :meth:`search` of this corpus, by any method, or an answer, for its evidence.
            hits: Hits of the result, or their ranks; all hits when left out.

        Raises:
            InvalidInput, UnknownCorpus, StoreUnavailable: see :meth:`explain`.
        """
        return explanation.read_subgraph(self._connection, self.name, result, hits)

    def files(self, document_ids: Sequence[str]) -> dict[str, str]:
        """Absolute paths of the files that documents were read from, by id; those of the caller have none.

        Args:
            document_ids: Ids of the documents.

        Raises:
            InvalidInput: they are no list of texts.
            UnknownCorpus, StoreUnavailable: see :meth:`search`.
        """
        check_list("document_ids", document_ids, str, "ids of documents, such as [hit.chunk.document_id]")
        stores = self._connection.stores(self.name)
        rows = stores.graph.read("ingest/find_documents_by_id", corpus=self.name, ids=list(document_ids))
        return {row["id"]: row["origin"] for row in rows if row["origin"]}

    def counts(self) -> dict[str, int]:
        """Number of nodes and relationships of the corpus, by kind."""
        stores = self._connection.stores(self.name)
        return stores.graph.read("corpus/count_corpus", corpus=self.name)[0]

    def documents(self, *, after: str = "", limit: int = 100) -> tuple[DocumentRecord, ...]:
        """Documents of the corpus in order of id, a page at a time.

        Args:
            after: Id of the last document of the page before; empty for the first page.
            limit: Largest number of documents.

        Raises:
            InvalidInput: ``limit`` is below 1.
            UnknownCorpus, StoreUnavailable: see :meth:`search`.
        """
        check_text("after", after, "the id of a document, or empty")
        check_integer("limit", limit, 1)
        return stored_documents.find_records(self._connection.stores(self.name), after, limit)

    def document(self, document: str, *, first: int = 0, limit: int = 1_000) -> StoredDocument:
        """One document as it is stored: its properties, and its text in chunks.

        Args:
            document: Id of the document, such as ``hit.chunk.document_id``.
            first: Position of the first chunk to read, from 0.
            limit: Largest number of chunks to read.

        Raises:
            UnknownDocument: the corpus has no such document.
            InvalidInput: ``first`` is below 0, or ``limit`` below 1.
            UnknownCorpus, StoreUnavailable: see :meth:`search`.
        """
        check_text("a document", document, "the id of one, such as hit.chunk.document_id")
        check_integer("first", first, 0)
        check_integer("limit", limit, 1)
        return stored_documents.read_document(self._connection.stores(self.name), document, first, limit)

    def chunks(self, chunks: Sequence[str]) -> dict[str, Chunk]:
        """Chunks by id, such as those that a fact is stated in; unknown ids are left out.

        Args:
            chunks: Ids of the chunks.

        Raises:
            UnknownCorpus, StoreUnavailable: see :meth:`search`.
        """
        check_list("chunks", chunks, str, "ids of chunks, such as [hit.chunk.id]")
        return chunk_table.fetch(self._connection.stores(self.name), chunks)

    @property
    def entities(self) -> Entities:
        """Entities of the bipartite graph: their facts, the paths between two of them, their merged names."""
        return Entities(self._connection, self.name)

    @property
    def analytics(self) -> Analytics:
        """Statements for analysts: coverage, repetitions, contradictions and use of the corpus."""
        return Analytics(self._connection, self.name)

    def cypher(
        self,
        statement: str,
        parameters: Mapping[str, Any] | None = None,
        *,
        limit: int = queries.MOST_ROWS,
        timeout_s: float = queries.SECONDS,
    ) -> Table:
        """Run a Cypher statement of your own that can only read; ``$corpus`` is the name of this corpus.

        A statement that writes, commits in steps, reads files or addresses, shows or changes the server, or calls a
        procedure or function that is not known to read only, is refused before it runs. It must use ``$corpus``, which
        keeps other corpora out by mistake only: who may run Cypher can read the whole database.

        Args:
            statement: The statement, such as ``MATCH (c:Chunk {corpus: $corpus}) RETURN c.title``.
            parameters: Name to value of its other parameters.
            limit: Largest number of rows; a note says that there are more.
            timeout_s: Seconds after which the server ends it.

        Raises:
            InvalidInput: the statement does more than read, or an argument breaks its rule; nothing was run.
            QueryFailed: the server does not understand the statement, or ended it.
            UnknownCorpus, StoreUnavailable: see :meth:`search`.
        """
        graph = self._connection.stores(self.name).graph
        found = read_only_cypher.run(graph, statement, self.name, parameters or {}, limit=limit, timeout_s=timeout_s)
        notes = (f"there are more than {limit:,} rows: raise the limit to see them",) if found.is_cut else ()
        return Table(statement, found.columns, found.rows, notes)

    def tree(self, *, with_chunks: bool = False) -> TreeOverview:
        """Themes of the corpus: the communities of its encoding tree, with names and measures.

        Args:
            with_chunks: Whether the themes of the lowest level list their chunks.

        Raises:
            NotBuilt: the corpus has no encoding tree; the message names the command that builds it.
            UnknownCorpus: there is no such corpus.
        """
        return overview.read_overview(self._connection.stores(self.name), with_chunks=with_chunks)

    def theme(self, theme: str, *, limit: int = 10) -> ThemeReport:
        """One theme: its central chunks, its characteristic entities, and its neighbours with the connecting chunks.

        Args:
            theme: Id of the theme, or a unique prefix of it.
            limit: Largest number of chunks, of entities and of neighbours.

        Raises:
            UnknownTheme: no theme has that id, or several ids have that prefix.
            NotBuilt, UnknownCorpus: see :meth:`tree`.
        """
        check_text("theme", theme, "the id of a theme, or the beginning of one")
        return themes.read_theme(self._connection.stores(self.name), theme, limit)

    def affinity(self, first: str, second: str) -> Affinity | None:
        """The components of the edge between two chunks in the graph of the encoding tree; None without an edge.

        Args:
            first: Id of a chunk, such as ``hit.chunk.id``.
            second: Id of another chunk; the order does not matter.

        Raises:
            UnknownChunk: the corpus lacks one of the chunks.
            NotBuilt, UnknownCorpus: see :meth:`tree`.
        """
        for chunk in (first, second):
            check_text("a chunk", chunk, "the id of one, such as hit.chunk.id")
        return themes.read_affinity(self._connection.stores(self.name), first, second)

    def export(
        self,
        path: str | Path,
        part: Evidence | Answer | Subgraph | None = None,
        *,
        form: str | None = None,
        title: str = "",
        overwrite: bool = False,
    ) -> ExportReport:
        """Write the graph, or a part of it, to a file for other programs; a part can also be drawn on a page.

        The same graph gives the same bytes. The file appears when it is complete; an error leaves no file.

        Args:
            path: A file that ends in ``.graphml``, ``.jsonl`` or ``.html``, or a folder that ends in ``.parquet``.
            part: Result of a search or an answer, for the subgraph that led to its hits, which a page marks with their
                ranks; or a :meth:`subgraph`. None for the whole graph of the corpus, which is read while it is written.
            form: ``graphml``, ``jsonl``, ``parquet`` or ``html``; derived from the path when left out.
            title: Title of a page; the question when left out.
            overwrite: Whether an existing file or folder is replaced.

        Raises:
            InvalidInput: there is no such format, the format cannot hold this part, or the path exists.
            MissingDependency: ``parquet`` needs the extra ``analytics``, ``html`` the extra ``eval``.
            UnknownCorpus: there is no such corpus.
        """
        if part is None:
            return export.save_corpus(self._connection, self.name, path, form=form, overwrite=overwrite)
        if isinstance(part, Subgraph):
            return export.save_subgraph(part, path, form=form, title=title, overwrite=overwrite)
        evidence = explanation.evidence_of(part)
        keys = [NodeKey("Chunk", hit.chunk.id) for hit in evidence]
        return export.save_subgraph(
            self.subgraph(evidence),
            path,
            form=form,
            title=title or evidence.question,
            ranks=dict(zip(keys, (hit.rank for hit in evidence), strict=True)),
            places=dict(zip(keys, (hit.places for hit in evidence), strict=True)),
            overwrite=overwrite,
        )

    def backup(
        self,
        path: str | Path,
        *,
        vectors: bool = True,
        overwrite: bool = False,
        since: str | Path | None = None,
        progress: Progress | None = None,
    ) -> BackupReport:
        """Write one complete generation of the corpus, from both stores, to a file for :meth:`Tetragraph.restore`.

        The corpus can be searched meanwhile. If it is changed, it is read again; nothing is at ``path`` until the
        backup is complete. Sessions that are being written, and nodes with labels of your own, are left out.

        Args:
            path: Path of the file, such as ``handbook.tetragraph``.
            vectors: Whether the file has the vectors; without, a restore embeds all texts again.
            overwrite: Whether an existing file is replaced.
            since: Path of an earlier backup in the same folder: only the parts that it lacks are written. A restore
                needs both files.
            progress: Receives the number of rows; silent when left out.

        Raises:
            InvalidInput: the path exists or is not writable, or the earlier backup is elsewhere.
            StoreError: the disk is full.
            UnusableBackup: the earlier backup is damaged.
            CorpusBusy: another process is changing the corpus.
            NotBuilt: a change was interrupted and not completed.
            UnknownCorpus: there is no corpus of that name.
        """
        check_boolean("vectors", vectors)
        return write_backup(
            self._connection,
            self.name,
            Path(path),
            vectors=vectors,
            overwrite=overwrite,
            progress=progress or NoProgress(),
            since=None if since is None else Path(since),
        )

    def copy(self, to: Settings, *, name: str | None = None, progress: Progress | None = None) -> CopyReport:
        """Copy one complete generation of the corpus into other stores: from local ones to servers, or back.

        Nothing is embedded or built again. The corpus can be searched meanwhile. The copy exists only when it has been
        read back and compared; an interrupted call can be repeated. Its contents are in a file in the cache until then.

        Args:
            to: Settings of the other stores.
            name: Name of the copy; that of the corpus when left out.
            progress: Receives the number of rows; silent when left out.

        Raises:
            InvalidInput: the other stores have a corpus of that name, or use the same folder of vectors.
            CorpusBusy, NotBuilt, UnknownCorpus: see :meth:`backup`.
            StoreError: a store failed, or was changed by something else; the same call begins again.
        """
        return copy_corpus(self._connection, self.name, to, name, progress or NoProgress())

    def fingerprint(self) -> str:
        """Digest of the contents in both stores, as 64 hexadecimal digits.

        It is independent of the name, of times and of the number of changes, and the same for a corpus and for what was
        restored from its backup. All contents are read.

        Raises:
            UnknownCorpus: there is no corpus of that name.
        """
        return read_fingerprint(self._connection, self.name)
