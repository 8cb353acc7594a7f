"""The walk on edges read from Neo4j around the seeds: neither a projection nor an array of the corpus."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from tetragraph.algorithms.personalized_pagerank import iterations_needed
from tetragraph.systems.gain_graph.engine import Ranking
from tetragraph.systems.gain_graph.gds_engine import GdsEngine

LEAST = 1e-5
"""Mass at a chunk below which it is not passed on: it would not change the order of the first hits."""
MOST = 256
"""Chunks whose edges one iteration reads, those with the most mass."""
_DECIMALS = 12


class StoresEngine(GdsEngine):
    """Finds similar chunks in Qdrant and ranks in this process on the edges around them; see :class:`Engine`.

    The iterations are those of :func:`tetragraph.algorithms.personalized_pagerank.personalized_pagerank`, except that
    little mass stays where it is. Their cost depends on the number of edges of a chunk, not on the size of the corpus.

    Source:
        Andersen, Chung and Lang (2006), for the threshold on the mass that is passed on.
    """

    def rank(self, seeds: Mapping[str, float], limit: int, allowed: Collection[str] | None) -> Ranking:
        restart = self._options.restart
        edges: dict[str, list[tuple[str, float]]] = {}
        ranks: dict[str, float] = defaultdict(float)
        mass: dict[str, float] = {chunk: restart * share for chunk, share in sorted(seeds.items())}
        for _ in range(1 + iterations_needed(restart, self._options.tolerance)):
            for chunk, share in mass.items():
                ranks[chunk] += share
            passing = sorted((chunk for chunk in mass if mass[chunk] >= LEAST), key=lambda one: (-mass[one], one))[
                :MOST
            ]
            self._read_edges(edges, passing)
            following: dict[str, float] = defaultdict(float)
            for chunk in passing:
                for target, share in edges[chunk]:
                    following[target] += (1 - restart) * mass[chunk] * share
            mass = {chunk: following[chunk] for chunk in sorted(following)}
            if not mass:
                break
        return _ranking(ranks, restart, limit, allowed)

    def _select_projected(self, chunks: Sequence[str]) -> set[str]:
        """All of them: a chunk that is too new to have edges keeps its mass."""
        return set(chunks)

    def _read_edges(self, edges: dict[str, list[tuple[str, float]]], chunks: Sequence[str]) -> None:
        """Add the edges that leave some chunks."""
        new = [chunk for chunk in chunks if chunk not in edges]
        edges |= {chunk: [] for chunk in new}
        for step in self.onwards(new) if new else ():
            edges[step.source].append((step.target, step.share))


def _ranking(ranks: Mapping[str, float], restart: float, limit: int, allowed: Collection[str] | None) -> Ranking:
    total = sum(ranks.values())
    if not total:
        return Ranking((), (), 0.0)
    among = ranks.keys() if allowed is None else ranks.keys() & set(allowed)
    scores = {chunk: round(ranks[chunk] / total, _DECIMALS) for chunk in among}
    best = sorted(scores, key=lambda chunk: (-scores[chunk], chunk))[:limit]
    return Ranking(tuple(best), tuple(scores[chunk] for chunk in best), round(restart / total, _DECIMALS))
