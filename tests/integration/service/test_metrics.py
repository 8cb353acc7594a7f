"""Figures of ``/metrics``: tokens and searches, whoever caused them."""

from __future__ import annotations

import re
import time
import uuid
from collections.abc import Callable, Iterator

import pytest
from starlette.testclient import TestClient

from scripted_llm import ScriptedLlm
from tetragraph import Document, Settings, Tetragraph
from tetragraph.client.remote.jobs import ENDED
from tetragraph.service.app import create_app
from tetragraph.service.config import ServiceConfig
from tetragraph.service.surfaces import surfaces

QUESTION = "Who built the harbour of Halvik?"
TEXTS = ("Mina Holt built the harbour of Halvik.", "The harbour of Halvik was opened by Mina Holt in 1961.")
PATIENCE_S = 60
SESSIONS = 'search_seconds_count{call="anchor",method="anchor"}'
CORPUS = f"metrics-{uuid.uuid4().hex[:12]}"


@pytest.fixture(scope="module")
def llm() -> Iterator[ScriptedLlm]:
    """A model that replies to everything, seldom in the form that is asked for."""
    with ScriptedLlm() as server:
        yield server


@pytest.fixture(scope="module")
def http(neo4j_server: Settings, llm: ScriptedLlm, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    """Calls the app with all surfaces, and a corpus of two documents."""
    base = tmp_path_factory.mktemp("metrics")
    changes = {"home": base / "home", "cache": base / "cache", "serve_rate": 0}
    settings = llm.settings(neo4j_server.model_copy(update=changes), llm_retries=0)
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(CORPUS)
        corpus.ingest([Document(str(place), "", text) for place, text in enumerate(TEXTS)], build=())
        app = create_app(client, ServiceConfig.of(settings), surfaces=surfaces())
        with TestClient(app, base_url="http://localhost") as http:
            yield http
        corpus.drop()


def figures(http: TestClient) -> dict[str, float]:
    """Tokens and numbers of searches, by name and labels."""
    text = http.get("/metrics").text
    lines = re.findall(r"^tetragraph_((?:llm_tokens_total|search_seconds_count)\S*) (\S+)$", text, re.MULTILINE)
    return {name: float(value) for name, value in lines}


def tokens(found: dict[str, float]) -> tuple[float, float]:
    return found['llm_tokens_total{direction="in"}'], found['llm_tokens_total{direction="out"}']


def ask_rest(http: TestClient) -> None:
    http.post(f"/v1/corpora/{CORPUS}/ask", json={"question": QUESTION})


def ask_page(http: TestClient) -> None:
    http.get(f"/c/{CORPUS}/ask", params={"q": f"{QUESTION} On the page."})


def ask_stream(http: TestClient) -> None:
    http.get(f"/c/{CORPUS}/ask/stream", params={"q": f"{QUESTION} In pieces."})


def start_session(http: TestClient) -> None:
    """Start a session on the page, which goes on behind the reply, and wait for its end."""
    before = figures(http).get(SESSIONS, 0)
    http.post(f"/c/{CORPUS}/sessions", data={"q": f"{QUESTION} In steps."}, follow_redirects=False)
    wait_until(lambda: figures(http).get(SESSIONS, 0) > before)


def ask_mcp(http: TestClient) -> None:
    arguments = {"corpus": CORPUS, "question": f"{QUESTION} Over MCP."}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "ask", "arguments": arguments}}
    assert http.post("/mcp", json=call, headers={"Accept": "application/json, text/event-stream"}).status_code == 200


def build(http: TestClient) -> None:
    job = http.post(f"/v1/corpora/{CORPUS}/builds", json={"what": "gain", "options": {"judge": "score"}}).json()
    wait_until(lambda: http.get(f"/v1/corpora/{CORPUS}/jobs/{job['id']}").json()["status"] in ENDED)


def wait_until(is_done: Callable[[], bool]) -> None:
    """Wait until something is done."""
    end = time.monotonic() + PATIENCE_S
    while not is_done():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("cause", [ask_rest, ask_page, ask_stream, start_session, ask_mcp, build])
def test_tokens_are_counted_whoever_caused_them(
    http: TestClient, llm: ScriptedLlm, cause: Callable[[TestClient], None]
) -> None:
    before = tokens(figures(http))
    cause(http)
    found = tokens(figures(http))
    assert found > before
    assert found == (llm.input_tokens, llm.output_tokens)


def search_rest(http: TestClient) -> str:
    assert http.post(f"/v1/corpora/{CORPUS}/search", json={"question": QUESTION, "method": "dense"}).is_success
    return 'search_seconds_count{call="search",method="dense"}'


def explain_rest(http: TestClient) -> str:
    asked = {"rank": 1, "search": {"question": QUESTION, "method": "dense"}}
    assert http.post(f"/v1/corpora/{CORPUS}/explain", json=asked).is_success
    return 'search_seconds_count{call="search",method="dense"}'


def search_mcp(http: TestClient) -> str:
    arguments = {"corpus": CORPUS, "question": QUESTION, "method": "keyword"}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "search", "arguments": arguments}}
    assert http.post("/mcp", json=call, headers={"Accept": "application/json, text/event-stream"}).is_success
    return 'search_seconds_count{call="search",method="keyword"}'


def session_page(http: TestClient) -> str:
    start_session(http)
    return SESSIONS


@pytest.mark.parametrize("cause", [search_rest, explain_rest, search_mcp, session_page])
def test_searches_are_counted_whoever_caused_them(http: TestClient, cause: Callable[[TestClient], str]) -> None:
    before = figures(http)
    name = cause(http)
    assert figures(http)[name] == before.get(name, 0) + 1
