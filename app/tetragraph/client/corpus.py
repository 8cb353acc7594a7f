"""One corpus: ingest documents, build graphs, ask questions, evaluate and tune."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from tetragraph.client.evaluations import CorpusEvaluations
from tetragraph.evaluate.embedder_comparison import METHODS as COMPARED
from tetragraph.evaluate.embedder_comparison import OnlyIf, make_trial
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.executors import ExecutorName, open_executor
from tetragraph.indexing import operations, reembed, sync
from tetragraph.indexing.corpus_settings import check_types
from tetragraph.indexing.following import follow
from tetragraph.indexing.gazetteer_file import read_gazetteer
from tetragraph.indexing.preview import IngestPreview, preview
from tetragraph.indexing.reembed import ReembedReport
from tetragraph.indexing.report import IngestReport
from tetragraph.indexing.sources import Source
from tetragraph.indexing.sync import SyncReport
from tetragraph.language.lexicon.gazetteer import NO_GAZETTEER
from tetragraph.model.fetching import DEFAULT_FETCHING, FetchOptions
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph.model.usage import UNLIMITED, Budget, Estimate
from tetragraph.progress import NoProgress, Progress
from tetragraph.systems.registry import check_build_targets
from tetragraph.validation import check_boolean, check_not_negative, check_text


class Corpus(CorpusEvaluations):
    """One corpus: ingest documents, ask questions, inspect its graphs. Obtained from :meth:`Tetragraph.corpus`.

    Thread-safe.
    """

    def ingest(
        self,
        source: Source,
        *,
        build: Sequence[str] = ("gain",),
        embedder: str | None = None,
        chunk_tokens: int | None = None,
        sentences: str | None = None,
        arrays: bool | None = None,
        loader: str | None = None,
        prefix: str | None = None,
        moved: bool = False,
        prune: bool = False,
        reading: ReadingOptions = DEFAULT_READING,
        gazetteer: str | Path | None = None,
        executor: ExecutorName | None = None,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
    ) -> IngestReport:
        """Ingest documents, and build the graphs that searches need.

        A repeated ingest of the same input writes nothing; changed documents are replaced. An interrupted ingest is
        completed by the next one. Sources that cannot be read are skipped and listed in the report, and so is a file
        whose id belongs to a document that was read from another path. Documents whose files are gone stay, unless
        ``prune`` is set.

        Args:
            source: A folder, a file, a glob pattern, or documents.
            build: Graphs to build: ``"gain"`` for the information-gain graph, ``"tree"`` for the encoding tree,
                ``"bipartite"`` for the facts (spaCy), ``"types"`` for the types of entities (spaCy); ``()`` for none.
                Every later ingest updates the graphs that have been built.
            embedder: Embedding model of a new corpus; default: the setting ``embedder``.
            chunk_tokens: Longest chunk of a new corpus, in tokens; default: the input length of the embedder.
            sentences: Sentence vectors of a new corpus; the evidence walk compares them and the chunk vectors with
                questions. ``"separate"`` embeds each sentence by itself, at about the cost of embedding the chunks;
                ``"pooled"`` derives the vectors from the embedding of their chunk, at no cost but with a slightly lower
                recall; ``"none"`` stores none. Default: ``"separate"`` for ``bge-small`` and ``minilm``, otherwise
                ``"none"``.
            arrays: Whether a new corpus has arrays for searches in memory, which every ingest writes to the cache of
                its machine; default True. Without them ``engine="auto"`` searches in the stores, and a method that has
                no such engine computes its arrays on its first search.
            loader: Name of the loader that reads every file, for formats that the suffix does not identify:
                ``musique``, ``hotpotqa`` or ``2wikimultihopqa`` for the passages of these benchmarks.
            prefix: First part of the documents' ids, in place of the name of their folder; rows that have ids of their
                own get it, too. Keeps folders of the same name apart.
            moved: Accept documents in place of those with the same ids that were read from other paths.
            prune: Delete the documents that were read from these folders and files and are no longer there; see
                :meth:`find_gone`.
            reading: How files are read: the encoding of text, the columns of tables, the main text of web pages, lines
                that many files have, and versions of documents.
            gazetteer: Path of a CSV or JSON Lines file of known entities: ``name``, ``type``, ``aliases``. It is kept
                with the corpus; another one replaces it, and all graphs are built again.
            executor: Where documents are embedded and parsed: ``"local"``, or ``"ray"`` for workers of a Ray cluster;
                stores are written from here either way, with the same bytes. Default: the setting ``executor``.
            budget: Limits of the language model, if a graph of the corpus was built with one; default: those of the
                settings.
            progress: Receives every stage; silent when left out.

        Raises:
            InvalidInput: the source does not exist, or an argument breaks its rule; nothing was written.
            EmbedderMismatch: the corpus was embedded with another model.
            CorpusBusy: another process is changing this corpus.
            WorkersUnavailable: the workers cannot be reached, or would compute other bytes; nothing was written.
            LlmNotConfigured: a graph was built with a language model, and none is configured; nothing was written.
            BudgetExhausted, DeadlineExceeded, LlmUnavailable: the graph is unchanged and every reply is cached; the
                same ingest continues from there.
        """
        check_types(loader, chunk_tokens)
        if arrays is not None:
            check_boolean("arrays", arrays)
        known = NO_GAZETTEER if gazetteer is None else read_gazetteer(gazetteer)
        with open_executor(executor, self._connection.settings) as chosen:
            return operations.ingest(
                self._connection,
                self.name,
                source,
                build,
                embedder,
                chunk_tokens,
                progress or NoProgress(),
                sentences=sentences,
                arrays=arrays,
                loader=loader,
                prefix=prefix,
                moved=moved,
                prune=prune,
                reading=reading,
                gazetteer=known,
                budget=budget,
                executor=chosen,
            )

    def sync(
        self,
        source: str | Path | Sequence[str | Path],
        *,
        build: Sequence[str] = ("gain",),
        loader: str | None = None,
        prefix: str | None = None,
        dry_run: bool = False,
        confirmed: bool = False,
        reading: ReadingOptions = DEFAULT_READING,
        fetching: FetchOptions = DEFAULT_FETCHING,
        gazetteer: str | Path | None = None,
        executor: ExecutorName | None = None,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
    ) -> SyncReport:
        """Let the corpus follow a folder, or addresses: its documents become those of the files, or of the pages.

        Documents are added, replaced, renamed and deleted. A renamed file keeps its chunks, vectors and graphs under
        new ids; nothing is embedded. Files that have not changed since the last sync are not read, and pages whose
        server reports no change are not sent again. Documents of other sources stay. Searches use the previous
        generation until the change is complete; an interrupted sync is completed by the next one.

        Removals are held back, and the report says why, if nobody may have deleted the files: the source is empty or
        partly unreadable, part of a folder is on another device than before, most pages cannot be read, or more than
        half of 10 or more documents are gone.

        Args:
            source: A folder; or the address of a page or sitemap, a text file with an address in each line, or a list
                of both. Only hosts that these addresses name are asked, as their robots.txt allows.
            build: Graphs to build, as for :meth:`ingest`.
            loader: Name of the loader that reads every file.
            prefix: First part of the documents' ids, in place of the name of the folder; the id of a page is its
                address.
            dry_run: Find the differences, and change nothing; pages are fetched.
            confirmed: Also make removals that are held back otherwise.
            reading: How the files are read, as for :meth:`ingest`.
            fetching: How the servers of pages are asked.
            gazetteer: Path of a file of known entities, as for :meth:`ingest`.
            executor: Where documents are embedded and parsed, as for :meth:`ingest`.
            budget: Limits of the language model, as for :meth:`ingest`.
            progress: Receives every stage; silent when left out.

        Raises:
            InvalidInput: the folder is not there, or an argument breaks its rule; nothing was changed.
            CorpusBusy, WorkersUnavailable, LlmNotConfigured, BudgetExhausted, DeadlineExceeded, LlmUnavailable: as for
                :meth:`ingest`.
        """
        check_build_targets(build)
        followed = follow(source, loader, prefix, reading, fetching)
        known = NO_GAZETTEER if gazetteer is None else read_gazetteer(gazetteer)
        shown = progress or NoProgress()
        if dry_run:
            return sync.plan_sync(self._connection, self.name, followed, shown)
        with open_executor(executor, self._connection.settings) as chosen:
            request = sync.SyncRequest(followed, tuple(build), confirmed, budget, known, chosen)
            return sync.run_sync(self._connection, self.name, request, shown)

    def reembed(
        self,
        embedder: str,
        *,
        questions: str | Path | Sequence[GoldQuestion] | None = None,
        methods: Sequence[str] = COMPARED,
        only_if: OnlyIf | None = None,
        keep_s: float = 60.0,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
    ) -> ReembedReport:
        """Change the embedding model of the corpus while it is searched.

        All chunks are embedded into collections beside those in use, meanwhile ingests go on, too. Then the graphs are
        built on the new vectors, and one transaction switches vectors, graphs and the model of questions together;
        until then searches use the old ones. An interrupted call is continued by the next one, and nothing is embedded
        twice.

        Args:
            embedder: Name of the model, such as ``minilm`` or ``openai:MODEL``.
            questions: Questions with gold, or a file of them, on which both models are compared before the switch.
            methods: Search methods of the comparison, of those that need no graph.
            only_if: What the comparison must show, otherwise the corpus keeps its model: ``not-worse`` for no metric
                that is worse, ``better`` for one that is better besides.
            keep_s: Seconds after the switch for which the old vectors stay, for searches that began before it.
            budget: Limits of the language model, if a graph was built with one.
            progress: Receives every stage; silent when left out.

        Raises:
            InvalidInput: there is no such model, the corpus has it, it does not read whole chunks of the corpus, or
                an argument breaks its rule.
            UnknownDocument: gold of the questions is not in the corpus; nothing was embedded.
            NotBuilt: an earlier change was interrupted and not completed.
            CorpusBusy: another process is changing the corpus.
            LlmNotConfigured: a graph was built with a language model, and none is configured; nothing was written.
        """
        check_not_negative("keep_s", keep_s)
        trial = make_trial(self._connection, self.name, questions, methods, only_if, progress or NoProgress())
        return operations.reembed(
            self._connection, self.name, embedder, keep_s, budget, progress or NoProgress(), trial=trial
        )

    def cancel_reembed(self) -> bool:
        """Drop the vectors of an interrupted :meth:`reembed`; returns whether there were any.

        Raises:
            CorpusBusy: another process is changing the corpus.
        """
        return reembed.cancel_reembed(self._connection, self.name)

    def preview(
        self,
        source: Source,
        *,
        embedder: str | None = None,
        chunk_tokens: int | None = None,
        sentences: str | None = None,
        loader: str | None = None,
        prefix: str | None = None,
        moved: bool = False,
        reading: ReadingOptions = DEFAULT_READING,
        progress: Progress | None = None,
    ) -> IngestPreview:
        """Read a source as :meth:`ingest` would, and count what it would do; writes nothing.

        A source that is an iterator is used up.

        Args:
            source: A folder, a file, a glob pattern, or documents.
            embedder: Embedding model of a new corpus.
            chunk_tokens: Longest chunk of a new corpus, in tokens.
            sentences: Sentence vectors of a new corpus.
            loader: Name of the loader, as for :meth:`ingest`.
            prefix: Prefix of the ids, as for :meth:`ingest`.
            moved: As for :meth:`ingest`.
            reading: Options of reading, as for :meth:`ingest`.
            progress: Receives the number of documents read.

        Raises:
            InvalidInput: the source does not exist, or an argument breaks its rule.
            EmbedderMismatch: the corpus was embedded with another model.
        """
        check_types(loader, chunk_tokens)
        return preview(
            self._connection,
            self.name,
            source,
            embedder,
            chunk_tokens,
            progress or NoProgress(),
            sentences=sentences,
            loader=loader,
            prefix=prefix,
            moved=moved,
            reading=reading,
        )

    def find_gone(
        self,
        source: Source,
        *,
        loader: str | None = None,
        prefix: str | None = None,
        reading: ReadingOptions = DEFAULT_READING,
    ) -> tuple[str, ...]:
        """Find the documents that :meth:`ingest` with ``prune=True`` would delete; changes nothing.

        These are documents that were read from the folders and files of the source and whose file, or row of a file,
        is no longer there. What cannot be read counts as there.

        Args:
            source: Folders, files or patterns.
            loader: Name of the loader, as for :meth:`ingest`.
            prefix: Prefix of the ids, as for :meth:`ingest`.
            reading: Options of reading, as for :meth:`ingest`.

        Returns:
            Ids in ascending order; empty for a corpus that does not exist.

        Raises:
            InvalidInput: a path does not exist, or the source is not made of paths.
        """
        return operations.find_gone(self._connection, self.name, source, loader, prefix, reading)

    def build(
        self,
        /,
        what: str,
        *,
        if_drifted: bool = False,
        executor: ExecutorName | None = None,
        budget: Budget = UNLIMITED,
        progress: Progress | None = None,
        **options: Any,
    ) -> IngestReport:
        """Compute a graph on all chunks, or the types of entities without a type, and write the difference.

        Args:
            what: ``"bipartite"``, ``"gain"``, ``"tree"`` or ``"types"``.
            if_drifted: Rebuild the tree only if updates have raised its entropy by more than
                ``TETRAGRAPH_TREE_DRIFT``.
            executor: Where chunks are parsed and texts embedded, as for :meth:`ingest`.
            budget: Limits of the language model, if an option uses one; default: those of the settings.
            progress: Receives every stage; silent when left out.
            options: Options of the graph: the fields of ``gain_graph.BuildOptions``, ``encoding_tree.BuildOptions``
                or ``bipartite_graph.BuildOptions``. Options that are left out have their defaults; without any, the
                stored options are used. Later builds and updates use the same options.

        Raises:
            InvalidInput: ``what`` is none of these, or an option breaks its rule; nothing was written.
            LlmNotConfigured: an option uses a language model, and none is configured; nothing was written.
            BudgetExhausted, DeadlineExceeded, LlmUnavailable: the graph is unchanged and every reply is cached; the
                same build continues from there.
            UnknownCorpus, CorpusBusy, WorkersUnavailable: see :meth:`ingest`.
        """
        shown = progress or NoProgress()
        with open_executor(executor, self._connection.settings) as chosen:
            return operations.rebuild(
                self._connection, self.name, what, options, shown, if_drifted=if_drifted, budget=budget, executor=chosen
            )

    def estimate(self, /, what: str, **options: Any) -> Estimate:
        """Estimate the language model usage of :meth:`build` with the same arguments, from the requests it would send.

        Sends and writes nothing. Calls with a cached reply cost nothing; the estimate does not include requests that
        repair or repeat an unusable reply.

        Args:
            what: Graph to build, as for :meth:`build`.
            options: Options of the graph, as for :meth:`build`.

        Raises:
            LlmNotConfigured: an option uses a language model, and none is configured.
            InvalidInput, UnknownCorpus: see :meth:`build`.
        """
        return operations.estimate(self._connection, self.name, what, options)

    def delete(self, *document_ids: str, progress: Progress | None = None) -> IngestReport:
        """Delete documents with everything that depends on them alone: chunks, vectors, entities, edges.

        Args:
            document_ids: Ids of the documents.
            progress: Receives every stage; silent when left out.

        Raises:
            UnknownDocument: the corpus has no document with one of the ids; nothing was deleted.
            UnknownCorpus, CorpusBusy: see :meth:`ingest`.
        """
        for one in document_ids:
            check_text("a document", one, "named by its id, each id an argument of its own")
        return operations.delete(self._connection, self.name, document_ids, progress or NoProgress())

    def drop(self) -> None:
        """Delete the corpus with all its documents, graphs and vectors.

        Raises:
            UnknownCorpus, CorpusBusy: see :meth:`ingest`.
        """
        operations.drop(self._connection, self.name)
