"""What only a real Qdrant server shows: its limits, its index, strict mode, several databases, kills and pauses."""

from __future__ import annotations

import threading
import time
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import numpy as np
import pytest
from pydantic import SecretStr
from qdrant_client import QdrantClient, models

import qdrant_server
from qdrant_server import QdrantServer
from tetragraph.arrays import Vectors
from tetragraph.errors import NotBuilt, StoreDenied, StoreError, StoreUnavailable
from tetragraph.settings import Settings
from tetragraph.stores.open_vectors import open_server
from tetragraph.stores.qdrant_server import QdrantVectors
from tetragraph.stores.vectors import Point

DATABASE = "a-database"
DIMENSION = 32
Open = Callable[..., QdrantVectors]


@pytest.fixture
def open_store(qdrant_settings: Settings) -> Iterator[Open]:
    """Opens stores on the session's server, of a database and with changed settings; closed with the test."""
    opened: list[QdrantVectors] = []

    def make(database: str = DATABASE, **changed: object) -> QdrantVectors:
        opened.append(open_server(qdrant_settings.model_copy(update=changed), database))
        return opened[-1]

    yield make
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Open) -> QdrantVectors:
    return open_store()


@pytest.fixture
def admin(qdrant_settings: Settings) -> Iterator[QdrantClient]:
    """The plain client."""
    with closing(qdrant_server.driver(qdrant_settings)) as client:
        yield client


@pytest.fixture
def corpus(admin: QdrantClient) -> Iterator[str]:
    """The name of a corpus that no other test uses; its collections are removed afterwards."""
    name = f"test-{uuid.uuid4().hex[:12]}"
    yield name
    for one in admin.get_collections().collections:
        if one.name.startswith(name):
            admin.delete_collection(one.name)


def unit_vectors(count: int, dimension: int = DIMENSION, seed: int = 0) -> Vectors:
    vectors = np.random.default_rng(seed).normal(size=(count, dimension)).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))


def points(vectors: Vectors, first: int = 0) -> list[Point]:
    return [Point(f"n{i:05}", vector, f"hash{i}") for i, vector in enumerate(vectors, start=first)]


def collection(corpus: str) -> str:
    return f"{corpus}__chunks"


def test_chunks_of_many_sentences_are_stored_whatever_their_size_together(store: QdrantVectors, corpus: str) -> None:
    sentences = unit_vectors(32, 384)
    given = [Point(f"n{i}", sentences[0], "", {}, sentences) for i in range(150)]
    assert len(given) * 33 * 384 * 18 > 32 * 2**20  # what one request may have
    store.ensure(corpus, "chunks", 384, sentences=True)

    store.upsert(corpus, "chunks", given)

    assert store.count(corpus, "chunks") == 150
    assert sum(len(ids) for ids, _ in store.scroll_sentences(corpus, "chunks")) == 150


def test_a_point_above_the_limit_of_the_server_is_refused_with_the_setting_that_raises_it(
    store: QdrantVectors, corpus: str
) -> None:
    store.ensure(corpus, "chunks", DIMENSION, sentences=True)
    huge = np.tile(unit_vectors(1000), (60, 1))
    with pytest.raises(StoreError, match=r"larger than Qdrant.*QDRANT__SERVICE__MAX_REQUEST_SIZE_MB"):
        store.upsert(corpus, "chunks", [Point("n1", huge[0], "", {}, huge)])


def test_vectors_of_sentences_lie_on_disk_without_an_index(
    store: QdrantVectors, admin: QdrantClient, corpus: str
) -> None:
    store.ensure(corpus, "chunks", DIMENSION, sentences=True)
    vectors = admin.get_collection(collection(corpus)).config.params.vectors
    assert isinstance(vectors, dict)
    of_sentences = vectors["sentences"]
    assert of_sentences.on_disk
    assert of_sentences.hnsw_config is not None
    assert of_sentences.hnsw_config.m == 0


def test_metadata_keys_are_indexed_by_their_type_when_they_first_appear(
    store: QdrantVectors, admin: QdrantClient, corpus: str
) -> None:
    vectors = unit_vectors(2)
    store.ensure(corpus, "chunks", DIMENSION)
    store.upsert(corpus, "chunks", [Point("n1", vectors[0], "", {"kind": "a", "year": 3, "a.b": "x"})])
    store.upsert(corpus, "chunks", [Point("n2", vectors[1], "", {"open": True, "price": 1.5, 'no "path"': 1})])

    schema = admin.get_collection(collection(corpus)).payload_schema

    assert {key: str(index.data_type.value) for key, index in schema.items()} == {
        "kind": "keyword",
        "year": "float",
        '"a.b"': "keyword",
        "open": "bool",
        "price": "float",
    }


