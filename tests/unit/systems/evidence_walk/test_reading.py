"""The terms of a question in the words of the corpus."""

from collections.abc import Sequence

import numpy as np
import pytest

from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.model import Chunk, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.evidence_walk.index import EvidenceIndex
from tetragraph.systems.evidence_walk.index_arrays import pack

PASSAGES = [
    ("Silver Harbour", "A novel about a river."),
    ("River", "The river is a river and no name."),
    ("Kyoto", "Some words of Ada Byron."),
    ("It (film)", "Frightening."),
]


@pytest.fixture(scope="module")
def index() -> EvidenceIndex:
    made = [Chunk(content_id(title), title, title, title, text, 0, 0, len(text), 1) for title, text in PASSAGES]
    chunks = sorted(made, key=lambda chunk: chunk.id)
    vectors = np.eye(4, dtype=np.float32)
    table = ChunkTable(ArraySet(chunk_table.pack(chunks, vectors)))
    return EvidenceIndex(table, ArraySet(pack(chunks, table, analyse_chunks(chunks))))


def entities(index: EvidenceIndex, question: str) -> list[str]:
    return [index.names[entity] for entity in index.read(question).entities]


def rest(index: EvidenceIndex, question: str) -> list[Sequence[int]]:
    return list(index.read(question).rest)


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who wrote Silver Harbour?", ["silver harbour"]),
        ("who wrote silver harbour", ["silver harbour"]),
        ("Is the River long?", ["river"]),
        ("is the river long", []),
        ("where is kyoto", ["kyoto"]),
        ("It was what?", []),
        ("", []),
    ],
)
def test_names_are_linked_by_their_longest_match(index: EvidenceIndex, question: str, names: list[str]) -> None:
    assert entities(index, question) == names


def test_a_capitalised_name_that_is_no_entity_is_left_for_its_words(index: EvidenceIndex) -> None:
    found = rest(index, "Did Ada Byron like Silver Harbour?")
    assert len(found) == 1
    holders = [set(index.postings.holders(stem).tolist()) for stem in found[0]]
    assert all(holders)


def test_a_stem_that_the_corpus_lacks_is_marked(index: EvidenceIndex) -> None:
    assert rest(index, "we met Zzyzx") == [(-1,)]


def test_terms_are_stems_without_stop_words_each_once(index: EvidenceIndex) -> None:
    first = index.read("rivers and the river")
    assert len(first.terms) == 1
    assert first.terms == index.read("River").terms


def name_words(index: EvidenceIndex, question: str) -> set[str]:
    words = {
        index.read(word).terms[0]: word for word in ("silver", "harbour", "ada", "byron", "novel", "kyoto", "river")
    }
    return {words[term] for term in index.read(question).name_terms}


@pytest.mark.parametrize(
    ("question", "words", "is_titled"),
    [
        ("Which novel is Silver Harbour?", {"silver", "harbour"}, True),
        ("is there a novel about ada byron", set(), False),
        ("Is there a novel about Ada Byron?", {"ada", "byron"}, False),
        ("which novel plays in kyoto", {"kyoto"}, True),
        ("which novel is about a river", set(), False),
    ],
)
def test_words_of_names_that_are_certain(index: EvidenceIndex, question: str, words: set[str], is_titled: bool) -> None:
    assert name_words(index, question) == words
    assert index.read(question).is_titled == is_titled
