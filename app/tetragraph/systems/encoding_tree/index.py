"""In-process arrays of one generation of the encoding tree, shared by threads."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, TypeAlias

import numpy as np
from scipy import sparse

from tetragraph.algorithms.similarity_scale import similarity_scale
from tetragraph.arrays import CSR, Array, Floats, Vectors
from tetragraph.errors import StoreError
from tetragraph.language.entity_linking.name_similarity import NameProfiles
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet, Strings
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems import entity_links
from tetragraph.systems.encoding_tree import stored
from tetragraph.systems.encoding_tree.stored import StoredTree

CSC: TypeAlias = "sparse.csc_array[np.float64]"
KIND = "encoding_tree"


class TreeIndex:
    """Communities with their vectors, and the entities of each chunk.

    Attributes:
        table: All chunks of the corpus.
        made: Properties of the root: height, entropies, settings and used tokens.
        communities: Ids of the communities of all levels, from the root down.
        labels: Names of the communities.
        vectors: ``(c, dimension)`` consolidated vectors (eq. 9).
        places: ``(height - 1, n)`` rows of the communities of each chunk, from the root down.
        scale: Factor that brings the cosines of all embedders to one scale.
        information: ``(entities,)`` information of each entity, above 0 to 1.
        mentions: ``(n, entities)`` number of occurrences in the text of a chunk, except names in its own titles.
        counts: ``(n, entities)`` number of occurrences in a chunk, its titles counted once; by column.
        describes: ``(n, entities)`` ones where the title of a chunk names the entity; by column.
        entities: Ids of the entities.
        names: Names of the entities.
    """

    def __init__(self, table: ChunkTable, arrays: ArraySet) -> None:
        self.table = table
        self.made: Mapping[str, Any] = json.loads(arrays.strings("made")[0])
        self.communities = list(arrays.strings("communities"))
        self.labels: Strings = arrays.strings("labels")
        self.vectors: Vectors = arrays["vectors"]
        self.places: Array = arrays["places"]
        self.scale = float(arrays["scale"][0])
        self.entities = list(arrays.strings("entities"))
        self.names: Strings = arrays.strings("names")
        shape = (len(table), len(self.entities))
        self.mentions = _matrix(arrays, "mentions", shape)
        self._described = _matrix(arrays, "describes", shape)
        self.describes: CSC = self._described.tocsc()
        self.counts: CSC = (self.mentions + self._described).tocsc()
        self.information: Floats = arrays["information"] / np.log1p(max(len(table), 1))

    @cached_property
    def entity_rows(self) -> Mapping[str, int]:
        """Index of an entity by its id."""
        return {entity: row for row, entity in enumerate(self.entities)}

    @cached_property
    def profiles(self) -> NameProfiles:
        """Letter profiles of the names, for approximate matches."""
        return NameProfiles(list(self.names))

    def described_by(self, row: int) -> list[int]:
        """Return the entities in the titles of a chunk."""
        bounds = self._described.indptr[row : row + 2]
        described: list[int] = self._described.indices[slice(*bounds)].tolist()
        return described


def load(stores: CorpusStores) -> TreeIndex:
    """Return the index of the newest complete generation (see :meth:`CorpusStores.index`)."""
    table = chunk_table.load(stores)
    return stores.index(KIND, lambda: read(stores, table), lambda arrays: TreeIndex(table, arrays))


def read(stores: CorpusStores, table: ChunkTable) -> dict[str, Array]:
    """Build the arrays from the current state of Neo4j and Qdrant.

    Raises:
        StoreError: a chunk is in no community, or a community has no vector: the stores disagree.
    """
    tree = stored.read(stores)
    links = entity_links.read(stores, table.rows)
    communities = sorted(tree.communities, key=lambda name: (tree.communities[name]["level"], name))
    rows = {name: row for row, name in enumerate(communities)}
    vectors = stores.vectors.get(stores.name, "communities", communities) if communities else {}
    _check_whole(stores, table.ids, tree, set(vectors))
    named = stores.graph.read("entities/find_names", corpus=stores.name, ids=links.entities)
    called = {row["id"]: row["name"] for row in named}
    dimension = table.vectors.shape[1]
    levels = max((community["level"] for community in tree.communities.values()), default=1)
    paths = [[rows[name] for name in tree.path(chunk) or []] for chunk in table.ids]
    return {
        **Strings.pack("made", [json.dumps(tree.root, sort_keys=True)]),
        **Strings.pack("communities", communities),
        **Strings.pack("labels", [tree.communities[name]["name"] for name in communities]),
        **Strings.pack("entities", links.entities),
        **Strings.pack("names", [called[entity] for entity in links.entities]),
        **_arrays("mentions", links.counts),
        **_arrays("describes", links.describes),
        "vectors": np.array([vectors[name] for name in communities], dtype=np.float32).reshape(-1, dimension),
        "places": np.array(paths, dtype=np.int32).reshape(len(table), levels).T.copy(),
        "information": links.information,
        "scale": np.array([similarity_scale(table.vectors)]),
    }


def check_stores(stores: CorpusStores, chunks: Sequence[str]) -> None:
    """Check that the tree is complete in Neo4j and in Qdrant.

    Args:
        stores: Stores of the corpus.
        chunks: Ids of all chunks of the corpus.

    Raises:
        StoreError: a chunk is in no community, a community has no vector, or the root is missing.
    """
    _check_whole(stores, chunks, stored.read(stores), set(stores.vectors.hashes(stores.name, "communities")))


def _check_whole(stores: CorpusStores, chunks: Sequence[str], tree: StoredTree, with_vector: set[str]) -> None:
    homeless = sum(chunk not in tree.places for chunk in chunks)
    bare = len(tree.communities.keys() - with_vector)
    if homeless or bare or tree.root is None:
        root = "its root is missing" if tree.root is None else "its root is there"
        raise StoreError(
            f"the encoding tree of corpus {stores.name!r} must hold each chunk, and Qdrant the vector of each "
            f"community: {homeless} chunks are in none, {bare} communities have no vector, {root}: "
            f"`tetragraph build tree -c {stores.name}` mends it"
        )


def _arrays(name: str, matrix: CSR) -> dict[str, Array]:
    matrix.sort_indices()
    return {
        f"{name}.bounds": matrix.indptr.astype(np.int64),
        f"{name}.items": matrix.indices.astype(np.int32),
        f"{name}.values": matrix.data.astype(np.float64),
    }


def _matrix(arrays: ArraySet, name: str, shape: tuple[int, int]) -> CSR:
    parts = (arrays[f"{name}.values"], arrays[f"{name}.items"], arrays[f"{name}.bounds"])
    return sparse.csr_array(parts, shape=shape)