@pytest.fixture
def indexed(store: QdrantVectors, admin: QdrantClient, corpus: str) -> Vectors:
    """5,000 vectors in a collection whose index the server has built."""
    vectors = unit_vectors(5_000)
    store.ensure(corpus, "chunks", DIMENSION)
    store.upsert(corpus, "chunks", points(vectors))
    diff = models.OptimizersConfigDiff(indexing_threshold=10)
    admin.update_collection(
        collection(corpus), optimizers_config=diff, hnsw_config=models.HnswConfigDiff(full_scan_threshold=10)
    )
    for _ in range(600):
        found = admin.get_collection(collection(corpus))
        if found.status == models.CollectionStatus.GREEN and (found.indexed_vectors_count or 0) >= len(vectors):
            return vectors
        time.sleep(0.1)
    pytest.fail(f"the server built no index: {found}")


def test_searches_are_exact_although_the_server_has_an_index(
    indexed: Vectors, store: QdrantVectors, open_store: Open, corpus: str
) -> None:
    approximate, missed = open_store(qdrant_exact=False), 0
    for question in unit_vectors(20, seed=1):
        nearest = [f"n{i:05}" for i in np.argsort(-(indexed @ question))[:100]]
        assert [hit.id for hit in store.query(corpus, "chunks", question, 100)] == nearest
        missed += len({*nearest} - {hit.id for hit in approximate.query(corpus, "chunks", question, 100)})
    assert missed < 20 * 100 * 0.05
    assert store.is_exact(corpus, "chunks")
    assert not approximate.is_exact(corpus, "chunks")


def test_strict_mode_stops_nothing(open_store: Open, admin: QdrantClient, corpus: str) -> None:
    store = open_store()
    same = np.tile(unit_vectors(1), (300, 1))
    store.ensure(corpus, "chunks", DIMENSION)
    limits = models.StrictModeConfig(
        enabled=True, max_query_limit=20, unindexed_filtering_retrieve=False, upsert_max_batchsize=7
    )
    admin.update_collection(collection(corpus), strict_mode_config=limits)
    store.ensure(corpus, "chunks", DIMENSION)  # the next ingest, which sees the limits

    store.upsert(corpus, "chunks", [Point(f"n{i:03}", row, "", {"kind": "ab"[i % 2]}) for i, row in enumerate(same)])

    assert len(store.hashes(corpus, "chunks")) == 300
    assert sum(len(ids) for ids, _ in store.scroll(corpus, "chunks")) == 300
    assert [hit.id for hit in store.query(corpus, "chunks", same[0], 90)] == [f"n{i:03}" for i in range(90)]
    found = store.query(corpus, "chunks", same[0], 50, {"kind": "b"})
    assert [hit.id for hit in found] == [f"n{i:03}" for i in range(1, 100, 2)]
    assert len(store.get(corpus, "chunks", [f"n{i:03}" for i in range(300)])) == 300
    store.delete(corpus, "chunks", [f"n{i:03}" for i in range(300)])
    assert store.count(corpus, "chunks") == 0


def test_a_collection_that_forbids_exact_searches_is_searched_by_its_index_and_says_so(
    indexed: Vectors, open_store: Open, admin: QdrantClient, corpus: str
) -> None:
    limits = models.StrictModeConfig(enabled=True, search_allow_exact=False, search_max_hnsw_ef=200)
    admin.update_collection(collection(corpus), strict_mode_config=limits)
    store = open_store()
    assert len(store.query(corpus, "chunks", indexed[0], 100)) == 100
    assert not store.is_exact(corpus, "chunks")


def test_processes_that_make_a_collection_at_once_all_find_it(open_store: Open, corpus: str) -> None:
    stores = [open_store() for _ in range(4)]
    with ThreadPoolExecutor(4) as pool:
        for round_ in range(6):
            name = f"{corpus}-{round_}"
            list(pool.map(lambda one, name=name: one.ensure(name, "chunks", DIMENSION), stores))
            assert stores[0].layout(name, "chunks") == (DIMENSION, False)


def test_two_databases_on_one_server_leave_each_other_alone(open_store: Open, corpus: str) -> None:
    ours, theirs = open_store(), open_store("another-database")
    ours.ensure(corpus, "chunks", DIMENSION)
    ours.upsert(corpus, "chunks", points(unit_vectors(3)))

    with pytest.raises(StoreError, match=r"another Neo4j database .a-database, not another-database"):
        theirs.ensure(corpus, "chunks", DIMENSION)
    with pytest.raises(StoreError, match="nothing was read from it or written to it"):
        theirs.upsert(corpus, "chunks", points(unit_vectors(3)))
    theirs.drop(corpus, "chunks")

    assert (corpus, "chunks") in ours.collections()
    assert (corpus, "chunks") not in theirs.collections()
    assert ours.count(corpus, "chunks") == 3


