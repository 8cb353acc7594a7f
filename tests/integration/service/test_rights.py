"""A key of one corpus never sees another: over all operations of the OpenAPI document."""

from __future__ import annotations

import json
import uuid
from collections.abc import Iterator, Mapping
from typing import Any

import pytest
from starlette.testclient import TestClient

import small_world
from tetragraph import Document, Tetragraph
from tetragraph.client.remote.values import encode
from tetragraph.service.app import describe_routes
from tetragraph.service.keys import KeyStore

SECRET = "Zanzibarquark"
DOCUMENT = describe_routes()
OPERATIONS = [
    (method, path, operation)
    for path, operations in DOCUMENT["paths"].items()
    for method, operation in operations.items()
]
SCOPES = ("search", "ingest", "admin")


@pytest.fixture(scope="module")
def secret(opened: Tetragraph) -> Iterator[Mapping[str, str]]:
    """A corpus whose every text has a word of its own, with a session and a job; their names and ids."""
    corpus = opened.corpus(f"secret-{uuid.uuid4().hex[:12]}")
    text = f"{SECRET} Holt founded the {SECRET} Academy in Halvik. It was led by Mina {SECRET}."
    corpus.ingest([Document("secret-document", f"{SECRET} Holt", text)], build=("bipartite", "gain", "tree"))
    run = corpus.anchor(f"Who founded the {SECRET} Academy?")
    assert run.answer
    evidence = corpus.search(SECRET)
    yield {
        "corpus": corpus.name,
        "session": run.session.id,
        "theme": corpus.tree().themes[0].id,
        "chunk": evidence[0].chunk.id,
        "evidence": encode(evidence).decode(),
    }
    corpus.drop()


@pytest.fixture(scope="module")
def keys(opened: Tetragraph, world: str) -> Iterator[Mapping[str, str]]:
    """A key of another corpus, of each scope and of all of them."""
    store = KeyStore(opened.connection.graph)
    made = {scope: store.create([scope], [world, "another-*"]) for scope in SCOPES}
    yield {scope: key for scope, (key, _) in made.items()}
    for _, record in made.values():
        store.revoke(record.id)
        store.delete(record.id)


def call(
    http: TestClient, operation: tuple[str, str, Any], corpus: str, secret: Mapping[str, str], key: str
) -> tuple[int, str]:
    """Call an operation on a corpus with ids of the secret one; returns status and body without the request's id."""
    method, path, _ = operation
    values = {**secret, "corpus": corpus, "job": "0" * 16, "statement": "find_coverage", "role": "subject"}
    values |= {"key": "0" * 12}
    place = path
    for name, value in values.items():
        place = place.replace("{" + name + "}", value)
    body = {
        "question": f"Who founded the {SECRET} Academy?",
        "search": {"question": SECRET},
        "documents": [secret["chunk"]],
        "chunks": [secret["chunk"]],
        "what": "gain",
        "entity": f"{SECRET} Holt",
        "alias": "x",
        "at": 1,
        "query": "x",
        "questions": [{"id": "1", "text": SECRET, "gold": [{"document": "secret-document"}]}],
    }
    schema = _body_of(operation)
    kept = {name: value for name, value in body.items() if name in schema}
    query = {"id": "secret-document", "entity": f"{SECRET} Holt", "first": secret["chunk"], "second": secret["chunk"]}
    headers = {"Authorization": f"Bearer {key}"}
    given: dict[str, Any] = {"json": kept} if schema else {}
    if path.endswith("/files"):
        given = {"files": [("files", ("a.md", b"text"))]}
    found = http.request(method.upper(), place, params=query, headers=headers, **given)
    told = found.json() if "json" in found.headers.get("content-type", "") else found.text
    if isinstance(told, dict):
        told.pop("request_id", None)
    return found.status_code, json.dumps(told)


