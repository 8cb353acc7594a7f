"""The MCP server as desktop clients start it: over standard input and output, with a client of each generation."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.shared.exceptions import MCPError

import anchored_world
from command_line import Cli, run_here, run_process
from environments import user_environment
from mcp_results import text_of
from tetragraph import Settings, Tetragraph


@pytest.fixture
def command(anchored_settings: Settings, anchored: str) -> StdioServerParameters:
    """The command of a client's configuration, which serves one corpus."""
    return StdioServerParameters(
        command=sys.executable,
        args=["-m", "tetragraph", "mcp", "--corpus", anchored],
        env=dict(user_environment(anchored_settings)),
    )


@pytest.mark.parametrize("mode", [pytest.param("legacy", marks=pytest.mark.slow), "auto"])
def test_a_client_searches_reads_and_follows_up(command: StdioServerParameters, anchored: str, mode: str) -> None:
    async def use() -> None:
        async with Client(command, mode=mode) as client:
            corpora = await client.call_tool("corpora", {})
            assert [one["name"] for one in corpora.structured_content["corpora"]] == [anchored]
            asked = {"corpus": anchored, "question": anchored_world.QUESTION}
            found = await client.call_tool("search", {**asked, "k": 3})
            assert json.loads(text_of(found)) == found.structured_content
            first = found.structured_content["passages"][0]
            document = await client.read_resource(first["document"])
            passage = first["text"].splitlines()[1]
            assert passage in text_of(document)
            told = await client.call_tool("explain", {**asked, "rank": 1, "k": 3})
            assert told.structured_content["chunk"] == first["chunk"]
            assert told.structured_content["score"] == first["score"]
            unknown = await client.call_tool("search", {"corpus": "other", "question": anchored_world.QUESTION})
            assert unknown.is_error
            assert f"there are: {anchored}" in text_of(unknown)
            with pytest.raises(MCPError):
                await client.read_resource(f"tetragraph://{anchored}/documents/nothing")

    asyncio.run(use())


def test_a_server_that_is_terminated_ends_quietly(command: StdioServerParameters) -> None:
    client = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "test", "version": "1"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": client}
    with subprocess.Popen(
        [command.command, *command.args],
        env=command.env,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdin
        assert process.stdout
        assert process.stderr
        print(json.dumps(request), file=process.stdin, flush=True)
        assert json.loads(process.stdout.readline())["id"] == 1
        process.terminate()
        assert process.wait(timeout=60) == 0, "although its standard input is open"
        assert (process.stdout.read(), process.stderr.read()) == ("", "")


def test_a_corpus_that_does_not_exist_is_refused_at_the_start(
    command: StdioServerParameters, anchored: str, tmp_path: Path
) -> None:
    environment = command.env or {}
    refused = run_here("mcp", "-c", anchored, "-c", "no-such-corpus", environment=environment, folder=tmp_path)
    assert refused.returncode == 1
    assert refused.stdout == ""
    assert "no corpus named 'no-such-corpus' (there are: " in refused.stderr

    start = partial(run_process, "mcp", "-c", environment=environment, folder=tmp_path)
    assert start(anchored).returncode == 0
    assert start("no-such-corpus", NEO4J_URI="bolt://127.0.0.1:9").returncode == 0, "the first question tells it"


def test_every_tool_answers_within_its_bounds(anchored_settings: Settings, anchored: str) -> None:
    from tetragraph.service.mcp.access import LocalAccess
    from tetragraph.service.mcp.server import create_server

    access = LocalAccess(lambda: Tetragraph.connect(anchored_settings))
    asked: dict[str, Any] = {"corpus": anchored, "question": anchored_world.QUESTION}

    async def use() -> None:
        async with Client(create_server(lambda _: access)) as client:
            answer = await client.call_tool("ask", {**asked, "options": {"min_confidence": 0.0}})
            assert answer.structured_content["citations"]
            facts = await client.call_tool("facts", {**asked, "k": 3})
            participant = facts.structured_content["facts"][0]["participants"][0].rsplit(" (", 1)[0]
            entity = await client.call_tool("entity", {"corpus": anchored, "entity": participant})
            assert entity.structured_content["fact_count"] > 0
            themes = await client.call_tool("themes", {"corpus": anchored})
            theme = themes.structured_content["themes"][0]
            detail = await client.call_tool("themes", {"corpus": anchored, "theme": theme["id"]})
            assert detail.structured_content["central_passages"]
            ran = await client.call_tool("session", asked)
            session = ran.structured_content["sessions"][0]
            assert len(ran.structured_content["steps"]) == session["steps"] > 0
            stored = await client.read_resource(ran.structured_content["resource"])
            assert json.loads(text_of(stored))
            follow_up = {"corpus": anchored, "session": session["id"][:10], "question": "Where was Jens Arild born?"}
            went_on = await client.call_tool("session", follow_up)
            assert went_on.structured_content["sessions"][0]["steps"] > session["steps"]
            listed = await client.call_tool("session", {"corpus": anchored})
            assert session["id"] in [one["id"] for one in listed.structured_content["sessions"]]
            for found in (answer, facts, entity, themes, detail, ran, went_on, listed):
                assert not found.is_error
                assert len(text_of(found)) <= 4 * 4_000
            small = await client.call_tool("search", {**asked, "k": 50, "max_tokens": 500})
            assert len(text_of(small)) <= 4 * 500

    asyncio.run(use())
    access.close()


def test_install_shows_what_it_writes_and_asks_first(cli: Cli, server_settings: Settings) -> None:
    listed = json.loads(cli("mcp", "install", "--json").stdout)
    assert {one["client"] for one in listed["clients"]} >= {"claude-desktop", "cursor", "vscode"}
    file = server_settings.home / ".cursor" / "mcp.json"
    refused = cli("mcp", "install", "cursor", "--file", str(file))
    assert refused.returncode == 1
    assert '+    "tetragraph": {' in refused.stdout
    assert not file.exists()
    written = cli("mcp", "install", "cursor", "-c", "handbook", "--file", str(file), "--yes")
    assert written.returncode == 0
    assert "not written, as the file is plain text: TETRAGRAPH_NEO4J_PASSWORD" in written.stderr
    entry = json.loads(file.read_text(encoding="utf-8"))["mcpServers"]["tetragraph"]
    assert entry["args"][-2:] == ["--corpus", "handbook"]
    assert "PASSWORD" not in json.dumps(entry)
    again = cli("mcp", "install", "cursor", "-c", "handbook", "--file", str(file))
    assert "has this server already" in again.stdout
