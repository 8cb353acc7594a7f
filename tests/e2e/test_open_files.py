"""The number of files that a process keeps open, of which macOS allows 256."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph import Document, Settings, Tetragraph

ALLOWED = 256
OPEN = Path("/proc/self/fd")


@pytest.mark.skipif(not OPEN.exists(), reason="open files are listed in /proc")
def test_ten_corpora_are_searched_with_the_open_files_that_macos_allows(
    server_settings: Settings, corpus_name: str, world: list[Document]
) -> None:
    opened = []
    before = len(list(OPEN.iterdir()))  # those of earlier tests in this process
    with Tetragraph.connect(server_settings) as client:
        for number in range(3):
            corpus = client.corpus(f"{corpus_name}-{number}")
            corpus.ingest(world, build=["bipartite", "gain", "tree"])
            for method in ("evidence", "gain", "tree", "bipartite"):
                corpus.search("Who founded the Reyer Academy?", method=method)
            opened.append(len(list(OPEN.iterdir())) - before)
        for number in range(3):
            client.corpus(f"{corpus_name}-{number}").drop()
    more = (opened[2] - opened[0]) / 2
    assert opened[0] + 9 * more < ALLOWED, opened
