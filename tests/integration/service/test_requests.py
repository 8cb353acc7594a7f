"""Requests that are refused, clients that vanish, and stores that do."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from dataclasses import replace
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
from starlette.testclient import TestClient

from running_service import running_service
from tetragraph import Settings, Tetragraph
from tetragraph.client.analytics import Analytics, Table
from tetragraph.client.remote.requests import MOST_LISTED
from tetragraph.host.process_names import new_process_name
from tetragraph.service.app import create_app
from tetragraph.service.config import ServiceConfig
from tetragraph.service.jobs.store import JobStore
from tetragraph.service.state import CONTROL_THREADS
from tetragraph.service.surfaces import surfaces

MakeKey = Callable[..., str]
PATIENCE_S = 60


@pytest.fixture
def headers(make_key: MakeKey, world: str) -> dict[str, str]:
    """Headers with a key for the corpus."""
    return {"Authorization": f"Bearer {make_key('search', world)}"}


def test_a_method_that_a_path_lacks_is_refused_with_all_that_it_has(
    http: TestClient, world: str, headers: dict[str, str]
) -> None:
    for path, methods in {"documents": "GET, POST", "sessions/prune": "POST", "sessions/x": "DELETE, GET"}.items():
        refused = http.patch(f"/v1/corpora/{world}/{path}", headers=headers)
        assert refused.status_code == 405
        assert refused.headers["Allow"] == methods


@pytest.mark.parametrize(
    ("field", "value"), [("k", "5"), ("k", True), ("min_confidence", False), ("generate", "yes"), ("k", 5.5)]
)
def test_a_value_of_another_type_of_json_is_refused(
    http: TestClient, world: str, headers: dict[str, str], field: str, value: object
) -> None:
    refused = http.post(f"/v1/corpora/{world}/ask", json={"question": "Who?", field: value}, headers=headers)
    assert refused.status_code == 422
    assert field in refused.json()["detail"]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("search", {"question": "Who?", "options": {"k": 3}}),
        ("ask", {"question": "Who?", "options": {"question": "What?"}}),
        ("facts", {"question": "Who?", "options": {"filters": {}}}),
        ("sessions", {"question": "Who?", "options": {"k": 3}}),
        ("subgraph", {"search": {"question": "Who?", "options": {"method": "dense"}}}),
    ],
)
def test_an_argument_among_the_options_is_refused(
    http: TestClient, world: str, headers: dict[str, str], path: str, body: dict[str, object]
) -> None:
    refused = http.post(f"/v1/corpora/{world}/{path}", json=body, headers=headers)
    assert refused.status_code == 422
    assert "is an argument of its own and no option" in refused.json()["detail"]


@pytest.mark.parametrize("limit", [MOST_LISTED + 1, 10**9, 0, "5", True, 5.5])
def test_a_limit_of_a_statement_that_no_list_may_have_is_refused_before_it_runs(
    http: TestClient, world: str, headers: dict[str, str], monkeypatch: pytest.MonkeyPatch, limit: object
) -> None:
    def run(self: Analytics, name: str, /, **parameters: Any) -> Table:
        raise AssertionError(f"{name} was run with {parameters}")

    path = f"/v1/corpora/{world}/analytics/find_most_named_entities"
    largest = http.post(path, json={"parameters": {"limit": MOST_LISTED}}, headers=headers)
    assert largest.status_code == 200
    monkeypatch.setattr(Analytics, "run", run)
    refused = http.post(path, json={"parameters": {"limit": limit}}, headers=headers)
    assert (refused.status_code, refused.json()["error"]) == (422, "InvalidInput")
    assert "limit must be" in refused.json()["detail"]


def test_a_service_is_ready_when_each_of_its_checks_passes(http: TestClient) -> None:
    ready = http.get("/readyz")
    assert ready.status_code == 200
    assert ready.json()["checks"] == dict.fromkeys(("neo4j", "schema", "qdrant", "accepting"), "ok")
    assert [http.head(path).status_code for path in ("/healthz", "/readyz")] == [200, 200]


@pytest.mark.parametrize(
    ("content", "kind", "status", "error"),
    [
        (b"{", "application/json", 422, "InvalidInput"),
        (b'{"question": "Who?", "colour": "red"}', "application/json", 422, "InvalidInput"),
        (b'{"question": "\xff\xfe"}', "application/json", 422, "InvalidInput"),
        (b"[" * 1900, "application/json", 422, "InvalidInput"),
        (b"question=Who", "application/x-www-form-urlencoded", 415, "InvalidInput"),
        (b'{"question": "' + b"x" * 3000 + b'"}', "application/json", 413, "RequestTooLarge"),
    ],
    ids=["half", "unknown field", "no UTF-8", "nested", "form", "large"],
)
def test_a_body_that_is_none_of_the_operation_is_refused(
    opened: Tetragraph, world: str, headers: dict[str, str], content: bytes, kind: str, status: int, error: str
) -> None:
    path, sent = f"/v1/corpora/{world}/search", {**headers, "Content-Type": kind}
    pieces = [content[:7], content[7:]]  # without a length
    with TestClient(create_app(opened, ServiceConfig(body_bytes=2000)), base_url="http://localhost") as http:
        for body in (content, iter(pieces)):
            refused = http.post(path, content=body, headers=sent)
            assert (refused.status_code, refused.json()["error"]) == (status, error)
            assert refused.headers["content-type"] == "application/problem+json"


@pytest.mark.parametrize("given", ["a b", "<script>", "x" * 65, "{}"])
def test_an_id_of_a_request_that_could_forge_a_log_line_is_replaced(http: TestClient, given: str) -> None:
    assert http.get("/healthz", headers={"X-Request-ID": "job-7.retry_2"}).headers["X-Request-ID"] == "job-7.retry_2"
    assert http.get("/healthz", headers={"X-Request-ID": given}).headers["X-Request-ID"] not in ("", given)


def test_a_client_that_vanishes_ends_its_streams(address: str, world: str, make_key: MakeKey) -> None:
    key = {"Authorization": f"Bearer {make_key('admin')}"}
    asked = {"question": "Who founded the Reyer Academy?", "options": {"steps": 3}, "generate": False}
    with httpx.Client(base_url=address, headers=key, timeout=PATIENCE_S) as http:
        for _ in range(3):
            stream = http.stream(
                "POST", f"/v1/corpora/{world}/sessions", json=asked, headers={"Accept": "text/event-stream"}
            )
            with stream as told:
                assert next(told.iter_lines()) == "event: session"
        end = time.monotonic() + PATIENCE_S
        while "tetragraph_requests_active 1.0" not in http.get("/metrics").text:  # the request for them
            assert time.monotonic() < end
            time.sleep(0.05)


def test_a_client_that_leaves_a_job_that_waits_no_longer_counts(
    opened: Tetragraph, address: str, world: str, make_key: MakeKey
) -> None:
    key = {"Authorization": f"Bearer {make_key('admin')}"}
    store = JobStore(opened.connection.graph)
    name = f"waits-{world}"
    place = {"receiver": f"other-{new_process_name()}", "spool": "/documents/of/another/machine"}
    try:
        store.add(name, "first", "ingest", {"build": []}, digest=f"{'0' * 64}-content", caller="local", **place)
        second = store.add(name, "second", "drop", {}, digest="0" * 64, caller="local")
        with httpx.Client(base_url=address, headers=key, timeout=PATIENCE_S) as http:
            last = {"Last-Event-ID": str(second.form.sequence)}
            for _ in range(3):
                with http.stream("GET", f"/v1/corpora/{name}/jobs/second/events", headers=last) as told:
                    assert told.headers["content-type"].startswith("text/event-stream")
            end = time.monotonic() + PATIENCE_S
            while "tetragraph_requests_active 1.0" not in http.get("/metrics").text:  # the request for them
                assert time.monotonic() < end
                time.sleep(0.05)
    finally:
        opened.connection.graph.write("corpus/delete_jobs", corpus=name, job="")


def test_a_store_that_is_away_is_told_without_its_address_and_used_again(
    neo4j_server: Settings, world: str, proxy: Any, headers: dict[str, str], tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.mktemp("away")
    settings = neo4j_server.model_copy(
        update={
            "neo4j_uri": f"bolt://127.0.0.1:{proxy.port}",
            "neo4j_retry_s": 0.2,
            "home": base / "home",
            "cache": base / "cache",
        }
    )
    with (
        Tetragraph.connect(settings) as client,
        TestClient(create_app(client, ServiceConfig.of(settings)), base_url="http://localhost") as http,
    ):
        path = f"/v1/corpora/{world}"
        assert http.get(path, headers=headers).status_code == 200
        proxy.cut()
        refused = http.get(path, headers=headers)
        assert (refused.status_code, refused.json()["error"]) == (503, "StoreUnavailable")
        assert int(refused.headers["Retry-After"]) >= 1
        assert str(proxy.port) not in refused.text
        ready = http.get("/readyz")
        assert (ready.status_code, ready.json()["checks"]["neo4j"]) == (503, "StoreUnavailable")
        assert http.get("/healthz").status_code == 200
        proxy.restore()
        assert http.get("/readyz").status_code == 200
        assert http.get(path, headers=headers).status_code == 200


def test_a_store_that_hangs_is_told_by_a_probe_that_does_not(
    neo4j_server: Settings, proxy: Any, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.mktemp("hanging")
    address = {"neo4j_uri": f"bolt://127.0.0.1:{proxy.port}", "home": base / "home", "cache": base / "cache"}
    settings = neo4j_server.model_copy(update=address)
    with Tetragraph.connect(settings) as client:
        app = create_app(client, replace(ServiceConfig.of(settings), check_s=0.3))
        with TestClient(app, base_url="http://localhost") as http:
            assert http.get("/readyz").status_code == 200
            proxy.hold()
            try:
                for _ in range(3 * CONTROL_THREADS):
                    ready = http.get("/readyz")
                    checks = ready.json()["checks"]
                    assert (ready.status_code, checks["neo4j"]) == (503, "StoreUnavailable")
                    assert checks["qdrant"] == "ok"
                assert app.state.service.control.waiting == 0
            finally:
                proxy.release()
            end = time.monotonic() + PATIENCE_S
            while http.get("/readyz").status_code != 200:
                assert time.monotonic() < end


def test_a_body_that_does_not_arrive_is_refused_and_no_longer_counted(opened: Tetragraph, make_key: MakeKey) -> None:
    key = make_key("admin")
    head = (
        "POST /v1/corpora/any/search HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nContent-Length: 1000\r\nAuthorization: Bearer {key}\r\n\r\n{{"
    )
    with running_service(opened, body_s=0.3) as address:
        url = urlsplit(address)
        with socket.create_connection((str(url.hostname), url.port or 0), timeout=PATIENCE_S) as slow:
            slow.sendall(head.encode())
            with slow.makefile("rb") as replied:
                reply = replied.read()
        assert reply.startswith(b"HTTP/1.1 408 ")
        assert b"the next part of a body must arrive within 0.3 s, this one did not" in reply
        figures = httpx.get(f"{address}/metrics", headers={"Authorization": f"Bearer {key}"}).text
        assert "tetragraph_requests_active 1.0" in figures


def test_a_redirect_keeps_the_scheme_that_a_proxy_has(opened: Tetragraph, world: str, headers: dict[str, str]) -> None:
    config = ServiceConfig.of(opened.connection.settings)
    app = create_app(opened, config, surfaces=surfaces())
    with TestClient(app, base_url="http://localhost", follow_redirects=False) as http:
        for method, path in (("GET", "/v1/corpora"), ("POST", "/mcp"), ("GET", f"/c/{world}")):
            moved = http.request(method, f"{path}/", params={"k": 3}, headers=headers)
            assert (moved.status_code, moved.headers["location"]) == (307, f"{path}?k=3")


def test_an_unknown_corpus_has_no_list_of_jobs(http: TestClient, world: str, make_key: MakeKey) -> None:
    key = {"Authorization": f"Bearer {make_key('admin')}"}
    assert http.get("/v1/corpora/no-such-corpus/jobs", headers=key).status_code == 404
    assert http.get(f"/v1/corpora/{world}/jobs", headers=key).json() == []
