"""The light connections of the load generator, against a server that replies piece by piece."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from benchmarks.service.connections import Connection, Timed, load, post

PATIENCE_S = 60.0


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, together: int) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.asked: list[int] = []
        self.together = threading.Barrier(together)


class _Handler(BaseHTTPRequestHandler):
    """Waits until as many requests have come as there are clients; replies with the number that was sent."""

    protocol_version = "HTTP/1.1"
    server: _Server

    def do_POST(self) -> None:
        number = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.asked.append(number)
        self.server.together.wait(PATIENCE_S)
        content = json.dumps({"number": number, "text": "x" * 600_000}).encode()
        self.send_response(HTTPStatus.OK if self.path == "/found" else HTTPStatus.NOT_FOUND)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_: object) -> None:
        """Print nothing."""


@pytest.fixture
def server(request: pytest.FixtureRequest) -> Iterator[_Server]:
    """A server for a number of clients."""
    with _Server(request.param) as made:
        thread = threading.Thread(target=made.serve_forever)
        thread.start()
        yield made
        made.shutdown()
        thread.join()


@pytest.mark.parametrize("server", [3], indirect=True)
def test_every_request_is_sent_once_by_as_many_clients_as_asked(server: _Server) -> None:
    timed = Timed()
    load(server.server_port, [post("/found", number) for number in range(6)], 3, timed)
    assert sorted(server.asked[:3]) == [0, 1, 2]
    assert sorted(server.asked) == [0, 1, 2, 3, 4, 5]
    assert len(timed.ms) == 6
    assert 0 < max(timed.ms) / 1000 <= timed.wall_s


@pytest.mark.parametrize("server", [1], indirect=True)
def test_a_connection_is_kept_and_another_status_than_200_is_an_error(server: _Server) -> None:
    with Connection(server.server_port) as connection:
        assert [json.loads(connection.ask(post("/found", number)))["number"] for number in (7, 8)] == [7, 8]
        with pytest.raises(RuntimeError, match="404 Not Found"):
            connection.ask(post("/missing", 9))
