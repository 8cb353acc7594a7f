"""The last step of every change: entities and graphs follow the chunks, and a new generation is complete."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from tetragraph.errors import InvalidInput
from tetragraph.indexing.corpus_entities import update_entities
from tetragraph.indexing.documents import find_change
from tetragraph.indexing.lease import Lease
from tetragraph.language.embedders import Embedder
from tetragraph.llm import Operation, Request
from tetragraph.progress import Progress, Stopwatch
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import Array, ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Change, CorpusStores
from tetragraph.systems import bipartite_graph, encoding_tree, evidence_walk, gain_graph
from tetragraph.systems.bipartite_graph import BipartiteGraph
from tetragraph.systems.entity_types import type_entities
from tetragraph.validation import check_known_options

BUILDS = ("bipartite", "gain", "tree", "types")
"""What can be built on documents and entities: a graph, by the name of its search method, or the entities' types."""


Built = TypeVar("Built")


@dataclass(frozen=True, slots=True)
class Options:
    """How graphs are made anew; None for as they were made before."""

    bipartite: bipartite_graph.BuildOptions | None = None
    gain: gain_graph.BuildOptions | None = None
    tree: encoding_tree.BuildOptions | None = None


def read_options(graph: str, given: Mapping[str, Any]) -> Options:
    """The options of one graph, as somebody gives them; those of before where none are given.

    Raises:
        InvalidInput: the graph has no options, or none of such a name, or one breaks its rule.
    """
    if not given:
        return Options()
    if graph == "bipartite":
        return Options(bipartite=_read(graph, bipartite_graph.BuildOptions, given))
    if graph == "gain":
        return Options(gain=_read(graph, gain_graph.BuildOptions, given))
    if graph == "tree":
        return Options(tree=_read(graph, encoding_tree.BuildOptions, given))
    raise InvalidInput(f"what is built with options must be bipartite, gain or tree, got {graph!r}")


def _read(graph: str, options: Callable[..., Built], given: Mapping[str, Any]) -> Built:
    known = list(inspect.signature(options).parameters)
    check_known_options(f"the build of {graph}", given, known)
    return options(**given)


@dataclass(frozen=True, slots=True)
class ModelUse:
    """How the build of a graph uses the language model.

    Attributes:
        is_asked: Whether it asks one at all, with the options given, else with those that the graph was made with.
        requests: What a build of the whole graph asks the model of a name if every reply is as it should be, for an
            estimate.
        is_of_new: Whether it is asked about new chunks alone, so that documents go without it.
    """

    is_asked: Callable[[CorpusStores, Options], bool]
    requests: Callable[[CorpusStores, ChunkTable, Options, str], Iterator[Request]]
    is_of_new: bool = False


def _gain_asks(stores: CorpusStores, options: Options) -> bool:
    return (options.gain or gain_graph.options_of(stores.record)).way is not None


def _gain_requests(stores: CorpusStores, table: ChunkTable, options: Options, _: str) -> Iterator[Request]:
    return gain_graph.requests(stores, table, options.gain)


def _facts_ask(stores: CorpusStores, options: Options) -> bool:
    return bipartite_graph.asks_model(stores, options.bipartite)


def _facts_requests(stores: CorpusStores, table: ChunkTable, options: Options, model: str) -> Iterator[Request]:
    return bipartite_graph.requests(stores, table, options.bipartite, model)


def _names_ask(stores: CorpusStores, options: Options) -> bool:
    return encoding_tree.asks_model(stores, options.tree)


def _names_requests(stores: CorpusStores, table: ChunkTable, options: Options, _: str) -> Iterator[Request]:
    return encoding_tree.requests(stores, table, options.tree)


MODEL_USES: Mapping[str, ModelUse] = {
    "bipartite": ModelUse(_facts_ask, _facts_requests, is_of_new=True),
    "gain": ModelUse(_gain_asks, _gain_requests),
    "tree": ModelUse(_names_ask, _names_requests),
}
"""By graph; those that are not here never ask a model."""


def asks_model(graph: str, stores: CorpusStores, options: Options) -> bool:
    """Whether the build of a graph asks the language model."""
    return graph in MODEL_USES and MODEL_USES[graph].is_asked(stores, options)


