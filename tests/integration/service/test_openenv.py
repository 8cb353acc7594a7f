"""The environment of the RL mode over a WebSocket, as OpenEnv's clients use it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from starlette.testclient import TestClient, WebSocketTestSession
from starlette.websockets import WebSocketDisconnect

from tetragraph import Tetragraph
from tetragraph.service import logs, openenv
from tetragraph.service.app import create_app
from tetragraph.service.config import ServiceConfig

if TYPE_CHECKING:
    from .conftest import MakeKey

QUESTION = "Who was the mayor of the seat of Sund County?"
QUERY = "<think>I have to look.</think>\n<query>{}</query>"
ANSWER = "<think>I know.</think>\n<answer>{}</answer>"


@pytest.fixture
def http(opened: Tetragraph) -> Iterator[TestClient]:
    """The app with this surface; one connection for each caller."""
    config = ServiceConfig(concurrency=1)
    with TestClient(create_app(opened, config, surfaces=[openenv.mount]), base_url="http://localhost") as client:
        yield client


def connect(http: TestClient, corpus: str, key: str) -> WebSocketTestSession:
    headers = {"host": "localhost", "authorization": f"Bearer {key}"}
    return http.websocket_connect(openenv.PATH.format(corpus=corpus), headers=headers)


def ask(socket: WebSocketTestSession, kind: str, **data: Any) -> dict[str, Any]:
    socket.send_json({"type": kind, "data": data})
    reply: dict[str, Any] = socket.receive_json()
    return reply


def test_an_episode_is_played_and_rewarded(http: TestClient, world: str, make_key: MakeKey) -> None:
    with connect(http, world, make_key("search", world)) as socket:
        assert ask(socket, "step", text="x")["data"]["message"].startswith("no episode has begun")
        began = ask(socket, "reset", question=QUESTION, answers=["Jens Arild"], seed=3)["data"]
        assert [one["role"] for one in began["observation"]["messages"]] == ["system", "user"]
        assert (began["reward"], began["done"]) == (None, False)

        found = ask(socket, "step", text=QUERY.format("mayor of Old Port"))["data"]
        (knowledge,) = found["observation"]["messages"]
        assert knowledge["role"] == "user"
        assert knowledge["content"].startswith("<knowledge>\n<fact 1 ")
        assert not found["done"]
        assert ask(socket, "state")["data"]["turns"][0]["query"] == "mayor of Old Port"

        ended = ask(socket, "step", text=ANSWER.format("Jens Arild"))["data"]
        assert (ended["reward"], ended["done"], ended["observation"]["ended"]) == (1.0, True, "answered")
        assert "has ended" in ask(socket, "step", text="x")["data"]["message"]
        assert ask(socket, "reset", question="And where?")["data"]["done"] is False


@pytest.mark.parametrize(
    ("message", "fault"),
    [
        ("{", "must be JSON"),
        ('{"type": "reset", "data": {"question": "Who?", "turns": ' + "9" * 5_000 + "}}", "integers have at most"),
        ('{"type": "jump"}', "must have the type"),
        ('{"type": "reset", "data": []}', "must have the type"),
        ('{"type": "reset", "data": {"question": " "}}', "a question must have words"),
        ('{"type": "reset", "data": {"question": "Who?", "depth": 2}}', "reset has no option 'depth'"),
        ('{"type": "reset", "data": {"question": "Who?", "answers": "Ada"}}', "list of texts"),
        ('{"type": "reset", "data": {"question": "Who?", "answers": [" "]}}', "must not be empty"),
        ('{"type": "reset", "data": {"question": "\\ud800"}}', "whole characters of Unicode"),
        ('{"type": "reset", "data": {"question": "Who?", "turns": 99}}', "turns"),
    ],
)
def test_a_wrong_message_is_answered_and_the_connection_stays(
    http: TestClient, world: str, make_key: MakeKey, message: str, fault: str
) -> None:
    with connect(http, world, make_key("search", world)) as socket:
        socket.send_text(message)
        reply = socket.receive_json()
        assert (reply["type"], reply["data"]["code"]) == ("error", "VALIDATION_ERROR")
        assert fault in reply["data"]["message"]
        assert ask(socket, "reset", question=QUESTION)["type"] == "observation"


def test_a_key_plays_on_its_own_corpora_only_and_once_at_a_time(
    http: TestClient, world: str, make_key: MakeKey
) -> None:
    key = make_key("search", "another")
    for refused, message in (("not-a-key", "the key is not valid"), (key, "there is no corpus named")):
        with pytest.raises(WebSocketDisconnect) as caught, connect(http, world, refused):
            pass
        assert caught.value.reason.startswith(message)
    own = make_key("search", world)
    with connect(http, world, own):
        with pytest.raises(WebSocketDisconnect) as caught, connect(http, world, own):
            pass
        assert "which is its limit" in caught.value.reason


def test_a_corpus_that_does_not_exist_is_named_without_the_others(
    http: TestClient, world: str, make_key: MakeKey
) -> None:
    with connect(http, "ghost-1", make_key("search", "ghost-*")) as socket:
        told = ask(socket, "reset", question=QUESTION)["data"]["message"]
        assert told == "there is no corpus named 'ghost-1'"


def test_a_key_that_is_revoked_ends_its_connection(
    http: TestClient, opened: Tetragraph, world: str, make_key: MakeKey
) -> None:
    key = make_key("search", world)
    make_key("admin")  # without any valid key, every caller of this machine would be accepted
    with connect(http, world, key) as socket:
        assert ask(socket, "reset", question=QUESTION)["type"] == "observation"
        service = http.app.state.service  # type: ignore[attr-defined]  # Starlette's type is any ASGI app
        service.keys.revoke(key)
        service.callers.forget()
        socket.send_json({"type": "state"})
        with pytest.raises(WebSocketDisconnect) as caught:
            socket.receive_json()
        assert caught.value.reason.startswith("the key is not valid")


def test_every_message_is_in_the_audit_log_and_counts_for_the_rate(
    opened: Tetragraph, world: str, make_key: MakeKey, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO", logs.audit.name)
    config = ServiceConfig(rate=0.001)
    app = create_app(opened, config, surfaces=[openenv.mount])
    with (
        TestClient(app, base_url="http://localhost") as http,
        connect(http, world, make_key("search", world)) as socket,
    ):
        assert ask(socket, "reset", question=QUESTION)["type"] == "observation"
        refused = ask(socket, "state")["data"]
        assert "requests a second on average" in refused["message"]
        assert refused["code"] == "EXECUTION_ERROR"
    entries = [record.__dict__["entry"] for record in caplog.records if record.name == logs.audit.name]
    told = [(entry["route"], entry["corpus"], entry["kind"], entry["status"]) for entry in entries if "kind" in entry]
    assert told == [(openenv.PATH, world, "reset", 200), (openenv.PATH, world, "state", 429)]


def test_a_message_of_bytes_is_answered_and_the_connection_stays(
    http: TestClient, world: str, make_key: MakeKey
) -> None:
    with connect(http, world, make_key("search", world)) as socket:
        socket.send_bytes(b"{}")
        assert "must be JSON" in socket.receive_json()["data"]["message"]
        assert ask(socket, "reset", question=QUESTION)["type"] == "observation"
