"""The part of a corpus for a question, compared with the whole corpus."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from tetragraph.arrays import Floats
from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.model import Chunk, content_id
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.evidence_walk.index import EvidenceIndex
from tetragraph.systems.evidence_walk.index_arrays import pack
from tetragraph.systems.evidence_walk.local_index import NAMED, LocalIndex, narrow
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms

TOWNS = [(f"Town {n}", f"Town {n} lies near Town {n + 1}. A river runs by.") for n in range(12)]
ASKED = "Which town lies near Town 3?"
VECTOR = np.eye(8, dtype=np.float32)[0]


def unit(rows: int, seed: int) -> NDArray[np.float32]:
    made = np.random.default_rng(seed).normal(size=(rows, 8))
    scaled: NDArray[np.float32] = (made / np.linalg.norm(made, axis=1, keepdims=True)).astype(np.float32)
    return scaled


def make_index(passages: Sequence[tuple[str, str]]) -> EvidenceIndex:
    made = [Chunk(content_id(title, text), title, title, title, text, 0, 0, len(text), 1) for title, text in passages]
    chunks = sorted(made, key=lambda chunk: chunk.id)
    sentences = [unit(len(list(sentence_spans(chunk.text))), row) for row, chunk in enumerate(chunks)]
    table = ChunkTable(ArraySet(chunk_table.pack(chunks, unit(len(chunks), 99), sentences)))
    return EvidenceIndex(table, ArraySet(pack(chunks, table, analyse_chunks(chunks))))


@pytest.fixture(scope="module")
def whole() -> EvidenceIndex:
    return make_index(TOWNS)


def nothing(local: LocalIndex, reading: QuestionTerms, steps: int) -> Floats:
    """A walk without mass goes nowhere: the part is where it begins, and the sample."""
    del reading, steps
    return np.zeros(len(local.table))


def row_of(index: EvidenceIndex, title: str) -> int:
    return next(row for row in range(len(index.table)) if index.table.chunk(row).title == title)


@pytest.fixture(scope="module")
def part(whole: EvidenceIndex) -> LocalIndex:
    return narrow(whole, whole.read(ASKED), np.array([row_of(whole, "Town 9")]), nothing, steps=1)


def test_a_part_has_the_chunks_and_entities_of_its_rows(whole: EvidenceIndex, part: LocalIndex) -> None:
    rows, entities = part.graph.rows.tolist(), part.graph.entities.tolist()
    assert [part.table.ids[row] for row in range(len(part.table))] == [whole.table.ids[row] for row in rows]
    assert part.table.chunks_of(range(len(part.table))) == whole.table.chunks_of(rows)
    assert list(part.names) == [whole.names[entity] for entity in entities]
    assert list(part.labels) == [whole.labels[entity] for entity in entities]


def test_the_passages_of_the_question_s_entities_are_there(whole: EvidenceIndex, part: LocalIndex) -> None:
    assert {row_of(whole, "Town 2"), row_of(whole, "Town 3"), row_of(whole, "Town 9")} <= set(part.graph.rows.tolist())


def test_keywords_count_as_in_the_corpus(whole: EvidenceIndex, part: LocalIndex) -> None:
    asked = whole.read(ASKED)
    expected = whole.postings.score(asked.terms)[part.graph.rows]
    assert part.postings.score(part.read(ASKED).terms) == pytest.approx(expected)


def test_passages_and_sentences_are_as_close_as_in_the_corpus(whole: EvidenceIndex, part: LocalIndex) -> None:
    here, there = (index.passages.compare(VECTOR, 99) for index in (part, whole))
    assert here.whole == pytest.approx(there.whole[part.graph.rows])
    assert here.best == pytest.approx(there.best[part.graph.rows])
    expected = whole.passages.best_of_all_mentions(there)[part.graph.mentions_in_whole]
    assert part.passages.best_of_all_mentions(here) == pytest.approx(expected)


def test_a_part_reads_in_its_own_terms_and_entities(whole: EvidenceIndex, part: LocalIndex) -> None:
    reading = part.read("Does a river run by Town 3 or Town 11?")
    assert [part.names[entity] for entity in reading.entities] == ["town 3"]
    assert set(reading.terms) < set(range(len(whole.read(ASKED).terms)))


def test_the_walk_decides_where_to_go_on(whole: EvidenceIndex) -> None:
    start = row_of(whole, "Town 9")

    def stay(local: LocalIndex, reading: QuestionTerms, steps: int) -> Floats:
        del reading, steps
        return np.where(local.graph.rows == start, 1.0, 0.0)

    entities = narrow(whole, whole.read("Where?"), np.array([start]), stay, steps=1).names
    assert sorted(entities) == ["town 10", "town 9"]


@pytest.mark.parametrize(("holders", "kept"), [(3, True), (NAMED + 1, False)])
def test_a_name_that_many_passages_hold_seeds_nothing(holders: int, kept: bool) -> None:
    index = make_index([(f"Page {n}", f"Here the zork number {n} sleeps.") for n in range(holders)])
    reading = index.read("Where does Zork sleep?")
    assert reading.rest
    local = narrow(index, reading, np.array([0]), nothing, steps=1)
    assert bool(local.renumber(reading).rest) == kept
