"""The part of an encoding tree around one question, which grows by what the search asks of the stores."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any

import numpy as np

from tetragraph.algorithms.information_gain import self_information
from tetragraph.arrays import Floats, Vectors
from tetragraph.model import Filters
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.stored_chunks import StoredTable, find_allowed
from tetragraph.stores.vectors import Kind
from tetragraph.systems import entity_links
from tetragraph.systems.encoding_tree.index import TreeIndex, disagreement, information_of

NAMED = 200
"""Largest number of chunks that an entity adds; of a more frequent one, those found otherwise count."""


@dataclass(frozen=True, slots=True)
class _Entity:
    """An entity as the graph has it; the chunks of a frequent one are left out."""

    name: str
    holders: int
    mentioning: Mapping[str, int]
    describing: Sequence[str]


@dataclass
class StoredPart:
    """Some chunks of a corpus with their communities, and some entities with their links to these chunks.

    Attributes:
        stores: The stores of the corpus.
        made: Properties of the root.
        filters: Filters of the search; None for none.
        allowed: Those of the chunks that pass the filters.
    """

    stores: CorpusStores
    made: Mapping[str, Any]
    filters: Filters | None
    allowed: set[str] = field(default_factory=set)
    _paths: dict[str, list[str]] = field(default_factory=dict)
    _labels: dict[str, str] = field(default_factory=dict)
    _entities: dict[str, _Entity] = field(default_factory=dict)
    _frequent: set[str] = field(default_factory=set)
    _frequent_titles: set[str] = field(default_factory=set)
    _seen: set[str] = field(default_factory=set)
    _mentions: dict[tuple[str, str], int] = field(default_factory=dict)
    _cosines: dict[tuple[Kind, bytes], dict[str, float]] = field(default_factory=dict)

    def add_chunks(self, ids: Iterable[str], vector: Vectors) -> None:
        """Read the communities of chunks; a chunk without a vector is left out.

        Args:
            ids: Ids of the chunks.
            vector: Vector of the question, with which they will be compared.

        Raises:
            StoreError: a chunk is not in a community of every level: the stores disagree.
        """
        new = sorted(set(ids) - self._paths.keys())
        if not new:
            return
        near = self._compare("chunks", new, vector)
        paths: dict[str, list[str]] = {
            one: [] for one, cosine in zip(new, near.tolist(), strict=True) if not np.isnan(cosine)
        }
        for row in self.stores.graph.read("encoding_tree/find_places", corpus=self.stores.name, ids=list(paths)):
            self._labels[row["id"]] = row["name"]
            for chunk in row["chunks"].split():
                paths[chunk].append(row["id"])
        levels = int(self.made["height"]) - 1
        self._check(sum(len(path) != levels for path in paths.values()), "chunks are in no community")
        self._paths |= paths
        self.allowed |= find_allowed(self.stores, list(paths), self.filters)

    def add_named(self, ids: Iterable[str]) -> list[str]:
        """Read entities that the question names; returns the ids of the chunks that mention or describe them."""
        return self._add_entities(ids, with_mentions=True)

    def add_mentioned_in(self, chunks: Sequence[str]) -> list[str]:
        """Read the entities in the texts of some chunks; returns the ids of the chunks that describe them."""
        rows = self._find_mentions(chunks, None)
        self._mentions |= {(row["chunk"], row["entity"]): row["count"] for row in rows}
        return self._add_entities((row["entity"] for row in rows), with_mentions=False)

    def _add_entities(self, ids: Iterable[str], *, with_mentions: bool) -> list[str]:
        new = sorted(set(ids) - self._entities.keys())
        if not new:
            return []
        rows = self.stores.graph.read(
            "encoding_tree/find_entities", corpus=self.stores.name, ids=new, most=NAMED, with_mentions=with_mentions
        )
        found: dict[str, _Entity] = {}
        for row in rows:
            pairs = row["mentioning"].split()
            mentioning = dict(zip(pairs[::2], map(int, pairs[1::2]), strict=True))
            # A chunk whose title names an entity does not mention it: both numbers together count each chunk once.
            found[row["id"]] = _Entity(row["name"], row["df"] + row["titles"], mentioning, row["describing"].split())
        self._entities |= found
        self._frequent |= {row["id"] for row in rows if with_mentions and row["df"] > NAMED}
        self._frequent_titles |= {row["id"] for row in rows if row["titles"] > NAMED}
        return [chunk for entity in found.values() for chunk in (*entity.mentioning, *entity.describing)]

    def index(self) -> TreeIndex:
        """The part as an index, which a search uses like that of the whole corpus.

        It has all mentions of the entities that the question names, and those in the chunks of which
        :meth:`add_mentioned_in` has read the entities; a search needs no others.
        """
        ids = sorted(self._paths)
        entities = sorted(self._entities)
        rows = {one: row for row, one in enumerate(ids)}
        self._read_frequent(ids)
        mentions = dict(self._mentions)
        mentions |= {(chunk, one): count for one in entities for chunk, count in self._entities[one].mentioning.items()}
        mentioned = [
            (rows[chunk], one, count)
            for (chunk, one), count in sorted(mentions.items())
            if chunk in rows and one in self._entities
        ]
        described = [
            (rows[chunk], one) for one in entities for chunk in self._entities[one].describing if chunk in rows
        ]
        described += self._find_frequent_titles(rows)
        linked = entity_links.from_pairs(len(ids), mentioned, described, entities)
        communities = self._communities()
        place = {one: number for number, one in enumerate(communities)}
        places = [[place[one] for one in self._paths[chunk]] for chunk in ids]
        holders = np.array([self._entities[one].holders for one in entities], dtype=np.int64)
        size = self.stores.record.chunks or 0
        return TreeIndex(
            StoredTable(ids, self.stores),
            self.made,
            communities,
            [self._labels[one] for one in communities],
            np.array(places, dtype=np.int32).reshape(len(ids), -1).T.copy(),
            self.stores.record.similarity_scale or 1.0,
            entities,
            [self._entities[one].name for one in entities],
            information_of(self_information(holders, size), size),
            linked.counts,
            linked.describes,
            partial(self._compare, "chunks", ids),
            partial(self._compare_communities, communities),
        )

    def _communities(self) -> list[str]:
        """Ids of the communities of all chunks, from the root down, those of a level ascending."""
        levels = {one: level for path in self._paths.values() for level, one in enumerate(path)}
        return sorted(levels, key=lambda one: (levels[one], one))

    def _read_frequent(self, ids: Sequence[str]) -> None:
        """Read how often chunks mention the frequent entities of the question, those chunks that are new."""
        new = [one for one in ids if one not in self._seen]
        if self._frequent and new:
            rows = self._find_mentions(new, sorted(self._frequent))
            self._mentions |= {(row["chunk"], row["entity"]): row["count"] for row in rows}
            self._seen.update(new)

    def _find_frequent_titles(self, rows: Mapping[str, int]) -> list[tuple[int, str]]:
        """Rows of the chunks whose titles name a frequent entity, and the entities."""
        if not self._frequent_titles:
            return []
        found = self.stores.graph.read(
            "encoding_tree/find_descriptions",
            corpus=self.stores.name,
            ids=list(rows),
            entities=sorted(self._frequent_titles),
        )
        return [(rows[row["chunk"]], row["entity"]) for row in found]

    def _find_mentions(self, chunks: Sequence[str], entities: Sequence[str] | None) -> list[dict[str, Any]]:
        return self.stores.graph.read(
            "encoding_tree/find_mentions", corpus=self.stores.name, ids=list(chunks), entities=entities
        )

    def _compare_communities(self, ids: Sequence[str], vector: Vectors) -> Floats:
        found = self._compare("communities", ids, vector)
        self._check(int(np.isnan(found).sum()), "communities have no vector")
        return found

    def _compare(self, kind: Kind, ids: Sequence[str], vector: Vectors) -> Floats:
        """``(ids,)`` cosines with a text, each computed once; NaN without a vector."""
        known = self._cosines.setdefault((kind, vector.tobytes()), {})
        new = [one for one in ids if one not in known]
        if new:
            (cosines,) = self.stores.vectors.compare(self.stores.name, kind, vector[None], new)
            known |= zip(new, cosines.tolist(), strict=True)
        return np.array([known[one] for one in ids], dtype=np.float64)

    def _check(self, faults: int, what: str) -> None:
        if faults:
            raise disagreement(self.stores, f"{faults} {what}")
