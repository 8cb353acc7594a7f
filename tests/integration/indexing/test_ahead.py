"""Batches that are embedded before earlier ones are written give the corpus of an ingest in turn."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pytest

from tetragraph import Document, Settings, Tetragraph
from tetragraph.arrays import Vectors
from tetragraph.client import corpus as client_module
from tetragraph.errors import EmbeddingFailed
from tetragraph.executors import LOCAL, Executor, Step
from tetragraph.indexing import documents
from tetragraph.language.embedders import onnx_bert
from tetragraph.progress import NoProgress

ItemT = TypeVar("ItemT")
ResultT = TypeVar("ResultT")


class Eager:
    """Computes each item as a worker would, when it is begun."""

    name = "ray"
    ahead = 3
    notes = ("executor ray: none",)

    def __init__(self) -> None:
        self.begun: list[tuple[str, int]] = []

    def check(self, steps: Sequence[Step[Any, Any]]) -> None:
        self.steps = list(steps)

    def begin(self, step: Step[ItemT, ResultT], item: ItemT, here: Callable[[ItemT], ResultT]) -> Callable[[], ResultT]:
        self.begun.append((type(step).__name__, len(item)))  # type: ignore[arg-type]  # a sequence
        result = step.load()(item)
        return lambda: result

    def close(self) -> None:
        """End nothing."""


@pytest.fixture
def eager(monkeypatch: pytest.MonkeyPatch) -> Eager:
    """The executor ``ray`` of the client."""
    executor = Eager()

    @contextmanager
    def opened(name: str | None, settings: Settings) -> Iterator[Executor]:
        yield executor if name == "ray" else LOCAL

    monkeypatch.setattr(client_module, "open_executor", opened)
    return executor


class _Embedded(NoProgress):
    """Adds up the chunks whose embedding is reported."""

    chunks = 0

    def advance(self, stage: str, amount: int = 1) -> None:
        if stage == "embedding":
            self.chunks += amount


def _boats() -> list[Document]:
    names = ("Halvik", "Sund", "Norsund", "Old Port", "Vik", "Kron", "Reyer", "Holt")
    return [
        Document(f"d{row}", f"Boat of {name}", f"{name} was built by Orla Brandt in Halvik.")
        for row, name in enumerate(names)
    ]


def test_an_ingest_ahead_writes_and_reports_what_one_in_turn_does(
    server_settings: Settings, corpus_name: str, monkeypatch: pytest.MonkeyPatch, eager: Eager
) -> None:
    monkeypatch.setattr(documents, "BATCH_DOCUMENTS", 1)
    first, changed = _boats(), [replace(one, text=one.text.replace("built", "sold")) for one in _boats()[2:4]]
    with Tetragraph.connect(server_settings) as client:
        reports = []
        for executor in ("ray", "local"):
            corpus = client.corpus(f"{corpus_name}-{executor}")
            progress = _Embedded()
            one = corpus.ingest(first, build=["bipartite"], executor=executor, progress=progress)
            other = corpus.ingest([*changed, first[0], _added()], build=(), executor=executor, progress=progress)
            assert (one.executor, one.notes[:1] == eager.notes) == (executor, executor == "ray")
            assert (len(one.added), other.changed, other.added) == (8, ("d2", "d3"), ("d8",))
            assert (other.unchanged, progress.chunks) == (1, 11)
            reports.append([replace(report, notes=(), seconds={}, executor="") for report in (one, other)])
        assert reports[0] == reports[1]
        assert client.corpus(f"{corpus_name}-ray").fingerprint() == client.corpus(f"{corpus_name}-local").fingerprint()
    assert [type(step).__name__ for step in eager.steps] == ["EmbedTexts"]
    assert eager.begun[:4] == [("EmbedDocuments", 1)] * 4
    assert {name for name, _ in eager.begun} == {"EmbedDocuments", "ExtractFacts", "EmbedTexts"}


def _added() -> Document:
    return Document("d8", "Boat of Brandt", "Brandt was built by Ida Brandt in Vik.")


def test_a_document_that_a_worker_cannot_embed_is_skipped_with_the_reason(
    server_settings: Settings, corpus_name: str, monkeypatch: pytest.MonkeyPatch, eager: Eager
) -> None:
    embed = onnx_bert.OnnxBert.embed

    def fail(self: onnx_bert.OnnxBert, passages: Sequence[str], on_done: Any = None) -> Vectors:
        if any("Sund was" in passage for passage in passages):
            raise EmbeddingFailed("no vector")
        return np.asarray(embed(self, passages, on_done))

    monkeypatch.setattr(onnx_bert.OnnxBert, "embed", fail)
    with Tetragraph.connect(server_settings) as client:
        found = client.corpus(corpus_name).ingest(_boats()[:4], build=(), executor="ray")
    assert found.added == ("d0", "d2", "d3")
    assert [(one.source, one.reason) for one in found.skipped] == [("d1", "no vector")]
    assert eager.begun == [("EmbedDocuments", 4)]
