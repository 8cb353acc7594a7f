"""MCP at ``/mcp`` of the service: official clients of both generations, with the keys and rights of the service."""

from __future__ import annotations

import asyncio
import logging
import re
import uuid
from collections.abc import Awaitable, Callable, Iterator

import httpx2
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from mcp_results import text_of
from running_service import running_service
from tetragraph import Document, Tetragraph
from tetragraph.errors import UnknownCorpus
from tetragraph.service.mcp.access import LocalAccess

QUESTION = "Who built the harbour of Halvik?"
MakeKey = Callable[..., str]


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.fixture(scope="module")
def address(opened: Tetragraph) -> Iterator[str]:
    """Address of a running service."""
    with running_service(opened) as found:
        yield found


@pytest.fixture(scope="module")
def other(opened: Tetragraph) -> Iterator[str]:
    """Name of a second corpus."""
    name = f"service-{uuid.uuid4().hex[:12]}"
    opened.corpus(name).ingest([Document("secret", "Secret", "Halvik has a secret harbour.")], build=())
    yield name
    opened.corpus(name).drop()


def use(address: str, mode: str, key: str, work: Callable[[Client], Awaitable[None]]) -> None:
    """Connect a client with a key, and work with it."""

    async def run() -> None:
        http = httpx2.AsyncClient(headers=bearer(key), timeout=60)
        transport = streamable_http_client(f"{address}/mcp", http_client=http)
        async with http, Client(transport, mode=mode) as client:
            await work(client)

    asyncio.run(run())


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_key_for_one_corpus_reaches_nothing_of_another(
    address: str, world: str, other: str, make_key: MakeKey, mode: str
) -> None:
    async def work(client: Client) -> None:
        listed = await client.call_tool("corpora", {})
        assert [one["name"] for one in (listed.structured_content or {})["corpora"]] == [world]
        found = await client.call_tool("search", {"corpus": world, "question": QUESTION, "k": 3})
        assert len((found.structured_content or {})["passages"]) == 3
        for tool in (await client.list_tools()).tools:
            if "corpus" in tool.input_schema["properties"]:
                given = {"corpus": other, "question": QUESTION, "entity": "Halvik"}
                asked = {name: given[name] for name in given if name in tool.input_schema["properties"]}
                refused = await client.call_tool(tool.name, asked)
                assert refused.is_error, tool.name
                assert "there is no corpus of that name" in text_of(refused)
                assert "secret" not in text_of(refused)
        for resource in ("documents/secret", "sessions/x"):
            with pytest.raises(MCPError, match="there is no corpus of that name"):
                await client.read_resource(f"tetragraph://{other}/{resource}")

    use(address, mode, make_key("search", world), work)


def test_opening_a_corpus_counts_no_corpus(
    address: str, opened: Tetragraph, world: str, make_key: MakeKey, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG, logger="tetragraph")

    async def work(client: Client) -> None:
        found = await client.call_tool("search", {"corpus": world, "question": QUESTION, "k": 3})
        assert (found.structured_content or {})["passages"]

    use(address, "auto", make_key("search", world), work)
    assert LocalAccess(lambda: opened).corpus(world).name == world
    assert "query corpus/get_corpus" in caplog.text
    assert "query corpus/find_corpora" not in caplog.text
    for access in (LocalAccess(lambda: opened), LocalAccess(lambda: opened, ["nothing-here"])):
        with pytest.raises(UnknownCorpus, match="no corpus named 'nothing-here'; there are: "):
            access.corpus("nothing-here")
    with pytest.raises(UnknownCorpus, match="there are: none yet"):
        LocalAccess(lambda: opened, ["nothing-here"]).corpus(world)


def test_without_a_valid_key_nothing_is_served(address: str, make_key: MakeKey) -> None:
    make_key("search", "nothing")  # a service with a key is closed to callers without one
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"Accept": "application/json, text/event-stream"}
    with httpx2.Client() as http:
        for headers in ({}, bearer("tg_wrong")):
            assert http.post(f"{address}/mcp", json=call, headers={**accepts, **headers}).status_code == 401


def test_a_page_of_another_origin_reaches_nothing_on_a_server_without_keys(address: str) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accepts = {"Accept": "application/json, text/event-stream"}
    with httpx2.Client() as http:
        for headers in ({"Origin": "https://example.org"}, {"Host": "example.org"}):
            assert http.post(f"{address}/mcp", json=call, headers={**accepts, **headers}).status_code == 403


@pytest.mark.parametrize("mode", ["legacy", "auto"])
def test_a_call_beyond_a_limit_is_refused_in_words(opened: Tetragraph, make_key: MakeKey, mode: str) -> None:
    async def work(client: Client) -> None:
        with pytest.raises(MCPError) as refused:
            await client.call_tool("corpora", {})
        rule, remedy = str(refused.value).splitlines()
        assert rule == "this key may send 0.02 requests a second on average"
        assert re.fullmatch(r"Repeat the call in (4\d|50) s\.", remedy)

    with running_service(opened, rate=0.02) as slow:  # one request, which the client begins with
        use(slow, mode, make_key("search"), work)


def test_a_refusal_keeps_the_status_and_the_headers_of_its_problem(opened: Tetragraph, make_key: MakeKey) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    key = bearer(make_key("search"))
    accepts = {"Accept": "application/json, text/event-stream"}
    with running_service(opened, rate=0.02) as slow, httpx2.Client() as http:
        assert http.post(f"{slow}/mcp", json=call, headers={**accepts, **key}).status_code == 200
        beyond = http.post(f"{slow}/mcp", json=call, headers={**accepts, **key})
        other = http.get(f"{slow}/v1", headers=key)
        unknown = http.post(f"{slow}/mcp", json=call, headers=accepts)
    assert (unknown.status_code, beyond.status_code, other.status_code) == (401, 429, 429)
    assert unknown.headers["www-authenticate"] == 'Bearer realm="tetragraph"'
    assert 40 <= int(beyond.headers["retry-after"]) <= 50
    assert "Send a valid key" in unknown.json()["error"]["message"]
    assert beyond.json()["id"] is None
    assert beyond.json()["error"]["data"]["error"] == other.json()["error"] == "ServiceBusy"
