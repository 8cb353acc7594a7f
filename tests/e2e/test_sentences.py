"""Vectors of sentences from the ingest to the chunk table."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from tetragraph import Document, Settings, Tetragraph, errors
from tetragraph.arrays import Vectors
from tetragraph.language.embedders import SpanEmbedder
from tetragraph.language.lexicon.sentences import sentence_spans
from tetragraph.stores import chunk_table
from tetragraph.stores.chunk_table import ChunkTable

Fingerprint = Callable[[Tetragraph, str], dict[str, list[Any]]]


def read_table(client: Tetragraph, corpus: str) -> ChunkTable:
    return chunk_table.load(client.connection.stores(corpus))


def sentences_of(table: ChunkTable, row: int) -> Vectors:
    return table.sentences[table.sentence_bounds[row] : table.sentence_bounds[row + 1]]


@pytest.mark.parametrize("embedder", ["bge-small", "minilm"])
def test_a_pooled_sentence_has_the_vector_that_its_passage_gave_it(
    client: Tetragraph, corpus_name: str, world: list[Document], embedder: str
) -> None:
    client.corpus(corpus_name).ingest(world, build=(), embedder=embedder, sentences="pooled")

    table, model = read_table(client, corpus_name), client.connection.embedder(embedder)
    assert table.has_sentences
    assert isinstance(model, SpanEmbedder)
    for row, chunk in enumerate(table.chunks()):
        lead = len(chunk.passage) - len(chunk.text)
        spans = [(lead + start, lead + end) for start, end in sentence_spans(chunk.text)]
        _, (expected,) = model.embed_with_spans([chunk.passage], [spans])
        np.testing.assert_allclose(sentences_of(table, row), expected, atol=5e-4)


def test_sentences_follow_documents_that_come_change_and_go(
    client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Fingerprint
) -> None:
    changed = replace(world[3], text="The Reyer Academy closed. Its house burnt down. Nobody knows why.")
    other = client.corpus(f"{corpus_name}.b")
    other.ingest([world[0], changed, *world[5:]], build=())
    corpus = client.corpus(corpus_name)

    corpus.ingest(world[:6], build=())
    corpus.ingest([changed, *world[6:]], build=())
    corpus.delete(world[1].id, world[2].id, world[4].id)

    assert not corpus.ingest(world[6:], build=()).written
    assert fingerprint(client, corpus_name) == fingerprint(client, other.name)
    table = read_table(client, corpus_name)
    (row,) = (row for row, chunk in enumerate(table.chunks()) if chunk.document_id == changed.id)
    assert len(sentences_of(table, row)) == 3
    assert (
        len(table.sentences)
        == table.sentence_bounds[-1]
        == sum(len(sentence_spans(chunk.text)) for chunk in table.chunks())
    )


def test_chunks_whose_sentences_were_divided_otherwise_are_found_and_embedded_again(
    client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Fingerprint
) -> None:
    corpus, store = client.corpus(corpus_name), client.connection.vectors
    corpus.ingest(world[:6], build=())
    before = fingerprint(client, corpus_name)
    points = [point for page in store.points(corpus_name, "chunks") for point in page]
    point, sentences = next(
        (one, one.sentences) for one in points if one.sentences is not None and len(one.sentences) > 1
    )
    store.upsert(corpus_name, "chunks", [replace(point, sentences=sentences[:1])])
    stores = client.connection.stores(corpus_name)
    stores.arrays.forget(stores.record.key)

    with pytest.raises(errors.StoreError, match=rf"1 have not, the first is {point.id}: `tetragraph doctor --repair`"):
        corpus.search("Who founded the academy in Old Port?")
    (finding,) = client.doctor(corpus=corpus_name).faults
    assert (finding.kind, finding.detail) == (
        "missing vectors",
        "1 chunks have no vector, or not one for each of their sentences",
    )
    assert client.doctor(corpus=corpus_name, repair=True).ok
    assert fingerprint(client, corpus_name) == before
    assert corpus.search("Who founded the academy in Old Port?")


def test_a_corpus_without_sentences_answers_and_keeps_none(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world[:8], sentences="none")
    corpus.ingest(world[8:])

    table = read_table(client, corpus_name)
    assert not table.has_sentences
    assert table.sentence_bounds[-1] == 0
    assert list(client.connection.vectors.scroll_sentences(corpus_name, "chunks")) == []
    assert len(corpus.search("Who founded the academy in Old Port?", k=3)) == 3


def test_the_vector_of_a_passage_is_the_same_with_sentences_and_without(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    tables = []
    for sentences in ("pooled", "separate", "none"):
        client.corpus(f"{corpus_name}.{sentences}").ingest(world, build=(), sentences=sentences)
        tables.append(read_table(client, f"{corpus_name}.{sentences}"))
    for table in tables[1:]:
        assert table.ids == tables[0].ids
        np.testing.assert_array_equal(table.vectors, tables[0].vectors)
    assert tables[0].sentences.shape == tables[1].sentences.shape
    assert not np.allclose(tables[0].sentences, tables[1].sentences, atol=0.01)


def test_a_corpus_keeps_the_sentences_that_it_was_made_with(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world[:2], build=())
    assert not corpus.ingest(world[:2], build=(), sentences="separate").written
    for asked in ("none", "pooled"):
        with pytest.raises(errors.InvalidInput, match=f"was made with sentences separate, got {asked}: leave it out"):
            corpus.ingest(world, sentences=asked)
    assert corpus.counts()["documents"] == 2


def test_an_embedder_behind_an_endpoint_pools_nothing_and_makes_no_corpus(
    server_settings: Settings, corpus_name: str, world: list[Document]
) -> None:
    settings = server_settings.model_copy(update={"openai_base_url": "http://127.0.0.1:9/v1"})
    with Tetragraph.connect(settings) as client:
        with pytest.raises(errors.InvalidInput, match="'openai:letters' gives no vectors of sentences"):
            client.corpus(corpus_name).ingest(world, embedder="openai:letters", sentences="pooled")
        assert corpus_name not in {one.name for one in client.corpora()}
