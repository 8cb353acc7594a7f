"""The interface of the retrieval systems: search, build, checks and descriptions.

A search method is a :class:`Retriever`; anything that ``tetragraph build`` builds is a :class:`BuildTarget`; a graph
system is both. :mod:`tetragraph.systems.registry` holds one instance of each. Code outside ``systems/`` uses these
members and never compares the name of a system.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import Any, ClassVar, Generic, Protocol, TypeVar, runtime_checkable

from tetragraph.errors import NotBuilt
from tetragraph.executors import LOCAL, Executor
from tetragraph.language.embedders import Embedder
from tetragraph.llm import Operation, Request
from tetragraph.model import Chunk, FactFindings, Filters, Findings
from tetragraph.progress import Progress
from tetragraph.stores import chunk_table
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Change, CorpusStores, Question, raise_llm_not_configured
from tetragraph.stores.filters import allowed_ids
from tetragraph.stores.vectors import Kind, Point

OptionsT = TypeVar("OptionsT")
BuildOptionsT = TypeVar("BuildOptionsT")


@dataclass(frozen=True, slots=True)
class NoOptions:
    """Build options of a target that has none."""


@dataclass(frozen=True, slots=True)
class SearchRequest(Generic[OptionsT]):
    """One search of one corpus.

    Attributes:
        stores: The stores of the corpus.
        question: The question; with its vector, if the retriever needs one.
        k: Number of hits wanted, at least 1.
        options: Search options of the retriever.
        filters: Metadata filters; None for none.
    """

    stores: CorpusStores
    question: Question
    k: int
    options: OptionsT
    filters: Filters | None = None

    def allowed_chunks(self) -> set[str] | None:
        """Ids of the chunks that pass the filters; None without filters."""
        return allowed_ids(self.stores, self.filters) if self.filters else None


@dataclass(frozen=True, slots=True)
class BuildContext:
    """Dependencies of a build or an update.

    Attributes:
        stores: The stores of the corpus.
        table: All chunks of the corpus with their vectors.
        embedder: The embedder of the corpus.
        progress: Receives the stages of the build.
        llm: Returns the language model operation, which starts on its first call; raises ``LlmNotConfigured`` without
            a model.
        executor: Where expensive computations run.
    """

    stores: CorpusStores
    table: ChunkTable
    embedder: Embedder
    progress: Progress
    llm: Callable[[], Operation] = raise_llm_not_configured
    executor: Executor = LOCAL


@dataclass(frozen=True, slots=True)
class BuildReport:
    """Result of a build or an update.

    Attributes:
        written: Number of new and changed rows and points; 0 if nothing changed.
    """

    written: int


@dataclass(frozen=True)
class CheckContext:
    """Dependencies of the consistency checks; read on first use.

    Attributes:
        stores: The stores of the corpus.
        embedder: Returns the embedder of the corpus, loaded on its first call.
        progress: Receives the number of embedded texts.
    """

    stores: CorpusStores
    embedder: Callable[[], Embedder]
    progress: Progress

    @cached_property
    def chunks(self) -> dict[str, Chunk]:
        """All chunks by id, in ascending order of id."""
        return {chunk.id: chunk for chunk in chunk_table.find_chunks(self.stores)}


class VectorSource(Protocol):
    """The points that one Qdrant collection must hold according to Neo4j; read by the consistency checks."""

    @property
    def kind(self) -> Kind:
        """The collection."""

    @property
    def follows_chunks(self) -> bool:
        """Whether its vectors are computed from those of the chunks, and so are checked only while these are right."""

    def ids(self) -> Collection[str]:
        """Ids of all points that must exist."""

    def stale(self, stored_hashes: Mapping[str, str]) -> list[str]:
        """Ids of the stored points whose vector is that of another content.

        Args:
            stored_hashes: Content hash by id of the points that exist and must exist.
        """

    def points(self, ids: Sequence[str]) -> Iterator[list[Point]]:
        """The points of these ids, in batches; texts are embedded as a build embeds them."""


class Retriever(ABC, Generic[OptionsT]):
    """A search method.

    Attributes:
        name: Value of ``method``; public, as are option fields and the keys of ``score_parts``.
        summary: One line for help texts.
        label: A word or two for lists that people choose from; empty where the name serves.
        search_options: Frozen dataclass; its fields are keyword arguments of ``Corpus.search``.
        score_parts: Key of ``Hit.parts`` to a phrase that explains it.
        tuning_grid: Option to the values that ``Corpus.tune`` tries by default.
        requires: Name of the build target that a corpus must have; empty for none.
        needs_vector: Whether a search needs the embedding of the question.
        reads_arrays: Whether a search may read arrays of the whole corpus, unless its options have an ``engine``.
        is_multi_step: Whether it searches in several steps, so that answers are kept as sessions.
        drop_queries: Query files that delete its nodes when a corpus is dropped, in order.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    label: ClassVar[str] = ""
    search_options: type[OptionsT]
    score_parts: ClassVar[Mapping[str, str]] = {}
    tuning_grid: ClassVar[Mapping[str, tuple[Any, ...]]] = {}
    requires: ClassVar[str] = ""
    needs_vector: ClassVar[bool] = True
    reads_arrays: ClassVar[bool] = True
    is_multi_step: ClassVar[bool] = False
    drop_queries: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def search(self, request: SearchRequest[OptionsT]) -> Findings:
        """At most ``k`` hits, best first, ties broken by chunk id; fewer only if fewer chunks were found."""

    def has_required_graph(self, stores: CorpusStores) -> bool:
        """Whether the corpus has the build target that a search requires."""
        return not self.requires or self.requires in stores.record.graphs

    def check_ready(self, stores: CorpusStores) -> None:
        """Raise :class:`NotBuilt` if the corpus lacks what a search needs. Default: nothing."""

    def prepare(self, stores: CorpusStores, report: BuildReport | None) -> None:
        """Fill the array cache after a publish, so that the first search does not wait. Default: nothing.

        Args:
            stores: The stores of the published corpus.
            report: Report of the build or update of the required target; None if nothing changed.
        """

    def is_repeatable(self, options: OptionsT) -> bool:
        """Whether a search with these options finds the same on a machine that has less time for it. Default: yes."""
        return True

    def part_meaning(self, part: str) -> str:
        """One phrase for a part of ``Hit.parts``."""
        return self.score_parts[part]


