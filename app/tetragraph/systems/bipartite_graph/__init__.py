"""The bipartite graph (BiG-RAG): n-ary facts as nodes, joined to the entities that take part in them."""

from tetragraph.systems.bipartite_graph.build import BuildReport, asks_model, build, derive, requests
from tetragraph.systems.bipartite_graph.checks import check_stores
from tetragraph.systems.bipartite_graph.construction import BipartiteGraph
from tetragraph.systems.bipartite_graph.extraction import written_names
from tetragraph.systems.bipartite_graph.index import load
from tetragraph.systems.bipartite_graph.options import BuildOptions
from tetragraph.systems.bipartite_graph.search import FactFindings, search, search_facts
from tetragraph.systems.bipartite_graph.search_options import BipartiteOptions
from tetragraph.systems.bipartite_graph.stored import is_unfinished

__all__ = [
    "BipartiteGraph",
    "BipartiteOptions",
    "BuildOptions",
    "BuildReport",
    "FactFindings",
    "asks_model",
    "build",
    "check_stores",
    "derive",
    "is_unfinished",
    "load",
    "requests",
    "search",
    "search_facts",
    "written_names",
]
