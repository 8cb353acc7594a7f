"""What the service logs, counts and computes for a caller of MCP."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from fastapi import FastAPI
from starlette.testclient import TestClient

from tetragraph import Tetragraph
from tetragraph.service import logs
from tetragraph.service.app import create_app
from tetragraph.service.config import ServiceConfig
from tetragraph.service.surfaces import surfaces

QUESTION = "Who built the harbour of Halvik?"
MakeKey = Callable[..., str]


@pytest.fixture
def app(opened: Tetragraph) -> FastAPI:
    """The app with all surfaces, which logs questions, and refuses what waits for a thread for a second."""
    config = ServiceConfig.of(opened.connection.settings)
    return create_app(opened, replace(config, logs_text=True, queue_s=1.0), surfaces=surfaces())


@pytest.fixture
def http(app: FastAPI) -> Iterator[TestClient]:
    """Calls the app."""
    with TestClient(app, base_url="http://localhost") as client:
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
