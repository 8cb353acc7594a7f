"""The examples of the OpenAPI document run, in the order in which they lead through the life of a corpus."""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator

import httpx
import pytest

from tetragraph import Tetragraph
from tetragraph.client.remote.jobs import ENDED
from tetragraph.service.app import describe_routes
from tetragraph.service.examples import CORPUS, EXAMPLES, FILES, PATH
from tetragraph.service.keys import KeyStore

PATIENCE_S = 180
TEXT = b"# Leave\n\nLeave is granted by Mia Lund."


@pytest.fixture
def key(opened: Tetragraph) -> Iterator[str]:
    """A key that may do everything."""
    keys = KeyStore(opened.connection.graph)
    made, record = keys.create(["admin"], ["*"])
    yield made
    for one in keys.list():
        if one.id == record.id or one.name == EXAMPLES["POST", "/v1/keys"].body["name"]:
            keys.revoke(one.id)
            keys.delete(one.id)


class Walk:
    """Sends the examples; ids that the service has made take the place of those that only show their form."""

    def __init__(self, http: httpx.Client) -> None:
        self._http = http
        self.ids = {**PATH, "corpus": f"{PATH['corpus']}-{uuid.uuid4().hex[:12]}"}
        self._chunks: list[str] = []

    def send(self, method: str, path: str) -> httpx.Response:
        example = EXAMPLES[method, path]
        values, body = {**example.values}, example.body
        if (method, path) == FILES:
            (name,) = body["files"]
            sent = self._http.post(self._place(path), files={"files": (name, TEXT)}, data={"options": body["options"]})
        else:
            if "first" in values and path.endswith("affinity"):
                values = dict(zip(values, self._chunks, strict=False))
            if path.endswith("/chunks"):
                body = {"chunks": self._chunks}
            sent = self._http.request(method, self._place(path), params=values, json=body)
        self._learn(method, path, sent)
        return sent

    def _place(self, path: str) -> str:
        for name, value in self.ids.items():
            path = path.replace("{" + name + "}", value)
        return path

    def _learn(self, method: str, path: str, sent: httpx.Response) -> None:
        """Take ids from a response, and wait for the job that it is."""
        if sent.status_code == httpx.codes.ACCEPTED and method in ("POST", "DELETE") and "/jobs/" not in path:
            self.ids["job"] = sent.json()["id"]
            self._wait()
        elif (method, path) == ("POST", "/v1/keys"):
            self.ids["key"] = sent.json()["record"]["id"]
        elif path == f"{CORPUS}/search":
            self._chunks = [hit["chunk"]["id"] for hit in sent.json()["hits"]]
        elif (method, path) == ("GET", f"{CORPUS}/themes"):
            self.ids["theme"] = sent.json()["themes"][0]["id"]
        elif (method, path) == ("POST", f"{CORPUS}/sessions"):
            self.ids["session"] = sent.json()["session"]

    def _wait(self) -> None:
        end = time.monotonic() + PATIENCE_S
        while (job := self._http.get(self._place(f"{CORPUS}/jobs/{{job}}")).json())["status"] not in ENDED:
            assert time.monotonic() < end, job
            time.sleep(0.1)
        assert job["status"] == "done", job


def test_every_operation_has_an_example_that_runs(address: str, key: str) -> None:
    operations = {(method.upper(), path) for path, found in describe_routes()["paths"].items() for method in found}
    assert set(EXAMPLES) == operations
    failed = []
    with httpx.Client(base_url=address, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE_S) as http:
        walk = Walk(http)
        for method, path in EXAMPLES:
            sent = walk.send(method, path)
            if not sent.is_success:
                failed.append(f"{method} {path}: {sent.status_code} {sent.text[:500]}")
    assert not failed, "\n".join(failed)
