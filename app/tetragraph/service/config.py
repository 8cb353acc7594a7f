"""Configuration of one server: its address, and limits from the settings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Self

from tetragraph.host.addresses import is_loopback
from tetragraph.host.processors import count_processors
from tetragraph.settings import Settings

PORT = 8424
"""Default port of the service."""
MEBI = 1 << 20


@dataclass(frozen=True, slots=True)
class ServiceConfig:
    """Address and limits of one server.

    Attributes:
        host: Address on which the server listens.
        port: Port on which it listens; 0 for a free one.
        is_behind_tls: Whether a proxy in front of the server, or the server itself, encrypts connections.
        is_behind_proxy: Whether a proxy in front of the server passes on what other machines send.
        workers: Number of searches computed at the same time.
        queue: Number of requests that may wait for a worker.
        queue_s: Seconds that a request may wait.
        body_bytes: Largest request.
        unpacked_bytes: Largest sum of sizes of the files in an uploaded archive.
        rate: Requests a second that one key may send on average, in bursts of twice as many; 0 for no limit.
        concurrency: Number of requests of one key at the same time.
        body_s: Seconds that a request may take to send a further part of its body.
        check_s: Seconds that a probe waits for the stores.
        grace_s: Seconds that requests have to end after the server was told to stop.
        logs_text: Whether the audit log has the texts of questions.
    """

    host: str = "127.0.0.1"
    port: int = PORT
    is_behind_tls: bool = False
    is_behind_proxy: bool = False
    workers: int = 2
    queue: int = 64
    queue_s: float = 10.0
    body_bytes: int = 32 * MEBI
    unpacked_bytes: int = 512 * MEBI
    rate: float = 50.0
    concurrency: int = 16
    body_s: float = 20.0
    check_s: float = 4.0
    grace_s: float = 3.0
    logs_text: bool = False

    @classmethod
    def of(
        cls,
        settings: Settings,
        *,
        host: str = "127.0.0.1",
        port: int = PORT,
        is_behind_tls: bool = False,
        is_behind_proxy: bool = False,
    ) -> Self:
        """The configuration of a server with the limits of the settings."""
        return cls(
            host=host,
            port=port,
            is_behind_tls=is_behind_tls,
            is_behind_proxy=is_behind_proxy,
            workers=settings.serve_workers or min(count_processors(), 4),
            queue=settings.serve_queue,
            queue_s=settings.serve_queue_s,
            body_bytes=int(settings.serve_body_mb * MEBI),
            unpacked_bytes=int(settings.serve_unpacked_mb * MEBI),
            rate=settings.serve_rate,
            concurrency=settings.serve_concurrency,
            logs_text=settings.serve_log_text,
        )

    @property
    def is_private(self) -> bool:
        """Whether only programs of this machine reach the server."""
        return is_loopback(self.host) and not self.is_behind_proxy
