"""Runs the app: checks that the address is safe, serves, and stops in time with open streams."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, NoReturn

import uvicorn

from tetragraph.client.tetragraph import Tetragraph
from tetragraph.errors import InvalidInput
from tetragraph.service import logs
from tetragraph.service.app import Surface, create_app
from tetragraph.service.config import ServiceConfig
from tetragraph.service.keys import KeyStore
from tetragraph.service.listening import check_tls, listen
from tetragraph.service.state import Service

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider


def check_address(config: ServiceConfig, valid_keys: int) -> None:
    """Raise unless a server may listen on its address.

    Raises:
        InvalidInput: other machines would reach it, and there is no key or connections are not encrypted.
    """
    if config.is_private:
        return
    if not valid_keys:
        place = f"{config.host} behind a proxy" if config.is_behind_proxy else config.host
        raise InvalidInput(
            f"a server on {place} needs keys, and there is no valid one: create one with `tetragraph keys create "
            "--scope search --corpus NAME`, or serve on 127.0.0.1 without a proxy"
        )
    if not config.is_behind_tls:
        raise InvalidInput(
            f"a server on {config.host} would receive keys unencrypted: give --tls-certificate and --tls-key, or "
            "--behind-tls where a proxy encrypts connections"
        )


class _Server(uvicorn.Server):
    """A server that ends open streams as soon as it was told to stop."""

    def __init__(self, config: uvicorn.Config, service: Service) -> None:
        super().__init__(config)
        self.service = service

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End streams and jobs, then connections."""
        self.service.stop()
        await super().shutdown(sockets)
        if self.force_exit:  # at the second Ctrl-C uvicorn would not end the app, nor put a running job back
            await self.lifespan.shutdown()

    def stop(self) -> None:
        """Stop at the next occasion."""
        self.should_exit = True


def serve(
    client: Tetragraph,
    config: ServiceConfig,
    *,
    certificate: Path | None = None,
    key: Path | None = None,
    surfaces: Sequence[Surface] = (),
    traces: TracerProvider | None = None,
) -> bool:
    """Serve until the process is told to stop.

    Args:
        client: Client of the stores.
        config: Address and limits.
        certificate: File of the certificate chain, where the server encrypts connections itself.
        key: File of its private key.
        surfaces: Further surfaces to mount.
        traces: Provider of the traces, shut down at the end; None for none.

    Returns:
        Whether threads still compute, as a step of a job or a search went on longer than the server waits; the next
        server completes the job. The process then has to end by :func:`leave`.

    Raises:
        InvalidInput: the address is not safe or none of this machine, or the TLS files or the recording of a language
            model cannot be used.
        ServiceError: another program uses the port.
    """
    keys = KeyStore(client.connection.graph)
    check_address(config, keys.count_valid())
    if client.connection.settings.llm:
        client.connection.llm  # noqa: B018  # opened now: a recording that is missing is no fault of a caller
    if certificate and key:
        check_tls(certificate, key)
    sockets = listen(config.host, config.port)
    tracer = traces.get_tracer("tetragraph") if traces else None
    app = create_app(client, config, surfaces=surfaces, tracer=tracer)
    server = _Server(
        uvicorn.Config(
            app,
            ssl_certfile=certificate,
            ssl_keyfile=key,
            access_log=False,
            log_config=None,
            server_header=False,
            date_header=True,
            proxy_headers=False,
            timeout_graceful_shutdown=max(1, int(config.grace_s)),
        ),
        app.state.service,
    )
    is_open = config.is_private and not keys.has_any()
    access = "no key is needed, and only this machine is served" if is_open else "a key is needed"
    scheme = "https" if certificate else "http"
    logs.requests.info("serving on %s://%s:%d; %s", scheme, config.host, sockets[0].getsockname()[1], access)
    try:
        with _stopped_by_signals(server):
            asyncio.run(server.serve(sockets))
    finally:
        if traces:
            traces.shutdown()
    return server.service.is_computing


@contextmanager
def _stopped_by_signals(server: _Server) -> Iterator[None]:
    """Let the end of the terminal stop a server unless it is ignored, and the process end with success."""
    # The server handles SIGTERM itself, and repeats it once it has ended.
    handlers: dict[signal.Signals, Callable[[int, FrameType | None], None]] = {signal.SIGTERM: lambda *_: None}
    if hasattr(signal, "SIGHUP") and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # nohup ignores it
        handlers[signal.SIGHUP] = lambda *_: server.stop()
    before = {number: signal.signal(number, handler) for number, handler in handlers.items()}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def leave() -> NoReturn:
    """End the process with success, without finalising the interpreter.

    Native code of threads that still compute (BLAS, the parser) would crash when the interpreter takes its memory away.
    """
    logging.shutdown()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)
