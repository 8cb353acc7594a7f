"""Opens the vector store that the settings select."""

from __future__ import annotations

from tetragraph.errors import InvalidInput, MissingDependency
from tetragraph.settings import Settings
from tetragraph.stores.vectors import VectorStore

_TIMEOUT_S = 60


def open_vectors(settings: Settings) -> VectorStore:
    """The Qdrant server of ``QDRANT_URL``, otherwise Qdrant's engine in this process, below ``<home>/qdrant``.

    Neither is contacted or opened before the first call.

    Raises:
        MissingDependency: no server is set, and the engine is not installed.
        InvalidInput: the address is invalid.
    """
    return _server(settings.qdrant_url, settings) if settings.qdrant_url else _edge(settings)


def _server(url: str, settings: Settings) -> VectorStore:
    from qdrant_client import QdrantClient  # imported here: it takes a second, which local use avoids

    from tetragraph.stores.qdrant_server import QdrantVectors

    key = settings.qdrant_api_key.get_secret_value() if settings.qdrant_api_key else None
    try:
        client = QdrantClient(url=url, api_key=key, timeout=_TIMEOUT_S, check_compatibility=False)
    except ValueError as error:
        raise InvalidInput(f"QDRANT_URL must be like http://localhost:6333, got {url!r} ({error})") from error
    return QdrantVectors(client)


def _edge(settings: Settings) -> VectorStore:
    try:
        from tetragraph.stores.qdrant_edge import EdgeVectors
    except ModuleNotFoundError as error:
        if error.name != "qdrant_edge":
            raise
        raise MissingDependency(
            "without QDRANT_URL vectors are kept by the package qdrant_edge, which is not installed: "
            "pip install 'tetragraph[local]', or set QDRANT_URL"
        ) from error
    return EdgeVectors(settings.home / "qdrant", settings.edge_wait_s)
