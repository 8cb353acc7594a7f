"""A store that becomes unavailable during work."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph import Document, Settings, Tetragraph, errors


@pytest.mark.parametrize("method", ["evidence", pytest.param("gain", marks=pytest.mark.slow)])
def test_a_search_without_neo4j_is_one_clear_error_and_works_when_it_is_back(
    server_settings: Settings, corpus_name: str, world: list[Document], proxy: Any, method: str
) -> None:
    settings = server_settings.model_copy(update={"neo4j_uri": f"bolt://127.0.0.1:{proxy.port}"})
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(corpus_name)
        corpus.ingest(world)
        before = corpus.search("Who founded the Reyer Academy?", method=method)
        proxy.cut()
        with pytest.raises(errors.StoreUnavailable, match="Neo4j does not answer"):
            corpus.search("Who founded the Reyer Academy?", method=method)
        proxy.restore()
        assert corpus.search("Who founded the Reyer Academy?", method=method) == before
