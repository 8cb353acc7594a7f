"""The information-gain graph as a retriever and build target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType

from tetragraph.llm import Request
from tetragraph.model import Findings
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Change, CorpusStores
from tetragraph.systems.base import BuildContext, BuildReport, GraphSystem, SearchRequest
from tetragraph.systems.gain_graph import stored
from tetragraph.systems.gain_graph.build import build, llm_requests
from tetragraph.systems.gain_graph.options import BuildOptions, GainOptions
from tetragraph.systems.gain_graph.search import find_engine, search
from tetragraph.systems.gain_graph.update import update


class GainGraph(GraphSystem[GainOptions, BuildOptions]):
    """Information-gain graph, ranked by personalised PageRank (iG²RAG)."""

    name = requires = "gain"
    title, contents = "information-gain graph", "gain edges"
    summary = "personalised PageRank over the information-gain graph (iG²RAG)"
    label = "Information gain"
    search_options, build_options = GainOptions, BuildOptions
    schema_names = frozenset({"INFO_GAIN"})
    counted = MappingProxyType({"gain_edges": "gain edges", "gain_sum": "gains"})
    score_parts = {
        "seed_similar": "the walk begins here, as the passage is like the question",
        "seed_named": "the walk begins here, as the question names what the passage is about",
        "nearest": "it adds to passages that are near it",
        "explains": "it explains what other passages only mention",
        "elsewhere": "the walk came here from passages further down",
    }
    tuning_grid = {
        "question_names": (0.3, 0.5, 0.7, 0.9),
        "seeds": (3, 5, 8, 12),
        "restart": (0.3, 0.4, 0.5, 0.6, 0.7),
    }

    def search(self, request: SearchRequest[GainOptions]) -> Findings:
        self.check_ready(request.stores)
        hits = search(request.stores, request.question, request.k, request.options, request.allowed_chunks())
        return Findings(tuple(hits), engine=find_engine(request.stores, request.options))

    def build(self, context: BuildContext, options: BuildOptions | None) -> BuildReport:
        return build(context.stores, context.table, context.progress, options, context.llm)

    def update(self, context: BuildContext, change: Change) -> BuildReport | None:
        if not change and not self.is_unfinished(context.stores):
            return None
        return update(context.stores, context.table, change, context.progress, llm=context.llm)

    def is_unfinished(self, stores: CorpusStores) -> bool:
        return stored.is_unfinished(stores.record)

    def uses_llm(self, stores: CorpusStores, options: BuildOptions | None) -> bool:
        return (options or stored.options_of(stores.record)).way is not None

    def llm_requests(
        self,
        stores: CorpusStores,
        table: ChunkTable,
        options: BuildOptions | None,
        model: str,
    ) -> Iterator[Request]:
        return llm_requests(stores, table, options)

    def faults(self, counts: Mapping[str, int]) -> Mapping[str, int]:
        return {"chunks have no gain to any other": counts["gainless"]} if counts["chunks"] > 1 else {}
