"""Confidence thresholds: facts and participants that a graph leaves out.

Source:
    BiG-RAG, section 6.1.4 and table E.1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from tetragraph.language.entity_resolution.model import Stated
from tetragraph.language.facts.model import Fact


def drop_uncertain(passages: Mapping[str, Stated], entity: float, relation: float) -> Mapping[str, Stated]:
    """Facts of sufficient confidence, with their participants of sufficient confidence.

    A fact that keeps fewer than two participants is left out, too.

    Args:
        passages: Facts of each chunk.
        entity: Smallest confidence of a participant, 0 to 1.
        relation: Smallest confidence of a fact, 0 to 1.
    """
    if entity <= 0 and relation <= 0:
        return passages
    return {
        chunk: replace(stated, facts=list(_certain(stated.facts, entity, relation)))
        for chunk, stated in passages.items()
    }


def _certain(facts: Sequence[Fact], entity: float, relation: float) -> Iterator[Fact]:
    for fact in facts:
        participants = tuple(one for one in fact.participants if one.confidence >= entity)
        if fact.confidence >= relation and len(participants) >= 2:
            yield replace(fact, participants=participants)
