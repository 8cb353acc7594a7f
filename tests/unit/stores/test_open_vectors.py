"""The vector store that the settings select."""

from __future__ import annotations

import sys

import pytest
from pydantic import SecretStr

from tetragraph.errors import InvalidInput, MissingDependency
from tetragraph.settings import Settings
from tetragraph.stores.open_vectors import open_server, open_vectors
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.stores.qdrant_server import QdrantVectors


def test_without_an_address_it_is_the_engine_below_home_which_is_not_touched_yet(settings: Settings) -> None:
    store = open_vectors(settings, "a-database")
    assert isinstance(store, EdgeVectors)
    assert not settings.home.exists()
    store.ensure("corpus", "chunks", 4)
    assert (settings.home / "qdrant" / "corpus__chunks").is_dir()
    store.close()


def test_with_an_address_it_is_the_server_which_is_not_contacted_yet(settings: Settings) -> None:
    store = open_vectors(settings.model_copy(update={"qdrant_url": "http://127.0.0.1:9"}), "a-database")
    assert isinstance(store, QdrantVectors)
    store.close()


@pytest.mark.parametrize(
    ("url", "reason"),
    [
        ("http://a:b:c", "Port could not be cast"),
        ("localhost:6333", "it must begin with http:// or https://"),
        ("host", "it must begin with http:// or https://"),
        ("grpc://host:6334", "it must begin with http:// or https://"),
        ("https://", "it has no host"),
    ],
)
def test_an_address_that_is_none_is_refused(settings: Settings, url: str, reason: str) -> None:
    with pytest.raises(InvalidInput, match=f"QDRANT_URL must be like http://localhost:6333.* got {url!r} .{reason}"):
        open_vectors(settings.model_copy(update={"qdrant_url": url}), "a-database")


def rest_address(settings: Settings, url: str, key: str | None = None) -> str:
    """The address that the client of the store sends its requests to."""
    changed = {"qdrant_url": url, "qdrant_api_key": SecretStr(key) if key else None}
    store = open_server(settings.model_copy(update=changed), "a-database")
    store.close()
    return str(store._client._client.rest_uri)  # type: ignore[attr-defined]  # of the driver's remote client


@pytest.mark.parametrize(
    ("url", "expected"),
    [
        ("https://qdrant.example", "https://qdrant.example:443"),
        ("https://qdrant.example:6333/", "https://qdrant.example:6333"),
        ("https://example/qdrant/", "https://example:443/qdrant"),
        ("http://localhost", "http://localhost:6333"),
        ("http://[::1]:7000", "http://[::1]:7000"),
    ],
)
def test_a_port_that_is_not_given_is_that_of_the_scheme(settings: Settings, url: str, expected: str) -> None:
    assert rest_address(settings, url) == expected


@pytest.mark.parametrize("host", ["localhost", "127.0.0.1", "[::1]", "qdrant.localhost"])
def test_a_key_over_http_on_this_machine_is_silent(
    settings: Settings, host: str, caplog: pytest.LogCaptureFixture
) -> None:
    rest_address(settings, f"http://{host}:6333", "secret-key")
    assert not caplog.records


def test_a_key_in_clear_text_to_another_machine_is_warned_of_once(
    settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    for _ in range(3):
        rest_address(settings, "http://warned.example:6333", "secret-key")
    rest_address(settings, "https://warned.example", "secret-key")
    rest_address(settings, "http://another.example:6333")

    [record] = caplog.records
    assert "travels to http://warned.example:6333 in clear text" in record.getMessage()
    assert "secret-key" not in record.getMessage()


def test_a_missing_engine_is_an_error_that_names_the_command(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "tetragraph.stores.qdrant_edge")
    monkeypatch.delitem(sys.modules, "tetragraph.stores.edge_directory", raising=False)
    monkeypatch.setitem(sys.modules, "qdrant_edge", None)
    with pytest.raises(MissingDependency, match=r"pip install 'tetragraph\[local\]', .*, or set QDRANT_URL"):
        open_vectors(settings, "a-database")
