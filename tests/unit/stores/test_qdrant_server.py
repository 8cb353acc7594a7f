"""The server adapter with a server that is unavailable, refuses requests, or is changed by others."""

from __future__ import annotations

import json
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from qdrant_client.common.client_exceptions import ResourceExhaustedResponse
from qdrant_client.http.exceptions import UnexpectedResponse

from tetragraph.errors import NotBuilt, QueryFailed, StoreDenied, StoreError, StoreUnavailable
from tetragraph.settings import Settings
from tetragraph.stores import qdrant_models
from tetragraph.stores.open_vectors import open_vectors
from tetragraph.stores.qdrant_collection import Collection
from tetragraph.stores.qdrant_requests import Requests
from tetragraph.stores.vectors import Layout, Point, VectorStore

Answer = Callable[[str, str, Any], tuple[int, Any]]
Serve = Callable[[Answer], str]
ORIGIN = np.ones(4, dtype=np.float32)


OURS = "a-database"


def at(settings: Settings, url: str, **changed: object) -> VectorStore:
    """The store of a server, without further attempts unless they are asked for."""
    return open_vectors(settings.model_copy(update={"qdrant_url": url, "qdrant_retries": 0, **changed}), OURS)


def described(size: int, owner: str | None = OURS, strict: dict[str, Any] | None = None) -> dict[str, Any]:
    """A server's answer about a collection, cut down to what its client insists on."""
    config = {
        "metadata": {"tetragraph_database": owner} if owner else None,
        "strict_mode_config": strict,
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
    """Has every collection, of dimension 4 and this database, and answers all else with ``status`` and ``body``."""

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
        lambda store: list(store.points("corpus", "chunks")),
        lambda store: store.collections(),
        lambda store: store.server(),
    ],
)
def test_a_server_that_is_away_is_unavailable_for_every_call(
    settings: Settings, call: Callable[[VectorStore], object]
) -> None:
    with socket.socket() as taken:  # bound and not listening, so that nobody answers there
        taken.bind(("127.0.0.1", 0))
        store = at(settings, f"http://127.0.0.1:{taken.getsockname()[1]}")
        with pytest.raises(StoreUnavailable, match=r"Qdrant does not answer at http://127.* QDRANT_URL"):
            call(store)
        store.close()


@pytest.mark.usefixtures("dead_proxy")
def test_no_proxy_stands_before_a_server_of_this_machine(settings: Settings, serve: Serve) -> None:
    count = {"result": {"count": 3}, "status": "ok", "time": 0.0}
    store = at(settings, serve(server_with_a_collection(200, count)))
    assert store.count("corpus", "chunks") == 3
    store.close()


