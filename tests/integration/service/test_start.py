"""A server that cannot do its work ends before it serves."""

from __future__ import annotations

import logging
import socket

import pytest

from tetragraph import Settings, Tetragraph
from tetragraph.errors import InvalidInput, ServiceError
from tetragraph.service.config import ServiceConfig
from tetragraph.service.server import serve


def test_a_port_in_use_is_told_before_anything_is_served(opened: Tetragraph, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(ServiceError, match=f"another program uses port {port}"):
            serve(opened, ServiceConfig(port=port))
    assert "serving on" not in caplog.text


def test_a_recording_that_is_missing_is_told_at_the_start(
    neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory
) -> None:
    base = tmp_path_factory.mktemp("recording")
    changes = {"home": base / "home", "cache": base / "cache", "llm": f"replay:{base / 'missing.jsonl'}"}
    settings = neo4j_server.model_copy(update=changes)
    with Tetragraph.connect(settings) as client, pytest.raises(InvalidInput, match=r"missing.jsonl' cannot be read"):
        serve(client, ServiceConfig(port=0))