def _body_of(operation: tuple[str, str, Any]) -> Mapping[str, Any]:
    content = operation[2].get("requestBody", {}).get("content", {})
    reference = content.get("application/json", {}).get("schema", {}).get("$ref", "")
    found: Mapping[str, Any] = DOCUMENT["components"]["schemas"].get(reference.rpartition("/")[2], {})
    properties: Mapping[str, Any] = found.get("properties", {})
    return properties


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: f"{one[0]} {one[1]}")
def test_no_operation_tells_a_key_of_another_corpus(
    http: TestClient, secret: Mapping[str, str], keys: Mapping[str, str], world: str, operation: tuple[str, str, Any]
) -> None:
    path = operation[1]
    for scope in SCOPES:
        status, told = call(http, operation, secret["corpus"], secret, keys[scope])
        assert SECRET not in told
        assert secret["corpus"] not in told.replace(f"no corpus named '{secret['corpus']}'", "")
        if "{corpus}" in path:
            missing = call(http, operation, "no-such-corpus", secret, keys[scope])
            assert (status, told.replace(secret["corpus"], "no-such-corpus")) == missing
            assert status == 404
        elif operation[2].get("x-tetragraph-scope") == "operator":
            assert status == 403


@pytest.mark.parametrize(
    "path", ["sessions/{session}", "sessions/{session}/steps", "sessions/{session}/graph", "themes/{theme}"]
)
def test_ids_of_another_corpus_are_unknown_in_the_own_one(
    http: TestClient, secret: Mapping[str, str], keys: Mapping[str, str], world: str, path: str
) -> None:
    headers = {"Authorization": f"Bearer {keys['search']}"}
    found = http.get(f"/v1/corpora/{world}/{path.format(**secret)}", headers=headers)
    assert found.status_code == 404
    assert SECRET not in found.text


def test_a_result_of_another_corpus_shows_nothing_of_it(
    http: TestClient, secret: Mapping[str, str], keys: Mapping[str, str], world: str
) -> None:
    stolen = json.loads(secret["evidence"])
    headers = {"Authorization": f"Bearer {keys['search']}"}
    for path in ("explain", "subgraph"):
        refused = http.post(f"/v1/corpora/{world}/{path}", json={"evidence": stolen}, headers=headers)
        assert refused.status_code == 422
        forged = {**stolen, "manifest": {**stolen["manifest"], "corpus": world}}
        shown = http.post(f"/v1/corpora/{world}/{path}", json={"evidence": forged}, headers=headers)
        nodes = shown.json().get("nodes", shown.json().get("subgraph", {}).get("nodes"))
        assert nodes == []


def test_the_whole_graph_of_a_corpus_has_nothing_of_another(
    http: TestClient, secret: Mapping[str, str], keys: Mapping[str, str], world: str
) -> None:
    headers = {"Authorization": f"Bearer {keys['search']}"}
    found = http.get(f"/v1/corpora/{world}/graph", headers=headers)
    assert found.status_code == 200
    assert SECRET not in found.text
    assert small_world.documents()[0].title in found.text


def test_a_key_that_may_not_search_reads_no_names_out_of_a_corpus(
    http: TestClient, world: str, keys: Mapping[str, str]
) -> None:
    path = f"/v1/corpora/{world}"

    def told(scope: str, entity: str) -> str:
        """Words of the refusal of a split, or of the failed job."""
        headers = {"Authorization": f"Bearer {keys[scope]}"}
        asked = http.post(f"{path}/entities/splits", json={"entity": entity, "alias": "x"}, headers=headers)
        while (job := asked.json()).get("status") in ("queued", "running"):
            asked = http.get(f"{path}/jobs/{job['id']}", headers=headers)
        told: str = (job.get("problem") or job)["detail"]
        return told

    assert "names that are alike: 'Mina Holt'" in told("admin", "Mina Hol")
    assert told("ingest", "Mina Hol") == f"corpus '{world}' has not one entity of the id or the name 'Mina Hol'"
    assert "merged were:" in told("admin", "mina holt")
    assert told("ingest", "mina holt").startswith("An argument")


def test_an_evaluation_is_shown_to_those_who_may_search(http: TestClient, world: str, keys: Mapping[str, str]) -> None:
    asked = {"questions": [{"id": "1", "text": "Who?", "gold": [{"document": "d1"}]}], "allow_missing": True}
    read = {scope: {"Authorization": f"Bearer {key}"} for scope, key in keys.items()}
    job = http.post(f"/v1/corpora/{world}/evaluations", json=asked, headers=read["search"]).json()
    place = f"/v1/corpora/{world}/jobs/{job['id']}"
    while (done := http.get(place, headers=read["search"]).json())["status"] in ("queued", "running"):
        pass
    assert done["result"]["questions"]
    hidden = http.get(place, headers=read["ingest"])
    assert (hidden.json()["status"], hidden.json()["result"]) == ("done", None)
    assert "Who?" not in hidden.text
    assert "Who?" not in http.get(f"{place}/events", headers=read["ingest"]).text
