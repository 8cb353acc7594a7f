"""Compares the stored entities of a corpus with the expected ones, a page of the graph at a time.

Only what differs is kept: marks in arrays for what has to be written, and ids for what has to be deleted. A corpus of a
million chunks has ten million mentions, which as objects would fill the memory.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import groupby
from operator import itemgetter
from typing import Any

import numpy as np

from tetragraph.arrays import Flags, Ints, Longs
from tetragraph.language.lexicon.dictionary import Dictionary
from tetragraph.model import content_id
from tetragraph.stores.corpus import CorpusStores

_PAGE = 5_000
_WRITTEN = 50_000
"""Pairs that are turned to rows at a time."""
Row = Mapping[str, Any]


class ExpectedEntities:
    """Entities and relationships that the graph must have.

    Args:
        chunks: Ids of all chunks, ascending.
        dictionary: The dictionary of these chunks.

    Attributes:
        ids: Ids of the entities, in the order of the dictionary.
    """

    def __init__(self, chunks: Sequence[str], dictionary: Dictionary) -> None:
        self.chunks = chunks
        self.dictionary = dictionary
        self.ids = [content_id(name) for name in dictionary.names]
        self._df = dictionary.df
        self._titles = np.bincount(dictionary.title_entity, minlength=len(self.ids))

    @cached_property
    def row_of(self) -> Mapping[str, int]:
        """Row of an entity by its id."""
        return {entity: row for row, entity in enumerate(self.ids)}

    def facts(self, row: int) -> Row:
        """The properties of an entity."""
        return {
            "id": self.ids[row],
            "name": self.dictionary.labels[row],
            "df": self._df.item(row),
            "titles": self._titles.item(row),
            "small": self.dictionary.small_use[row],
        }


@dataclass(frozen=True, slots=True)
class Step:
    """Rows that one query writes.

    Attributes:
        query: Name of the query.
        rows: Number of rows.
        make: Yields the rows, in fixed order, so that runs are reproducible.
    """

    query: str
    rows: int
    make: Callable[[], Iterator[Row]]


@dataclass(frozen=True, slots=True)
class EntityDifference:
    """The changes that the graph needs.

    Attributes:
        wanted: The expected entities and relationships.
        entities: ``(entities,)`` whether each has to be written.
        mentions: ``(mentions,)`` whether each has to be written.
        descriptions: ``(titled,)`` whether each has to be written.
        gone_entities: Ids of the entities to be deleted.
        gone_mentions: Ids of entities by id of a chunk that mentions them no longer.
        gone_descriptions: Ids of entities by id of a chunk that describes them no longer.
    """

    wanted: ExpectedEntities
    entities: Flags
    mentions: Flags
    descriptions: Flags
    gone_entities: list[str] = field(default_factory=list)
    gone_mentions: dict[str, list[str]] = field(default_factory=dict)
    gone_descriptions: dict[str, list[str]] = field(default_factory=dict)

    def steps(self) -> tuple[Step, ...]:
        """The changes in the order of writing: entities come before their relationships and go after these."""
        found = self.wanted.dictionary
        return (
            Step("entities/delete_mentions", len(self.gone_mentions), lambda: _gone(self.gone_mentions)),
            Step("entities/delete_descriptions", len(self.gone_descriptions), lambda: _gone(self.gone_descriptions)),
            Step("entities/delete_entities", len(self.gone_entities), self._gone_entities),
            Step("entities/upsert_entities", int(self.entities.sum()), self._changed_entities),
            Step("entities/link_mentions", _count(found.mention_row[self.mentions]), self._changed_mentions),
            Step("entities/link_descriptions", _count(found.title_row[self.descriptions]), self._changed_descriptions),
        )

    def _gone_entities(self) -> Iterator[Row]:
        return ({"id": entity} for entity in sorted(self.gone_entities))

    def _changed_entities(self) -> Iterator[Row]:
        changed = sorted(np.flatnonzero(self.entities).tolist(), key=self.wanted.ids.__getitem__)
        return map(self.wanted.facts, changed)

    def _changed_mentions(self) -> Iterator[Row]:
        found, ids = self.wanted.dictionary, self.wanted.ids
        pairs = _divide(np.flatnonzero(self.mentions), found.mention_row, found.mention_entity, found.mention_count)
        return self._by_chunk((row, (ids[entity], count)) for row, entity, count in pairs)

    def _changed_descriptions(self) -> Iterator[Row]:
        found, ids = self.wanted.dictionary, self.wanted.ids
        pairs = _divide(np.flatnonzero(self.descriptions), found.title_row, found.title_entity)
        return self._by_chunk((row, ids[entity]) for row, entity in pairs)

    def _by_chunk(self, pairs: Iterator[tuple[int, Any]]) -> Iterator[Row]:
        """One row for each chunk with what it is linked to; the pairs of a chunk are adjacent."""
        for row, linked in groupby(pairs, key=itemgetter(0)):
            yield {"chunk": self.wanted.chunks[row], "entities": sorted(one for _, one in linked)}


def compare(stores: CorpusStores, wanted: ExpectedEntities) -> EntityDifference:
    """Read the stored entities and relationships, and find what has to change."""
    found = wanted.dictionary
    difference = EntityDifference(
        wanted,
        np.ones(len(wanted.ids), dtype=bool),
        np.ones(len(found.mention_row), dtype=bool),
        np.ones(len(found.title_row), dtype=bool),
    )
    for row in stores.graph.pages("entities/find_entities", corpus=stores.name, limit=_PAGE):
        place = wanted.row_of.get(row["id"])
        if place is not None:
            difference.entities[place] = wanted.facts(place) != row
        elif row["df"] is not None:
            difference.gone_entities.append(row["id"])
    mentions = _Slices(found.mention_row, len(wanted.chunks))
    descriptions = _Slices(found.title_row, len(wanted.chunks))
    for row in stores.graph.pages("entities/find_entities_of_chunks", corpus=stores.name, limit=_PAGE):
        _compare_chunk(difference, row, mentions, descriptions)
    return difference


def _compare_chunk(difference: EntityDifference, row: Row, mentions: _Slices, descriptions: _Slices) -> None:
    """Mark what the graph has of one chunk, and note what it has too much."""
    wanted, chunk = difference.wanted, row["id"]
    place = bisect_left(wanted.chunks, chunk)
    is_known = place < len(wanted.chunks) and wanted.chunks[place] == chunk
    if row["mentioned"]:
        counts = dict(zip(row["mentioned"], row["counts"], strict=True))
        for at in mentions.of(place) if is_known else ():
            entity = wanted.ids[wanted.dictionary.mention_entity.item(at)]
            difference.mentions[at] = counts.pop(entity, None) != wanted.dictionary.mention_count.item(at)
        if counts:
            difference.gone_mentions[chunk] = list(counts)
    if row["described"]:
        described = set(row["described"])
        for at in descriptions.of(place) if is_known else ():
            entity = wanted.ids[wanted.dictionary.title_entity.item(at)]
            difference.descriptions[at] = entity not in described
            described.discard(entity)
        if described:
            difference.gone_descriptions[chunk] = list(described)


class _Slices:
    """The pairs of each chunk.

    Args:
        rows: ``(pairs,)`` rows of the chunks, ascending.
        size: Number of chunks.
    """

    def __init__(self, rows: Ints, size: int) -> None:
        self._bounds = np.searchsorted(rows, np.arange(size + 1))

    def of(self, row: int) -> range:
        """Places of the pairs of a chunk."""
        return range(self._bounds.item(row), self._bounds.item(row + 1))


def _gone(entities: Mapping[str, list[str]]) -> Iterator[Row]:
    return ({"chunk": chunk, "entities": sorted(entities[chunk])} for chunk in sorted(entities))


def _count(rows: Ints) -> int:
    """Number of distinct values of an ascending column."""
    return int(np.count_nonzero(np.diff(rows))) + bool(len(rows))


def _divide(places: Longs, *columns: Ints) -> Iterator[tuple[int, ...]]:
    """The values of some columns at some places, as numbers of Python."""
    for start in range(0, len(places), _WRITTEN):
        some = places[start : start + _WRITTEN]
        yield from zip(*(column[some].tolist() for column in columns), strict=True)