def test_a_claim_makes_the_collections_of_a_corpus_ours(open_store: Open, corpus: str) -> None:
    before, after = open_store("before-the-move"), open_store()
    for kind in ("chunks", "entities"):
        before.ensure(corpus, kind, DIMENSION)
    before.upsert(corpus, "chunks", points(unit_vectors(3)))

    assert after.claim(corpus) == ["chunks", "entities"]

    assert after.count(corpus, "chunks") == 3
    assert before.layout(corpus, "relations") is None
    with pytest.raises(StoreError, match="another Neo4j database"):
        before.layout(corpus, "chunks")


@pytest.mark.parametrize("key", ["another-key", None])
def test_a_wrong_key_is_denied_with_the_setting(open_store: Open, key: str | None) -> None:
    store = open_store(qdrant_api_key=SecretStr(key) if key else None)
    for call in (store.server, lambda: store.layout("corpus", "chunks")):
        with pytest.raises(StoreDenied, match="set QDRANT_API_KEY"):
            call()


def test_sixteen_threads_get_the_results_of_one(store: QdrantVectors, corpus: str) -> None:
    store.ensure(corpus, "chunks", DIMENSION)
    store.upsert(corpus, "chunks", points(unit_vectors(500)))
    questions = list(unit_vectors(40, seed=1))
    expected = [store.query(corpus, "chunks", question, 20) for question in questions]
    with ThreadPoolExecutor(16) as pool:
        found = list(pool.map(lambda question: store.query(corpus, "chunks", question, 20), questions * 4))
    assert found == expected * 4


@pytest.mark.slow
def test_acknowledged_writes_survive_a_kill_and_the_client_goes_on(
    own_qdrant: QdrantServer, settings: Settings
) -> None:
    store = open_server(own_qdrant.of(settings), DATABASE)
    store.ensure("corpus", "chunks", DIMENSION)
    kept: list[set[str]] = [set() for _ in range(4)]

    def write(place: int) -> None:
        for number in range(1_000):
            batch = points(unit_vectors(10, seed=number), first=(place * 1_000 + number) * 10)
            store.upsert("corpus", "chunks", batch)
            kept[place].update(point.id for point in batch[1:])
            store.delete("corpus", "chunks", [batch[0].id])

    for _ in range(2):
        threads = [threading.Thread(target=_until_unavailable, args=(write, place)) for place in range(4)]
        for thread in threads:
            thread.start()
        before = sum(map(len, kept))
        while sum(map(len, kept)) < before + 200:
            time.sleep(0.01)
        own_qdrant.kill()
        for thread in threads:
            thread.join()
        own_qdrant.start()
        assert set().union(*kept) <= store.hashes("corpus", "chunks").keys()
    store.close()


def _until_unavailable(write: Callable[[int], None], place: int) -> None:
    with pytest.raises(StoreUnavailable):
        write(place)


def test_a_server_that_is_back_in_time_is_not_noticed(own_qdrant: QdrantServer, settings: Settings) -> None:
    store = open_server(own_qdrant.of(settings).model_copy(update={"qdrant_retries": 8}), DATABASE)
    store.ensure("corpus", "chunks", DIMENSION)
    store.upsert("corpus", "chunks", points(unit_vectors(5)))
    own_qdrant.kill()
    restart = threading.Thread(target=own_qdrant.start)
    restart.start()
    assert store.count("corpus", "chunks") == 5
    restart.join()
    store.close()


def test_a_paused_server_does_not_answer_in_time_and_the_client_goes_on_afterwards(
    own_qdrant: QdrantServer, settings: Settings
) -> None:
    store = open_server(own_qdrant.of(settings).model_copy(update={"qdrant_timeout_s": 0.5}), DATABASE)
    store.ensure("corpus", "chunks", DIMENSION)
    store.upsert("corpus", "chunks", points(unit_vectors(5)))
    own_qdrant.pause()
    try:
        with pytest.raises(StoreUnavailable, match=r"does not answer at .*timed out"):
            store.count("corpus", "chunks")
    finally:
        own_qdrant.resume()
    assert store.count("corpus", "chunks") == 5
    store.close()


def test_a_restored_snapshot_has_the_old_points_and_its_owner(
    store: QdrantVectors, open_store: Open, admin: QdrantClient, corpus: str, qdrant_settings: Settings
) -> None:
    store.ensure(corpus, "chunks", DIMENSION)
    store.upsert(corpus, "chunks", points(unit_vectors(3)))
    snapshot = qdrant_server.take_snapshot(admin, qdrant_settings, collection(corpus))
    store.drop(corpus, "chunks")
    with pytest.raises(NotBuilt):
        store.upsert(corpus, "chunks", points(unit_vectors(1)))

    qdrant_server.restore_snapshot(qdrant_settings, collection(corpus), snapshot)

    assert store.count(corpus, "chunks") == 3
    with pytest.raises(StoreError, match="another Neo4j database"):
        open_store("another-database").layout(corpus, "chunks")
