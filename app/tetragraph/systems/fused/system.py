"""Several retrievers fused into one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tetragraph.model import Findings
from tetragraph.systems.base import Retriever, SearchRequest
from tetragraph.systems.fused.options import FusedOptions
from tetragraph.systems.fused.search import search


class Fused(Retriever[FusedOptions]):
    """Fusion of the rankings of other retrievers.

    Args:
        find_retriever: Returns the retriever of a name.
    """

    name = "fused"
    summary = "several methods in one, by their scores or their ranks"
    search_options = FusedOptions
    tuning_grid = {"depth": (20, 50, 100, 200)}

    def __init__(self, find_retriever: Callable[[str], Retriever[Any]]) -> None:
        self._find_retriever = find_retriever

    def search(self, request: SearchRequest[FusedOptions]) -> Findings:
        stores, options = request.stores, request.options
        weights = options.methods(lambda name: self._find_retriever(name).has_required_graph(stores))
        retrievers = {name: self._find_retriever(name) for name in weights}
        depth = max(request.k, options.depth)
        hits = {
            name: one.search(SearchRequest(stores, request.question, depth, one.search_options(), request.filters)).hits
            for name, one in retrievers.items()
        }
        fusion = search(hits, request.k, weights=list(weights.values()), fusion=options.fusion)
        return Findings(tuple(fusion), trace={self.name: dict(weights)})

    def part_meaning(self, part: str) -> str:
        return f"its place among what {part} finds"
