"""Documents are written in batches of bounded size, so that a kill costs little."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph import Document, Settings, Tetragraph
from tetragraph.indexing import documents
from tetragraph.progress import NoProgress


class _Totals(NoProgress):
    """Keeps the totals of the stage of embedding."""

    def __init__(self) -> None:
        self.totals: list[int | None] = []

    def start(self, stage: str, total: int | None, unit: str) -> None:
        if stage == "embedding":
            self.totals.append(total)


def test_a_batch_ends_after_so_many_characters(
    server_settings: Settings, corpus_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "BATCH_CHARACTERS", 40)
    written: list[int] = []
    progress = _Totals()
    with Tetragraph.connect(server_settings) as client:
        write_all = client.connection.graph.write_all

        def count(statements: Any) -> list[dict[str, Any]]:
            written.extend(len(given["rows"]) for name, given in statements if name == "ingest/upsert_documents")
            return write_all(statements)

        client.connection.graph.write_all = count  # type: ignore[method-assign]  # counts on the way
        texts = ["A text of more than forty characters, alone.", "Short.", "Also short.", "So is this, and the last."]
        rows = [Document(str(row), "", text) for row, text in enumerate(texts)]
        report = client.corpus(corpus_name).ingest(rows, build=(), progress=progress)
    assert report.added == ("0", "1", "2", "3")
    assert written == [1, 3]
    assert progress.totals == [None, 1, 4]
