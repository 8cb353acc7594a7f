"""The bipartite graph (BiG-RAG): n-ary facts as nodes, joined to the entities that take part in them."""

from tetragraph.systems.bipartite_graph.build import BuildReport, build
from tetragraph.systems.bipartite_graph.options import BuildOptions

__all__ = ["BuildOptions", "BuildReport", "build"]
