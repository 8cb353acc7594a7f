"""What can be looked at in a corpus besides searching it: its numbers, themes, entities."""

from __future__ import annotations

from pathlib import Path

from tetragraph import export
from tetragraph.client.analytics import Analytics
from tetragraph.client.entities import Entities
from tetragraph.connection import Connection
from tetragraph.export import ExportReport
from tetragraph.model import Evidence, Hit
from tetragraph.model.explanations import Explanation
from tetragraph.model.subgraphs import NodeKey, Subgraph
from tetragraph.retrieval import explanation
from tetragraph.systems.encoding_tree import overview, themes
from tetragraph.systems.encoding_tree.overview import TreeOverview
from tetragraph.systems.encoding_tree.themes import Affinity, ThemeReport


class CorpusInspection:
    """A corpus that can be looked at; thread-safe."""

    def __init__(self, connection: Connection, name: str) -> None:
        self._connection = connection
        self.name = name

    def explain(self, result: Evidence, hit: Hit | int) -> Explanation:
        """Why a passage stands where it does: its score in parts that add up to it, and the ways that led to it.

        Nothing is searched again: the result knows how it came about, and what it names is read from the graph once.

        Args:
            result: Of a :meth:`search` of this corpus, by any method.
            hit: One of its hits, or the rank of one.

        Raises:
            InvalidInput: the hit is none of the result's, or the result is of another corpus.
            UnknownCorpus, StoreUnavailable: see :meth:`search`.
        """
        return explanation.explain(self._connection, self.name, result, hit)

    def subgraph(self, result: Evidence, *hits: Hit | int) -> Subgraph:
        """The part of the graph that led to the hits of a result, with all that it carries.

        Args:
            result: As for :meth:`explain`.
            hits: Likewise, one or more; all of the result's when left out.

        Raises:
            InvalidInput, UnknownCorpus, StoreUnavailable: see :meth:`explain`.
        """
        return explanation.read_subgraph(self._connection, self.name, result, hits)

    def counts(self) -> dict[str, int]:
        """Number of nodes and relationships of the corpus, by kind."""
        stores = self._connection.stores(self.name)
        return stores.graph.read("corpus/count_corpus", corpus=self.name)[0]

    @property
    def entities(self) -> Entities:
        """The entities of the bipartite graph: facts about them, what joins two, and which names mean the same."""
        return Entities(self._connection, self.name)

    @property
    def analytics(self) -> Analytics:
        """The statements for analysts: what the corpus covers, repeats, contradicts, and how it is used."""
        return Analytics(self._connection, self.name)

    def tree(self, *, with_chunks: bool = False) -> TreeOverview:
        """The themes of the corpus: the communities of its encoding tree, with names and measures.

        Args:
            with_chunks: Whether themes of the lowest level list their chunks.

        Raises:
            NotBuilt: the corpus has no encoding tree; the message names the command that makes it.
            UnknownCorpus: there is no such corpus.
        """
        return overview.read_overview(self._connection.stores(self.name), with_chunks=with_chunks)

    def theme(self, theme: str, *, limit: int = 10) -> ThemeReport:
        """One theme: its central chunks, its telling entities, its neighbours with the chunks between them.

        Args:
            theme: Its id, or how that begins.
            limit: Of chunks, entities and neighbours, at the most.

        Raises:
            UnknownTheme: no theme has that id, or several begin like that.
            NotBuilt, UnknownCorpus: see :meth:`tree`.
        """
        return themes.read_theme(self._connection.stores(self.name), theme, limit)

    def affinity(self, first: str, second: str) -> Affinity | None:
        """Why two chunks are near in the encoding tree's graph; None where nothing joins them.

        Args:
            first: Id of a chunk, as hits carry it.
            second: Id of another one; the order does not matter.

        Raises:
            UnknownChunk: the corpus lacks one of them.
            NotBuilt, UnknownCorpus: see :meth:`tree`.
        """
        return themes.read_affinity(self._connection.stores(self.name), first, second)

    def export(
        self,
        path: str | Path,
        part: Evidence | Subgraph | None = None,
        *,
        form: str | None = None,
        title: str = "",
        overwrite: bool = False,
    ) -> ExportReport:
        """Write the graph, or a part of it, for other programs; a part also as a page that draws it.

        The same graph gives the same bytes. A file is there when it is complete; whatever goes wrong leaves none.

        Args:
            path: A file that ends in ``.graphml``, ``.jsonl`` or ``.html``; a folder that ends in ``.parquet``.
            part: A result of a search, for what led to its hits, which a page marks with their ranks; or a
                :meth:`subgraph`. None for the whole graph of the corpus, which is read while it is written.
            form: ``graphml``, ``jsonl``, ``parquet`` or ``html``; told by the path when left out.
            title: What a page is about; the question when left out.
            overwrite: Whether what is there already is replaced.

        Raises:
            InvalidInput: there is no such format, it cannot hold this, or something is in the place.
            MissingDependency: Parquet needs the extra ``analytics``, a page ``eval``.
            UnknownCorpus: there is no such corpus.
        """
        if part is None:
            return export.save_corpus(self._connection, self.name, path, form=form, overwrite=overwrite)
        ranks: dict[NodeKey, int] = {}
        if isinstance(part, Evidence):
            title = title or part.question
            ranks = {NodeKey("Chunk", hit.chunk.id): hit.rank for hit in part}
            part = self.subgraph(part)
        return export.save_subgraph(part, path, form=form, title=title, ranks=ranks, overwrite=overwrite)
