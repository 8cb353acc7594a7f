"""A search in a part of a corpus compared with the search in the whole."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.model import Chunk, Hit, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Question
from tetragraph.systems.evidence_walk import EvidenceOptions
from tetragraph.systems.evidence_walk.index import EvidenceIndex
from tetragraph.systems.evidence_walk.index_arrays import pack
from tetragraph.systems.evidence_walk.options import Scope
from tetragraph.systems.evidence_walk.search import find

TOWNS = [(f"Town {n}", f"Town {n} lies near Town {n + 1}, and far from Oldham.") for n in range(60)]
VECTOR = np.eye(8, dtype=np.float32)[0]


def make_index(passages: Sequence[tuple[str, str]]) -> EvidenceIndex:
    made = [Chunk(content_id(title, text), title, title, title, text, 0, 0, len(text), 1) for title, text in passages]
    chunks = sorted(made, key=lambda chunk: chunk.id)
    vectors = np.random.default_rng(3).normal(size=(len(chunks), 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    table = ChunkTable(ArraySet(chunk_table.pack(chunks, vectors)))
    return EvidenceIndex(table, ArraySet(pack(chunks, table, analyse_chunks(chunks))))


@pytest.fixture(scope="module")
def index() -> EvidenceIndex:
    return make_index(TOWNS)


def ask(index: EvidenceIndex, text: str, scope: Scope, near: int = 60, allowed: set[str] | None = None) -> list[Hit]:
    def nearest(vector: NDArray[np.float32], count: int) -> NDArray[np.int64]:
        return np.argsort(-index.table.vectors @ vector)[: min(near, count)]

    question = Question(text, VECTOR, lambda _: VECTOR)
    return list(find(index, question, 10, EvidenceOptions(scope=scope), allowed, nearest=nearest).hits)


@pytest.mark.parametrize("text", ["Which town lies near Town 3?", "What lies near Town 8 and Town 40?", "far towns"])
def test_where_nothing_is_cut_hits_scores_parts_and_paths_are_those_of_the_whole(
    index: EvidenceIndex, text: str
) -> None:
    whole, local = ask(index, text, "whole"), ask(index, text, "local")
    assert [hit.chunk for hit in local] == [hit.chunk for hit in whole]
    for here, there in zip(local, whole, strict=True):
        assert here.parts == pytest.approx(there.parts, rel=1e-5, abs=1e-5)
        assert [step.target for step in here.path] == [step.target for step in there.path]


def test_a_few_near_passages_lead_to_the_same_first_hits(index: EvidenceIndex) -> None:
    text = "Which town lies near Town 3?"
    local, whole = ask(index, text, "local", near=20), ask(index, text, "whole")
    assert [hit.chunk for hit in local][:3] == [hit.chunk for hit in whole][:3]


def test_only_allowed_passages_are_found(index: EvidenceIndex) -> None:
    allowed = set(index.table.ids[::2])
    found = ask(index, "Which town lies near Town 3?", "local", 20, allowed)
    assert found
    assert {hit.chunk.id for hit in found} <= allowed


def test_a_local_search_without_a_vector_store_compares_what_is_allowed(index: EvidenceIndex) -> None:
    question = Question("Which town lies near Town 3?", VECTOR, lambda _: VECTOR)
    allowed = set(index.table.ids[:30])
    local = find(index, question, 40, EvidenceOptions(scope="local"), allowed)
    assert {hit.chunk.id for hit in local.hits} == allowed
