"""Rules for every adapter of ``VectorStore``."""

from __future__ import annotations

import re
import uuid
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from qdrant_client import QdrantClient

from tetragraph.arrays import Vectors
from tetragraph.errors import EmbedderMismatch, EmbeddingFailed, InvalidInput, NotBuilt
from tetragraph.model import Filters, Metadata
from tetragraph.stores.open_vectors import open_server
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.stores.qdrant_requests import Requests
from tetragraph.stores.qdrant_server import QdrantVectors
from tetragraph.stores.vector_sets import corpus_of, use_set
from tetragraph.stores.vectors import Point, VectorStore

DIMENSION = 16


_IMITATION = pytest.mark.filterwarnings(
    "ignore:Local mode performs exact:UserWarning", "ignore:Payload indexes have no effect:UserWarning"
)


@pytest.fixture(params=["edge", "second set", pytest.param("memory", marks=_IMITATION), "server"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[VectorStore]:
    if request.param in ("edge", "second set"):
        store: VectorStore = EdgeVectors(tmp_path, wait_s=0.0)
    elif request.param == "memory":
        store = QdrantVectors(QdrantClient(":memory:"), "a-database", Requests("memory"))
    else:
        store = open_server(request.getfixturevalue("qdrant_settings"), "a-database")
    yield use_set(store, 2) if request.param == "second set" else store
    store.close()


def sentences_of(store: VectorStore, corpus: str, batch: int = 1000) -> dict[str, Vectors]:
    pages = store.scroll_sentences(corpus, "chunks", batch)
    return {node: rows for ids, found in pages for node, rows in zip(ids, found, strict=True)}


@pytest.fixture
def corpus(store: VectorStore) -> Iterator[str]:
    name = f"test-{uuid.uuid4().hex[:12]}"
    store.ensure(name, "chunks", DIMENSION)
    yield name
    for kind in ("chunks", "entities"):
        store.drop(name, kind)


def unit_vectors(n: int, seed: int = 0) -> Vectors:
    vectors = np.random.default_rng(seed).normal(size=(n, DIMENSION)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def points(vectors: Vectors, payloads: list[Metadata] | None = None) -> list[Point]:
    return [Point(f"n{i:04}", vector, f"hash{i}", payloads[i] if payloads else {}) for i, vector in enumerate(vectors)]


def test_the_neighbours_are_those_of_a_brute_force_search(store: VectorStore, corpus: str) -> None:
    vectors, question = unit_vectors(300), unit_vectors(1, seed=1)[0]
    store.upsert(corpus, "chunks", points(vectors))

    found = store.query(corpus, "chunks", question, 10)

    scores = vectors @ question
    nearest = np.argsort(-scores)[:10]
    assert [hit.id for hit in found] == [f"n{i:04}" for i in nearest]
    assert [hit.score for hit in found] == pytest.approx(scores[nearest], abs=1e-5)


def test_equal_scores_are_ordered_by_id_also_at_the_cut(store: VectorStore, corpus: str) -> None:
    same = np.tile(unit_vectors(1), (60, 1))
    store.upsert(corpus, "chunks", points(same)[::-1])

    found = store.query(corpus, "chunks", same[0], 7)

    assert [hit.id for hit in found] == [f"n{i:04}" for i in range(7)]


def test_a_limit_above_the_collection_gives_all_of_it(store: VectorStore, corpus: str) -> None:
    store.upsert(corpus, "chunks", points(unit_vectors(3)))
    assert len(store.query(corpus, "chunks", unit_vectors(1)[0], 50)) == 3


def test_an_empty_collection_gives_nothing(store: VectorStore, corpus: str) -> None:
    assert store.query(corpus, "chunks", unit_vectors(1)[0], 5) == []
    assert store.count(corpus, "chunks") == 0
    assert list(store.scroll(corpus, "chunks")) == []


def test_vectors_come_back_as_they_were_put_and_unknown_ids_are_left_out(store: VectorStore, corpus: str) -> None:
    vectors = unit_vectors(5)
    store.upsert(corpus, "chunks", points(vectors))

    found = store.get(corpus, "chunks", ["n0003", "nobody", "n0001"])

    assert list(found) == ["n0003", "n0001"]
    np.testing.assert_allclose(found["n0003"], vectors[3], atol=1e-6)
    assert found["n0003"].dtype == np.float32


def test_a_second_upsert_replaces_the_vector_the_hash_and_the_payload(store: VectorStore, corpus: str) -> None:
    before, after = unit_vectors(2)
    store.upsert(corpus, "chunks", [Point("n1", before, "old", {"kind": "a"})])
    store.upsert(corpus, "chunks", [Point("n1", after, "new", {"kind": "b"})])

    assert store.count(corpus, "chunks") == 1
    assert store.hashes(corpus, "chunks") == {"n1": "new"}
    assert store.query(corpus, "chunks", after, 1)[0].score == pytest.approx(1.0, abs=1e-5)
    assert store.query(corpus, "chunks", after, 1, {"kind": "a"}) == []


def test_more_points_than_one_batch_holds_all_arrive(store: VectorStore, corpus: str) -> None:
    store.upsert(corpus, "chunks", points(unit_vectors(2_100)))
    assert store.count(corpus, "chunks") == 2_100
    assert len(store.hashes(corpus, "chunks")) == 2_100


def test_scrolling_visits_every_point_once(store: VectorStore, corpus: str) -> None:
    vectors = unit_vectors(25)
    store.upsert(corpus, "chunks", points(vectors))

    pages = list(store.scroll(corpus, "chunks", batch=10))

    assert [len(ids) for ids, _ in pages] == [10, 10, 5]
    seen = {node: row for ids, rows in pages for node, row in zip(ids, rows, strict=True)}
    assert sorted(seen) == [f"n{i:04}" for i in range(25)]
    np.testing.assert_allclose([seen[f"n{i:04}"] for i in range(25)], vectors, atol=1e-6)


def test_deleting_removes_what_is_named_and_ignores_what_is_not_there(store: VectorStore, corpus: str) -> None:
    store.upsert(corpus, "chunks", points(unit_vectors(4)))

    store.delete(corpus, "chunks", ["n0001", "nobody"])
    store.delete(corpus, "chunks", [])

    assert sorted(store.hashes(corpus, "chunks")) == ["n0000", "n0002", "n0003"]


@pytest.fixture
def with_sentences(store: VectorStore) -> Iterator[str]:
    """A corpus whose points may carry the vectors of their sentences."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    store.ensure(name, "chunks", DIMENSION, sentences=True)
    yield name
    store.drop(name, "chunks")


def points_with_sentences(counts: list[int | None]) -> list[Point]:
    vectors = unit_vectors(len(counts))
    return [
        Point(f"n{i:04}", vectors[i], f"hash{i}", {}, None if count is None else unit_vectors(count, seed=i))
        for i, count in enumerate(counts)
    ]


def test_sentences_come_back_in_order_for_the_points_that_have_any(store: VectorStore, with_sentences: str) -> None:
    given = points_with_sentences([3, None, 1, 0, *[2] * 21])
    store.upsert(with_sentences, "chunks", given)

    found = sentences_of(store, with_sentences, batch=10)

    expected = {point.id: point.sentences for point in given if point.sentences is not None and len(point.sentences)}
    assert found.keys() == expected.keys()
    for node, rows in expected.items():
        assert found[node].dtype == np.float32
        np.testing.assert_allclose(found[node], rows, atol=5e-4)


def test_chosen_points_are_compared_in_the_order_asked(store: VectorStore, corpus: str) -> None:
    vectors, texts = unit_vectors(30), unit_vectors(2, seed=1)
    store.upsert(corpus, "chunks", points(vectors))

    found = store.compare(corpus, "chunks", texts, ["n0007", "nobody", "n0002"])

    np.testing.assert_allclose(found[:, [0, 2]], texts @ vectors[[7, 2]].T, atol=1e-6)
    assert np.isnan(found[:, 1]).all()
    assert store.compare(corpus, "chunks", texts, []).shape == (2, 0)
    assert np.isnan(store.compare_sentences(corpus, "chunks", texts, ["n0007"])).all()
    assert store.get_sentences(corpus, "chunks", ["n0007"]) == {}


def test_chosen_points_are_compared_by_their_best_sentence(store: VectorStore, with_sentences: str) -> None:
    given, texts = points_with_sentences([3, None, 1]), unit_vectors(2, seed=9)
    store.upsert(with_sentences, "chunks", given)

    found = store.compare_sentences(with_sentences, "chunks", texts, ["n0000", "n0001", "n0002"])

    for column, point in ((0, given[0]), (2, given[2])):
        assert point.sentences is not None
        np.testing.assert_allclose(found[:, column], (texts @ point.sentences.T).max(axis=1), atol=2e-3)
    assert np.isnan(found[:, 1]).all()
    sentences = store.get_sentences(with_sentences, "chunks", ["n0002", "n0001", "nobody"])
    assert list(sentences) == ["n0002"]
    assert given[2].sentences is not None
    np.testing.assert_allclose(sentences["n0002"], given[2].sentences, atol=5e-4)


def test_sentences_leave_a_point_as_it_is_without(store: VectorStore, with_sentences: str, corpus: str) -> None:
    given = points_with_sentences([2, None, 4])
    question = unit_vectors(1, seed=9)[0]
    for name in (with_sentences, corpus):
        store.upsert(name, "chunks", [replace(point, sentences=None) for point in given])
    expected = store.query(corpus, "chunks", question, 3)

    store.upsert(with_sentences, "chunks", given)

    found = store.query(with_sentences, "chunks", question, 3)
    assert [hit.id for hit in found] == [hit.id for hit in expected]
    assert [hit.score for hit in found] == pytest.approx([hit.score for hit in expected], abs=1e-6)
    assert store.hashes(with_sentences, "chunks") == store.hashes(corpus, "chunks")
    np.testing.assert_allclose(store.get(with_sentences, "chunks", ["n0000"])["n0000"], given[0].vector, atol=1e-6)
    ((ids, rows),) = store.scroll(with_sentences, "chunks")
    np.testing.assert_allclose(rows, [given[int(node[1:])].vector for node in ids], atol=1e-6)


def test_a_second_upsert_replaces_the_sentences_too(store: VectorStore, with_sentences: str) -> None:
    store.upsert(with_sentences, "chunks", points_with_sentences([3, 3]))
    after = points_with_sentences([1, None])

    store.upsert(with_sentences, "chunks", after)

    found = sentences_of(store, with_sentences)
    assert list(found) == ["n0000"]
    np.testing.assert_allclose(found["n0000"], unit_vectors(1, seed=0), atol=5e-4)


def test_a_deleted_point_takes_its_sentences_along(store: VectorStore, with_sentences: str) -> None:
    store.upsert(with_sentences, "chunks", points_with_sentences([2, 2]))
    store.delete(with_sentences, "chunks", ["n0000"])
    assert list(sentences_of(store, with_sentences)) == ["n0001"]


def test_a_collection_without_sentences_gives_none(store: VectorStore, corpus: str) -> None:
    store.upsert(corpus, "chunks", points(unit_vectors(3)))
    assert list(store.scroll_sentences(corpus, "chunks")) == []
    assert list(store.scroll_sentences(corpus, "entities")) == []


def test_a_collection_keeps_the_room_for_sentences_that_it_was_made_with(
    store: VectorStore, corpus: str, with_sentences: str
) -> None:
    store.ensure(with_sentences, "chunks", DIMENSION, sentences=True)
    store.ensure(with_sentences, "chunks", DIMENSION)
    with pytest.raises(EmbedderMismatch, match=r"without vectors of sentences.* ingest it again"):
        store.ensure(corpus, "chunks", DIMENSION, sentences=True)


@pytest.mark.parametrize("spoilt", [np.full((2, DIMENSION), np.nan), np.ones((2, DIMENSION - 1))])
def test_an_unusable_sentence_is_refused_and_nothing_of_its_batch_is_written(
    store: VectorStore, with_sentences: str, spoilt: Vectors
) -> None:
    good, bad = points_with_sentences([2, 2])
    with pytest.raises(EmbeddingFailed):
        store.upsert(with_sentences, "chunks", [good, replace(bad, sentences=spoilt.astype(np.float32))])
    assert store.count(with_sentences, "chunks") == 0


PAYLOADS: list[Metadata] = [
    {"kind": "a", "year": 1990, "price": 1.5, "open": True, "a.b": "x"},
    {"kind": "b", "year": 2000, "price": 2.0, "open": False},
    {"kind": "c", "year": 2010, "price": 2.5, "open": True, "a": "x"},
    {"kind": "true", "year": 1, "price": 1, "open": "True"},
    {"tags": ["sea", "land"]},
]


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ({"kind": "b"}, [1]),
        ({"kind": ["a", "c", "z"]}, [0, 2]),
        ({"kind": "B"}, []),
        ({"year": 2000}, [1]),
        ({"year": 2000.0}, [1]),
        ({"year": [1990, 2010]}, [0, 2]),
        ({"price": 2}, [1]),
        ({"price": 2.5}, [2]),
        ({"open": True}, [0, 2]),
        ({"open": False}, [1]),
        ({"open": [True, False]}, [0, 1, 2]),
        ({"open": 1}, []),
        ({"year": True}, []),
        ({"open": ["True", False]}, [1, 3]),
        ({"year": {"gte": 2000}}, [1, 2]),
        ({"year": {"gt": 1990, "lt": 2010}}, [1]),
        ({"year": {"gt": 1990, "lte": 2010}, "open": True}, [2]),
        ({"a.b": "x"}, [0]),
        ({"unknown": "x"}, []),
        ({"tags": "sea"}, [4]),
        ({"tags": ["land", "air"]}, [4]),
        ({"tags": {"ne": "sea"}}, [0, 1, 2, 3]),
        ({"kind": {"ne": "b"}}, [0, 2, 3, 4]),
        ({"kind": {"ne": ["a", "b", "c"]}}, [3, 4]),
        ({"open": {"ne": [True, "True"]}}, [1, 4]),
        ({"year": {"gte": 1990, "ne": 2000}}, [0, 2]),
        ({}, [0, 1, 2, 3, 4]),
    ],
)
def test_filters_pass_what_the_metadata_says(
    store: VectorStore, corpus: str, filters: Filters, expected: list[int]
) -> None:
    vectors = unit_vectors(len(PAYLOADS))
    store.upsert(corpus, "chunks", points(vectors, PAYLOADS))

    found = store.query(corpus, "chunks", vectors[0], 10, filters)

    assert sorted(hit.id for hit in found) == [f"n{i:04}" for i in expected]


@pytest.mark.parametrize("text", ["bool:True", r"\bool:False", r"\\bool:True", r"\bool", "True"])
def test_a_text_that_looks_like_a_stored_boolean_stays_a_text(store: VectorStore, corpus: str, text: str) -> None:
    payloads: list[Metadata] = [{"note": text}, {"note": ["other", text]}, {"note": True}, {"note": False}]
    question = unit_vectors(1)[0]
    store.upsert(corpus, "chunks", points(unit_vectors(4), payloads))

    assert store.metadata(corpus, "chunks") == {f"n{i:04}": payload for i, payload in enumerate(payloads)}
    filters: list[Filters] = [{"note": text}, {"note": True}, {"note": {"ne": [text, False]}}]
    found = [sorted(hit.id for hit in store.query(corpus, "chunks", question, 10, one)) for one in filters]
    assert found == [["n0000", "n0001"], ["n0002"], ["n0002"]]


def test_nothing_crosses_between_corpora_nor_kinds(store: VectorStore, corpus: str) -> None:
    other = f"{corpus}__chunks"
    vectors = unit_vectors(2)
    store.ensure(corpus, "entities", DIMENSION)
    store.ensure(other, "chunks", DIMENSION)
    store.upsert(corpus, "chunks", [Point("n1", vectors[0], "of chunks")])
    store.upsert(corpus, "entities", [Point("n1", vectors[1], "of entities")])
    store.upsert(other, "chunks", [Point("n2", vectors[0], "of the other")])
    store.delete(corpus, "entities", ["n1"])
    store.drop(other, "chunks")

    assert store.hashes(corpus, "chunks") == {"n1": "of chunks"}
    assert [hit.id for hit in store.query(corpus, "chunks", vectors[0], 9)] == ["n1"]
    assert store.hashes(corpus, "entities") == store.hashes(other, "chunks") == {}


def test_ensure_twice_keeps_the_points(store: VectorStore, corpus: str) -> None:
    store.upsert(corpus, "chunks", points(unit_vectors(2)))
    store.ensure(corpus, "chunks", DIMENSION)
    assert store.count(corpus, "chunks") == 2


def test_another_dimension_is_refused_with_both_numbers(store: VectorStore, corpus: str) -> None:
    with pytest.raises(EmbedderMismatch, match=r"16 numbers .* gives 8"):
        store.ensure(corpus, "chunks", 8)


def test_a_dropped_collection_is_gone_and_can_be_made_again(store: VectorStore, corpus: str) -> None:
    store.upsert(corpus, "chunks", points(unit_vectors(2)))
    store.drop(corpus, "chunks")
    store.drop(corpus, "chunks")

    assert store.count(corpus, "chunks") == 0
    store.ensure(corpus, "chunks", 8)
    assert store.count(corpus, "chunks") == 0


def test_reading_where_no_collection_is_finds_nothing_but_searching_it_is_an_error(
    store: VectorStore, corpus: str
) -> None:
    store.delete(corpus, "entities", ["n1"])
    assert store.count(corpus, "entities") == 0
    assert store.hashes(corpus, "entities") == store.get(corpus, "entities", ["n1"]) == {}
    assert list(store.scroll(corpus, "entities")) == []
    with pytest.raises(NotBuilt, match=r"there is no vector collection .*doctor --repair"):
        store.query(corpus, "entities", unit_vectors(1)[0], 1)
    with pytest.raises(NotBuilt, match="there is no vector collection"):
        store.upsert(corpus, "entities", points(unit_vectors(1)))


@pytest.mark.parametrize("spoilt", [np.full(DIMENSION, np.nan), np.ones(DIMENSION - 1)])
def test_an_unusable_vector_is_refused_and_nothing_of_its_batch_is_written(
    store: VectorStore, corpus: str, spoilt: Vectors
) -> None:
    good = points(unit_vectors(2))
    with pytest.raises(EmbeddingFailed):
        store.upsert(corpus, "chunks", [*good, Point("bad", spoilt.astype(np.float32), "")])
    with pytest.raises(EmbeddingFailed):
        store.query(corpus, "chunks", spoilt.astype(np.float32), 1)
    assert store.count(corpus, "chunks") == 0


@pytest.mark.parametrize("key", ["id", "corpus", "sha256"])
def test_metadata_named_like_a_field_of_the_store_are_kept_and_filtered(
    store: VectorStore, corpus: str, key: str
) -> None:
    payloads: list[Metadata] = [{key: True, f"{key}_": "b"}, {key: "b"}, {f"{key}_": "n0000"}]
    question = unit_vectors(1)[0]
    store.upsert(corpus, "chunks", points(unit_vectors(3), payloads))
    assert store.metadata(corpus, "chunks") == {f"n{i:04}": payload for i, payload in enumerate(payloads)}
    found = [store.query(corpus, "chunks", question, 10, one) for one in ({key: "b"}, {f"{key}_": "b"}, {key: True})]
    assert [[hit.id for hit in hits] for hits in found] == [["n0001"], ["n0000"], ["n0000"]]
    assert store.count(corpus, "chunks") == 3


@pytest.mark.parametrize("limit", [0, -3])
def test_a_limit_below_one_is_refused(store: VectorStore, corpus: str, limit: int) -> None:
    with pytest.raises(InvalidInput, match="limit must be at least 1"):
        store.query(corpus, "chunks", unit_vectors(1)[0], limit)


def test_collections_are_listed_with_what_their_vectors_are(store: VectorStore, corpus: str) -> None:
    assert store.layout(corpus, "entities") is None
    store.ensure(corpus, "entities", 8, sentences=True)
    assert store.layout(corpus, "chunks") == (DIMENSION, False)
    assert store.layout(corpus, "entities") == (8, True)
    found = [kind for name, kind in store.collections() if corpus_of(name) == corpus]
    assert found == ["chunks", "entities"]
    store.drop(corpus, "entities")
    store.ensure(corpus, "entities", 4)
    assert store.layout(corpus, "entities") == (4, False)


def test_points_come_back_whole(store: VectorStore, with_sentences: str, corpus: str) -> None:
    given = points_with_sentences([2, None])
    store.upsert(
        with_sentences, "chunks", [replace(point, payload={"kind": "a", "year": 3, "open": True}) for point in given]
    )
    store.upsert(corpus, "chunks", given[1:])

    found = sorted((point for page in store.points(with_sentences, "chunks") for point in page), key=lambda one: one.id)

    metadata = {"kind": "a", "year": 3, "open": True}
    assert [(point.id, point.sha256) for point in found] == [("n0000", "hash0"), ("n0001", "hash1")]
    assert [point.payload for point in found] == [metadata, metadata]
    assert store.metadata(with_sentences, "chunks") == {"n0000": metadata, "n0001": metadata}
    assert store.metadata(corpus, "chunks") == {"n0001": {}}
    assert store.metadata(corpus, "entities") == {}
    np.testing.assert_allclose([point.vector for point in found], [point.vector for point in given], atol=1e-6)
    assert found[1].sentences is None
    assert found[0].sentences is not None
    assert given[0].sentences is not None
    np.testing.assert_allclose(found[0].sentences, given[0].sentences, atol=5e-4)
    [[without]] = store.points(corpus, "chunks")
    assert (without.id, without.sentences) == ("n0001", None)
    assert list(store.points(corpus, "entities")) == []
    fetched = store.fetch(with_sentences, "chunks", ["n0001", "none", "n0000", "n0001"])
    assert [point.id for point in fetched] == ["n0001", "n0000"]
    assert [point.payload for point in fetched] == [metadata, metadata]
    np.testing.assert_array_equal(fetched[1].sentences, found[0].sentences)
    assert store.fetch(corpus, "entities", ["n0000"]) == []


def test_an_answering_store_names_its_place_and_version(store: VectorStore) -> None:
    found = store.server()
    assert found.address
    assert re.search(r"\d+\.\d+\.\d+", found.version)
    assert found.fault == ""
