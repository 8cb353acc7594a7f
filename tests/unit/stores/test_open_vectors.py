"""The vector store that the settings select."""

from __future__ import annotations

import sys

import pytest

from tetragraph.errors import InvalidInput, MissingDependency
from tetragraph.settings import Settings
from tetragraph.stores.open_vectors import open_vectors
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.stores.qdrant_server import QdrantVectors


def test_without_an_address_it_is_the_engine_below_home_which_is_not_touched_yet(settings: Settings) -> None:
    store = open_vectors(settings)
    assert isinstance(store, EdgeVectors)
    assert not settings.home.exists()
    store.ensure("corpus", "chunks", 4)
    assert (settings.home / "qdrant" / "corpus__chunks").is_dir()
    store.close()


def test_with_an_address_it_is_the_server_which_is_not_contacted_yet(settings: Settings) -> None:
    store = open_vectors(settings.model_copy(update={"qdrant_url": "http://127.0.0.1:9"}))
    assert isinstance(store, QdrantVectors)
    store.close()


def test_an_address_that_is_none_is_refused(settings: Settings) -> None:
    with pytest.raises(InvalidInput, match="QDRANT_URL must be like http://localhost:6333, got 'http://a:b:c'"):
        open_vectors(settings.model_copy(update={"qdrant_url": "http://a:b:c"}))


def test_a_missing_engine_is_an_error_that_names_the_command(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, "tetragraph.stores.qdrant_edge")
    monkeypatch.delitem(sys.modules, "tetragraph.stores.edge_directory", raising=False)
    monkeypatch.setitem(sys.modules, "qdrant_edge", None)
    with pytest.raises(MissingDependency, match=r"pip install 'tetragraph\[local\]', or set QDRANT_URL"):
        open_vectors(settings)
