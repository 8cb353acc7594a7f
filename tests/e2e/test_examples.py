"""The example of an MTEB search does what its protocol says, with a task of two documents."""

from __future__ import annotations

import importlib.util
import re
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
    corpus = client.corpus(example.corpus_name(corpus_name, "default", "test"))
    assert corpus.name.startswith(f"mteb-{corpus_name[:30]}")
    wanted = corpus.search("Halvik", k=3, method="dense", per_document=1)
    assert found == {"q1": {hit.chunk.document_id: hit.score for hit in wanted}}
    with pytest.raises(NotImplementedError):
        search.search([], **task, top_k=3, top_ranked={})
    search.index(rows[:2], **task)
    assert {one.id for one in corpus.documents()} == {one["id"] for one in rows[:2]}
    corpus.drop()


def test_tasks_with_long_names_have_a_corpus_each(example: ModuleType) -> None:
    tasks = [("A" * 70, "default", "test"), ("A" * 70, "default", "dev"), ("A_b", "c", "d"), ("A", "b-c", "d")]
    names = [example.corpus_name(*one) for one in tasks]
    assert len({*names}) == len(names)
    assert all(re.fullmatch(r"mteb-[a-z0-9-]{1,58}", one) for one in names)
