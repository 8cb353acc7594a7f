"""The example of an MTEB search does what its protocol says, with a task of two documents."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

from tetragraph import Document, Tetragraph

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "mteb_search.py"


@pytest.fixture
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("mteb_search", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_task_is_ingested_once_and_its_documents_are_ranked_by_score(
    example: ModuleType, client: Tetragraph, world: list[Document], corpus_name: str
) -> None:
    rows = [{"id": one.id, "title": one.title, "text": one.text} for one in world]
    search = example.TetragraphSearch(client, method="dense")
    task = {"task_metadata": SimpleNamespace(name=corpus_name), "hf_split": "test", "hf_subset": "default"}
    search.index([*rows, {"id": "blank", "title": "", "text": ""}], **task, encode_kwargs={}, num_proc=None)
    found = search.search([{"id": "q1", "text": "Halvik"}], **task, top_k=3, encode_kwargs={}, num_proc=None)
    corpus = client.corpus(f"mteb-{corpus_name}-default-test")
    wanted = corpus.search("Halvik", k=3, method="dense", per_document=1)
    assert found == {"q1": {hit.chunk.document_id: hit.score for hit in wanted}}
    with pytest.raises(NotImplementedError):
        search.search([], **task, top_k=3, top_ranked={})
    corpus.drop()
