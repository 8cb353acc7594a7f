"""A run from checks to files that the harness reads."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from benchmarks.peers.comparison import Order, compare
from benchmarks.peers.peer import PEERS

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.trec import read_run

CORPUS = [
    {"id": "a", "title": "Oslo", "text": "Oslo is the capital of Norway."},
    {"id": "b", "title": "Oslo", "text": "Oslo is the capital of Norway."},
    {"id": "c", "title": "Rhine", "text": "The Rhine is a river that flows through Basel."},
]
QUESTIONS = [
    {"id": "q1", "question": "Which river flows through Basel?", "supporting": ["c"]},
    {"id": "q2", "question": "What is the capital of Norway?", "supporting": ["b"]},
]


@pytest.fixture
def order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, make_checkout: Callable[[str], Path]) -> Order:
    """LinearRAG on a set of three passages, two of them equal, in this environment."""
    (tmp_path / "towns").mkdir()
    (tmp_path / "README.md").touch()
    for name, rows in (("corpus", CORPUS), ("dev", QUESTIONS)):
        with gzip.open(tmp_path / "towns" / f"{name}.jsonl.gz", "wt", encoding="utf-8") as file:
            file.writelines(json.dumps(row) + "\n" for row in rows)
    monkeypatch.setenv("TETRAGRAPH_DATA", str(tmp_path))
    for name, peer in PEERS.items():
        monkeypatch.setitem(PEERS, name, replace(peer, modules=("numpy",)))
    return Order("linearrag", make_checkout("linearrag"), Path(sys.executable), "towns", tmp_path / "out", "minilm")


def test_the_run_file_is_read_by_the_harness_and_the_description_tells_what_was_run(order: Order) -> None:
    told = compare(order)
    run = read_run(order.out / "linearrag-minilm.run.trec")
    assert run.name == "linearrag-minilm"
    assert {one: [found.document for found in ranking] for one, ranking in run.rankings.items()} == {
        "q1": ["c", "a", "b"],
        "q2": ["a", "b", "c"],
    }
    assert told["recall"] == {"R@2": 100.0, "R@5": 100.0, "R@10": 100.0}
    assert (told["passages"], told["questions"], told["commit"]) == (3, 2, "unknown")
    described = json.loads((order.out / "linearrag-minilm.json").read_text(encoding="utf-8"))
    seconds = described.pop("seconds")
    assert described == told
    assert list(seconds) == ["q1", "q2"]


def test_hipporag_says_in_its_name_and_notes_what_it_went_without(
    order: Order, make_checkout: Callable[[str], Path]
) -> None:
    told = compare(replace(order, system="hipporag", checkout=make_checkout("hipporag")))
    assert told["run"] == "hipporag2-nofilter-spacy-minilm"
    assert "without the LLM filter" in told["notes"][0]
    assert "by spaCy" in told["notes"][1]
    assert told["index"]["wall_s"] >= told["index"]["embedding_wall_s"]
    assert (order.out / "hipporag2-nofilter-spacy-minilm.run.trec").is_file()


def test_nothing_is_written_where_a_check_fails(order: Order) -> None:
    with pytest.raises(InvalidInput, match="the embedder must be one of"):
        compare(replace(order, embedder="best"))
    assert not order.out.exists()
