"""A server in a process of its own, which measurements and tests question, stop and kill."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from types import TracebackType
from typing import Any, Self

START_S = 120.0
STOP_S = 30.0
Answer = tuple[int, Mapping[str, str], Any]


class Served:
    """``tetragraph serve`` on a free port of the loopback interface.

    Args:
        environment: Environment variables besides those of this process; the rate of requests has no limit.
        log: File to which the log lines of the server are appended.
    """

    process: subprocess.Popen[bytes]

    def __init__(self, environment: Mapping[str, str], log: Path) -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port: int = free.getsockname()[1]
        limits = {"TETRAGRAPH_SERVE_RATE": "0", "TETRAGRAPH_SERVE_CONCURRENCY": "64"}
        self._environment = {**os.environ, **limits, **environment}
        self._log = log

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.stop()

    @property
    def address(self) -> str:
        """Address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Start the server; returns when it is ready."""
        command = [sys.executable, "-m", "tetragraph", "serve", "--port", str(self.port)]
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(command, env=self._environment, stdout=log, stderr=log)
        end = time.monotonic() + START_S
        while time.monotonic() < end and self.process.poll() is None:
            try:
                with closing(Caller(self.port)) as caller:
                    if caller.get("/readyz")[0] == http.client.OK:
                        return
            except OSError:
                time.sleep(0.05)
        sys.exit(f"the server is not ready: {self._log.read_text(encoding='utf-8')[-2000:]}")

    def kill(self) -> None:
        """End the process without notice."""
        self.process.kill()
        self.process.wait()

    def stop(self) -> tuple[int, float]:
        """Ask the server to end; returns its exit code and the seconds that it took."""
        began = time.monotonic()
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(STOP_S)
        return code, time.monotonic() - began


class Caller:
    """A client with a connection of its own, which stays open; for one thread."""

    def __init__(self, port: int) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)

    def get(self, path: str) -> Answer:
        """Status, headers and body of a resource."""
        return self._call("GET", path, None, {})

    def post(self, path: str, body: Any, **headers: str) -> Answer:
        """Status, headers and body of the reply to a JSON body."""
        given = {"Content-Type": "application/json", **{name.replace("_", "-"): v for name, v in headers.items()}}
        return self._call("POST", path, json.dumps(body), given)

    def close(self) -> None:
        """Close the connection."""
        self._connection.close()

    def _call(self, method: str, path: str, body: str | None, headers: Mapping[str, str]) -> Answer:
        self._connection.request(method, path, body, dict(headers))
        reply = self._connection.getresponse()
        content = reply.read()
        return reply.status, dict(reply.headers), json.loads(content) if content else None


def open_stream(port: int, path: str) -> http.client.HTTPResponse:
    """A reply that goes on until the server ends it, after its headers."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=START_S)
    connection.request("GET", path, headers={"Accept": "text/event-stream"})
    return connection.getresponse()
