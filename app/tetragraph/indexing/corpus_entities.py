"""The entity dictionary in the graph: entities, and the chunks that describe and mention them.

The stage computes the expected entities and relationships of all chunks, compares them with the stored ones, and writes
the difference. It therefore ends in the same graph after added documents, removed documents and killed runs.

The id of an entity is the hash of its normalised name (``language.names.normalise_name``); its ``name``, for display,
is the most frequent form in the corpus. ``df`` counts the chunks that mention it and marks the entities of the
dictionary: an entity without ``df`` belongs to another graph and is left alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tetragraph.language.lexicon.analysis import KIND, Analysis, analyse_chunks
from tetragraph.language.lexicon.dictionary import Dictionary, build_dictionary
from tetragraph.language.lexicon.gazetteer import Gazetteer, gazetteer_of
from tetragraph.model import Chunk, content_id
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores

STAGE = "entities"
_PAGE = 5_000
_BATCH = 2_500
"""Rows of one transaction; the row of a chunk creates about eight relationships."""
EntityFacts = tuple[str, int | None, int | None, str | None]
"""Name, number of chunks that mention it, number that it titles, and use in small letters; None where unknown."""
Pair = tuple[str, str]
"""Ids of a chunk and an entity."""


@dataclass(frozen=True, slots=True)
class EntityReport:
    """Result of the entity stage.

    Attributes:
        entities: Number of entities of the dictionary.
        mentions: Number of ``MENTIONS`` relationships.
        descriptions: Number of ``DESCRIBES`` relationships.
        written: Number of created, changed and removed entities, and of chunks whose relationships changed; 0 if
            nothing changed.
    """

    entities: int
    mentions: int
    descriptions: int
    written: int


@dataclass(frozen=True, slots=True)
class EntityState:
    """Stored or expected entities and their relationships.

    Attributes:
        entities: Facts by id.
        mentions: Number of mentions by pair.
        descriptions: Pairs of ``DESCRIBES`` relationships.
    """

    entities: Mapping[str, EntityFacts]
    mentions: Mapping[Pair, int]
    descriptions: frozenset[Pair]


def analyse(stores: CorpusStores, chunks: Sequence[Chunk]) -> Analysis:
    """The words of all chunks of a corpus; they are cached for the next ingest and for the evidence walk."""
    record = stores.record
    analysis = analyse_chunks(chunks, stores.arrays.newest(record.key, KIND))
    stores.arrays.put(record.key, KIND, record.generation, analysis.arrays())
    return analysis


def update_entities(
    stores: CorpusStores, chunks: Sequence[Chunk], analysis: Analysis, progress: Progress
) -> EntityReport:
    """Update the entities in the graph to those of a fresh build on these chunks.

    Args:
        stores: Stores of the corpus; the caller holds its lease.
        chunks: All chunks of the corpus, in ascending order of id.
        analysis: Words of the same chunks.
        progress: Receives every written change.
    """
    gazetteer = gazetteer_of(stores.record.settings)
    wanted = describe(chunks, build_dictionary(chunks, analysis, gazetteer))
    written = _write_difference(stores, find_state(stores), wanted, progress)
    written += _write_known_types(stores, gazetteer, wanted)
    return EntityReport(len(wanted.entities), len(wanted.mentions), len(wanted.descriptions), written)


def _write_known_types(stores: CorpusStores, gazetteer: Gazetteer, wanted: EntityState) -> int:
    """Write the types of known entities; returns their number."""
    kinds = {one: known.type for one, known in gazetteer.by_id.items() if known.type and one in wanted.entities}
    if not kinds:
        return 0
    stored = stores.graph.read("entities/find_types", corpus=stores.name, ids=sorted(kinds))
    rows = [{"id": row["id"], "type": kinds[row["id"]]} for row in stored if row["type"] != kinds[row["id"]]]
    return sum(stores.graph.write_rows("entities/upsert_entity_types", rows, batch=_BATCH, corpus=stores.name))


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
    mentions: dict[Pair, int] = {}
    descriptions: set[Pair] = set()
    for row in stores.graph.pages("entities/find_entities_of_chunks", corpus=stores.name, limit=_PAGE):
        chunk = row["id"]
        mentions |= {(chunk, entity): count for entity, count in zip(row["mentioned"], row["counts"], strict=True)}
        descriptions |= {(chunk, entity) for entity in row["described"]}
    return EntityState(entities, mentions, frozenset(descriptions))


def _write_difference(stores: CorpusStores, now: EntityState, wanted: EntityState, progress: Progress) -> int:
    """Create entities before their relationships and delete them after these, in fixed order; returns the count."""
    gone = {entity for entity, (_, df, _, _) in now.entities.items() if df is not None} - wanted.entities.keys()
    steps = [
        ("entities/delete_mentions", _by_chunk(now.mentions.keys() - wanted.mentions.keys())),
        ("entities/delete_descriptions", _by_chunk(now.descriptions - wanted.descriptions)),
        ("entities/delete_entities", [{"id": entity} for entity in sorted(gone)]),
        ("entities/upsert_entities", _changed_entities(now, wanted)),
        ("entities/link_mentions", _changed_mentions(now, wanted)),
        ("entities/link_descriptions", _by_chunk(wanted.descriptions - now.descriptions)),
    ]
    total = sum(len(rows) for _, rows in steps)
    progress.start(STAGE, total, "changes")
    for query, rows in steps:
        for size in stores.graph.write_rows(query, rows, batch=_BATCH, corpus=stores.name):
            progress.advance(STAGE, size)
    progress.finish(STAGE)
    return total


def _changed_entities(now: EntityState, wanted: EntityState) -> list[dict[str, Any]]:
    return [
        {"id": entity, "name": name, "df": df, "titles": titles, "small": small}
        for entity, (name, df, titles, small) in sorted(wanted.entities.items())
        if now.entities.get(entity) != (name, df, titles, small)
    ]


def _changed_mentions(now: EntityState, wanted: EntityState) -> list[dict[str, Any]]:
    changed = wanted.mentions.items() - now.mentions.items()
    return _by_chunk((chunk, (entity, count)) for (chunk, entity), count in changed)


def _by_chunk(links: Iterable[tuple[str, Any]]) -> list[dict[str, Any]]:
    """One row for each chunk with its links, in fixed order, so that runs are reproducible."""
    grouped: dict[str, list[Any]] = {}
    for chunk, linked in sorted(links):
        grouped.setdefault(chunk, []).append(linked)
    return [{"chunk": chunk, "entities": entities} for chunk, entities in grouped.items()]
