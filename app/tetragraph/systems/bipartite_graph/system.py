"""The bipartite graph as a retriever of chunks and facts, and as a build target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tetragraph.llm import Request
from tetragraph.model import FactFindings, Findings
from tetragraph.stores import chunk_table
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Change, CorpusStores
from tetragraph.systems.base import (
    BuildContext,
    BuildReport,
    CheckContext,
    GraphSystem,
    SearchRequest,
    VectorSource,
)
from tetragraph.systems.bipartite_graph import index, stored, stores_engine
from tetragraph.systems.bipartite_graph.build import FactBuildReport, build, llm_requests, uses_llm
from tetragraph.systems.bipartite_graph.checks import EntityVectors, FactTexts, RelationVectors
from tetragraph.systems.bipartite_graph.index import load
from tetragraph.systems.bipartite_graph.options import BipartiteOptions, BuildOptions
from tetragraph.systems.bipartite_graph.search import search, search_facts
from tetragraph.systems.engines import Chosen, choose_engine


class FactGraph(GraphSystem[BipartiteOptions, BuildOptions]):
    """N-ary facts as nodes between their entities; an entity path and a relation path fused (BiG-RAG)."""

    name = requires = "bipartite"
    title, contents = "bipartite graph", "facts"
    summary = "n-ary facts and their entities, two retrieval paths fused (BiG-RAG)"
    label = "Facts"
    search_options, build_options = BipartiteOptions, BuildOptions
    schema_names = frozenset({"PARTICIPATES_IN", "STATED_IN", "Relation", "ALIAS_OF", "Alias"})
    orphan_kinds = frozenset({"relations"})
    counted = MappingProxyType(
        {
            "relations": "facts",
            "relation_sum": "confidences of facts",
            "statements": "statements of facts",
            "fact_entities": "entities of facts",
            "participants": "participants of facts",
            "participant_sum": "confidences of participants",
            "merges": "merged names",
            "merge_sum": "scores of merged names",
            "kept_apart": "names kept apart",
        }
    )
    drop_queries = (
        "corpus/delete_relations",
        "corpus/delete_aliases",
        "corpus/delete_extractions",
        "bipartite_graph/delete_graph",
    )
    llm_only_for_new_chunks = True
    score_parts = {
        "similarity": "likeness of passage and question",
        "facts": "the best fact that it states",
        "sub_queries": "it states what answers a sub-question",
    }
    tuning_grid = {
        "relations": (5, 10, 20, 40),
        "hops": (0, 1, 2, 3),
        "hub": (50, 100, 200, 400),
        "decompose": (True, False),
    }

    def search(self, request: SearchRequest[BipartiteOptions]) -> Findings:
        engine = self._choose_engine(request)
        if engine == "stores":
            found = stores_engine.search(request.stores, request.question, request.k, request.options, request.filters)
        else:
            found = search(request.stores, request.question, request.k, request.options, request.allowed_chunks())
        return replace(found, engine=engine)

    def search_facts(self, request: SearchRequest[BipartiteOptions]) -> FactFindings:
        engine = self._choose_engine(request)
        if engine == "stores":
            found = stores_engine.search_facts(
                request.stores, request.question, request.k, request.options, request.filters
            )
        else:
            found = search_facts(request.stores, request.question, request.k, request.options, request.allowed_chunks())
        return replace(found, engine=engine)

    def is_repeatable(self, options: BipartiteOptions) -> bool:
        return options.time_limit is None

    def prepare(self, stores: CorpusStores, report: BuildReport | None) -> None:
        load(stores, report.graph if isinstance(report, FactBuildReport) else None)

    def build(self, context: BuildContext, options: BuildOptions | None) -> BuildReport:
        return _build(context, options, extracts_again=True)

    def update(self, context: BuildContext, change: Change) -> BuildReport | None:
        if not change and not self.is_unfinished(context.stores):
            return None
        return _build(context, None, extracts_again=False)

    def is_unfinished(self, stores: CorpusStores) -> bool:
        return stored.is_unfinished(stores)

    def has_root(self, stores: CorpusStores) -> bool:
        return stores.graph.get("bipartite_graph/get_graph", corpus=stores.name) is not None

    def uses_llm(self, stores: CorpusStores, options: BuildOptions | None) -> bool:
        return uses_llm(stores, options)

    def llm_requests(
        self, stores: CorpusStores, table: ChunkTable, options: BuildOptions | None, model: str
    ) -> Iterator[Request]:
        return llm_requests(stores, table, options, model)

    def faults(self, counts: Mapping[str, int]) -> Mapping[str, int]:
        return {
            "facts have fewer than two participants": counts["few"],
            "facts are stated by more or fewer chunks than they say": counts["weights"],
        }

    def vector_sources(self, context: CheckContext) -> Sequence[VectorSource]:
        texts = FactTexts(context)
        return EntityVectors(texts), RelationVectors(texts)

    def _choose_engine(self, request: SearchRequest[BipartiteOptions]) -> Chosen:
        self.check_ready(request.stores)
        return choose_engine(request.stores, request.options.engine, (chunk_table.KIND, index.KIND))


def _build(context: BuildContext, options: BuildOptions | None, *, extracts_again: bool) -> FactBuildReport:
    return build(
        context.stores,
        context.table,
        context.embedder,
        context.progress,
        options,
        llm=context.llm,
        extracts_again=extracts_again,
        executor=context.executor,
    )
