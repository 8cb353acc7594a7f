"""Opens the vector store that the settings select."""

from __future__ import annotations

import functools
import logging
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from tetragraph.errors import InvalidInput, MissingDependency
from tetragraph.host.addresses import connection_options, hide_credentials, leads_to_this_machine
from tetragraph.host.optional_imports import install_command
from tetragraph.settings import Settings
from tetragraph.stores.vectors import VectorStore

if TYPE_CHECKING:
    from tetragraph.stores.qdrant_edge import EdgeVectors
    from tetragraph.stores.qdrant_server import QdrantVectors

logger = logging.getLogger("tetragraph")
_PORTS = {"http": 6333, "https": 443}


def open_vectors(settings: Settings, database: str) -> VectorStore:
    """The Qdrant server of ``QDRANT_URL``, otherwise Qdrant's engine in this process, below ``<home>/qdrant``.

    Neither is contacted or opened before the first call.

    Args:
        settings: Address and key, or folder.
        database: Identity of the Neo4j database, which marks the collections on a server.

    Raises:
        MissingDependency: no server is set, and the engine is not installed.
        InvalidInput: the address is not one of a server.
    """
    return open_server(settings, database) if settings.qdrant_url else open_engine(settings)


def open_server(settings: Settings, database: str) -> QdrantVectors:
    """The Qdrant server of ``QDRANT_URL``; see :func:`open_vectors`.

    Raises:
        InvalidInput: there is no address, or it is not one of a server.
    """
    if not settings.qdrant_url:
        raise InvalidInput("a Qdrant server needs its address, QDRANT_URL is not set: set it, as http://localhost:6333")
    from qdrant_client import QdrantClient  # takes a second to import, which the engine in the process can spare

    from tetragraph.stores.qdrant_requests import Requests
    from tetragraph.stores.qdrant_server import QdrantVectors

    url, port = _read_url(settings.qdrant_url)
    key = settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None
    if key and url.startswith("http:"):
        _warn_of_clear_text(url)
    client = QdrantClient(
        url=url,
        port=port,
        headers={"api-key": key} if key else None,  # as api_key it would raise a UserWarning on loopback, too
        timeout=settings.qdrant_timeout_s,  # type: ignore[arg-type]  # the client rounds it up itself
        check_compatibility=False,
        **connection_options(url),
    )
    requests = Requests(url, settings.qdrant_retries)
    return QdrantVectors(client, database, requests, is_exact=settings.qdrant_exact)


def open_engine(settings: Settings) -> EdgeVectors:
    """Qdrant's engine in this process; see :func:`open_vectors`.

    Raises:
        MissingDependency: it is not installed.
    """
    try:
        from tetragraph.stores.qdrant_edge import EdgeVectors
    except ModuleNotFoundError as error:
        if error.name != "qdrant_edge":
            raise
        raise MissingDependency(
            "without QDRANT_URL vectors are kept by the package qdrant_edge, which is not installed: "
            f"{install_command('local')}, or set QDRANT_URL"
        ) from error
    return EdgeVectors(settings.home / "qdrant", settings.edge_wait_s)


def _read_url(url: str) -> tuple[str, int]:
    """The address without a trailing slash, and its port.

    Raises:
        InvalidInput: it has no scheme, another one than http and https, no host, or no usable port.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _no_address(url, str(error)) from error
    if parts.scheme not in _PORTS:
        raise _no_address(url, "it must begin with http:// or https://")
    if not parts.hostname:
        raise _no_address(url, "it has no host")
    return url.rstrip("/"), _PORTS[parts.scheme] if port is None else port


def _no_address(url: str, reason: str) -> InvalidInput:
    return InvalidInput(
        f"QDRANT_URL must be like http://localhost:6333 or https://host, got {hide_credentials(url)!r} ({reason})"
    )


@functools.cache
def _warn_of_clear_text(url: str) -> None:
    """Warn once about a key that leaves this machine in clear text."""
    if not leads_to_this_machine(url):
        logger.warning("QDRANT_API_KEY travels to %s in clear text: put a proxy with TLS in front, and use https", url)
