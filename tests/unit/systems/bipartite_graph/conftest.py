"""Bipartite graphs over a few chunks, small enough to compute every score by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tetragraph.arrays import Array
from tetragraph.model import Chunk, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArrayCache, ArraySet, Strings
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusRecord, CorpusStores, Question
from tetragraph.systems.bipartite_graph.index import KIND, BipartiteIndex
from tetragraph.systems.bipartite_graph.links import Links


@dataclass(frozen=True)
class Given:
    """A fact: who takes part, the chunks that state it (ascending), and the direction of its vector in degrees."""

    members: tuple[str, ...]
    chunks: Sequence[int] = (0,)
    degrees: float = 0.0
    confidence: float = 1.0
    about: Sequence[str] = ()


@dataclass(frozen=True)
class Graph:
    """An index, in which facts are ``r0``, ``r1`` … as they were given, and entities stand in order of their names."""

    index: BipartiteIndex
    names: tuple[str, ...]
    arrays: Mapping[str, Array]
    chunks: Mapping[str, Array]

    def stores(self, folder: Path) -> CorpusStores:
        """Stores of a corpus that has the graph, and nothing else, at hand."""
        record = CorpusRecord("c", "now", "e", 2, {}, 1, 1, "d", (), ("bipartite",))
        cache = ArrayCache(folder)
        cache.put(record.key, chunk_table.KIND, 1, self.chunks)
        cache.put(record.key, KIND, 1, self.arrays)
        return CorpusStores(record, None, None, cache)  # type: ignore[arg-type]  # no store is asked

    def entity(self, name: str) -> int:
        """The row of an entity."""
        return self.names.index(name)

    def entities(self, *names: str) -> Array:
        """Rows of some entities, ascending."""
        return np.array(sorted(self.entity(name) for name in names), dtype=np.int64)


def directions(degrees: Sequence[float]) -> Array:
    radians = np.radians(degrees)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32).reshape(-1, 2)


def pack(
    facts: Sequence[Given], chunks: int, names: Sequence[str], of_names: Array, types: Mapping[str, str]
) -> dict[str, Array]:
    """What ``index.read`` makes of the stores; entities keep the order of their names, whatever their ids are."""
    rows = {name: row for row, name in enumerate(names)}
    members = Links.of_groups(sorted(rows[name] for name in fact.members) for fact in facts)
    stated = Links.of_groups(fact.chunks for fact in facts)
    by_entity, order = members.transpose(len(names))
    about = [name in fact.about for fact in facts for name in sorted(fact.members, key=rows.__getitem__)]
    return {
        **Strings.pack("made", ['{"extractor": "dependency"}']),
        **Strings.pack("relations", [f"r{number:02d}" for number in range(len(facts))]),
        **Strings.pack("descriptions", [f"Fact {number}." for number in range(len(facts))]),
        **Strings.pack("types", ["says"] * len(facts)),
        **Strings.pack("entities", [content_id(name.lower()) for name in names]),
        **Strings.pack("names", names),
        **Strings.pack("entity_types", [types.get(name, "PERSON") for name in names]),
        **Strings.pack("roles", [f"role {row}" for fact in facts for row in range(len(fact.members))]),
        "confidence": np.array([fact.confidence for fact in facts], dtype=np.float64),
        "weight": np.array([len(fact.chunks) for fact in facts], dtype=np.int64),
        **members.arrays("members"),
        **by_entity.arrays("facts"),
        **stated.arrays("stated"),
        **stated.transpose(chunks)[0].arrays("states"),
        "places": np.array([(row, row + 5) for row in range(len(stated.items))], dtype=np.int32).reshape(-1, 2),
        "is_about": np.array(about, dtype=bool)[order],
        "vectors": directions([fact.degrees for fact in facts]),
        "entity_vectors": of_names,
    }


@pytest.fixture(scope="session")
def fact() -> Callable[..., Given]:
    """Makes a fact from the names of those that take part, and :class:`Given`'s other fields."""
    return lambda *members, **fields: Given(members, **fields)


@pytest.fixture(scope="session")
def make_graph() -> Callable[..., Graph]:
    """Makes a graph; chunks ``c0``, ``c1`` … have the directions of ``chunks``, by default all that of the question.

    By name of an entity: ``types`` (PERSON where none is given), ``of_names`` directions of its vector (none for a date
    or the like), ``sure`` its confidence; ``aliases`` gives further names of entities.
    """

    def make(facts: Sequence[Given], chunks: Sequence[float] = (0.0,) * 4, **changed: Mapping[str, Any]) -> Graph:
        names = tuple(sorted({name for fact in facts for name in fact.members}))
        given = changed.get("of_names", {})
        of_names = np.array(
            [directions([given[name]])[0] if name in given else (0.0, 0.0) for name in names], dtype=np.float32
        )
        made = [Chunk(f"c{row}", f"d{row}", "", "", f"Text {row}.", 0, 0, 7, 2) for row in range(len(chunks))]
        of_chunks = chunk_table.pack(made, directions(chunks))
        aliases = changed.get("aliases", {})
        arrays = {
            **pack(facts, len(chunks), names, of_names.reshape(-1, 2), changed.get("types", {})),
            **Strings.pack("aliases", [content_id(alias.lower()) for alias in aliases]),
            "alias_entities": np.array([names.index(name) for name in aliases.values()], dtype=np.int64),
            "entity_confidence": np.array([changed.get("sure", {}).get(name, 1.0) for name in names]),
            "scale": np.array([1.0]),
        }
        return Graph(BipartiteIndex(ChunkTable(ArraySet(of_chunks)), ArraySet(arrays)), names, arrays, of_chunks)

    return make


@pytest.fixture(scope="session")
def ask() -> Callable[..., Question]:
    """A question whose vector, and that of any text which ``directions`` does not name, points to 0 degrees."""

    def make(text: str = "What is it?", **given: Mapping[str, float]) -> Question:
        known = given.get("directions", {})
        return Question(text, directions([known.get(text, 0.0)])[0], lambda part: directions([known.get(part, 0.0)])[0])

    return make
