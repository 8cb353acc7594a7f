"""A few chunks with their indexes, without a store; facts are given explicitly."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

import numpy as np
import pytest

from tetragraph.arrays import Array, Vectors
from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.model import Chunk, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArrayCache, ArraySet, Strings
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusRecord, CorpusStores
from tetragraph.systems.bipartite_graph.index import KIND as FACTS
from tetragraph.systems.bipartite_graph.links import Links
from tetragraph.systems.evidence_walk.index_arrays import KIND, pack

DIMENSION = 512
Fact = tuple[str, str, Sequence[tuple[str, str, str]]]
"""Title of the passage that states it, its verb, and name, type and role of each participant, in any order."""
MakeStores = Callable[..., CorpusStores]


def embed(text: str) -> Vectors:
    """A bag of words: as near as texts share words."""
    vector = np.full(DIMENSION, 1e-3, dtype=np.float32)
    for word in text.lower().replace(".", " ").replace("?", " ").split():
        vector[int(content_id(word)[:6], 16) % DIMENSION] += 1
    vector /= np.linalg.norm(vector)
    return vector


@pytest.fixture
def make_stores(tmp_path: Path) -> MakeStores:
    """Makes the stores of a corpus of titles and texts, with a bipartite graph where facts are given."""

    def make(passages: Mapping[str, str], facts: Sequence[Fact] | None = None) -> CorpusStores:
        graphs = () if facts is None else ("bipartite",)
        record = CorpusRecord("c", "now", "e", DIMENSION, {}, 1, 1, "d", (), graphs)
        chunks = sorted(map(_chunk, passages, passages.values()), key=lambda chunk: chunk.id)
        sentences = [
            np.array([embed(f"{chunk.title} {chunk.text[start:end]}") for start, end in sentence_spans(chunk.text)])
            for chunk in chunks
        ]
        of_chunks = chunk_table.pack(chunks, np.array([embed(chunk.passage) for chunk in chunks]), sentences)
        table = ChunkTable(ArraySet(of_chunks))
        cache = ArrayCache(tmp_path)
        cache.put(record.key, chunk_table.KIND, 1, of_chunks)
        cache.put(record.key, KIND, 1, pack(chunks, table, analyse_chunks(chunks)))
        if facts is not None:
            cache.put(record.key, FACTS, 1, _facts(facts, table))
        return CorpusStores(record, None, None, cache)  # type: ignore[arg-type]  # no store is asked

    return make


def _chunk(title: str, text: str) -> Chunk:
    return Chunk(content_id(title), f"d-{title}", title, title, text, 0, 0, len(text), 1)


def _facts(facts: Sequence[Fact], table: ChunkTable) -> dict[str, Array]:
    """What ``bipartite_graph.index.read`` makes of the stores."""
    types = {name: kind for _, _, members in facts for name, kind, _ in members}
    names = sorted(types, key=lambda name: content_id(name.lower()))
    rows = {name: row for row, name in enumerate(names)}
    ordered = [sorted(members, key=lambda member: rows[member[0]]) for _, _, members in facts]
    said = [f"{verb} {' '.join(name for name, _, _ in members)}" for _, verb, members in facts]
    members = Links.of_groups([rows[name] for name, _, _ in group] for group in ordered)
    stated = Links.of_groups([table.rows[content_id(title)]] for title, _, _ in facts)
    return {
        **Strings.pack("made", ["{}"]),
        **Strings.pack("relations", [f"r{number:02d}" for number in range(len(facts))]),
        **Strings.pack("descriptions", said),
        **Strings.pack("types", [verb for _, verb, _ in facts]),
        **Strings.pack("entities", [content_id(name.lower()) for name in names]),
        **Strings.pack("names", names),
        **Strings.pack("entity_types", [types[name] for name in names]),
        **Strings.pack("roles", [role for group in ordered for _, _, role in group]),
        **Strings.pack("aliases", []),
        "alias_entities": np.array([], dtype=np.int64),
        "confidence": np.ones(len(facts)),
        "weight": np.ones(len(facts), dtype=np.int64),
        "entity_confidence": np.ones(len(names)),
        **members.arrays("members"),
        **members.transpose(len(names))[0].arrays("facts"),
        **stated.arrays("stated"),
        **stated.transpose(len(table))[0].arrays("states"),
        "places": np.zeros((len(facts), 2), dtype=np.int32),
        "is_about": np.zeros(len(members.items), dtype=bool),
        "vectors": np.array([embed(one) for one in said], dtype=np.float32).reshape(-1, DIMENSION),
        "entity_vectors": np.zeros((len(names), DIMENSION), dtype=np.float32),
        "scale": np.array([1.0]),
    }


@pytest.fixture(name="embed")
def _embed() -> Callable[[str], Vectors]:
    """Vectors of texts."""
    return embed
