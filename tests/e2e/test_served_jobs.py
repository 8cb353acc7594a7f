"""The server as a process: killed and stopped in the middle of jobs and streams."""

from __future__ import annotations

import random
import socket
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import httpx
import pytest
from benchmarks.service.process import Served

import small_world
from tetragraph import Tetragraph
from tetragraph.client.remote.jobs import ENDED
from tetragraph.client.remote.requests import DocumentForm, IngestRequest
from tetragraph.client.remote.values import encode
from tetragraph.service.keys import KeyStore

PATIENCE_S = 120.0
KILLS = 2
STREAMS = 10


@dataclass(frozen=True)
class Server:
    """A server in a process of its own, and a client of it with a key."""

    process: Served
    http: httpx.Client


@pytest.fixture
def server(environment: Mapping[str, str], tmp_path: Path, client: Tetragraph) -> Iterator[Server]:
    keys = KeyStore(client.connection.graph)
    key, record = keys.create(["admin"], ["*"])
    with Served(environment, tmp_path / "server.log") as served:
        headers = {"Authorization": f"Bearer {key}"}
        with httpx.Client(base_url=served.address, headers=headers, timeout=PATIENCE_S) as http:
            yield Server(served, http)
    keys.revoke(record.id)
    keys.delete(record.id)


@pytest.fixture
def name(server: Server, corpus_name: str) -> str:
    return f"{corpus_name}-{uuid.uuid4().hex[:4]}"


def body_of(count: int = 12) -> bytes:
    documents = tuple(DocumentForm.of(one) for one in small_world.documents()[:count])
    return encode(IngestRequest(documents=documents, build=("gain",)))


def start_job(server: Server, corpus: str) -> str:
    headers = {"Content-Type": "application/json", "Idempotency-Key": "the-job"}
    sent = server.http.post(f"/v1/corpora/{corpus}/documents", content=body_of(), headers=headers)
    assert sent.status_code == httpx.codes.ACCEPTED, sent.text
    job: str = sent.json()["id"]
    return job


def wait_for(server: Server, corpus: str, job: str) -> Mapping[str, object]:
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        found: Mapping[str, object] = server.http.get(f"/v1/corpora/{corpus}/jobs/{job}").json()
        if found["status"] in ENDED:
            return found
        time.sleep(0.2)
    raise AssertionError("the job has not ended")


def test_a_job_whose_server_is_killed_ends_as_an_undisturbed_one(
    server: Server,
    name: str,
    client: Tetragraph,
    fingerprint: Callable[[Tetragraph, str], small_world.Fingerprint],
) -> None:
    chance = random.Random(0)  # noqa: S311  # moments, no secrets
    job = start_job(server, name)
    for _ in range(KILLS):
        time.sleep(chance.uniform(0.1, 2.0))
        server.process.kill()
        server.process.start()
    done = wait_for(server, name, job)
    assert done["status"] == "done", done
    assert start_job(server, name) == job
    assert server.process.stop()[0] == 0
    undisturbed = f"{name}-undisturbed"
    client.corpus(undisturbed).ingest(small_world.documents(), build=("gain",))
    disturbed = fingerprint(client, name)
    jobs = [one for one in disturbed["nodes"] if "['Job']" in one]
    assert len(jobs) == 1
    disturbed["nodes"] = [one for one in disturbed["nodes"] if one not in jobs]
    assert disturbed == fingerprint(client, undisturbed)


@pytest.mark.slow
def test_a_server_that_is_stopped_ends_its_streams_and_keeps_its_job(server: Server, name: str) -> None:
    job = start_job(server, name)
    ends: list[str] = []

    def watch() -> None:
        with server.http.stream("GET", f"/v1/corpora/{name}/jobs/{job}/events") as told:
            ends.append([line for line in told.iter_lines() if line.startswith("event:")][-1])

    watchers = [threading.Thread(target=watch) for _ in range(STREAMS)]
    for watcher in watchers:
        watcher.start()
    time.sleep(0.5)
    assert server.process.stop()[0] == 0
    for watcher in watchers:
        watcher.join()
    assert len(ends) == STREAMS
    assert set(ends) <= {"event: stopping", "event: end"}
    server.process.start()
    assert wait_for(server, name, job)["status"] == "done"


@pytest.mark.slow
def test_a_server_that_is_stopped_refuses_requests_that_have_not_arrived(server: Server, tmp_path: Path) -> None:
    head = (
        "POST /v1/corpora/any/search HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
        f"Content-Length: 1000\r\nAuthorization: {server.http.headers['Authorization']}\r\n\r\n{{"
    )
    with socket.create_connection(("127.0.0.1", server.process.port), timeout=PATIENCE_S) as slow:
        slow.sendall(head.encode())
        while "tetragraph_requests_active 2.0" not in server.http.get("/metrics").text:
            time.sleep(0.05)
        assert server.process.stop()[0] == 0
        with slow.makefile("rb") as replied:
            assert replied.read().startswith(b"HTTP/1.1 503 ")
    assert "Traceback" not in (tmp_path / "server.log").read_text(encoding="utf-8")
