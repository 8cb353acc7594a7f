"""The app of the service on a free port of the loopback interface, in a thread of this process."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

import uvicorn

from tetragraph import Corpus, Tetragraph
from tetragraph.service.app import create_app
from tetragraph.service.config import ServiceConfig
from tetragraph.service.keys import KeyStore
from tetragraph.service.surfaces import surfaces

START_S = 60


@contextmanager
def running_service(client: Tetragraph, **limits: float) -> Iterator[str]:
    """Serve a client with all surfaces; yields the address, and ends the server with the context.

    Args:
        client: Client of the stores.
        limits: Limits of the server in place of those of the settings.
    """
    config: Any = replace(ServiceConfig.of(client.connection.settings), **limits)  # type: ignore[arg-type]
    app = create_app(client, config, surfaces=surfaces())
    server = uvicorn.Server(
        uvicorn.Config(app, host="127.0.0.1", port=0, log_config=None, access_log=False, timeout_graceful_shutdown=2)
    )
    thread = threading.Thread(target=server.run, name="service", daemon=True)
    thread.start()
    deadline = time.monotonic() + START_S
    while not server.started and thread.is_alive() and time.monotonic() < deadline:
        time.sleep(0.02)
    assert server.started
    yield f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"
    app.state.service.stop()
    server.should_exit = True
    thread.join(START_S)


@contextmanager
def remote_client(client: Tetragraph, address: str) -> Iterator[Tetragraph]:
    """A client of a service whose key may do everything; the key is deleted with the context.

    Args:
        client: Client of the stores of the service.
        address: Address of the service.
    """
    keys = KeyStore(client.connection.graph)
    key, record = keys.create(["admin"], ["*"])
    try:
        with Tetragraph.connect(address, api_key=key) as remote:
            yield remote
    finally:
        keys.revoke(record.id)
        keys.delete(record.id)


@contextmanager
def asked_from(place: str, client: Tetragraph, corpus: Corpus) -> Iterator[Corpus]:
    """A corpus as a client sees it: in this process (``local``), or through a service (``remote``)."""
    if place == "local":
        yield corpus
        return
    with running_service(client) as address, remote_client(client, address) as remote:
        yield remote.corpus(corpus.name)
