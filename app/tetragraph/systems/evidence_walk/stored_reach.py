"""Which chunks the next step of a walk reaches with the most mass, estimated before they are read.

Source:
    docs/evidence-walk.md, section 4 ("In the stores").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.algorithms.evidence_walk import WalkOptions, squared_idf
from tetragraph.systems.evidence_walk.stored_names import StoredEntity
from tetragraph.systems.evidence_walk.stored_rows import StoredChunk


@dataclass(frozen=True, slots=True)
class Holders:
    """Chunks of an entity; none where too many have it.

    Attributes:
        titled: Ids of the chunks that the entity titles.
        mentioning: Ids of the chunks that mention it.
    """

    titled: Sequence[str]
    mentioning: Sequence[str]


def find_reached(
    frontier: Collection[tuple[StoredChunk, float]],
    entities: Mapping[str, StoredEntity],
    holders: Mapping[str, Holders],
    corpus: int,
    options: WalkOptions,
) -> list[str]:
    """Ids of the chunks that mass moves to from some chunks, those with the most mass first, ties by id.

    The mass is that of :class:`tetragraph.algorithms.evidence_walk.Transition` as if all chunks were equally relevant
    to the question: what an entity gets from the frontier is divided by the number of its chunks.

    Args:
        frontier: Chunks with their mass.
        entities: The entities that they mention and that title them, by id; others are ignored.
        holders: The chunks of these entities.
        corpus: Number of chunks of the corpus.
        options: Constants of the walk.
    """
    counts = np.array([(one.df, one.titles) for one in entities.values()], dtype=np.int64).reshape(-1, 2).T
    information = dict(zip(entities, squared_idf(corpus, *counts).tolist(), strict=True))
    given: dict[str, float] = defaultdict(float)
    returned: dict[str, float] = defaultdict(float)
    for chunk, mass in frontier:
        mentioned = [one for one in chunk.mentioned if one in information]
        total = sum(information[one] for one in mentioned)
        for one in mentioned:
            given[one] += (1 - options.reverse_share) * mass * information[one] / total
        for one in chunk.described:
            returned[one] += options.reverse_share * mass / len(chunk.described)
    reached: dict[str, float] = defaultdict(float)
    for one in sorted((given.keys() | returned.keys()) & holders.keys()):
        entity, chunks = entities[one], holders[one]
        pull = options.title_weight * entity.titles + entity.df
        each = given[one] / pull if pull else 0.0
        for titled in chunks.titled:
            reached[titled] += options.title_weight * each
        for mentioning in chunks.mentioning:
            reached[mentioning] += each + returned[one] / entity.df
    return sorted(reached, key=lambda one: (-reached[one], one))
