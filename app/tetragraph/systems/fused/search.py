"""Fuses the rankings of other methods, by their scores or by their ranks."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, TypeAlias

import numpy as np

from tetragraph.algorithms.reciprocal_rank_fusion import reciprocal_rank_fusion
from tetragraph.arrays import Floats
from tetragraph.model import Contribution, Hit

Fusion: TypeAlias = Literal["scores", "ranks"]


def search(
    rankings: Mapping[str, Sequence[Hit]], k: int, *, weights: Sequence[float] = (), fusion: Fusion = "scores"
) -> list[Hit]:
    """The best ``k`` of all chunks in any of the rankings, by (-score, id).

    Args:
        rankings: Name of a method to its hits, best first.
        k: Number of hits wanted.
        weights: Weight of each ranking; all 1 when left out.
        fusion: ``scores`` adds the scores of each method, scaled to 0 for its last hit and 1 for its first; ``ranks``
            adds ``1 / (60 + rank)``.

    Returns:
        Hits whose ``parts`` are the shares of the methods that found them. Their ``path`` is that of the method with
        the greatest share among those that have a path; their ``facts`` are chosen in the same way.
    """
    held = {name: {hit.chunk.id: hit for hit in hits} for name, hits in rankings.items()}
    ids = sorted({chunk_id for by_id in held.values() for chunk_id in by_id})
    numbers = {chunk_id: number for number, chunk_id in enumerate(ids)}
    ranked = [[numbers[hit.chunk.id] for hit in hits] for hits in rankings.values()]
    shares = reciprocal_rank_fusion(ranked, len(ids)) if fusion == "ranks" else _scale_scores(rankings, numbers)
    shares *= np.array(weights or [1.0] * len(rankings))[:, None]
    scores = shares.sum(axis=0)
    best = sorted(range(len(ids)), key=lambda number: (-scores[number], number))[:k]
    hits: list[Hit] = []
    for rank, number in enumerate(best, start=1):
        parts = dict(zip(rankings, shares[:, number].tolist(), strict=True))
        seen = [
            held[name][ids[number]]
            for name in sorted(parts, key=lambda name: -parts[name])
            if ids[number] in held[name]
        ]
        hits.append(
            Hit(
                rank,
                float(scores[number]),
                seen[0].chunk,
                {name: share for name, share in parts.items() if share > 0},
                next((hit.path for hit in seen if hit.path), ()),
                next((hit.facts for hit in seen if hit.facts), ()),
                tuple(
                    _contribution(name, held[name][ids[number]], share) for name, share in parts.items() if share > 0
                ),
            )
        )
    return hits


def _contribution(method: str, hit: Hit, share: float) -> Contribution:
    """The share of a method in a score, described by rank and score of the chunk in the ranking of that method."""
    return Contribution(method, f"rank {hit.rank}, score {hit.score:.4f}", share, hit.path)


def _scale_scores(rankings: Mapping[str, Sequence[Hit]], numbers: Mapping[str, int]) -> Floats:
    """``(rankings, chunks)`` scores from 0 to 1; 1 for all hits of a ranking whose scores are equal."""
    shares = np.zeros((len(rankings), len(numbers)))
    for row, hits in enumerate(rankings.values()):
        scores = np.array([hit.score for hit in hits], dtype=np.float64)
        spread = float(np.ptp(scores)) if len(scores) else 0.0
        values = (scores - scores.min()) / spread if spread > 0 else np.ones(len(scores))
        shares[row, [numbers[hit.chunk.id] for hit in hits]] = values
    return shares
