"""The encoding tree (SeRAG): communities of least structural entropy, made without a model, searched coarse to fine."""

from tetragraph.systems.encoding_tree.build import BuildReport, asks_model, build, requests
from tetragraph.systems.encoding_tree.index import check_stores, load
from tetragraph.systems.encoding_tree.options import BuildOptions, TreeOptions
from tetragraph.systems.encoding_tree.search import search
from tetragraph.systems.encoding_tree.update import find_drift, update
from tetragraph.systems.encoding_tree.vectors import derive

__all__ = [
    "BuildOptions",
    "BuildReport",
    "TreeOptions",
    "asks_model",
    "build",
    "check_stores",
    "derive",
    "find_drift",
    "load",
    "requests",
    "search",
    "update",
]
