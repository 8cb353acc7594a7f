"""A tree over six chunks, small enough to compute every score by hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pytest
from scipy import sparse

from tetragraph.arrays import Array
from tetragraph.model import Chunk, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet, Strings
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.encoding_tree.index import TreeIndex

DEGREES = (0, 20, 40, 90, 110, 200)
"""Directions of the chunks' vectors."""
PLACES = ((0, 0, 0, 1, 1, 1), (2, 2, 3, 4, 4, 5))
"""Two levels: two communities of three, each of a pair and a single."""
COMMUNITIES = (20, 110, 10, 40, 100, 200)
"""Directions of the communities' vectors."""
NAMES = ("ada byron", "carl dorn", "elva kron", "ghent")


def directions(degrees: Sequence[float]) -> Array:
    radians = np.radians(degrees)
    return np.stack([np.cos(radians), np.sin(radians)], axis=1).astype(np.float32).reshape(-1, 2)


def _matrix(name: str, rows: Sequence[Mapping[int, float]]) -> dict[str, Array]:
    dense = np.zeros((len(rows), len(NAMES)))
    for row, values in enumerate(rows):
        for column, value in values.items():
            dense[row, column] = value
    found = sparse.csr_array(dense)
    return {
        f"{name}.bounds": found.indptr.astype(np.int64),
        f"{name}.items": found.indices.astype(np.int32),
        f"{name}.values": found.data,
    }


@pytest.fixture
def make_index() -> Callable[..., TreeIndex]:
    """Makes an index of the first chunks; ``mentions`` counts and ``describes`` marks entities by chunk."""

    def make(
        mentions: Mapping[int, Mapping[int, float]] | None = None,
        describes: Mapping[int, Sequence[int]] | None = None,
        **changed: Any,
    ) -> TreeIndex:
        degrees = changed.get("degrees", DEGREES)
        chunks = [Chunk(f"c{row}", f"d{row}", "", "", "Text.", 0, 0, 5, 1) for row in range(len(degrees))]
        table = ChunkTable(ArraySet(chunk_table.pack(chunks, directions(degrees))))
        # the entities stand in order of id, as the build writes them
        order = sorted(range(len(NAMES)), key=lambda place: content_id(NAMES[place]))
        column = {place: number for number, place in enumerate(order)}
        counted = [
            {column[entity]: count for entity, count in (mentions or {}).get(row, {}).items()}
            for row in range(len(degrees))
        ]
        marked = [{column[entity]: 1.0 for entity in (describes or {}).get(row, ())} for row in range(len(degrees))]
        names = [NAMES[place] for place in order]
        arrays = {
            **Strings.pack("communities", [f"k{number}" for number in range(len(COMMUNITIES))]),
            **Strings.pack("labels", [f"Theme {number}" for number in range(len(COMMUNITIES))]),
            **Strings.pack("entities", [content_id(name) for name in names]),
            **Strings.pack("names", names),
            **_matrix("mentions", counted),
            **_matrix("describes", marked),
            "vectors": directions(changed.get("communities", COMMUNITIES)),
            "places": np.array([level[: len(degrees)] for level in PLACES], dtype=np.int32),
            "information": np.log1p(len(degrees)) * np.array([changed.get("telling", 1.0)] * len(NAMES)),
            **Strings.pack("made", ['{"tokens": 0}']),
            "scale": np.array([changed.get("scale", 1.0)]),
        }
        return TreeIndex.of_arrays(table, ArraySet(arrays))

    return make


@pytest.fixture
def place() -> Callable[[TreeIndex, str], int]:
    """The place of an entity in an index, by its name."""
    return lambda index, name: index.entity_rows[content_id(name)]
