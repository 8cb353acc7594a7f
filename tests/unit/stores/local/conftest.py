"""A distribution of three small jars, and Maven repositories that serve them correctly or faultily."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from tetragraph.stores.local.jars import Distribution, Jar, Lock

CONTENTS = {"small": b"s" * 1_000, "middle": b"m" * 100_000, "large": b"l" * 300_000}


def jar(artifact: str) -> Jar:
    content = CONTENTS[artifact]
    folder = "plugins" if artifact == "small" else "lib"
    return Jar("org.example", artifact, "", "1.0", len(content), hashlib.sha256(content).hexdigest(), folder)


@dataclass
class Mirror:
    """A Maven repository over HTTP.

    Attributes:
        bodies: What is served for a path; a path that is not there is answered with 404.
        statuses: Statuses to answer with before the body, one a request.
        held: A path whose answer stops half-way until ``release`` is set.
    """

    url: str = ""
    bodies: dict[str, bytes] = field(default_factory=lambda: {jar(name).path: body for name, body in CONTENTS.items()})
    statuses: dict[str, list[int]] = field(default_factory=dict)
    held: str = ""
    release: threading.Event = field(default_factory=threading.Event)
    requests: list[str] = field(default_factory=list)

    def answer(self, handler: BaseHTTPRequestHandler) -> None:
        path = handler.path.lstrip("/")
        self.requests.append(path)
        planned = self.statuses.get(path)
        status = planned.pop(0) if planned else 200 if path in self.bodies else 404
        body = self.bodies[path] if status == 200 else b""
        handler.send_response(status)
        handler.send_header("Content-Length", str(len(body)))
        handler.end_headers()
        if path == self.held:
            handler.wfile.write(body[: len(body) // 2])
            handler.wfile.flush()
            self.release.wait(60)
            body = body[len(body) // 2 :]
        handler.wfile.write(body)


@pytest.fixture
def mirror() -> Iterator[Mirror]:
    served = Mirror()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:  # the name that http.server calls
            served.answer(self)

        def log_message(self, format: str, *args: object) -> None:  # noqa: A002  # the name in the base class
            """Keep quiet."""

    class Quiet(ThreadingHTTPServer):
        def handle_error(self, request: object, client_address: object) -> None:
            """A client that was killed is no error here."""

    with Quiet(("127.0.0.1", 0), Handler) as server:
        served.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield served
        served.release.set()
        server.shutdown()
        thread.join()


@pytest.fixture
def distribution(tmp_path: Path) -> Distribution:
    return Distribution(Lock("0123456789ab", tuple(map(jar, CONTENTS))), tmp_path / "cache" / "neo4j" / "0123456789ab")


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A folder laid out as a Maven repository that has all three."""
    for name, content in CONTENTS.items():
        file = tmp_path / "m2" / jar(name).path
        file.parent.mkdir(parents=True)
        file.write_bytes(content)
    return tmp_path / "m2"
