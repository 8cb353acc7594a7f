"""Failed starts, with a program in place of Java that fails like Neo4j."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseRequestHandler, ThreadingTCPServer

import pytest

from tetragraph.errors import CorruptHome, PortInUse, StartFailed
from tetragraph.settings import Settings
from tetragraph.stores.local import homes, jars, launch, ports
from tetragraph.stores.local.homes import Home, State
from tetragraph.stores.local.java import Java
from tetragraph.stores.local.launch import Launch
from tetragraph.stores.local.ports import Ports


@pytest.fixture
def ready(settings: Settings, tmp_path: Path) -> Launch:
    """A start with the program of ``says``."""
    home = homes.of(settings)
    home.prepare()
    return Launch(home, jars.distribution(settings.cache), Java(tmp_path / "java", 25, "25"), settings)


class Bolt(BaseRequestHandler):
    """Agrees to a version of Bolt and ends."""

    def handle(self) -> None:
        self.request.recv(20)
        self.request.sendall(bytes.fromhex("00000805"))


class Http(BaseHTTPRequestHandler):
    """Answers as Neo4j does at its root."""

    def do_GET(self) -> None:  # the name that http.server calls
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b'{"neo4j_version": "2026.01.4"}')

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name in the base class
        """Keep quiet."""


@pytest.fixture
def foreign() -> Iterator[Ports]:
    """The ports of another program that answers like a Neo4j."""
    with ThreadingTCPServer((ports.LOOPBACK, 0), Bolt) as bolt, ThreadingHTTPServer((ports.LOOPBACK, 0), Http) as http:
        threads = [threading.Thread(target=server.serve_forever, args=(0.01,)) for server in (bolt, http)]
        for thread in threads:
            thread.start()
        yield Ports(bolt.server_address[1], http.server_address[1])
        for server, thread in zip((bolt, http), threads, strict=True):
            server.shutdown()
            thread.join()


def says(start: Launch, server: str) -> None:
    """Let the program do this in place of the server."""
    start.java.executable.write_text(f"#!/bin/sh\n{server}\n")
    start.java.executable.chmod(0o755)


def test_a_lost_race_for_a_port_is_run_three_times(ready: Launch) -> None:
    says(ready, "echo 'ERROR Address already in use'; exit 1")
    with pytest.raises(PortInUse, match="Address already in use"):
        ready.run()
    assert ready.home.console.read_text().count("Address already in use") == 3
    assert ready.home.state() is None


def test_a_neo4j_that_took_the_ports_meanwhile_is_not_mistaken_for_the_started_one(
    ready: Launch, foreign: Ports, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ports, "is_taken", lambda port: False)  # it was free when it was chosen
    says(ready, "sleep 0.3; echo 'ERROR Address already in use'; exit 1")
    asked = ready.settings.model_copy(update={"bolt_port": foreign.bolt, "http_port": foreign.http})
    with pytest.raises(PortInUse, match="Address already in use"):
        replace(ready, settings=asked).run()
    assert launch.is_ready(State(os.getpid(), foreign.bolt, foreign.http, "25"))  # the program of the fixture


def test_starts_of_two_homes_choose_and_take_their_ports_one_after_the_other(ready: Launch, tmp_path: Path) -> None:
    says(ready, f"echo begun >> {tmp_path}/log; sleep 0.3; echo ended >> {tmp_path}/log; exit 1")
    other = Home(tmp_path / "other" / "neo4j")
    other.prepare()
    with ThreadPoolExecutor() as threads:
        starts = [threads.submit(replace(ready, home=home).run) for home in (ready.home, other)]
    for start in starts:
        with pytest.raises(StartFailed):
            start.result()
    assert (tmp_path / "log").read_text().split() == ["begun", "ended", "begun", "ended"]


def test_reasons_of_earlier_starts_are_not_told_again(ready: Launch) -> None:
    says(ready, "echo 'ERROR Invalid memory configuration'; exit 3")
    with pytest.raises(StartFailed, match="TETRAGRAPH_HEAP_MB"):
        ready.run()
    says(ready, "echo 'ERROR something else'; exit 1")
    with pytest.raises(StartFailed, match="It says: ERROR something else") as raised:
        ready.run()
    assert "memory" not in str(raised.value)


def test_a_server_that_never_answers_is_ended(ready: Launch, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(launch, "START_TIMEOUT_S", 0.1)
    says(ready, "echo $$; exec sleep 600")
    with pytest.raises(StartFailed, match="must answer within 0 s"):
        ready.run()
    assert ready.home.state() is None
    with pytest.raises(ProcessLookupError):
        os.kill(int(ready.home.console.read_text()), 0)


def test_data_of_a_newer_neo4j_are_not_touched(ready: Launch) -> None:
    says(ready, "echo started")
    (ready.home.folder / "run" / "neo4j_version").write_text("9999.01.0")
    with pytest.raises(CorruptHome, match=r"holds data of Neo4j 9999\.01\.0"):
        ready.run()
    assert not ready.home.console.exists()


def test_a_start_that_was_left_and_dies_is_told(ready: Launch) -> None:
    with pytest.raises(StartFailed, match=r"process 1 does not become ready: `tetragraph down` ends it"):
        launch.wait_for(ready.home, State(1, 9, 9, "25"))
