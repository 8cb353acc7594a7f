"""The encoding tree as a search sees it: arrays of one generation in this process, shared by threads."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, Protocol, Self, TypeAlias

import numpy as np
from scipy import sparse

from tetragraph.algorithms.dot_products import dot_products
from tetragraph.algorithms.similarity_scale import similarity_scale
from tetragraph.arrays import CSR, Array, Flags, Floats, Vectors
from tetragraph.errors import StoreError
from tetragraph.language.entity_linking.name_similarity import NameProfiles
from tetragraph.model import Chunk
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet, Strings
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems import entity_links
from tetragraph.systems.encoding_tree import stored
from tetragraph.systems.encoding_tree.stored import StoredTree

CSC: TypeAlias = "sparse.csc_array[np.float64]"
Compare: TypeAlias = Callable[[Vectors], Floats]
KIND = "encoding_tree"
_NAMES = 10_000
"""Entities whose names are read at a time."""


class Table(Protocol):
    """Chunks of an index in order of id: those of a whole corpus, or a part of them."""

    @property
    def ids(self) -> Sequence[str]:
        """``n`` chunk ids, ascending."""

    def __len__(self) -> int: ...

    def mask(self, allowed: Collection[str] | None) -> Flags:
        """``(n,)`` mask of the chunks with one of these ids; all True for None."""

    def chunks_of(self, rows: Sequence[int]) -> list[Chunk]:
        """The chunks of some rows, for hits."""


@dataclass(frozen=True)
class TreeIndex:
    """Communities and the entities of each chunk, of a corpus or of the part that one question needs.

    Attributes:
        table: The chunks.
        made: Properties of the root: height, entropies, settings and used tokens.
        communities: Ids of the communities, from the root down, those of a level ascending.
        labels: Names of the communities.
        places: ``(height - 1, n)`` rows of the communities of each chunk, from the root down.
        scale: Factor that brings the cosines of all embedders to one scale.
        entities: Ids of the entities, ascending.
        names: Names of the entities.
        information: ``(entities,)`` information of each entity, above 0 to 1.
        mentions: ``(n, entities)`` number of occurrences in the text of a chunk, except names in its own titles.
        described: ``(n, entities)`` ones where the title of a chunk names the entity.
        compare_chunks: Returns ``(n,)`` cosines of the chunks with a text.
        compare_communities: Returns ``(communities,)`` cosines of the consolidated vectors (eq. 9) with a text.
    """

    table: Table
    made: Mapping[str, Any]
    communities: Sequence[str]
    labels: Sequence[str]
    places: Array
    scale: float
    entities: Sequence[str]
    names: Sequence[str]
    information: Floats
    mentions: CSR
    described: CSR
    compare_chunks: Compare
    compare_communities: Compare

    @classmethod
    def of_arrays(cls, table: ChunkTable, arrays: ArraySet) -> Self:
        """The index of a corpus from the arrays of :func:`read`."""
        entities = list(arrays.strings("entities"))
        shape = (len(table), len(entities))
        return cls(
            table,
            json.loads(arrays.strings("made")[0]),
            list(arrays.strings("communities")),
            arrays.strings("labels"),
            arrays["places"],
            float(arrays["scale"][0]),
            entities,
            arrays.strings("names"),
            information_of(arrays["information"], len(table)),
            _matrix(arrays, "mentions", shape),
            _matrix(arrays, "describes", shape),
            partial(_compare, table.vectors),
            partial(_compare, arrays["vectors"]),
        )

    @cached_property
    def describes(self) -> CSC:
        """``described`` by column."""
        return self.described.tocsc()

    @cached_property
    def counts(self) -> CSC:
        """``(n, entities)`` number of occurrences in a chunk, its titles counted once; by column."""
        return (self.mentions + self.described).tocsc()

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
        bounds = self.described.indptr[row : row + 2]
        described: list[int] = self.described.indices[slice(*bounds)].tolist()
        return described


def information_of(nats: Floats, chunks: int) -> Floats:
    """``(entities,)`` share of the most that an entity of a corpus can tell, from its self-information."""
    share: Floats = nats / np.log1p(max(chunks, 1))
    return share


def _compare(rows: Vectors, vector: Vectors) -> Floats:
    cosines: Floats = dot_products(rows, vector).astype(np.float64)
    return cosines


def load(stores: CorpusStores) -> TreeIndex:
    """Return the index of the newest complete generation (see :meth:`CorpusStores.index`)."""
    table = chunk_table.load(stores)
    return stores.index(KIND, lambda: read(stores, table), lambda arrays: TreeIndex.of_arrays(table, arrays))


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
    called: dict[str, str] = {}
    for start in range(0, len(links.entities), _NAMES):
        some = links.entities[start : start + _NAMES]
        called |= {
            row["id"]: row["name"] for row in stores.graph.read("entities/find_names", corpus=stores.name, ids=some)
        }
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
        raise disagreement(stores, f"{homeless} chunks are in none, {bare} communities have no vector, {root}")


def disagreement(stores: CorpusStores, faults: str) -> StoreError:
    """The error of a tree that the stores do not hold completely."""
    return StoreError(
        f"the encoding tree of corpus {stores.name!r} must hold each chunk, and Qdrant the vector of each "
        f"community: {faults}: `tetragraph build tree -c {stores.name}` mends it"
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
