"""The encoding tree (SeRAG): communities of minimal structural entropy, searched coarse to fine."""

from tetragraph.systems.encoding_tree.build import TreeBuildReport, build, llm_requests, uses_llm
from tetragraph.systems.encoding_tree.index import check_stores, load
from tetragraph.systems.encoding_tree.options import BuildOptions, TreeOptions
from tetragraph.systems.encoding_tree.search import search
from tetragraph.systems.encoding_tree.update import find_drift, update
from tetragraph.systems.encoding_tree.vectors import expected_points

__all__ = [
    "BuildOptions",
    "TreeBuildReport",
    "TreeOptions",
    "build",
    "check_stores",
    "expected_points",
    "find_drift",
    "llm_requests",
    "load",
    "search",
    "update",
    "uses_llm",
]
