"""Corpora of other embedders: ingests with a faulty endpoint."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import pytest

from tetragraph import Document, Settings, Tetragraph, errors
from tetragraph.indexing import documents

Serve = Callable[[Callable[[str, str, Any], tuple[int, Any]]], str]


def reply(method: str, path: str, body: Any) -> tuple[int, Any]:
    """Vectors of four numbers from the letters of a text; one that names poison has none."""
    texts = [body["input"]] if isinstance(body["input"], str) else body["input"]
    vectors = [
        [math.nan] * 4 if "poison" in text else [1.0 + text.lower().count(letter) for letter in "aeio"]
        for text in texts
    ]
    data = [{"object": "embedding", "index": place, "embedding": vector} for place, vector in enumerate(vectors)]
    return 200, {"object": "list", "data": data, "model": "letters", "usage": {"prompt_tokens": 1, "total_tokens": 1}}


def test_a_document_without_a_usable_vector_is_left_out_and_named(
    server_settings: Settings, corpus_name: str, world: list[Document], serve: Serve
) -> None:
    settings = server_settings.model_copy(update={"openai_base_url": f"{serve(reply)}/v1"})
    poisoned = [*world[:4], Document("bad", "Bad", "This is poison.", "world")]
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(corpus_name)
        report = corpus.ingest(poisoned, embedder="openai:letters")
        assert [skipped.source for skipped in report.skipped] == ["world"]
        assert "finite numbers" in report.skipped[0].reason
        assert len(report.added) == report.counts["documents"] == 4
        evidence = corpus.search("Where was Elva Kron born?", k=3)
        assert evidence.manifest["embedder"] == "openai:letters"
        assert len(evidence) == 3


def test_a_question_is_embedded_once_for_all_methods_and_callers(
    server_settings: Settings, corpus_name: str, world: list[Document], serve: Serve
) -> None:
    asked: list[str] = []

    def noting(method: str, path: str, body: Any) -> tuple[int, Any]:
        asked.extend([body["input"]] if isinstance(body["input"], str) else body["input"])
        return reply(method, path, body)

    settings = server_settings.model_copy(update={"openai_base_url": f"{serve(noting)}/v1"})
    question = "Where was Elva Kron born?"
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(corpus_name)
        corpus.ingest(world[:4], embedder="openai:letters")
        first = corpus.search(question, k=3)
        for method in ("dense", "evidence"):
            corpus.search(question, k=3, method=method)
        assert corpus.search(question, k=3) == first
    assert asked.count(question) == 1
    assert len(asked) == len(set(asked))


def test_an_endpoint_that_goes_away_stops_the_ingest_and_the_next_one_finishes_it(
    server_settings: Settings, corpus_name: str, world: list[Document], serve: Serve, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(documents, "BATCH_DOCUMENTS", 4)
    answers = iter([True, True, False])

    def sometimes(method: str, path: str, body: Any) -> tuple[int, Any]:
        return reply(method, path, body) if next(answers, True) else (401, {"error": {"message": "out of order"}})

    settings = server_settings.model_copy(update={"openai_base_url": f"{serve(sometimes)}/v1"})
    with Tetragraph.connect(settings) as client:
        corpus = client.corpus(corpus_name)
        with pytest.raises(errors.EmbedderUnavailable, match="out of order"):
            corpus.ingest(world, embedder="openai:letters")
        assert corpus.counts()["documents"] == 4
        report = corpus.ingest(world)
        assert (report.unchanged, len(report.added)) == (4, len(world) - 4)
        assert len(corpus.search("Halvik", k=20)) == len(world)
