"""The server as a process: killed and stopped in the middle of jobs and streams."""

from __future__ import annotations

import os
import random
import signal
import socket
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import httpx
import pytest

import small_world
from tetragraph import Tetragraph
from tetragraph.client.remote.jobs import ENDED
from tetragraph.client.remote.requests import DocumentForm, IngestRequest
from tetragraph.client.remote.values import encode
from tetragraph.service.keys import KeyStore

PATIENCE_S = 120.0
KILLS = 2
STREAMS = 10
STOP_S = 30
"""Far above the 5 s of docs/service.md: no test asserts a time, but a server that never stops must fail."""


class Server:
    """``tetragraph serve`` in a process of its own."""

    def __init__(self, environment: Mapping[str, str], folder: Path, key: str) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port = free.getsockname()[1]
        self._environment = {**environment, "TETRAGRAPH_SERVE_RATE": "0"}
        self._folder = folder
        self.address = f"http://127.0.0.1:{self._port}"
        self.http = httpx.Client(base_url=self.address, headers={"Authorization": f"Bearer {key}"}, timeout=PATIENCE_S)

    def start(self) -> None:
        command = [sys.executable, "-m", "tetragraph", "serve", "--port", str(self._port)]
        with (self._folder / "server.log").open("ab") as log:
            self.process = subprocess.Popen(command, env=self._environment, cwd=self._folder, stderr=log)
        end = time.monotonic() + PATIENCE_S
        while time.monotonic() < end:
            assert self.process.poll() is None, (self._folder / "server.log").read_text(encoding="utf-8")[-2000:]
            try:
                if httpx.get(f"{self.address}/readyz").status_code == httpx.codes.OK:
                    return
            except httpx.HTTPError:
                time.sleep(0.1)
        raise AssertionError("the server is not ready")

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()

    def terminate(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(STOP_S)


@pytest.fixture
def server(environment: Mapping[str, str], tmp_path: Path, client: Tetragraph) -> Iterator[Server]:
    keys = KeyStore(client.connection.graph)
    key, record = keys.create(["admin"], ["*"])
    server = Server({**os.environ, **environment}, tmp_path, key)
    server.start()
    yield server
    server.http.close()
    keys.revoke(record.id)
    keys.delete(record.id)
    if server.process.poll() is None:
        server.kill()


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
        server.kill()
        server.start()
    done = wait_for(server, name, job)
    assert done["status"] == "done", done
    assert start_job(server, name) == job
    assert server.terminate() == 0
    undisturbed = f"{name}-undisturbed"
    client.corpus(undisturbed).ingest(small_world.documents(), build=("gain",))
    disturbed = fingerprint(client, name)
    jobs = [one for one in disturbed["nodes"] if "['Job']" in one]
    assert len(jobs) == 1
    disturbed["nodes"] = [one for one in disturbed["nodes"] if one not in jobs]
    assert disturbed == fingerprint(client, undisturbed)


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
    assert server.terminate() == 0
    for watcher in watchers:
        watcher.join()
    assert len(ends) == STREAMS
    assert set(ends) <= {"event: stopping", "event: end"}
    server.start()
    assert wait_for(server, name, job)["status"] == "done"
