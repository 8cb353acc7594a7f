"""The encoding tree as a retriever and build target."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from tetragraph.llm import Request
from tetragraph.model import Findings
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
from tetragraph.systems.encoding_tree import index, stores_engine
from tetragraph.systems.encoding_tree.build import build, llm_requests, uses_llm
from tetragraph.systems.encoding_tree.checks import CommunityVectors
from tetragraph.systems.encoding_tree.index import load
from tetragraph.systems.encoding_tree.options import BuildOptions, TreeOptions
from tetragraph.systems.encoding_tree.search import search
from tetragraph.systems.encoding_tree.update import find_drift, update
from tetragraph.systems.engines import choose_engine


class EncodingTree(GraphSystem[TreeOptions, BuildOptions]):
    """Hierarchy of communities of minimal structural entropy, searched coarse to fine (SeRAG)."""

    name = requires = "tree"
    title, contents = "encoding tree", "themes"
    summary = "communities of least structural entropy, coarse to fine (SeRAG)"
    label = "Encoding tree"
    search_options, build_options = TreeOptions, BuildOptions
    schema_names = frozenset({"AFFINITY", "CONTAINS", "Community", "EncodingTree"})
    counted = MappingProxyType(
        {
            "affinities": "affinities",
            "affinity_sum": "weights of affinities",
            "communities": "communities",
            "places": "places in communities",
            "volume_sum": "volumes of communities",
        }
    )
    drop_queries = ("corpus/delete_communities", "encoding_tree/delete_tree")
    drifts = True
    score_parts = {
        "community": "its theme is like the question",
        "similarity": "likeness of passage and question",
        "entities": "entities of the question that it names",
        "expansion": "it describes what the best passages mention",
    }
    tuning_grid = {
        "coarse": (0.0, 0.1, 0.2, 0.4),
        "expansion": ("none", "first_hits"),
        "threshold": (0.8, 0.85, 0.9, 1.0),
    }

    def search(self, request: SearchRequest[TreeOptions]) -> Findings:
        stores, options = request.stores, request.options
        self.check_ready(stores)
        engine = choose_engine(stores, options.engine, (chunk_table.KIND, index.KIND))
        if engine == "stores":
            found = stores_engine.search(stores, request.question, request.k, options, request.filters)
        else:
            found = search(stores, request.question, request.k, options, request.allowed_chunks())
        return replace(found, engine=engine)

    def prepare(self, stores: CorpusStores, report: BuildReport | None) -> None:
        load(stores)

    def build(self, context: BuildContext, options: BuildOptions | None) -> BuildReport:
        return build(context.stores, context.table, context.progress, options, context.llm)

    def update(self, context: BuildContext, change: Change) -> BuildReport | None:
        if not change and not self.is_unfinished(context.stores):
            return None
        return update(context.stores, context.table, change, context.progress, context.llm)

    def is_unfinished(self, stores: CorpusStores) -> bool:
        root = stores.graph.get("encoding_tree/get_tree", corpus=stores.name)
        return root is not None and bool(root["unfinished"])

    def has_root(self, stores: CorpusStores) -> bool:
        return stores.graph.get("encoding_tree/get_tree", corpus=stores.name) is not None

    def drift(self, stores: CorpusStores) -> float:
        return find_drift(stores)

    def uses_llm(self, stores: CorpusStores, options: BuildOptions | None) -> bool:
        return uses_llm(stores, options)

    def llm_requests(
        self,
        stores: CorpusStores,
        table: ChunkTable,
        options: BuildOptions | None,
        model: str,
    ) -> Iterator[Request]:
        return llm_requests(stores, table, options)

    def faults(self, counts: Mapping[str, int]) -> Mapping[str, int]:
        return {
            "chunks are in no community": counts["homeless"],
            "communities have another size than they say": counts["sizes"],
            "chunks are near to no other": counts["apart"] if counts["chunks"] > 1 else 0,
        }

    def vector_sources(self, context: CheckContext) -> Sequence[VectorSource]:
        return (CommunityVectors(context),)
