"""What holds for a system that does not say otherwise."""

from __future__ import annotations

from unittest.mock import create_autospec

from seventh_system import TitleWords
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores


def test_no_request_to_a_language_model_is_foretold() -> None:
    requests = TitleWords().llm_requests(create_autospec(CorpusStores), create_autospec(ChunkTable), None, "a model")
    assert list(requests) == []
