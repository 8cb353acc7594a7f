"""Chunks and entities of a sub-question, ordered anew by what a model reads."""

import math

import numpy as np
import pytest

from tetragraph.algorithms.chained_search import BeamOptions
from tetragraph.language.lexicon.analysis import analyse_chunks
from tetragraph.model import Chunk
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArraySet
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.systems.evidence_walk.index import EvidenceIndex
from tetragraph.systems.evidence_walk.index_arrays import pack
from tetragraph.systems.evidence_walk.options import ReaderWeights
from tetragraph.systems.evidence_walk.read_answers import ReadAnswers

TEXTS = {
    "Silver Harbour": "Silver Harbour is a film directed by Ada Byron. Its producer was Emil Voss.",
    "Storm Coast": "Storm Coast is a film about a ship, and Ada Byron never saw it.",
    "Ada Byron": "Ada Byron was a director. Emil Voss was her friend.",
}
ASKED = "Who was the producer of Silver Harbour?"
HARBOUR, COAST, ADA = range(3)


@pytest.fixture(scope="module", name="index")
def make_index() -> EvidenceIndex:
    """The texts, in their order."""
    chunks = [
        Chunk(str(place), str(place), title, title, text, 0, 0, len(text), 1)
        for place, (title, text) in enumerate(TEXTS.items())
    ]
    table = ChunkTable(ArraySet(chunk_table.pack(chunks, np.eye(3, dtype=np.float32), None)))
    return EvidenceIndex(table, ArraySet(pack(chunks, table, analyse_chunks(chunks))))


def read_answers(index: EvidenceIndex, passages: int = 3) -> ReadAnswers:
    beam = BeamOptions(passages=passages, sharpness=10.0)
    return ReadAnswers(index, beam, ReaderWeights(bridges=1, answer=0.5, search=0.5))


def test_a_chunk_that_answers_comes_before_one_as_good_that_does_not(index: EvidenceIndex) -> None:
    rows, scores = read_answers(index).rank(ASKED, [ADA, COAST, HARBOUR], [1.0, 1.0, 1.0])
    assert rows[0] == HARBOUR
    assert scores[0] > scores[1] >= scores[2]


def test_a_chunk_beyond_those_that_are_read_counts_like_the_worst(index: EvidenceIndex) -> None:
    rows, scores = read_answers(index, passages=2).rank(ASKED, [ADA, COAST, HARBOUR], [1.0, 1.0, 1.0])
    assert scores[rows.index(HARBOUR)] == min(scores)


def test_the_likeliest_entity_is_kept_by_what_is_read_and_by_the_search(index: EvidenceIndex) -> None:
    answers = read_answers(index)
    answers.rank(ASKED, [HARBOUR, COAST], [1.0, 1.0])
    labels = index.labels
    ada, emil = (next(e for e in range(len(labels)) if labels[e] == name) for name in ("Ada Byron", "Emil Voss"))
    equal = [(ada, math.log(0.5)), (emil, math.log(0.5))]
    ((kept, log),) = answers.order(ASKED, HARBOUR, equal)
    assert kept == emil
    assert -1 < log < 0
    ((kept, _),) = answers.order(ASKED, HARBOUR, [(ada, -1e-9), (emil, -100.0)])
    assert kept == ada


def test_entities_of_a_chunk_that_was_not_read_stay_as_they_are(index: EvidenceIndex) -> None:
    answers = read_answers(index, passages=1)
    answers.rank(ASKED, [COAST, HARBOUR], [1.0, 1.0])
    assert answers.order(ASKED, HARBOUR, [(0, -0.1), (1, -2.0)]) == [(0, -0.1)]
    assert answers.order(ASKED, COAST, [(None, 0.0)]) == [(None, 0.0)]