@pytest.mark.parametrize(
    ("status", "error", "said"),
    [
        (401, StoreDenied, "set QDRANT_API_KEY"),
        (403, StoreDenied, "set QDRANT_API_KEY"),
        (400, QueryFailed, "400 Bad Request.*the reason"),
        (429, StoreUnavailable, "the reason.: try again in 1 s"),
        (413, QueryFailed, "larger than Qdrant, or the proxy in front of it, allows.*MAX_REQUEST_SIZE_MB"),
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


class Failing:
    """Answers to counts: first the failures, then the count 7; remembers how many requests came."""

    def __init__(self, *failures: int) -> None:
        self.failures = list(failures)
        self.requests = 0

    def __call__(self, method: str, path: str, body: Any) -> tuple[int, Any]:
        if not path.endswith("/count"):
            return server_with_a_collection(200, {})(method, path, body)
        self.requests += 1
        if self.failures:
            return self.failures.pop(0), {"status": {"error": "the reason"}}
        return 200, {"result": {"count": 7}, "status": "ok"}


@pytest.mark.parametrize("failures", [[429], [503, 502, 504], [408]])
def test_a_server_that_has_too_much_to_do_is_asked_again(settings: Settings, serve: Serve, failures: list[int]) -> None:
    answer = Failing(*failures)
    store = at(settings, serve(answer), qdrant_retries=3)
    assert store.count("corpus", "chunks") == 7
    assert answer.requests == 1 + len(failures)
    store.close()


@pytest.mark.parametrize(("status", "requests"), [(503, 3), (500, 1), (400, 1), (401, 1)])
def test_attempts_end_and_what_no_attempt_would_change_is_not_repeated(
    settings: Settings, serve: Serve, status: int, requests: int
) -> None:
    answer = Failing(*[status] * 9)
    store = at(settings, serve(answer), qdrant_retries=2)
    with pytest.raises(StoreError, match="the reason"):
        store.count("corpus", "chunks")
    assert answer.requests == requests
    store.close()


@pytest.mark.parametrize(("headers", "least"), [({"retry-after": "7"}, 7.0), ({}, 0.1)])
@pytest.mark.parametrize("status", [429, 503])
def test_the_pause_is_at_least_the_one_that_the_server_requests(
    monkeypatch: pytest.MonkeyPatch, headers: dict[str, str], least: float, status: int
) -> None:
    pauses: list[float] = []
    monkeypatch.setattr(time, "sleep", pauses.append)
    failures: list[Exception] = [UnexpectedResponse(status, "Busy", b"", cast("Any", headers))]
    if status == 429 and headers:
        failures = [ResourceExhaustedResponse("", 7)]

    def request() -> str:
        if failures:
            raise failures.pop()
        return "done"

    assert Requests("http://here", retries=1).send(request) == "done"
    assert len(pauses) == 1
    assert least <= pauses[0] <= least * 1.1 + 0.25


def test_a_retry_after_that_is_a_date_is_a_busy_server_too(settings: Settings) -> None:
    with answering(b"{}", 429, {"Retry-After": "Mon, 23 Nov 2026 04:00:00 GMT"}) as url:
        store = at(settings, url)
        with pytest.raises(StoreUnavailable, match="too much to do"):
            store.count("corpus", "chunks")
        store.close()


@contextmanager
def answering(content: bytes, status: int = 200, headers: Mapping[str, str] | None = None) -> Iterator[str]:
    """Address of a web server that gives every request the same answer."""

    class Handler(BaseHTTPRequestHandler):
        def _reply(self) -> None:
            self.rfile.read(int(self.headers.get("Content-Length", 0)))
            self.send_response(status)
            for name, value in {"Content-Length": str(len(content)), **(headers or {})}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)

        do_GET = do_POST = do_PUT = do_DELETE = _reply  # noqa: N815 - the names that the base class calls

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the base class' name
            """Keeps the output of the tests clean."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


@pytest.mark.parametrize(
    ("content", "status"),
    [
        (b"<html>please log in</html>", 200),
        (b"\xff\xfe", 200),
        (b'{"hello": "world"}', 200),
        (b"<html>no such page</html>", 404),
        (b"", 302),
        (b"[]", 404),
    ],
)
def test_an_answer_that_is_not_of_qdrant_says_so(settings: Settings, content: bytes, status: int) -> None:
    with answering(content, status) as url:
        store = at(settings, url)
        for call in (store.server, store.collections, lambda: store.count("corpus", "chunks")):
            with pytest.raises(StoreUnavailable, match=rf"what answers at {url} is not Qdrant.* set QDRANT_URL"):
                call()
        store.close()


@pytest.mark.parametrize(
    ("owner", "said"),
    [("another-one", "another Neo4j database .another-one, not a-database"), (None, "it has no mark")],
)
def test_the_collection_of_another_database_is_refused_and_kept(
    settings: Settings, serve: Serve, owner: str | None, said: str
) -> None:
    asked: list[tuple[str, str]] = []

    def answer(method: str, path: str, body: Any) -> tuple[int, Any]:
        asked.append((method, path))
        if path == "/collections":
            return 200, {"result": {"collections": [{"name": "corpus__chunks"}]}, "status": "ok", "time": 0.0}
        if method == "GET" and not path.endswith("/exists"):
            return 200, described(4, owner)
        return server_with_a_collection(200, {})(method, path, body)

    store = at(settings, serve(answer))
    for call in (
        lambda: store.ensure("corpus", "chunks", 4),
        lambda: store.layout("corpus", "chunks"),
        lambda: store.upsert("corpus", "chunks", [Point("n1", ORIGIN, "")]),
        lambda: store.delete("corpus", "chunks", ["n1"]),
        lambda: store.query("corpus", "chunks", ORIGIN, 1),
        lambda: store.hashes("corpus", "chunks"),
    ):
        with pytest.raises(StoreError, match=rf"{said}.*`tetragraph vectors claim corpus`"):
            call()
    store.drop("corpus", "chunks")
    assert store.collections() == []
    assert {method for method, _ in asked} == {"GET"}
    store.close()


@pytest.mark.parametrize(
    ("version", "lacking"), [("1.15.5", True), ("1.16.0", False), ("1.19.1-dev", False), ("2.0.0", True)]
)
def test_a_version_that_does_not_work_is_named(settings: Settings, serve: Serve, version: str, lacking: bool) -> None:
    def answer(_: str, path: str, __: Any) -> tuple[int, Any]:
        if path == "/collections":
            return 200, {"result": {"collections": []}, "status": "ok", "time": 0.0}
        return 200, {"title": "qdrant - vector search engine", "version": version}

    url = serve(answer)
    store = at(settings, url)
    found = store.server()
    assert found[:2] == (url, version)
    assert bool(found.fault) == lacking
    store.close()


def test_a_request_has_no_more_points_than_its_size_allows(settings: Settings, serve: Serve) -> None:
    dimension, sizes, seen = 384, [], 0

    def answer(method: str, path: str, body: Any) -> tuple[int, Any]:
        nonlocal seen
        if method == "PUT" and path.partition("?")[0].endswith("/points"):
            sizes.append(len(json.dumps(body)))
            seen += len(body["points"])
        if method == "GET" and not path.endswith("/exists"):
            found = described(dimension)
            vector = found["result"]["config"]["params"]["vectors"]
            found["result"]["config"]["params"]["vectors"] = {"": vector, "sentences": vector}
            return 200, found
        return server_with_a_collection(200, {"result": {"operation_id": 1, "status": "completed"}})(method, path, body)

    store = at(settings, serve(answer))
    rows = np.random.default_rng(0).normal(size=(30, dimension)).astype(np.float32)
    huge = np.tile(rows, (40, 1))
    store.upsert(
        "corpus",
        "chunks",
        [Point(f"n{i}", rows[0], "", {}, huge if i == 20 else rows) for i in range(100)],
    )

    assert seen == 100
    limit = qdrant_models.REQUEST_BYTES
    assert [size > limit for size in sizes].count(True) == 1  # one point is larger by itself
    assert len(sizes) < 20
    store.close()


def test_many_ids_are_deleted_and_read_in_pages(settings: Settings, serve: Serve) -> None:
    deleted, read = [], []

    def answer(method: str, path: str, body: Any) -> tuple[int, Any]:
        if path.partition("?")[0].endswith("/points/delete"):
            deleted.append(len(body["points"]))
            return 200, {"result": {"operation_id": 1, "status": "completed"}}
        if path.partition("?")[0].endswith("/points"):
            read.append(len(body["ids"]))
            return 200, {"result": []}
        return server_with_a_collection(200, {})(method, path, body)

    store = at(settings, serve(answer))
    ids = [f"n{i}" for i in range(2_500)]
    store.delete("corpus", "chunks", ids)
    assert store.get("corpus", "chunks", ids) == {}
    assert deleted == read == [1_000, 1_000, 500]
    store.close()


@given(st.lists(st.integers(1, qdrant_models.REQUEST_BYTES * 2), max_size=30), st.integers(1, 7))
def test_batches_cover_all_positions_within_both_limits(sizes: list[int], most: int) -> None:
    found = list(qdrant_models.batches(sizes, most))
    assert [place for batch in found for place in batch] == list(range(len(sizes)))
    for batch in found:
        assert 1 <= len(batch) <= most
        assert len(batch) == 1 or sum(sizes[place] for place in batch) <= qdrant_models.REQUEST_BYTES


def test_approximate_search_asks_for_more_candidates_than_results() -> None:
    collection = Collection(Layout(4, sentences=False))
    exact = qdrant_models.search_params(collection, 100, is_exact=True)
    wide = qdrant_models.search_params(collection, 100, is_exact=False)
    collection.allows_exact, collection.ef_limit = False, 200
    limited = qdrant_models.search_params(collection, 100, is_exact=True)
    assert (exact.exact, exact.hnsw_ef) == (True, None)
    assert (wide.exact, wide.hnsw_ef) == (False, 400)
    assert (limited.exact, limited.hnsw_ef) == (False, 200)
