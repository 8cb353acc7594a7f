"""An open connection to the stores, shared by the client and the operations behind it."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Hashable, Sequence
from functools import cached_property
from typing import Any, Final, Self

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.errors import EmbedderMismatch, UnknownCorpus
from tetragraph.host.addresses import hide_credentials
from tetragraph.host.recent_values import RecentValues
from tetragraph.language.embedders import Embedder, load_embedder
from tetragraph.language.embedders.question_vectors import QuestionVectors
from tetragraph.language.lexicon.gazetteer import gazetteer_of
from tetragraph.language.questions.plain import plain_question
from tetragraph.llm import LanguageModel, LazyOperation, Operation
from tetragraph.model.usage import NOTHING, UNLIMITED, Budget, Usage
from tetragraph.progress import Progress, Stopwatch
from tetragraph.settings import Settings
from tetragraph.stores import gds, local, migrations
from tetragraph.stores.array_cache import ArrayCache
from tetragraph.stores.corpus import CorpusRecord, CorpusStores, Question, raise_llm_not_configured
from tetragraph.stores.graph import Graph
from tetragraph.stores.open_vectors import open_vectors
from tetragraph.stores.policies import PolicyStore
from tetragraph.stores.vector_sets import use_set
from tetragraph.version import __version__

logger = logging.getLogger("tetragraph")
QUESTION_VECTORS: Final = 2_000
"""Number of questions and parts of questions whose vectors are kept: several methods or users ask the same."""
_KNOWN_CORPORA = 100
"""Number of corpora whose last known state is kept."""


class Connection:
    """Neo4j, Qdrant, the array cache and the embedders; safe to share between threads.

    Args:
        settings: Settings of the stores.
        graph: A connection to Neo4j, which this one closes.

    Raises:
        InvalidInput, MissingDependency: the vector store cannot be used.
    """

    def __init__(self, settings: Settings, graph: Graph) -> None:
        self.settings = settings
        self.graph = graph
        self.server = graph.server()
        self.vectors = open_vectors(settings, self.server.database)
        self.arrays = open_arrays(settings)
        self.policies = PolicyStore(settings.home / "policies")
        self.findings = RecentValues[Hashable, Any](settings.kept_results)
        self._embedders: dict[str, Embedder] = {}
        self._llm: LanguageModel | None = None
        self._lock = threading.Lock()
        self._question_vectors = QuestionVectors(self.embedder, QUESTION_VECTORS)
        self._known = RecentValues[str, CorpusRecord](_KNOWN_CORPORA)
        self._log_stores()

    @classmethod
    def open(cls, settings: Settings, progress: Progress) -> Self:
        """Connect to the servers of the settings, otherwise to the local ones, and apply the schema."""
        graph = open_graph(settings, progress)
        try:
            migrations.apply(graph)
            return cls(settings, graph)
        except BaseException:
            graph.close()
            raise

    @cached_property
    def gds(self) -> str | None:
        """Version of Graph Data Science; None where the server lacks it."""
        return gds.find_version(self.graph)

    def close(self) -> None:
        """Close the connections; a local Neo4j keeps running."""
        self.vectors.close()
        self.graph.close()
        if self._llm:
            self._llm.close()

    def find_stores(self, corpus: str) -> CorpusStores | None:
        """The stores bound to the current state of a corpus, or None if there is no such corpus."""
        row = self.graph.get("corpus/get_corpus", corpus=corpus)
        if row is None:
            return None
        record = CorpusRecord.from_row(row, self.server.database)
        self._known.put(corpus, record)
        vectors = use_set(self.vectors, record.vector_set)
        return CorpusStores(record, self.graph, vectors, self.arrays, policies=self.policies)

    def stores(self, corpus: str) -> CorpusStores:
        """The stores bound to the current state of a corpus.

        Raises:
            UnknownCorpus: there is no corpus of that name.
        """
        found = self.find_stores(corpus)
        if found is None:
            known = ", ".join(row["name"] for row in self.graph.read("corpus/find_corpora")) or "none yet"
            raise UnknownCorpus(f"no corpus named {corpus!r} (there are: {known}); `tetragraph ingest` makes one")
        return found

    def embedder(self, name: str) -> Embedder:
        """The embedder of that name, loaded once and shared.

        Raises:
            InvalidInput: there is no such embedder.
            MissingDependency: the package of the embedder is not installed.
        """
        with self._lock:
            if name not in self._embedders:
                self._embedders[name] = load_embedder(name, self.settings)
            return self._embedders[name]

    def embedder_of(self, record: CorpusRecord) -> Embedder:
        """The embedder of a corpus.

        Raises:
            EmbedderMismatch: the model of that name now returns vectors of another size.
        """
        embedder = self.embedder(record.embedder)
        if embedder.dimension != record.dimension:
            raise EmbedderMismatch(
                f"corpus {record.name!r} has vectors of {record.dimension} numbers, {embedder.name} now gives "
                f"{embedder.dimension}: drop the corpus and ingest it again"
            )
        return embedder

    @property
    def llm(self) -> LanguageModel:
        """The language model of the settings, opened once.

        Raises:
            LlmNotConfigured: the settings name no model.
        """
        with self._lock:
            if self._llm is None:
                self._llm = LanguageModel.open(self.settings)
            return self._llm

    @property
    def paid(self) -> Usage:
        """Usage of all paid calls of the language model by this connection."""
        return NOTHING if self._llm is None else self._llm.paid

    def operation(self, name: str, corpus: str, budget: Budget = UNLIMITED) -> LazyOperation:
        """A language model operation on a corpus, which starts on first use.

        Args:
            name: What is done, for the log and the usage.
            corpus: Name of the corpus.
            budget: Limits of the operation; default: those of the settings.
        """
        return LazyOperation(lambda: self.llm.operation(name, corpus=corpus, budget=budget))

    def begin_question(self, corpus: str, text: str) -> None:
        """Embed a question while the state of its corpus is read, if a processor is idle.

        It is embedded for the state that was read last. What has changed since is embedded anew by :meth:`question`.

        Args:
            corpus: Name of the corpus.
            text: Text of the question.
        """
        if known := self._known.get(corpus):
            self._question_vectors.begin(known.embedder, [_asked(known, text)])

    def question(
        self,
        stores: CorpusStores,
        text: str,
        *,
        embeds: bool = True,
        watch: Stopwatch | None = None,
        llm: Callable[[], Operation] = raise_llm_not_configured,
        deadline: float | None = None,
    ) -> Question:
        """A question with its vector from the corpus' embedder; a vector of zeros where none is needed.

        It has no polite frame, and known aliases of the corpus are followed by the names of their entities.

        Args:
            stores: Stores of the corpus.
            text: Text of the question.
            embeds: Whether the method needs vectors.
            watch: Measures every embedding as ``embedding``.
            llm: Returns the language model operation of the question.
            deadline: End of the search, in seconds of :func:`time.monotonic`; None for none.
        """
        watch = watch or Stopwatch()
        text = _asked(stores.record, text)

        def embed(part: str) -> Vectors:
            with watch.stage("embedding"):
                self.embedder_of(stores.record)  # of the right size
                return self._question_vectors.get(stores.record.embedder, part)

        def embed_ahead(parts: Sequence[str]) -> None:
            self._question_vectors.begin(stores.record.embedder, parts)

        vector = embed(text) if embeds else np.zeros(stores.record.dimension, dtype=np.float32)
        return Question(text, vector, embed, llm, deadline, embed_ahead)

    def _log_stores(self) -> None:
        """Log which stores are in use, without user, password and key."""
        if not logger.isEnabledFor(logging.INFO):
            return
        found, neo4j = self.server, hide_credentials(self.settings.neo4j_uri or "local")
        qdrant = hide_credentials(self.settings.qdrant_url or "its engine in this process")
        about = f"Neo4j {found.version} {found.edition}, Graph Data Science {self.gds or 'none'}"
        logger.info("connected: %s, at %s; Qdrant: %s", about, neo4j, qdrant)


def _asked(record: CorpusRecord, text: str) -> str:
    """The text of a question as it is searched for and embedded."""
    return gazetteer_of(record.settings).expand(plain_question(text))


def open_arrays(settings: Settings) -> ArrayCache:
    """The cache of the arrays that this version computes."""
    return ArrayCache(settings.cache / "arrays" / __version__)


def open_graph(settings: Settings, progress: Progress) -> Graph:
    """Connect to the Neo4j of the settings, otherwise to the local one, which is started if necessary."""
    if settings.neo4j_uri:
        password = settings.neo4j_password.get_secret_value()
        return Graph.connect(
            settings.neo4j_uri,
            settings.neo4j_user,
            password,
            settings.neo4j_database,
            retry_s=settings.neo4j_retry_s,
        )
    server = local.start(settings, progress)
    if server.new:
        logger.warning(
            "started a local Neo4j (pid %d) at %s; it keeps running until `tetragraph down`", server.pid, server.uri
        )
    return Graph.connect(
        server.uri, server.user, server.password, retry_s=settings.neo4j_retry_s, folder=server.data_folder
    )
