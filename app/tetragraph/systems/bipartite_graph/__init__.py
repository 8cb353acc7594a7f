"""The bipartite graph (BiG-RAG): n-ary facts as nodes, joined to the entities that take part in them."""

from tetragraph.systems.bipartite_graph.build import FactBuildReport, build, expected_graph, llm_requests, uses_llm
from tetragraph.systems.bipartite_graph.checks import check_stores
from tetragraph.systems.bipartite_graph.construction import BipartiteGraph
from tetragraph.systems.bipartite_graph.extraction import written_names
from tetragraph.systems.bipartite_graph.index import load
from tetragraph.systems.bipartite_graph.options import BipartiteOptions, BuildOptions
from tetragraph.systems.bipartite_graph.search import search, search_facts
from tetragraph.systems.bipartite_graph.stored import is_unfinished

__all__ = [
    "BipartiteGraph",
    "BipartiteOptions",
    "BuildOptions",
    "FactBuildReport",
    "build",
    "check_stores",
    "expected_graph",
    "is_unfinished",
    "llm_requests",
    "load",
    "search",
    "search_facts",
    "uses_llm",
    "written_names",
]
