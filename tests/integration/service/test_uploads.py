"""Documents that a program uploads over HTTP, without the client of this library."""

from __future__ import annotations

import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from typing import Any

import httpx2
import pytest
from starlette.testclient import TestClient

from tetragraph import Tetragraph

PATIENCE_S = 60


@pytest.fixture
def caller(http: TestClient, make_key: Callable[..., str]) -> TestClient:
    """Calls the service with a key that may do everything."""
    http.headers["Authorization"] = f"Bearer {make_key('admin')}"
    return http


@pytest.fixture
def corpus(opened: Tetragraph) -> Iterator[str]:
    """Path of a corpus that does not exist yet, and is dropped after the test."""
    name = f"uploads-{uuid.uuid4().hex[:12]}"
    yield f"/v1/corpora/{name}"
    opened.corpus(name).drop()


def result_of(http: TestClient, added: httpx2.Response) -> Mapping[str, Any]:
    """The result of a job, when it has ended."""
    assert added.status_code == 202, added.text
    end = time.monotonic() + PATIENCE_S
    while (job := http.get(added.headers["Location"]).json())["status"] in ("queued", "running"):
        assert time.monotonic() < end
        time.sleep(0.05)
    assert job["status"] == "done", job
    found: Mapping[str, Any] = job["result"]
    return found


def test_an_uploaded_file_replaces_only_what_a_file_of_its_name_has_brought(caller: TestClient, corpus: str) -> None:
    def upload(name: str, text: str) -> Mapping[str, Any]:
        sent = {"files": (name, f"id,text\n1,{text}\n".encode())}
        return result_of(caller, caller.post(f"{corpus}/files", files=sent, data={"options": '{"build": []}'}))

    assert upload("first.csv", "Orla Brandt built the harbour.")["added"] == ["1"]
    refused = upload("second.csv", "Jens Arild built the mill.")
    assert refused["changed"] == []
    assert "the corpus has '1' from first.csv:2, and second.csv:2 would replace it" in refused["skipped"][0]["reason"]
    assert upload("first.csv", "Orla Brandt sold the harbour.")["changed"] == ["1"]


def test_a_document_with_a_number_that_is_none_is_skipped(caller: TestClient, corpus: str) -> None:
    content = """{"build": [], "documents": [{"id": "a", "title": "", "text": "Orla.", "metadata": {"x": NaN}},
                                             {"id": "b", "title": "", "text": "Jens.", "metadata": {"x": 1.5}}]}"""
    sent = caller.post(f"{corpus}/documents", content=content, headers={"Content-Type": "application/json"})
    found = result_of(caller, sent)
    assert found["added"] == ["b"]
    assert found["skipped"] == [{"source": "a", "reason": "a number must be finite, got nan for 'x'"}]
