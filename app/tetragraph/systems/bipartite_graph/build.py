"""Builds and updates the bipartite graph: derives it from the stored facts and writes the difference."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field
from typing import Any

from tetragraph.executors import LOCAL, Executor
from tetragraph.language.embedders import Embedder
from tetragraph.language.entity_resolution.resolve import resolve
from tetragraph.language.lexicon.gazetteer import gazetteer_of
from tetragraph.llm import Operation, Request
from tetragraph.model import Chunk
from tetragraph.progress import Progress
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores, raise_llm_not_configured
from tetragraph.systems.base import BuildReport
from tetragraph.systems.bipartite_graph import extraction, extractors, stored
from tetragraph.systems.bipartite_graph.construction import BipartiteGraph, construct
from tetragraph.systems.bipartite_graph.options import LLM, BuildOptions
from tetragraph.systems.bipartite_graph.thresholds import drop_uncertain
from tetragraph.systems.bipartite_graph.vectors import GraphVectors


@dataclass(frozen=True, slots=True)
class FactBuildReport(BuildReport):
    """Result of a build or an update of the bipartite graph.

    Attributes:
        written: Number of rows written to Neo4j and of points written to Qdrant; 0 if nothing changed.
        relations: Number of relations of the corpus.
        entities: Number of entities that participate in them.
        merges: Number of merged names.
        extracted: Number of chunks whose facts were extracted.
        graph: The written graph; reading it again would take seconds.
    """

    relations: int
    entities: int
    merges: int
    extracted: int
    graph: BipartiteGraph = field(repr=False)


def build(
    stores: CorpusStores,
    table: ChunkTable,
    embedder: Embedder,
    progress: Progress,
    options: BuildOptions | None = None,
    *,
    llm: Callable[[], Operation] = raise_llm_not_configured,
    extracts_again: bool = True,
    executor: Executor = LOCAL,
) -> FactBuildReport:
    """Build or update the graph from any earlier state: none, other documents, or an interrupted build.

    Only chunks that the extractor has not processed are extracted, and only texts without a vector embedded; all names
    are resolved again. The result depends only on chunks and options.

    Args:
        stores: Stores of the corpus.
        table: All chunks of the corpus.
        embedder: Embedder of the corpus.
        progress: Receives the progress of extracting, writing and embedding.
        options: Build options; by default the stored options, or the defaults for a new graph.
        llm: Returns the language model operation, for an extractor that needs one.
        extracts_again: Whether facts of another language model are extracted again; an update keeps them.
        executor: Where texts are parsed and embedded.

    Raises:
        InvalidInput: the file of recorded triples is needed, and is missing or invalid.
        MissingDependency: spaCy or its English model is not installed.
        LlmError: the extractor needs a language model, and none is configured, or it did not answer within the budget,
            or too many of its replies cannot be read; the graph is unchanged.

    Source:
        BiG-RAG, section 4.1.
    """
    root = stores.graph.get("bipartite_graph/get_graph", corpus=stores.name)
    before = _options_of(root)
    options = options or before
    known = root["extractor"] if root and options.extractor == before.extractor else ""
    source = extractors.choose(
        options, known, llm, extracts_again=extracts_again, corpus_size=len(table), executor=executor
    )
    found = extraction.extract(stores, list(table.chunks()), source, progress)
    settings = {"extractor": source.name, "settings": json.dumps(asdict(options), sort_keys=True)}
    stored.mark_unfinished(stores, settings)
    now = stored.read(stores)
    vectors = GraphVectors(stores, embedder, progress, executor)
    passages = drop_uncertain(found.passages, *options.thresholds)
    known_entities = gazetteer_of(stores.record.settings)
    resolution = resolve(
        list(passages.values()), vectors, now.apart, threshold=options.threshold, gazetteer=known_entities
    )
    wanted = construct(passages, resolution, known_entities)
    with ThreadPoolExecutor(1) as pool:  # write to Neo4j while texts are embedded
        nodes = pool.submit(stored.write_difference, stores, now, wanted, progress)
        points = vectors.write_difference(wanted)
    written = nodes.result() + points
    stored.write_root(stores, wanted, settings)
    return FactBuildReport(written, len(wanted.relations), len(wanted.entities), len(wanted.merges), found.new, wanted)


def expected_graph(
    stores: CorpusStores, chunks: Sequence[Chunk], embedder: Embedder, progress: Progress
) -> BipartiteGraph:
    """Return the graph that a build would write from the stored facts; nothing is extracted or written.

    Args:
        stores: Stores of the corpus.
        chunks: All chunks of the corpus, in order of id.
        embedder: Embedder of the corpus, for names that Qdrant lacks.
        progress: Receives the number of embedded texts.
    """
    options = _stored_options(stores)
    passages = drop_uncertain(extraction.read_stored(stores, chunks), *options.thresholds)
    apart, gazetteer = stored.read(stores).apart, gazetteer_of(stores.record.settings)
    vectors = GraphVectors(stores, embedder, progress)
    resolution = resolve(list(passages.values()), vectors, apart, threshold=options.threshold, gazetteer=gazetteer)
    return construct(passages, resolution, gazetteer)


def uses_llm(stores: CorpusStores, options: BuildOptions | None = None) -> bool:
    """Whether a build with these options, by default the stored ones, calls the language model."""
    return (options or _stored_options(stores)).extractor == LLM


def llm_requests(
    stores: CorpusStores, table: ChunkTable, options: BuildOptions | None, model: str
) -> Iterator[Request]:
    """Yield the approximate requests of a build: the number of gleaning rounds is not known in advance.

    Args:
        stores: Stores of the corpus.
        table: All chunks of the corpus.
        options: Build options; see :func:`build`.
        model: Name of the language model.
    """
    options = options or _stored_options(stores)
    if options.extractor != LLM:
        return iter(())
    return extraction.missing_requests(stores, list(table.chunks()), model, options.gleanings)


def _stored_options(stores: CorpusStores) -> BuildOptions:
    return _options_of(stores.graph.get("bipartite_graph/get_graph", corpus=stores.name))


def _options_of(root: Mapping[str, Any] | None) -> BuildOptions:
    """The stored options; the defaults if there is no graph."""
    return BuildOptions(**json.loads(root["settings"])) if root else BuildOptions()