@dataclass(frozen=True, slots=True)
class Publishing:
    """What publishing works with.

    Attributes:
        embedder: The corpus' own.
        lease: The right to change the corpus.
        progress: Told of every stage.
        llm: Gives what asks the language model, the same each time.
        watch: Times every stage.
    """

    embedder: Embedder
    lease: Lease
    progress: Progress
    llm: Callable[[], Operation]
    watch: Stopwatch = field(default_factory=Stopwatch)

    def publish(self, stores: CorpusStores, rebuilt: Collection[str], options: Options) -> int:
        """Bring entities and graphs up to the chunks as they are, and publish a new generation.

        A graph that was built once is kept up to date by every publish; those in ``rebuilt`` are computed anew on all
        chunks, not only on those that came and went, with the options given. Returns the new generation.
        """
        with self.watch.stage("read"):
            arrays = chunk_table.read(stores)
            table = ChunkTable(ArraySet(arrays))
            change = find_change(stores)
        with self.watch.stage("entities"):
            self.lease.hold()
            update_entities(stores, list(table.chunks()), self.progress)
        graphs = sorted({*stores.record.graphs, *rebuilt})
        facts: BipartiteGraph | None = None
        for graph in graphs:
            with self.watch.stage(graph):
                self.lease.hold()
                if graph == "bipartite":
                    facts = self._find_facts(stores, table, change, options, is_rebuilt=graph in rebuilt)
                elif graph in rebuilt:
                    self._build(graph, stores, table, options)
                else:
                    self._update(graph, stores, table, change)
        self.lease.hold()
        row = stores.graph.write("ingest/upsert_published", corpus=stores.name, graphs=graphs)[0]
        generation = int(row["generation"])
        with self.watch.stage("arrays"):
            _prepare(stores, arrays, generation, graphs, facts)
        return generation

    def _build(self, graph: str, stores: CorpusStores, table: ChunkTable, options: Options) -> None:
        if graph == "types":
            type_entities(stores, self.progress)
        elif graph == "gain":
            gain_graph.build(stores, table, self.progress, options.gain, self.llm)
        else:
            encoding_tree.build(stores, table, self.progress, options.tree, self.llm)

    def _update(self, graph: str, stores: CorpusStores, table: ChunkTable, change: Change) -> None:
        if graph == "types":
            type_entities(stores, self.progress)
        elif graph == "gain":
            if change or gain_graph.is_unfinished(stores.record):
                gain_graph.update(stores, table, change, self.progress, llm=self.llm)
        elif not change:
            return
        else:
            encoding_tree.update(stores, table, change, self.progress, self.llm)

    def _find_facts(
        self, stores: CorpusStores, table: ChunkTable, change: Change, options: Options, *, is_rebuilt: bool
    ) -> BipartiteGraph | None:
        """The graph of facts, made anew or brought up to date by one derivation; None where it is as it was."""
        if not (is_rebuilt or change or bipartite_graph.is_unfinished(stores)):
            return None
        report = bipartite_graph.build(
            stores, table, self.embedder, self.progress, options.bipartite, llm=self.llm, is_anew=is_rebuilt
        )
        return report.graph


def _prepare(
    stores: CorpusStores,
    arrays: Mapping[str, Array],
    generation: int,
    graphs: Collection[str],
    facts: BipartiteGraph | None,
) -> None:
    """Make what the first search would otherwise wait for, while everything it needs is in memory."""
    record = replace(stores.record, generation=generation, published=generation)
    stores.arrays.put(record.key, chunk_table.KIND, generation, arrays)
    complete = replace(stores, record=record)
    evidence_walk.load(complete)
    if "tree" in graphs:
        encoding_tree.load(complete)
    if "bipartite" in graphs:
        bipartite_graph.load(complete, facts)
    delete_pending_notes(stores, generation)


def delete_pending_notes(stores: CorpusStores, generation: int) -> None:
    """Remove the notes on changes that a published generation holds; a kill may have left some."""
    stores.graph.write("ingest/delete_pending_documents", corpus=stores.name, published=generation)
