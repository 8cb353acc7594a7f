"""Documents are written in batches of bounded size, so that a kill costs little."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from itertools import accumulate
from typing import Any

import pytest

from tetragraph import Document, Settings, Tetragraph
from tetragraph.errors import TetragraphError
from tetragraph.indexing import documents
from tetragraph.indexing.embedded_documents import embed_documents
from tetragraph.progress import NoProgress


class _Totals(NoProgress):
    """Keeps the totals of the stage of embedding."""

    def __init__(self) -> None:
        self.totals: list[int | None] = []

    def start(self, stage: str, total: int | None, unit: str) -> None:
        if stage == "embedding":
            self.totals.append(total)


class _SearchesMeanwhile(NoProgress):
    """Searches each time that documents were written, as another process would."""

    def __init__(self, client: Tetragraph, corpus: str) -> None:
        self._corpus = client.corpus(corpus)
        self.found: list[tuple[set[str], int, bool]] = []

    def advance(self, stage: str, amount: int = 1) -> None:
        if stage == "embedding":
            try:
                evidence = self._corpus.search("Which boat is red?", k=20)
            except TetragraphError:
                return
            notes = any("the corpus is being changed" in note for note in evidence.notes)
            found = {hit.chunk.document_id for hit in evidence}
            if found:  # nothing is, before the first batch is published
                self.found.append((found, int(evidence.manifest["generation"]), notes))


def _boats(count: int) -> list[Document]:
    names = ("Halvik", "Sund", "Norsund", "Old Port", "Vik", "Kron", "Lund", "Aker")
    return [Document(f"d{row}", f"Boat of {names[row]}", f"The boat of {names[row]} is red.") for row in range(count)]


def test_the_first_batch_of_a_new_corpus_is_found_while_others_are_read(
    server_settings: Settings, corpus_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "BATCH_DOCUMENTS", 2)
    with Tetragraph.connect(server_settings) as client:
        corpus = client.corpus(corpus_name)
        progress = _SearchesMeanwhile(client, corpus_name)
        report = corpus.ingest(_boats(8), build=("gain",), progress=progress)
        assert report.added == tuple(f"d{row}" for row in range(8))
        assert progress.found
        first = {f"d{row}" for row in range(2)}
        assert {frozenset(found) for found, _, _ in progress.found} == {frozenset(first)}, "one generation alone"
        assert len({generation for _, generation, _ in progress.found}) == 1
        assert progress.found[-1][2], "a note says so"
        assert {hit.chunk.document_id for hit in corpus.search("Which boat is red?", k=20)} == {*report.added}
        assert corpus.search("Which boat is red?", method="gain").notes == ()


def test_the_first_batch_is_published_when_one_more_document_has_been_read(
    server_settings: Settings, corpus_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "FIRST_DOCUMENTS", 2)
    with Tetragraph.connect(server_settings) as client:
        corpus = client.corpus(corpus_name)
        found: list[set[str]] = []

        def read() -> Iterator[Document]:
            for row, boat in enumerate(_boats(6)):
                if row > 2:
                    found.append({hit.chunk.document_id for hit in corpus.search("Which boat is red?", k=20)})
                yield boat

        corpus.ingest(read(), build=())
    assert found == [{"d0", "d1"}] * 3


def test_a_batch_is_embedded_while_the_one_before_is_written(
    server_settings: Settings, corpus_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "BATCH_DOCUMENTS", 2)
    embedded = [threading.Event() for _ in range(4)]
    write = documents.DocumentWriter._write
    number = iter(range(4))

    def note(*arguments: Any) -> Any:
        result = embed_documents(*arguments)
        embedded[next(number)].set()
        return result

    def wait(writer: documents.DocumentWriter, batch: Any) -> None:
        row = int(batch[0].document.id[1:]) // 2
        assert row in (0, 3) or embedded[row + 1].wait(30), "the next batch"
        write(writer, batch)

    monkeypatch.setattr(documents, "embed_documents", note)
    monkeypatch.setattr(documents.DocumentWriter, "_write", wait)
    with Tetragraph.connect(server_settings) as client:
        report = client.corpus(corpus_name).ingest(_boats(8), build=())
    assert report.added == tuple(f"d{row}" for row in range(8))


def test_a_corpus_in_several_batches_is_the_one_in_a_single_batch(
    server_settings: Settings, corpus_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = []
    with Tetragraph.connect(server_settings) as client:
        for size in (2, 256):
            monkeypatch.setattr(documents, "BATCH_DOCUMENTS", size)
            corpus = client.corpus(f"{corpus_name}-{size}")
            report = corpus.ingest(_boats(6), build=("gain", "tree", "bipartite"))
            hits = [
                [(hit.chunk.id, round(hit.score, 9)) for hit in corpus.search("Which boat is red?", method=method)]
                for method in ("evidence", "gain", "tree", "bipartite")
            ]
            # A score of BM25 also depends on the other corpora of the database, dropped ones included.
            worded = [hit.chunk.id for hit in corpus.search("Which boat is red?", method="keyword")]
            found.append((report.counts, hits, worded))
            corpus.drop()
    assert found[0] == found[1]


@pytest.mark.parametrize(
    ("bound", "value", "batches"),
    [
        ("BATCH_CHARACTERS", 40, [1, 3, 1]),
        ("FIRST_CHARACTERS", 40, [1, 4]),
        ("BATCH_DOCUMENTS", 2, [2, 2, 1]),
        ("FIRST_DOCUMENTS", 2, [2, 3]),
    ],
)
def test_a_batch_ends_after_so_many_characters_or_documents_and_the_first_is_smaller(
    server_settings: Settings,
    corpus_name: str,
    monkeypatch: pytest.MonkeyPatch,
    bound: str,
    value: int,
    batches: list[int],
) -> None:
    monkeypatch.setattr(documents, bound, value)
    written: list[int] = []
    progress = _Totals()
    with Tetragraph.connect(server_settings) as client:
        write_all = client.connection.graph.write_all

        def count(statements: Any) -> list[dict[str, Any]]:
            written.extend(len(given["rows"]) for name, given in statements if name == "ingest/upsert_documents")
            return write_all(statements)

        client.connection.graph.write_all = count  # type: ignore[method-assign]  # counts on the way
        texts = [
            "This text has more than forty characters.",
            "Short.",
            "Also short.",
            "This one is longer, too.",
            "Last.",
        ]
        rows = [Document(str(row), "", text) for row, text in enumerate(texts)]
        report = client.corpus(corpus_name).ingest(rows, build=(), progress=progress)
        again = _Totals()
        assert client.corpus(corpus_name).ingest(rows, build=(), progress=again).unchanged == len(rows)
    assert report.added == ("0", "1", "2", "3", "4")
    assert written == batches
    assert (progress.totals, again.totals) == ([*accumulate(batches)], [])
