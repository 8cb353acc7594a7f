"""The server adapter with a server that is unavailable, refuses requests, or is changed by others."""

from __future__ import annotations

import socket
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tetragraph.errors import NotBuilt, QueryFailed, StoreDenied, StoreUnavailable
from tetragraph.settings import Settings
from tetragraph.stores.open_vectors import open_vectors
from tetragraph.stores.vectors import Point, VectorStore

Answer = Callable[[str, str, Any], tuple[int, Any]]
Serve = Callable[[Answer], str]
ORIGIN = np.ones(4, dtype=np.float32)


def at(settings: Settings, url: str) -> VectorStore:
    return open_vectors(settings.model_copy(update={"qdrant_url": url}))


def described(size: int) -> dict[str, Any]:
    """A server's answer about a collection, cut down to what its client insists on."""
    config = {
        "params": {"vectors": {"size": size, "distance": "Cosine"}},
        "hnsw_config": {"m": 16, "ef_construct": 100, "full_scan_threshold": 10_000},
        "optimizer_config": {
            "deleted_threshold": 0.2,
            "vacuum_min_vector_number": 1000,
            "default_segment_number": 0,
            "flush_interval_sec": 5,
        },
    }
    result = {"status": "green", "optimizer_status": "ok", "segments_count": 1, "config": config, "payload_schema": {}}
    return {"result": result, "status": "ok", "time": 0.0}


def server_with_a_collection(status: int, body: Any) -> Answer:
    """Has every collection, of dimension 4, and answers all else with ``status`` and ``body``."""

    def answer(method: str, path: str, _: Any) -> tuple[int, Any]:
        if path.endswith("/exists"):
            return 200, {"result": {"exists": True}, "status": "ok", "time": 0.0}
        if method == "GET":
            return 200, described(4)
        return status, body

    return answer


@pytest.mark.parametrize(
    "call",
    [
        lambda store: store.ensure("corpus", "chunks", 4),
        lambda store: store.upsert("corpus", "chunks", [Point("n1", ORIGIN, "")]),
        lambda store: store.delete("corpus", "chunks", ["n1"]),
        lambda store: store.drop("corpus", "chunks"),
        lambda store: store.get("corpus", "chunks", ["n1"]),
        lambda store: store.hashes("corpus", "chunks"),
        lambda store: list(store.scroll("corpus", "chunks")),
        lambda store: store.query("corpus", "chunks", ORIGIN, 1),
        lambda store: store.count("corpus", "chunks"),
    ],
)
def test_a_server_that_is_away_is_unavailable_for_every_call(
    settings: Settings, call: Callable[[VectorStore], object]
) -> None:
    with socket.socket() as taken:  # bound and not listening, so that nobody answers there
        taken.bind(("127.0.0.1", 0))
        store = at(settings, f"http://127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(StoreUnavailable, match=r"Qdrant does not answer .*QDRANT_URL"):
            call(store)
        store.close()


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (401, StoreDenied, "set QDRANT_API_KEY"),
        (403, StoreDenied, "set QDRANT_API_KEY"),
        (400, QueryFailed, "400 Bad Request.*the reason"),
        (429, StoreUnavailable, "the reason.: try again in 1 s"),
        (408, StoreUnavailable, "try again later"),
        (500, StoreUnavailable, "500 Internal Server Error.*the reason"),
        (503, StoreUnavailable, "try again later"),
        (404, NotBuilt, "there is no vector collection 'corpus__chunks'"),
    ],
)
def test_a_refusal_becomes_the_error_that_says_what_to_do(
    settings: Settings, serve: Serve, status: int, error: type[Exception], said: str
) -> None:
    store = at(settings, serve(server_with_a_collection(status, {"status": {"error": "the reason"}})))
    with pytest.raises(error, match=said):
        store.query("corpus", "chunks", ORIGIN, 1)
    store.close()


def test_a_collection_that_was_made_again_with_another_dimension_is_noticed_after_it_was_gone(
    settings: Settings, serve: Serve
) -> None:
    size, gone = 4, False

    def answer(method: str, path: str, body: Any) -> tuple[int, Any]:
        if method == "GET" and not path.endswith("/exists"):
            return 200, described(size)
        return server_with_a_collection(404 if gone else 200, {"result": {"count": 7}, "status": "ok"})(
            method, path, body
        )

    store = at(settings, serve(answer))
    assert store.count("corpus", "chunks") == 7
    gone = True
    with pytest.raises(NotBuilt):
        store.count("corpus", "chunks")
    gone, size = False, 8
    with pytest.raises(Exception, match="1 vectors of 8 numbers"):
        store.query("corpus", "chunks", ORIGIN, 1)
    store.close()


def test_a_foreign_collection_with_named_vectors_is_refused(settings: Settings, serve: Serve) -> None:
    foreign = described(4)
    foreign["result"]["config"]["params"]["vectors"] = {"text": {"size": 4, "distance": "Cosine"}}

    def answer(method: str, path: str, body: Any) -> tuple[int, Any]:
        if method == "GET" and not path.endswith("/exists"):
            return 200, foreign
        return server_with_a_collection(200, {})(method, path, body)

    store = at(settings, serve(answer))
    with pytest.raises(QueryFailed, match="was not made by tetragraph"):
        store.count("corpus", "chunks")
    store.close()
