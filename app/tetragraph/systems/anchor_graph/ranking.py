"""The passages of all steps in one ranking."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from tetragraph.model import ChainStep, Contribution, Hit
from tetragraph.model.anchors import AnchorStep

_LATER = 0.2
"""Weight of a later step's rank beside the first one's."""
_FLATNESS = 1
"""How slowly a passage is worth less with its rank in a step."""
_CHAIN = 0.8
"""Weight of the probability that a passage answers a sub-question."""


def rank(steps: Sequence[AnchorStep], k: int) -> tuple[Hit, ...]:
    """The best ``k`` passages of a walk (``D`` of equation 4), best first; ties are broken by id.

    The parts of a score are what a passage's rank in the first step is worth (``first``), what its ranks in the later
    steps are (``later``), and the probability that it answers one of the sub-questions that the reasoner found in the
    question (``chain``). The constants were chosen on training questions.
    """
    parts: dict[str, dict[str, float]] = {}
    hits: dict[str, Hit] = {}
    brought: dict[str, list[Contribution]] = defaultdict(list)
    chained = _chained(steps)
    for number, step in enumerate(steps):
        for hit in step.hits:
            chunk = hit.chunk.id
            hits.setdefault(chunk, hit)
            mine = parts.setdefault(chunk, {"first": 0.0, "later": 0.0, "chain": _CHAIN * chained.get(chunk, 0.0)})
            worth = (_FLATNESS + 1) / (_FLATNESS + hit.rank)
            part, value = ("later", _LATER * worth) if number else ("first", worth)
            mine[part] += value
            told = f"rank {hit.rank} in step {number + 1}: {step.query}"
            brought[chunk].append(Contribution(part, told, value, hit.path))
    order = sorted(hits, key=lambda chunk: (-sum(parts[chunk].values()), chunk))
    return tuple(
        replace(
            hits[chunk],
            rank=place,
            score=sum(parts[chunk].values()),
            parts=parts[chunk],
            contributions=(*brought[chunk], *_answered(steps, chunk)),
        )
        for place, chunk in enumerate(order[:k], 1)
    )


def chain_of(steps: Sequence[AnchorStep]) -> tuple[ChainStep, ...]:
    """The sub-questions of a walk with what the last step that knows any found for each."""
    return next((step.chain for step in reversed(steps) if step.chain), ())


def _answered(steps: Sequence[AnchorStep], chunk: str) -> tuple[Contribution, ...]:
    """The sub-questions that a passage is taken to answer."""
    return tuple(
        Contribution("chain", one.question, _CHAIN * weight)
        for one in chain_of(steps)
        for found, weight in one.passages
        if found == chunk
    )


def _chained(steps: Sequence[AnchorStep]) -> dict[str, float]:
    """Chunk to the probability that it answers a sub-question, as the last step knows it."""
    shares: dict[str, float] = defaultdict(float)
    for one in chain_of(steps):
        for chunk, weight in one.passages:
            shares[chunk] += weight
    return shares
