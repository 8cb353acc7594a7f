"""Requests for names of communities, and preserved names."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from scripted_llm import ScriptedLlm
from tetragraph.algorithms.structural_entropy import weighted_graph
from tetragraph.language.llm_steps.community_names import Community
from tetragraph.llm import Operation
from tetragraph.model import Chunk
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.encoding_tree.communities import Tree, assign_new_ids
from tetragraph.systems.encoding_tree.llm_naming import (
    CENTRAL,
    describe,
    name_by_model,
    unchanged_names,
)
from tetragraph.systems.encoding_tree.stored import StoredTree

COUNT = 8
CHUNKS = [f"c{row}" for row in range(COUNT)]
LEVELS = np.array([[0, 0, 0, 0, 0, 0, 1, 1]])
TREE = assign_new_ids(LEVELS, CHUNKS)
TELLING = [["Halvik", "Ghent"]]


@pytest.fixture
def table() -> ChunkTable:
    texts = [f"Chunk {row} says something. And more." for row in range(COUNT - 1)] + [f"{'long ' * 60}."]
    chunks = [
        Chunk(name, "d", "" if row % 2 else f"Part {row}", "Book", text, row, 0, len(text), 1)
        for row, (name, text) in enumerate(zip(CHUNKS, texts, strict=True))
    ]
    return ChunkTable(ArraySet(chunk_table.pack(chunks, np.eye(COUNT, dtype=np.float32))))


def stored(tree: Tree, **names: str) -> StoredTree:
    communities: dict[str, dict[str, Any]] = {name: {"name": names.get(name, "old")} for name in tree.ids[0]}
    places = {chunk: tree.ids[0][number] for chunk, number in zip(CHUNKS, tree.levels[0].tolist(), strict=True)}
    return StoredTree({}, communities, {}, places)


def test_the_central_chunks_are_shown_by_title_and_first_sentence(table: ChunkTable) -> None:
    """Chunk 2 is joined to all of its community, most strongly to chunk 3; chunk 0 to it alone."""
    others = np.array([0, 1, 3, 4, 5])
    weights = np.array([0.1, 0.2, 0.9, 0.4, 0.3])
    first, second = np.append(np.minimum(2, others), 6), np.append(np.maximum(2, others), 7)
    graph = weighted_graph(first, second, np.append(weights, 0.5), COUNT)
    ((halvik, ghent),) = describe(table, graph, LEVELS, TELLING)
    assert halvik.telling == "Halvik"
    assert halvik.beginnings == (
        "Part 2: Chunk 2 says something.",
        "Book: Chunk 3 says something.",
        "Part 4: Chunk 4 says something.",
        "Book: Chunk 5 says something.",
        "Book: Chunk 1 says something.",
    )
    assert len(halvik.beginnings) == CENTRAL
    assert ghent.beginnings[1].startswith("Book: long long")
    assert ghent.beginnings[1].endswith("long …")


def test_kept_names_are_not_asked_for_and_telling_words_stand_in(llm: ScriptedLlm, operation: Operation) -> None:
    halvik, ghent = TREE.ids[0]
    shown = [[Community("Halvik", ()), Community("Ghent", ())]]
    llm.answer = lambda body: json.dumps({"names": [{"theme": 1, "name": "Harbours"}]})
    named = name_by_model(operation, TREE, shown, {ghent: "Towers"})
    assert (named.names, named.unnamed) == ([["Harbours", "Towers"]], 0)
    llm.answer = lambda body: '{"names": []}'
    named = name_by_model(operation, TREE, shown, {})
    assert (named.names, named.unnamed) == ([["Halvik", "Ghent"]], 2)
    calls = llm.calls
    assert name_by_model(operation, TREE, shown, {halvik: "a", ghent: "b"}).names == [["a", "b"]]
    assert llm.calls == calls


def test_names_stay_with_communities_whose_chunks_stay() -> None:
    halvik, ghent = TREE.ids[0]
    now = stored(TREE, **{halvik: "Harbours", ghent: "Towers"})
    assert unchanged_names(now, TREE, CHUNKS) == {halvik: "Harbours", ghent: "Towers"}
    moved = Tree(np.array([[0, 0, 0, 0, 0, 1, 1, 1]]), TREE.ids)
    assert unchanged_names(now, moved, CHUNKS) == {}
    assert unchanged_names(now, Tree(LEVELS[:, :7], TREE.ids), CHUNKS[:7]) == {halvik: "Harbours"}
    assert unchanged_names(StoredTree(), TREE, CHUNKS) == {}