@runtime_checkable
class FactRetriever(Protocol):
    """A retriever that also ranks facts (``Corpus.facts``)."""

    name: ClassVar[str]

    def check_ready(self, stores: CorpusStores) -> None:
        """See :meth:`Retriever.check_ready`."""

    def search_facts(self, request: SearchRequest[Any]) -> FactFindings:
        """At most ``k`` facts, best first; fewer only if fewer were found."""


class BuildTarget(ABC, Generic[BuildOptionsT]):
    """A graph or annotation that is built on the chunks of a corpus and updated with them.

    Attributes:
        name: Argument of ``tetragraph build``, and stage name in reports.
        title: Its name in messages, ``information-gain graph``.
        contents: Plural noun for its elements, ``gain edges``.
        build_options: Frozen dataclass of build options; None for a target without options.
        schema_names: Labels and relationship types by which a query asks for it.
        orphan_kinds: Columns of ``doctor/count_orphans`` that a rebuild repairs.
        counted: Columns of ``ingest/count_contents`` that count its elements or add up their weights, each with a
            plural noun.
        drop_queries: Query files that delete its nodes when a corpus is dropped, in order.
        llm_only_for_new_chunks: Whether deleting documents needs no language model.
        drifts: Whether updates can lose quality that a rebuild restores; :meth:`drift` measures it.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    contents: ClassVar[str]
    build_options: type[BuildOptionsT] | None = None
    schema_names: ClassVar[frozenset[str]] = frozenset()
    orphan_kinds: ClassVar[frozenset[str]] = frozenset()
    counted: ClassVar[Mapping[str, str]] = MappingProxyType({})
    drop_queries: ClassVar[tuple[str, ...]] = ()
    llm_only_for_new_chunks: ClassVar[bool] = False
    drifts: ClassVar[bool] = False

    @abstractmethod
    def build(self, context: BuildContext, options: BuildOptionsT | None) -> BuildReport:
        """Compute it on all chunks and write the difference; ``options`` None keeps the stored options."""

    @abstractmethod
    def update(self, context: BuildContext, change: Change) -> BuildReport | None:
        """Apply added and removed chunks; None if there was nothing to do. Resumes an interrupted build."""

    def is_unfinished(self, stores: CorpusStores) -> bool:
        """Whether the last build was interrupted after its first write."""
        return False

    def has_root(self, stores: CorpusStores) -> bool:
        """Whether the node that holds its settings exists; True for targets without one."""
        return True

    def drift(self, stores: CorpusStores) -> float:
        """Loss of quality through updates, 0.02 for 2 %; 0 for targets that do not drift."""
        return 0.0

    def uses_llm(self, stores: CorpusStores, options: BuildOptionsT | None) -> bool:
        """Whether a build with these options, or the stored ones, calls the language model."""
        return False

    def llm_requests(
        self, stores: CorpusStores, table: ChunkTable, options: BuildOptionsT | None, model: str
    ) -> Iterator[Request]:
        """Requests of a full build if every reply is well formed, for the cost estimate.

        Args:
            stores: The stores of the corpus.
            table: All chunks.
            options: Build options; None for the stored ones.
            model: Name of the language model.
        """
        return iter(())

    def faults(self, counts: Mapping[str, int]) -> Mapping[str, int]:
        """Number of inconsistencies by description, from the columns of ``doctor/count_faults``."""
        return {}

    def vector_sources(self, context: CheckContext) -> Sequence[VectorSource]:
        """The Qdrant collections that belong to it."""
        return ()

    def is_built(self, graphs: Collection[str]) -> bool:
        """Whether it is among the graphs of a corpus."""
        return self.name in graphs

    def check_built(self, stores: CorpusStores) -> None:
        """Raise :class:`NotBuilt` if the corpus does not have it."""
        if not self.is_built(stores.record.graphs):
            raise not_built(stores, self.name, self.title)


class GraphSystem(Retriever[OptionsT], BuildTarget[BuildOptionsT]):
    """A retriever with its own graph; subclasses set ``requires`` to their own name."""

    def check_ready(self, stores: CorpusStores) -> None:
        self.check_built(stores)


def not_built(stores: CorpusStores, name: str, title: str) -> NotBuilt:
    """The error of a search in a graph that the corpus lacks.

    Args:
        stores: The stores of the corpus.
        name: Name of the build target.
        title: Its name in messages.
    """
    return NotBuilt(
        f"corpus {stores.name!r} has no complete {title}: `tetragraph build {name} -c {stores.name}` makes it"
    )
