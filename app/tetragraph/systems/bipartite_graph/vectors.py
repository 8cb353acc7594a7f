"""Vectors of what facts say and of what entities are called, in Qdrant: no text is embedded that is there already."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence

import numpy as np

from tetragraph.language.embedders import Embedder
from tetragraph.language.names import normalise_name
from tetragraph.model import content_id
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.vectors import Kind, Point, Vectors, checked
from tetragraph.systems.bipartite_graph.construction import BipartiteGraph

STAGES: Mapping[Kind, str] = {"relations": "vectors of facts", "entities": "vectors of names"}
WITHOUT = frozenset({"DATE", "OTHER"})
"""Types of entities without a vector: numbers and dates, which are alike and mean nothing alike."""
_BATCH = 1_024


class NameVectors:
    """Gives the vectors of names; those of the entities that Qdrant has are taken from there.

    Attributes:
        embedded: Text to vector, of those that were embedded.
    """

    def __init__(self, stores: CorpusStores, embedder: Embedder) -> None:
        self._stores = stores
        self._embedder = embedder
        self.embedded: dict[str, Vectors] = {}

    def __call__(self, names: Sequence[str]) -> Vectors:
        found = {**self._stored(names), **self.embedded}
        missing = sorted(set(names) - found.keys())
        self.embedded |= _embed(self._embedder, missing)
        found |= self.embedded
        return np.array([found[name] for name in names], dtype=np.float32).reshape(-1, self._embedder.dimension)

    def _stored(self, names: Sequence[str]) -> dict[str, Vectors]:
        hashes = self._stores.vectors.hashes(self._stores.name, "entities")
        ids = {name: content_id(normalise_name(name)) for name in names}
        same = {name: entity for name, entity in ids.items() if hashes.get(entity) == text_hash(name)}
        vectors = self._stores.vectors.get(self._stores.name, "entities", list(same.values()))
        return {name: vectors[entity] for name, entity in same.items()}


def write_difference(
    stores: CorpusStores,
    graph: BipartiteGraph,
    embedder: Embedder,
    embedded: Mapping[str, Vectors],
    progress: Progress,
) -> int:
    """Bring the collections ``relations`` and ``entities`` up to a graph, in batches that are safe at once.

    Args:
        stores: The corpus.
        graph: As it should be.
        embedder: The corpus' own.
        embedded: Text to vector, of texts that need not be embedded again.
        progress: Told of every text.

    Returns:
        How many points were written or deleted.
    """
    names = {entity: one.name for entity, one in graph.entities.items() if one.type not in WITHOUT}
    facts = {relation: one.description for relation, one in graph.relations.items()}
    written = _write(stores, "entities", names, embedder, embedded, progress)
    return written + _write(stores, "relations", facts, embedder, embedded, progress)


def text_hash(text: str) -> str:
    """By what a stale vector is told."""
    return hashlib.sha256(text.encode()).hexdigest()


def _write(
    stores: CorpusStores,
    kind: Kind,
    texts: Mapping[str, str],
    embedder: Embedder,
    embedded: Mapping[str, Vectors],
    progress: Progress,
) -> int:
    stores.vectors.ensure(stores.name, kind, stores.record.dimension)
    known = stores.vectors.hashes(stores.name, kind)
    changed = [node for node, text in texts.items() if known.get(node) != text_hash(text)]
    changed.sort(key=lambda node: (texts[node], node))  # equal texts are embedded together, once
    progress.start(STAGES[kind], len(changed), "texts")
    for start in range(0, len(changed), _BATCH):
        batch = changed[start : start + _BATCH]
        found = {**embedded, **_embed(embedder, sorted({texts[node] for node in batch} - embedded.keys()))}
        points = [Point(node, found[texts[node]], text_hash(texts[node])) for node in batch]
        stores.vectors.upsert(stores.name, kind, points)
        progress.advance(STAGES[kind], len(batch))
    progress.finish(STAGES[kind])
    gone = sorted(known.keys() - texts.keys())
    stores.vectors.delete(stores.name, kind, gone)
    return len(changed) + len(gone)


def _embed(embedder: Embedder, texts: Sequence[str]) -> dict[str, Vectors]:
    vectors = checked(embedder.embed(texts), embedder.dimension, texts) if texts else ()
    return dict(zip(texts, vectors, strict=True))
