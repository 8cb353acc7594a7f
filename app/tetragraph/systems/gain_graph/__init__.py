"""The information-gain graph (iG²RAG): what each chunk adds to another, searched by personalised PageRank."""

from tetragraph.systems.gain_graph.build import GainBuildReport, build, llm_requests
from tetragraph.systems.gain_graph.options import BuildOptions, GainOptions
from tetragraph.systems.gain_graph.search import search
from tetragraph.systems.gain_graph.stored import is_unfinished, options_of
from tetragraph.systems.gain_graph.update import update

__all__ = [
    "BuildOptions",
    "GainBuildReport",
    "GainOptions",
    "build",
    "is_unfinished",
    "llm_requests",
    "options_of",
    "search",
    "update",
]
