"""Greedy search in place of the walk: continues with the largest gain."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from tetragraph.algorithms.greedy_gain import GreedyPick, greedy_gain
from tetragraph.model import Contribution, Hit, PathStep
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.stored_chunks import keep_present
from tetragraph.systems.gain_graph.engine import Engine, Step
from tetragraph.systems.gain_graph.explain import edge_step, seed_steps
from tetragraph.systems.gain_graph.seeds import Seeds


class _Edges:
    """The edges read by the search so far."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._seen: dict[tuple[str, str], Step] = {}

    def onwards(self, chunks: Sequence[str]) -> Mapping[str, Sequence[tuple[str, float]]]:
        """Return the outgoing edges of chunks, with weights."""
        found: defaultdict[str, list[tuple[str, float]]] = defaultdict(list)
        for step in self._engine.onwards(chunks):
            self._seen[step.source, step.target] = step
            found[step.source].append((step.target, step.weight))
        return found

    def between(self, source: str, target: str) -> Step:
        """Return the edge from one chunk to another."""
        return self._seen[source, target]

    def path_step(self, source: str, target: str) -> PathStep:
        """Return the edge from one chunk to another as a step of a path."""
        step = self.between(source, target)
        return edge_step(step, step.weight)


def rank(stores: CorpusStores, engine: Engine, seeds: Seeds, k: int, allowed: Collection[str] | None) -> list[Hit]:
    """Return the first ``k`` chunks that a greedy search selects; see :func:`greedy_gain`.

    Args:
        stores: Stores of the corpus; receive result notes.
        engine: Reads the graph, with the weights of its edges.
        seeds: Seeds, at least one above 0.
        k: Number of hits.
        allowed: See :func:`tetragraph.systems.gain_graph.search`.
    """
    edges = _Edges(engine)
    taken: dict[str, GreedyPick] = {}
    chosen: list[str] = []
    for gained in greedy_gain(seeds.total, edges.onwards):
        taken[gained.node] = gained
        if allowed is None or gained.node in allowed:
            chosen.append(gained.node)
        if len(chosen) == k:
            break
    _, chunks = engine.surroundings(chosen, chosen)
    begins = {step.target: step for step in seed_steps(seeds)}
    return [
        Hit(
            place,
            taken[chunk].value,
            chunks[chunk],
            _parts(taken[chunk], seeds, edges),
            _path(chunk, taken, begins, edges),
            contributions=_contributions(taken[chunk], edges),
        )
        for place, chunk in enumerate(keep_present(stores, chosen, chunks), start=1)
    ]


def _parts(gained: GreedyPick, seeds: Seeds, edges: _Edges) -> dict[str, float]:
    """Parts of a value that add up to it: as a seed, or from the edge that led to the chunk."""
    found = {"seed_similar": 0.0, "seed_named": 0.0, "nearest": 0.0, "explains": 0.0}
    if gained.source is None:
        named = gained.value * seeds.named.get(gained.node, 0.0) / seeds.total[gained.node]
        return {**found, "seed_similar": gained.value - named, "seed_named": named}
    return {**found, edges.between(gained.source, gained.node).candidate: gained.value}


def _contributions(gained: GreedyPick, edges: _Edges) -> tuple[Contribution, ...]:
    """Contribution of the edge that led to the chunk; none for a seed."""
    if gained.source is None:
        return ()
    edge = edges.between(gained.source, gained.node)
    step = edges.path_step(gained.source, gained.node)
    return (Contribution(edge.candidate, edge.level, gained.value, (step,)),)


def _path(
    chunk: str, taken: Mapping[str, GreedyPick], begins: Mapping[str, PathStep], edges: _Edges
) -> tuple[PathStep, ...]:
    """Path from the question to a chunk."""
    source = taken[chunk].source
    if source is None:
        return (begins[chunk],)
    return (*_path(source, taken, begins, edges), edges.path_step(source, chunk))
