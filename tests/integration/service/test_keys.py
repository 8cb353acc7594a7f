"""Keys: who may do what on which corpus, and what others learn about it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from datetime import timedelta

import neo4j
import pytest
from starlette.testclient import TestClient
from starlette.websockets import WebSocketDisconnect

from tetragraph import Tetragraph
from tetragraph.errors import AccessDenied, InvalidInput, NotFound
from tetragraph.service import openenv
from tetragraph.service.app import create_app
from tetragraph.service.authentication import Authenticator
from tetragraph.service.config import ServiceConfig
from tetragraph.service.keys import KeyStore
from tetragraph.service.page.surface import mount as mount_page

MakeKey = Callable[..., str]


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def without_id(problem: dict[str, object], corpus: str) -> dict[str, object]:
    return {name: str(value).replace(corpus, "?") for name, value in problem.items() if name != "request_id"}


def test_a_key_is_stored_as_its_hash_only(opened: Tetragraph, driver: neo4j.Driver, make_key: MakeKey) -> None:
    key = make_key("search", "handbook")
    with driver.session() as session:
        nodes = session.run("MATCH (n:ServiceKey) RETURN properties(n) AS found").value("found")
    stored = [node for node in nodes if node["sha256"] == hashlib.sha256(key.encode()).hexdigest()]
    assert len(stored) == 1
    assert key.split("_", 2)[2] not in str(nodes)


def test_a_search_key_finds_its_corpus_and_no_other(http: TestClient, world: str, make_key: MakeKey) -> None:
    mine, other = make_key("search", world), make_key("search", "another-*")
    asked = {"question": "Who founded the Reyer Academy?", "k": 2}
    found = http.post(f"/v1/corpora/{world}/search", json=asked, headers=bearer(mine))
    assert found.status_code == 200
    assert [hit["rank"] for hit in found.json()["hits"]] == [1, 2]
    refused = http.post(f"/v1/corpora/{world}/search", json=asked, headers=bearer(other))
    missing = http.post("/v1/corpora/another-one/search", json=asked, headers=bearer(other))
    assert refused.status_code == missing.status_code == 404
    assert without_id(refused.json(), world) == without_id(missing.json(), "another-one")
    assert world not in http.get("/v1/corpora", headers=bearer(other)).text
    assert world in http.get("/v1/corpora", headers=bearer(mine)).text


def test_a_request_without_a_valid_key_is_refused_once_there_are_keys(
    http: TestClient, world: str, make_key: MakeKey
) -> None:
    key = make_key("search", world)
    path = f"/v1/corpora/{world}"
    for headers in ({}, bearer("x"), bearer(key[:-1] + ("A" if key[-1] != "A" else "B")), bearer(key + "A")):
        refused = http.get(path, headers=headers)
        assert refused.status_code == 401
        assert refused.json()["error"] == "AccessDenied"
        assert refused.headers["WWW-Authenticate"].startswith("Bearer")
    assert http.get(path, headers={"X-API-Key": key}).status_code == 200


def test_a_key_with_another_scope_is_told_which_it_needs(http: TestClient, world: str, make_key: MakeKey) -> None:
    key = make_key("ingest", world)
    refused = http.get(f"/v1/corpora/{world}", headers=bearer(key))
    assert refused.status_code == 403
    assert "the call needs search" in refused.json()["detail"]


def test_rights_are_checked_before_the_body_is_read(http: TestClient, world: str, make_key: MakeKey) -> None:
    other = make_key("search", "another")
    refused = http.post(f"/v1/corpora/{world}/search", content=b"{", headers=bearer(other))
    assert refused.status_code == 404


def test_a_revoked_and_an_expired_key_are_refused(opened: Tetragraph, driver: neo4j.Driver) -> None:
    store = KeyStore(opened.connection.graph)
    key, record = store.create(["search"], ["x"], lifetime=timedelta(hours=1))
    caller, left_s = store.authenticate(key)
    assert (caller.id, caller.patterns) == (record.id, ("x",))
    assert left_s is not None
    assert 3590 < left_s <= 3600
    with driver.session() as session:
        session.run("MATCH (n:ServiceKey {id: $id}) SET n.expires = timestamp() - 1", id=record.id).consume()
    with pytest.raises(AccessDenied, match="has expired"):
        store.authenticate(key)
    assert not store.get(record.id).is_valid
    key, record = store.create(["search"], ["x"])
    with pytest.raises(InvalidInput, match="only a revoked key can be deleted") as refused:
        store.delete(key)
    assert key not in str(refused.value)
    assert store.revoke(record.id).revoked
    with pytest.raises(AccessDenied):
        store.authenticate(key)
    with pytest.raises(NotFound):
        store.revoke("nothing")
    for one in store.list():
        if one.corpora == ("x",):
            store.revoke(one.id)
            store.delete(one.id)


def test_neither_expiry_nor_revocation_of_the_last_key_opens_a_service(
    opened: Tetragraph, driver: neo4j.Driver
) -> None:
    store = KeyStore(opened.connection.graph)
    _, expired = store.create(["search"], ["x"], lifetime=timedelta(hours=1))
    with driver.session() as session:
        session.run("MATCH (n:ServiceKey {id: $id}) SET n.expires = timestamp() - 1", id=expired.id).consume()
    with pytest.raises(AccessDenied, match="has no key"):
        Authenticator(store, is_open=True).recognise(None)
    with pytest.raises(InvalidInput, match="only a revoked key can be deleted"):
        store.delete(expired.id)
    store.revoke(expired.id)
    with pytest.raises(AccessDenied, match="has no key"):
        Authenticator(store, is_open=True).recognise(None)
    store.delete(expired.id)
    with pytest.raises(NotFound):
        store.delete(expired.id)


def test_a_revoked_key_is_remembered_for_seconds_only_and_its_use_is_noted(opened: Tetragraph) -> None:
    now = [0.0]
    store = KeyStore(opened.connection.graph)
    callers = Authenticator(store, is_open=False, clock=lambda: now[0])
    key, record = store.create(["search"], ["x"])
    assert callers.recall(key) is None
    callers.recognise(key)
    assert store.get(record.id).used
    store.revoke(record.id)
    assert callers.recall(key) is not None
    now[0] = 6.0
    assert callers.recall(key) is None
    with pytest.raises(AccessDenied):
        callers.recognise(key)
    store.delete(record.id)


@pytest.mark.parametrize(
    ("scopes", "corpora", "message"),
    [
        (["read"], ["x"], "scopes must be some of"),
        ([], ["x"], "got none"),
        (["search"], [], "1 to 100 corpora"),
        (["search"], ["../x"], "a name or a pattern"),
    ],
)
def test_a_wrong_key_is_not_created(opened: Tetragraph, scopes: list[str], corpora: list[str], message: str) -> None:
    with pytest.raises(InvalidInput, match=message):
        KeyStore(opened.connection.graph).create(scopes, corpora)


def test_pages_of_other_origins_and_names_do_not_reach_a_server_without_keys(opened: Tetragraph) -> None:
    with TestClient(create_app(opened, ServiceConfig()), base_url="http://localhost") as http:
        assert http.get("/v1", headers={"Host": "evil.example"}).status_code == 403
        assert http.get("/v1", headers={"Origin": "http://evil.example"}).status_code == 403


@pytest.fixture
def guessed(opened: Tetragraph) -> Callable[[ServiceConfig], TestClient]:
    """Makes a client of an app with the page and the episodes for trainers."""

    def make(config: ServiceConfig) -> TestClient:
        app = create_app(opened, config, surfaces=[mount_page, openenv.mount])
        return TestClient(app, base_url="http://localhost", follow_redirects=False)

    return make


ONE_AT_ONCE = 0.001
"""Requests a second, so that a caller may send one during a test."""


def test_an_address_may_try_few_keys_on_any_surface_and_valid_ones_do_not_count(
    guessed: Callable[[ServiceConfig], TestClient], make_key: MakeKey
) -> None:
    with guessed(ServiceConfig(rate=ONE_AT_ONCE)) as http:
        for key in (make_key("search"), make_key("search")):
            assert http.get("/v1", headers=bearer(key)).status_code == 200
        assert http.post("/sign-in", data={"key": "x"}).status_code == 401
        for refused in (http.post("/sign-in", data={"key": "x"}), http.get("/v1", headers=bearer("x"))):
            assert refused.status_code == 429
            assert "this address may send" in refused.text
            assert int(refused.headers["Retry-After"]) > 1
        path = openenv.PATH.format(corpus="any")
        with (
            pytest.raises(WebSocketDisconnect) as told,
            http.websocket_connect(path, headers={"host": "localhost", **bearer("x")}),
        ):
            pass
        assert told.value.reason.startswith("this address may send")


def test_callers_behind_a_proxy_do_not_share_the_limit_of_its_address(
    guessed: Callable[[ServiceConfig], TestClient], make_key: MakeKey
) -> None:
    with guessed(ServiceConfig(rate=ONE_AT_ONCE, is_behind_proxy=True)) as http:
        for _ in range(3):
            assert http.get("/v1", headers=bearer("x")).status_code == 401
        keys = (make_key("search"), make_key("search"))
        assert [http.get("/v1", headers=bearer(key)).status_code for key in keys] == [200, 200]
        told = http.get("/v1", headers=bearer(keys[0]))
        assert told.status_code == 429
        assert "this key may send" in told.text
