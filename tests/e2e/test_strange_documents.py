"""Documents that few people have and anybody can have: without names, or with very long ones."""

from __future__ import annotations

import pytest

from tetragraph import Document, Heading, Settings, Tetragraph

GRAPHS = ("bipartite", "gain", "tree")
NAMELESS = {
    "small letters": ("hello there my friend", "a row about nothing"),
    "numbers": ("17 4 2011", "3.14159 2.71828"),
    "emoji": ("🙂🙂", "🚢"),
    "Chinese": ("我们今天去港口看船。", "渡轮在早上出发。"),
    "letters": ("t", "u"),
}


@pytest.mark.parametrize("texts", NAMELESS.values(), ids=list(NAMELESS))
def test_documents_without_any_name_are_ingested_and_found(
    server_settings: Settings, corpus_name: str, texts: tuple[str, ...]
) -> None:
    with Tetragraph.connect(server_settings) as client:
        corpus = client.corpus(corpus_name)
        report = corpus.ingest([Document(str(row), "", text) for row, text in enumerate(texts)], build=GRAPHS)
        assert report.counts["documents"] == len(texts)
        assert not corpus.ingest([Document(str(row), "", text) for row, text in enumerate(texts)]).written
        for method in ("evidence", "gain", "dense", "tree"):
            assert len(corpus.search(texts[0], method=method)) == len(texts)


def test_a_document_with_a_huge_name_does_not_stop_its_corpus(server_settings: Settings, corpus_name: str) -> None:
    long = "Word " * 4_000
    with Tetragraph.connect(server_settings) as client:
        corpus = client.corpus(corpus_name)
        documents = [
            Document("title", long, "A text."),
            Document("heading", "A title", "A text.", headings=(Heading(0, 1, long),)),
            Document("i" * 9_000, "A title", "A text."),
            Document("words", "Mina Holt", ("Ä" * 9_000 + " said Mina Holt. ") * 3),
            Document("good", "The ferry", "The ferry was built by Mina Holt."),
        ]
        report = corpus.ingest(documents, build=GRAPHS)
        assert report.added == ("words", "good")
        assert [one.source for one in report.skipped] == ["title", "heading", "i" * 9_000]
        assert corpus.ingest([Document("next", "A boat", "Text.")], build=GRAPHS).added == ("next",)


def test_a_huge_title_that_is_stored_already_stops_nothing(
    server_settings: Settings, corpus_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tetragraph.indexing.documents.find_fault", lambda _: "")
    with Tetragraph.connect(server_settings) as client:
        corpus = client.corpus(corpus_name)
        stored = [Document("title", "Word " * 4_000, "Mina Holt built it."), Document("good", "The ferry", "It sank.")]
        assert corpus.ingest(stored, build=GRAPHS).counts["documents"] == len(stored)
