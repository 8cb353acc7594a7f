"""Threads of requests: what reads much of a corpus keeps no other request from being recognised."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest
from starlette.testclient import TestClient

from running_service import running_service
from tetragraph import Corpus, Session, Tetragraph
from tetragraph.answering.sessions import Sessions
from tetragraph.client.analytics import Analytics
from tetragraph.client.entities import Entities
from tetragraph.service.app import create_app
from tetragraph.service.config import ServiceConfig
from tetragraph.service.keys import KeyStore
from tetragraph.service.state import CONTROL_THREADS
from tetragraph.service.surfaces import surfaces

PATIENCE_S = 60
STATEMENT = "find_coverage"
LONG: dict[str, tuple[type[Any], str]] = {
    f"POST /v1/corpora/{{corpus}}/analytics/{STATEMENT}": (Analytics, "run"),
    "POST /v1/corpora/{corpus}/sessions/prune": (Sessions, "prune"),
    "GET /v1/corpora/{corpus}/sessions/{session}/export": (Session, "export"),
    "GET /v1/corpora/{corpus}/themes": (Corpus, "tree"),
    "GET /v1/corpora/{corpus}/themes/{theme}": (Corpus, "theme"),
    "GET /v1/corpora/{corpus}/entities/merged": (Entities, "merged"),
    "GET /v1/corpora/{corpus}/entities/roles/subject": (Entities, "by_role"),
    "GET /v1/corpora/{corpus}": (Corpus, "counts"),
    "GET /v1/corpora": (Tetragraph, "corpora"),
    "GET /": (Tetragraph, "corpora"),
    "GET /c/{corpus}/why?q=Halvik": (Corpus, "explain"),
    "GET /c/{corpus}/graph?q=Halvik": (Corpus, "subgraph"),
}
"""Requests that may read much of a corpus, with the method that does."""


@pytest.fixture(scope="module")
def http(opened: Tetragraph) -> Iterator[TestClient]:
    """Calls the app with all surfaces as a program of this machine would."""
    app = create_app(opened, ServiceConfig.of(opened.connection.settings), surfaces=surfaces())
    with TestClient(app, base_url="http://localhost") as client:
        yield client


@pytest.fixture(scope="module")
def names(opened: Tetragraph, world: str) -> Iterator[dict[str, str]]:
    """Names of a corpus, of a session and of a theme in it."""
    corpus = opened.corpus(world)
    run = corpus.anchor("Who founded the Reyer Academy?", generate=False)
    assert run.answer
    yield {"corpus": world, "session": run.session.id, "theme": corpus.tree().themes[0].id}
    run.session.delete()


@pytest.mark.parametrize("request_line", LONG)
def test_what_may_read_much_of_a_corpus_runs_in_the_threads_of_searches(
    http: TestClient, names: dict[str, str], monkeypatch: pytest.MonkeyPatch, request_line: str
) -> None:
    owner, name = LONG[request_line]
    method, ran_in = getattr(owner, name), []

    def observed(*args: Any, **kwargs: Any) -> Any:
        ran_in.append(threading.current_thread().name.split()[0])
        return method(*args, **kwargs)

    monkeypatch.setattr(owner, name, observed)
    verb, path = request_line.format(**names).split()
    found = http.request(verb, path, json={} if verb == "POST" else None)
    assert (found.status_code, ran_in) == (200, ["compute"])


@pytest.fixture
def uncounted(monkeypatch: pytest.MonkeyPatch) -> None:
    """No corpus can be counted."""

    def count(self: Corpus) -> dict[str, int]:
        raise AssertionError(f"corpus {self.name} was counted")

    monkeypatch.setattr(Corpus, "counts", count)


@pytest.mark.usefixtures("uncounted")
@pytest.mark.parametrize("place", ["", "/ask", "/entities"])
def test_whether_there_is_a_corpus_is_learned_without_counting_it(http: TestClient, world: str, place: str) -> None:
    assert http.get(f"/c/{world}{place}").status_code == 200
    assert http.get(f"/c/no-such-corpus{place}").status_code == 404


@pytest.mark.usefixtures("uncounted")
def test_a_change_is_checked_without_counting_its_corpus(http: TestClient, world: str) -> None:
    refused = http.post("/v1/corpora/no-such-corpus/builds", json={"what": "tree"})
    assert (refused.status_code, refused.json()["error"]) == (404, "UnknownCorpus")
    refused = http.post(f"/v1/corpora/{world}/deletions", json={"documents": ["none"]})
    assert (refused.status_code, refused.json()["error"]) == (404, "UnknownDocument")


def test_long_statements_keep_no_request_from_being_recognised(
    opened: Tetragraph, world: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, asked, may_end = Analytics.run, threading.Semaphore(0), threading.Event()

    def held(self: Analytics, name: str, /, **parameters: Any) -> Any:
        asked.release()
        assert may_end.wait(PATIENCE_S)
        return run(self, name, **parameters)

    monkeypatch.setattr(Analytics, "run", held)
    keys = KeyStore(opened.connection.graph)
    created = [keys.create(["search"], [world]) for _ in range(2)]
    (first, second) = ({"Authorization": f"Bearer {key}"} for key, _ in created)
    try:
        with (
            running_service(opened, workers=CONTROL_THREADS) as address,
            httpx.Client(base_url=address, timeout=PATIENCE_S) as http,
            ThreadPoolExecutor(CONTROL_THREADS) as threads,
        ):
            path = f"/v1/corpora/{world}/analytics/{STATEMENT}"
            waiting = [threads.submit(http.post, path, json={}, headers=first) for _ in range(CONTROL_THREADS)]
            try:
                assert all(asked.acquire(timeout=PATIENCE_S) for _ in waiting)
                assert http.get("/readyz").status_code == 200
                recognised = http.get(f"/v1/corpora/{world}/documents", params={"limit": 1}, headers=second)
                assert recognised.status_code == 200
            finally:
                may_end.set()
            assert [one.result().status_code for one in waiting] == [200] * CONTROL_THREADS
    finally:
        for _, record in created:
            keys.revoke(record.id)
            keys.delete(record.id)
