"""Reciprocal rank fusion of the rankings of other methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from tetragraph.algorithms.reciprocal_rank_fusion import reciprocal_rank_fusion
from tetragraph.model import Hit, PathStep


def search(rankings: Mapping[str, Sequence[Hit]], k: int, *, constant: float = 60.0) -> list[Hit]:
    """The best ``k`` of all passages that any of the rankings holds, by (-score, id).

    Args:
        rankings: Name of a method to its hits, best first.
        k: Number of hits wanted.
        constant: See :func:`reciprocal_rank_fusion`.

    Returns:
        Hits whose ``parts`` are the shares of the methods that found them, and whose ``path`` is that of the
        method with the greatest share among those that have one.
    """
    found = {hit.chunk.id: hit for hits in rankings.values() for hit in hits}
    numbers = {chunk_id: number for number, chunk_id in enumerate(sorted(found))}
    ranked = [[numbers[hit.chunk.id] for hit in hits] for hits in rankings.values()]
    shares = reciprocal_rank_fusion(ranked, len(numbers), constant=constant)
    scores = shares.sum(axis=0)
    best = sorted(numbers, key=lambda chunk_id: (-scores[numbers[chunk_id]], chunk_id))[:k]
    hits: list[Hit] = []
    for rank, chunk_id in enumerate(best, start=1):
        column = shares[:, numbers[chunk_id]]
        parts = {name: float(share) for name, share in zip(rankings, column, strict=True) if share > 0}
        path = _strongest_path(chunk_id, parts, rankings)
        hits.append(Hit(rank, float(scores[numbers[chunk_id]]), found[chunk_id].chunk, parts, path))
    return hits


def _strongest_path(
    chunk_id: str, parts: Mapping[str, float], rankings: Mapping[str, Sequence[Hit]]
) -> tuple[PathStep, ...]:
    for name in sorted(parts, key=lambda name: -parts[name]):
        path = next(hit.path for hit in rankings[name] if hit.chunk.id == chunk_id)
        if path:
            return path
    return ()
