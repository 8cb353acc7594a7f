"""A search in a part of a corpus compared with the search in the whole."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.model import Chunk, Hit, content_id
from tetragraph.stores import array_folder, chunk_table
from tetragraph.stores.array_cache import ArraySet, map_folder
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Question
from tetragraph.systems.evidence_walk import EvidenceOptions
from tetragraph.systems.evidence_walk.index import EvidenceIndex
from tetragraph.systems.evidence_walk.index_arrays import pack, pack_rounded
from tetragraph.systems.evidence_walk.options import Scope
from tetragraph.systems.evidence_walk.search import find

TOWNS = [(f"Town {n}", f"Town {n} lies near Town {n + 1}, and far from Oldham.") for n in range(60)]
SEARCH = import_module("tetragraph.systems.evidence_walk.search")  # the package has a function of this name
VECTOR = np.eye(8, dtype=np.float32)[0]


def make_index(passages: Sequence[tuple[str, str]], *, is_rounded: bool = False) -> EvidenceIndex:
    made = [Chunk(content_id(title, text), title, title, title, text, 0, 0, len(text), 1) for title, text in passages]
    chunks = sorted(made, key=lambda chunk: chunk.id)
    vectors = np.random.default_rng(3).normal(size=(len(chunks), 8)).astype(np.float32)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    table = ChunkTable(ArraySet(chunk_table.pack(chunks, vectors)))
    arrays = pack(chunks, table, analyse_chunks(chunks))
    with TemporaryDirectory() as folder:
        array_folder.write(Path(folder), pack_rounded(vectors) if is_rounded else {})
        return EvidenceIndex(table, ArraySet({**arrays, **map_folder(Path(folder))}))


@pytest.fixture(scope="module")
def index() -> EvidenceIndex:
    return make_index(TOWNS)


def ask(index: EvidenceIndex, text: str, scope: Scope, near: int = 60, allowed: set[str] | None = None) -> list[Hit]:
    question = Question(text, VECTOR, lambda _: VECTOR)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(SEARCH, "SIMILAR", near)
        return list(find(index, question, 10, EvidenceOptions(scope=scope), allowed).hits)


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


def test_all_allowed_passages_are_found_where_these_are_few(index: EvidenceIndex) -> None:
    question = Question("Which town lies near Town 3?", VECTOR, lambda _: VECTOR)
    allowed = set(index.table.ids[:30])
    local = find(index, question, 40, EvidenceOptions(scope="local"), allowed)
    assert {hit.chunk.id for hit in local.hits} == allowed


def test_a_large_corpus_whose_vectors_are_rounded_has_the_same_hits(index: EvidenceIndex) -> None:
    rounded = make_index(TOWNS, is_rounded=True)
    text = "Which town lies near Town 3?"
    for allowed in (None, set(index.table.ids[::2])):
        assert ask(rounded, text, "local", 20, allowed) == ask(index, text, "local", 20, allowed)
