"""Several retrievers fused into one."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from tetragraph.model import Findings
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.base import Retriever, SearchRequest
from tetragraph.systems.fused.options import BEST, FusedOptions
from tetragraph.systems.fused.search import search


class Fused(Retriever[FusedOptions]):
    """Fusion of the rankings of other retrievers.

    Args:
        find_retriever: Returns the retriever of a name.
    """

    name = "fused"
    summary = "several methods in one, by their scores or their ranks"
    label = "Several methods in one"
    search_options = FusedOptions
    tuning_grid = {"depth": (20, 50, 100, 200)}

    def __init__(self, find_retriever: Callable[[str], Retriever[Any]]) -> None:
        self._find_retriever = find_retriever

    def search(self, request: SearchRequest[FusedOptions]) -> Findings:
        stores, options = request.stores, request.options
        weights = options.methods(lambda name: self._find_retriever(name).has_required_graph(stores))
        if lacking := [] if options.of else [name for name in BEST if name not in weights]:
            stores.note(self._replacement_note(stores, lacking, weights))
        retrievers = {name: self._find_retriever(name) for name in weights}
        depth = max(request.k, options.depth)
        hits = {
            name: one.search(SearchRequest(stores, request.question, depth, one.search_options(), request.filters)).hits
            for name, one in retrievers.items()
        }
        fusion = search(hits, request.k, weights=list(weights.values()), fusion=options.fusion)
        return Findings(tuple(fusion), trace={self.name: dict(weights)})

    def _replacement_note(self, stores: CorpusStores, lacking: Sequence[str], weights: Mapping[str, float]) -> str:
        """A note: the methods that are fused, those that were meant, and the builds that these need."""
        retrievers = [self._find_retriever(name) for name in lacking]
        missing = dict.fromkeys(one.requires for one in retrievers if not one.has_required_graph(stores))
        commands = " and ".join(f"`tetragraph build {one} -c {stores.name}`" for one in missing)
        return (
            f"{self.name} is {' and '.join(weights)} here, not {' and '.join(BEST)}: the corpus has no "
            f"{' and no '.join(missing)} graph; {commands} builds it, or name the methods by the option `of`"
        )

    def part_meaning(self, part: str) -> str:
        return f"its place among what {part} finds"
