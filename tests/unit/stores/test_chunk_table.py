"""The chunk table is read back as it was written, with and without vectors of sentences."""

from __future__ import annotations

from pathlib import Path

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.model import Chunk
from tetragraph.stores import chunk_table
from tetragraph.stores.array_cache import ArrayCache, ArraySet
from tetragraph.stores.chunk_table import ChunkTable

CHUNKS = [Chunk(f"c{i}", "d", "Title", "Title", f"Text {i}.", i, 0, 7, 3) for i in range(3)]
VECTORS = np.eye(3, 4, dtype=np.float32)
SENTENCES = [np.full((n, 4), n, dtype=np.float32) for n in (2, 0, 1)]


def test_each_row_has_its_own_sentences_in_order() -> None:
    table = ChunkTable(ArraySet(chunk_table.pack(CHUNKS, VECTORS, SENTENCES)))

    assert table.has_sentences
    assert table.sentence_bounds.tolist() == [0, 2, 2, 3]
    for row, expected in enumerate(SENTENCES):
        np.testing.assert_array_equal(_sentences(table, row), expected)


def test_a_corpus_without_sentence_vectors_has_none_in_any_row() -> None:
    table = ChunkTable(ArraySet(chunk_table.pack(CHUNKS, VECTORS)))

    assert not table.has_sentences
    assert table.sentences.shape == (0, 4)
    assert table.sentence_bounds.tolist() == [0, 0, 0, 0]


def test_an_empty_corpus_may_have_sentence_vectors() -> None:
    table = ChunkTable(ArraySet(chunk_table.pack([], VECTORS[:0], [])))
    assert (table.has_sentences, table.sentences.shape, table.sentence_bounds.tolist()) == (True, (0, 4), [0])


def test_the_table_is_the_same_when_it_comes_back_from_disk(tmp_path: Path) -> None:
    cache, arrays = ArrayCache(tmp_path), chunk_table.pack(CHUNKS, VECTORS, SENTENCES)

    table = cache.load("corpus", chunk_table.KIND, 1, lambda: arrays, ChunkTable)

    assert list(table.chunks()) == CHUNKS
    assert table.sentences.dtype == np.float32
    assert table.sentences.base is not None, "a view of the mapped file, not a copy"
    np.testing.assert_array_equal(table.sentences, arrays["sentences"])


def _sentences(table: ChunkTable, row: int) -> Vectors:
    return table.sentences[table.sentence_bounds[row] : table.sentence_bounds[row + 1]]
