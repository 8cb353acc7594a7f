"""The part ``papers`` of the benchmarks: all pieces, one for a group of tables."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from benchmarks.papers.anchor import measure_anchor
from benchmarks.papers.bipartite import measure_bipartite
from benchmarks.papers.gain import measure_dev, measure_gain, measure_growth
from benchmarks.papers.runs import Figures
from benchmarks.papers.tree import measure_tree
from benchmarks.plan import Plan

PIECES: dict[str, Callable[[Plan], Figures]] = {
    "gain": measure_gain,
    "dev": measure_dev,
    "growth": measure_growth,
    "tree": measure_tree,
    "bipartite": measure_bipartite,
    "anchor": measure_anchor,
}


def measure_papers(plan: Plan) -> Figures:
    """Measure all pieces."""
    return measure_pieces(plan, list(PIECES))


def measure_pieces(plan: Plan, pieces: Sequence[str]) -> Figures:
    """Measure some pieces."""
    return {piece: PIECES[piece](plan) for piece in pieces}
