"""Vectors of facts and entity names in Qdrant; texts whose vectors are stored are not embedded again."""

from __future__ import annotations

import hashlib
from collections import ChainMap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import tee

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.executors import LOCAL, Executor, map_in_order
from tetragraph.host.batches import in_batches
from tetragraph.language.embedders import Embedder
from tetragraph.language.embedders.steps import SHARED, EmbedTexts, executor_of
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import content_id
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.vectors import Kind, Point, check_vectors
from tetragraph.systems.bipartite_graph.construction import BipartiteGraph

STAGES: Mapping[Kind, str] = {"relations": "vectors of facts", "entities": "vectors of names"}
WITHOUT = frozenset({"DATE", "OTHER"})
"""Types of entities without a vector: dates and numbers, whose texts are similar without similar meaning."""
_BATCH = 1_024


class GraphVectors:
    """Returns the vectors of names for entity resolution, and writes both collections of the graph.

    Args:
        stores: Stores of the corpus.
        embedder: Embedder of the corpus.
        progress: Receives the number of texts embedded for the graph.
        executor: Where texts are embedded.
    """

    def __init__(
        self, stores: CorpusStores, embedder: Embedder, progress: Progress, executor: Executor = LOCAL
    ) -> None:
        self._stores = stores
        self._embedder = embedder
        self._progress = progress
        self._executor = executor_of(stores.record.embedder, executor)
        self._names: dict[str, Vectors] = {}

    def __call__(self, names: Sequence[str]) -> Vectors:
        """Return the ``(n, dimension)`` vectors of names, from Qdrant where it has them."""
        found = self._stored(names)
        self._names |= self._embed({*names} - found.keys() - self._names.keys())
        found |= self._names
        return np.array([found[name] for name in names], dtype=np.float32).reshape(-1, self._embedder.dimension)

    def write_difference(self, graph: BipartiteGraph) -> int:
        """Update the collections ``entities`` and ``relations`` to a graph; each batch is durable when written.

        Returns:
            Number of points written or deleted.
        """
        names = {entity: one.name for entity, one in graph.entities.items() if one.type not in WITHOUT}
        facts = {relation: one.description for relation, one in graph.relations.items()}
        return self._write("entities", names) + self._write("relations", facts)

    def _stored(self, names: Sequence[str]) -> dict[str, Vectors]:
        hashes = self._stores.vectors.hashes(self._stores.name, "entities")
        ids = {name: content_id(normalise_name(name)) for name in names}
        same = {name: entity for name, entity in ids.items() if hashes.get(entity) == text_hash(name)}
        vectors = self._stores.vectors.get(self._stores.name, "entities", list(same.values()))
        return {name: vectors[entity] for name, entity in same.items()}

    def _embed(self, texts: set[str]) -> dict[str, Vectors]:
        wanted = sorted(texts)
        size = SHARED if self._executor.ahead else max(len(wanted), 1)
        return {text: vector for found in self._embed_each(in_batches(wanted, size)) for text, vector in found.items()}

    def _embed_each(self, batches: Iterable[Sequence[str]]) -> Iterator[dict[str, Vectors]]:
        """Yield the vectors of the texts of each batch, each embedded in one call; none of an empty batch."""
        known, pending = tee(batches)
        step = EmbedTexts(self._embedder.name)
        vectors = map_in_order(
            self._executor, step, filter(None, pending), lambda some: map(self._embedder.embed, some)
        )
        for texts in known:
            found = check_vectors(next(vectors), self._embedder.dimension, texts) if texts else ()
            yield dict(zip(texts, found, strict=True))

    def _write(self, kind: Kind, texts: Mapping[str, str]) -> int:
        store, corpus = self._stores.vectors, self._stores.name
        store.ensure(corpus, kind, self._stores.record.dimension)
        known = store.hashes(corpus, kind)
        changed = [node for node, text in texts.items() if known.get(node) != text_hash(text)]
        changed.sort(key=lambda node: (texts[node], node))  # equal texts are embedded together, once
        self._progress.start(STAGES[kind], len(changed), "texts")
        batches = list(in_batches(changed, _BATCH))
        wanted = (sorted({texts[node] for node in some} - self._names.keys()) for some in batches)
        for nodes, embedded in zip(batches, self._embed_each(wanted), strict=True):
            batch = {node: texts[node] for node in nodes}
            found = ChainMap(embedded, self._names)
            points = [Point(node, found[text], text_hash(text)) for node, text in batch.items()]
            store.upsert(corpus, kind, points)
            self._progress.advance(STAGES[kind], len(batch))
        self._progress.finish(STAGES[kind])
        gone = sorted(known.keys() - texts.keys())
        store.delete(corpus, kind, gone)
        return len(changed) + len(gone)


def text_hash(text: str) -> str:
    """Return the content hash of a text, by which stale vectors are detected."""
    return hashlib.sha256(text.encode()).hexdigest()
