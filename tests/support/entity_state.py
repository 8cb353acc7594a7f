"""The entities of a corpus in the graph and those of a dictionary, in one form that tests can compare."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.language.lexicon.dictionary import Dictionary
from tetragraph.model import Chunk, content_id
from tetragraph.stores.corpus import CorpusStores

_PAGE = 5_000


@dataclass(frozen=True, slots=True)
class EntityState:
    """Entities and their relationships.

    Attributes:
        entities: Name, number of chunks that mention it, number that it titles, and use in small letters, by id.
        mentions: Number of mentions by ids of chunk and entity.
        descriptions: Ids of chunk and entity of the ``DESCRIBES`` relationships.
    """

    entities: Mapping[str, tuple[str, int | None, int | None, str | None]]
    mentions: Mapping[tuple[str, str], int]
    descriptions: frozenset[tuple[str, str]]


def describe(chunks: Sequence[Chunk], dictionary: Dictionary) -> EntityState:
    """The expected entities and relationships, from the dictionary of the same chunks."""
    ids = [content_id(name) for name in dictionary.names]
    titles = np.bincount(dictionary.title_entity, minlength=len(ids)).tolist()
    facts = zip(dictionary.labels, dictionary.df.tolist(), titles, dictionary.small_use, strict=True)
    mentions = zip(
        dictionary.mention_row.tolist(),
        dictionary.mention_entity.tolist(),
        dictionary.mention_count.tolist(),
        strict=True,
    )
    described = zip(dictionary.title_row.tolist(), dictionary.title_entity.tolist(), strict=True)
    return EntityState(
        entities=dict(zip(ids, facts, strict=True)),
        mentions={(chunks[row].id, ids[entity]): count for row, entity, count in mentions},
        descriptions=frozenset((chunks[row].id, ids[entity]) for row, entity in described),
    )


def find_state(stores: CorpusStores) -> EntityState:
    """The stored entities and relationships."""
    named = stores.graph.pages("entities/find_entities", corpus=stores.name, limit=_PAGE)
    entities = {row["id"]: (row["name"], row["df"], row["titles"], row["small"]) for row in named}
    mentions: dict[tuple[str, str], int] = {}
    descriptions: set[tuple[str, str]] = set()
    for row in stores.graph.pages("entities/find_entities_of_chunks", corpus=stores.name, limit=_PAGE):
        chunk = row["id"]
        mentions |= {(chunk, entity): count for entity, count in zip(row["mentioned"], row["counts"], strict=True)}
        descriptions |= {(chunk, entity) for entity in row["described"]}
    return EntityState(entities, mentions, frozenset(descriptions))
