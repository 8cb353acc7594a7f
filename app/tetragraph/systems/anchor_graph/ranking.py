"""Merges the chunks of all steps into one ranking."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace

from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import ChainStep, Contribution, Hit
from tetragraph.model.anchors import AnchorStep

_LATER = 0.2
"""Weight of the rank in a later step, relative to that in the first step."""
_FLATNESS = 1
"""Flatness of the decrease of a score with the rank in a step."""
_CHAIN = 0.8
"""Weight of the probability that a chunk answers a sub-question."""


def rank(steps: Sequence[AnchorStep], k: int) -> tuple[Hit, ...]:
    """The best ``k`` chunks of a walk (``D`` of equation 4), best first; ties are broken by id.

    The parts of a score are the value of the rank in the first step (``first``), or its mean over the steps that asked
    the first query by different variants of the retriever, the values of the ranks in the other steps (``later``), and
    the probability of answering one of the sub-questions that the reasoner found in the question (``chain``). The
    constants were chosen on training questions.
    """
    parts: dict[str, dict[str, float]] = {}
    hits: dict[str, Hit] = {}
    contributions: dict[str, list[Contribution]] = defaultdict(list)
    probabilities = _chain_probabilities(steps)
    first = {step.number for step in views(steps)}
    for number, step in enumerate(steps):
        for hit in step.hits:
            chunk = hit.chunk.id
            hits.setdefault(chunk, hit)
            own = parts.setdefault(chunk, {"first": 0.0, "later": 0.0, "chain": _CHAIN * probabilities.get(chunk, 0.0)})
            worth = (_FLATNESS + 1) / (_FLATNESS + hit.rank)
            part, value = ("first", worth / len(first)) if step.number in first else ("later", _LATER * worth)
            own[part] += value
            name = f"rank {hit.rank} in step {number + 1}: {step.query}"
            contributions[chunk].append(Contribution(part, name, value, hit.path))
    order = sorted(hits, key=lambda chunk: (-sum(parts[chunk].values()), chunk))
    return tuple(
        replace(
            hits[chunk],
            rank=place,
            score=sum(parts[chunk].values()),
            parts=parts[chunk],
            contributions=(*contributions[chunk], *_chain_contributions(steps, chunk)),
        )
        for place, chunk in enumerate(order[:k], 1)
    )


def views(steps: Sequence[AnchorStep]) -> list[AnchorStep]:
    """The steps whose query is the first one."""
    return [step for step in steps if normalise_name(step.query) == normalise_name(steps[0].query)]


def chain_of(steps: Sequence[AnchorStep]) -> tuple[ChainStep, ...]:
    """Sub-questions of a walk with their results, of the last step that has any."""
    return next((step.chain for step in reversed(steps) if step.chain), ())


def _chain_contributions(steps: Sequence[AnchorStep], chunk: str) -> tuple[Contribution, ...]:
    """Contributions of the sub-questions that a chunk answers."""
    return tuple(
        Contribution("chain", one.question, _CHAIN * weight)
        for one in chain_of(steps)
        for found, weight in one.passages
        if found == chunk
    )


def _chain_probabilities(steps: Sequence[AnchorStep]) -> dict[str, float]:
    """Id of a chunk to the probability that it answers a sub-question, in the last step that has a chain."""
    shares: dict[str, float] = defaultdict(float)
    for one in chain_of(steps):
        for chunk, weight in one.passages:
            shares[chunk] += weight
    return shares
