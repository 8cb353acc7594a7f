"""HTTP connections that stay open and cost little: a load generator shares the processors with the server."""

from __future__ import annotations

import json
import selectors
import socket
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType
from typing import Any, Final, Self

_PIECE: Final = 1 << 18
_END: Final = b"\r\n\r\n"
_LENGTH: Final = b"content-length:"


def post(path: str, body: Any) -> bytes:
    """A request with a JSON body, ready to be sent to a server on the loopback interface."""
    content = json.dumps(body).encode()
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
    return f"{head}Content-Length: {len(content)}\r\n\r\n".encode() + content


class Connection:
    """A connection with one request at a time.

    Args:
        port: Port of the server on the loopback interface.
    """

    def __init__(self, port: int) -> None:
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self._received = bytearray()
        self._size = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.socket.close()

    def ask(self, request: bytes) -> bytes:
        """The body of the reply to a request."""
        self.send(request)
        while (body := self.receive()) is None:
            pass
        return body

    def send(self, request: bytes) -> None:
        """Send a request; the connection must not wait for a reply."""
        self.socket.sendall(request)

    def receive(self) -> bytes | None:
        """Wait for the next piece of a reply; returns its body once it is complete.

        Raises:
            RuntimeError: the server closed the connection, or its reply has another status than 200.
        """
        piece = self.socket.recv(_PIECE)
        if not piece:
            raise RuntimeError("the server closed the connection")
        self._received += piece
        if not self._size:
            end = self._received.find(_END)
            if end < 0:
                return None
            self._size = end + len(_END) + self._read_length(bytes(self._received[:end]))
        if len(self._received) < self._size:
            return None
        body = bytes(self._received[self._received.find(_END) + len(_END) :])
        self._received.clear()
        self._size = 0
        return body

    def _read_length(self, head: bytes) -> int:
        first, *lines = head.split(b"\r\n")
        if int(first.split(b" ", 2)[1]) != HTTPStatus.OK:
            raise RuntimeError(f"a request ended with {first.decode()}")
        return next(int(line.split(b":", 1)[1]) for line in lines if line.lower().startswith(_LENGTH))


@dataclass
class Timed:
    """Times of some requests.

    Attributes:
        ms: Milliseconds of each.
        wall_s: Seconds of all of them.
        cpu_s: Seconds of processor time, of client and server together.
    """

    ms: list[float] = field(default_factory=list)
    wall_s: float = 0.0
    cpu_s: float = 0.0


def load(port: int, requests: Sequence[bytes], clients: int, timed: Timed) -> None:
    """Send requests over some connections from one thread; each sends its next one as soon as the last is answered.

    Args:
        port: Port of the server on the loopback interface.
        requests: The requests, sent in this order.
        clients: Number of connections.
        timed: Receives the milliseconds of each request, and the seconds of all; connecting is not counted.
    """
    left = iter(requests)
    with ExitStack() as stack, selectors.DefaultSelector() as selector:
        connections = [stack.enter_context(Connection(port)) for _ in range(min(clients, len(requests)))]
        began = time.perf_counter()
        for one, request in zip(connections, left, strict=False):
            selector.register(one.socket, selectors.EVENT_READ, (one, time.perf_counter()))
            one.send(request)
        while selector.get_map():
            for key, _ in selector.select():
                one, sent = key.data
                if one.receive() is None:
                    continue
                now = time.perf_counter()
                timed.ms.append((now - sent) * 1000)
                if (following := next(left, None)) is None:
                    selector.unregister(one.socket)
                else:
                    selector.modify(one.socket, selectors.EVENT_READ, (one, now))
                    one.send(following)
        timed.wall_s += time.perf_counter() - began
