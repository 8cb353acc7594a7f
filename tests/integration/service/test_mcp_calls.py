"""What the service logs, counts and computes for a caller of MCP."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from tetragraph import Tetragraph
from tetragraph.service import logs
from tetragraph.service.app import create_app
from tetragraph.service.config import ServiceConfig
from tetragraph.service.surfaces import surfaces

QUESTION = "Who built the harbour of Halvik?"
MakeKey = Callable[..., str]


@pytest.fixture
def http(opened: Tetragraph) -> Iterator[TestClient]:
    """Calls the app with all surfaces, which logs questions."""
    config = replace(ServiceConfig.of(opened.connection.settings), logs_text=True)
    with TestClient(create_app(opened, config, surfaces=surfaces()), base_url="http://localhost") as client:
        yield client


def send(http: TestClient, key: str, method: str, **params: Any) -> dict[str, Any]:
    """Send a request of the protocol; returns its result or error."""
    headers = {"Authorization": f"Bearer {key}", "Accept": "application/json, text/event-stream"}
    call = {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}
    reply: dict[str, Any] = http.post("/mcp", json=call, headers=headers).json()
    return reply


def use(http: TestClient, key: str, tool: str, **arguments: Any) -> dict[str, Any]:
    """Call a tool; returns its result."""
    found: dict[str, Any] = send(http, key, "tools/call", name=tool, arguments=arguments)["result"]
    return found


def test_the_audit_log_names_corpus_and_tool_of_each_call(
    http: TestClient, world: str, make_key: MakeKey, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, logger=logs.audit.name)
    key = make_key("search", world)
    assert not use(http, key, "search", corpus=world, question=QUESTION)["isError"]
    assert use(http, key, "ask", corpus="salaries", question="How much?")["isError"]
    assert use(http, key, "themes", corpus="x" * 5_000)["isError"]
    assert "error" in send(http, key, "resources/read", uri=f"tetragraph://{world}/documents/none")
    entries = [record.__dict__["entry"] for record in caplog.records if record.name == logs.audit.name]
    told = [(one["corpus"], one.get("tool"), one.get("text")) for one in entries]
    assert told == [
        (world, "search", QUESTION),
        ("salaries", "ask", "How much?"),
        ("x" * 100, "themes", None),
        (world, None, None),
    ]


def test_answers_have_threads_of_their_own_and_all_else_has_those_of_searches(
    opened: Tetragraph, make_key: MakeKey, tmp_path: Path
) -> None:
    key, asked = make_key("search"), {"corpus": "none", "question": QUESTION}
    changes = {"llm": "a-model", "home": tmp_path}
    config = replace(ServiceConfig.of(opened.connection.settings), queue_s=0.3)
    with Tetragraph.connect(opened.connection.settings.model_copy(update=changes)) as client:
        app = create_app(client, config, surfaces=surfaces())
        with TestClient(app, base_url="http://localhost") as http:

            def is_busy(tool: str, **arguments: Any) -> bool:
                return "no thread became free" in str(use(http, key, tool, **arguments))

            app.state.service.models.close()  # its threads end: what needs one waits in vain
            assert is_busy("ask", **asked)
            assert is_busy("session", corpus="none")
            assert not is_busy("search", **asked)
            app.state.service.compute.close()
            for tool in ("search", "explain", "facts"):
                assert is_busy(tool, **asked), tool
            assert is_busy("themes", corpus="none")
            assert is_busy("entity", corpus="none", entity="Halvik")
            assert is_busy("corpora")
            read = send(http, key, "resources/read", uri="tetragraph://none/documents/none")
            assert "no thread became free" in str(read)
