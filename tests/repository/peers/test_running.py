"""Drivers work in a process of their own against the peers' interfaces, played here by small modules."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.peers.peer import PEERS
from benchmarks.peers.running import DriverFailed, run_driver

from tetragraph.language.embedders.base import OnDone, Vectors

LINEARRAG = """
import numpy as np
import torch

class LinearRAG:
    def __init__(self, config):
        self.config = config
        self.device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
        assert self.device == "cpu" and config["llm_model"] is None

    def index(self, passages):
        self.passages = passages
        self.vectors = self.config["embedding_model"].encode(passages, normalize_embeddings=True)
        self.entity_embedding_store = self.sentence_embedding_store = type("Store", (), {"texts": passages})
        self.graph = type("Graph", (), {"ecount": lambda self: 7})()

    def retrieve(self, questions):
        found = []
        for one in questions:
            scores = self.vectors @ self.config["embedding_model"].encode(one["question"])
            order = np.argsort(-scores)[: self.config["retrieval_top_k"]]
            found.append({"sorted_passage": [self.passages[i] for i in order], "sorted_passage_scores": scores[order]})
        return found
"""
HIPPORAG = """
import json, os, types
import numpy as np
from gritlm import GritLM
from botocore.auth import SigV4Auth

class HippoRAG:
    def __init__(self, global_config, extraction_llm, qa_llm, embedding_model):
        self.config, self.model, self.llm = global_config, embedding_model, extraction_llm
        self.graph = types.SimpleNamespace(ecount=lambda: 7)

    def index(self, docs):
        with open(os.path.join(self.config["save_dir"], "openie_results_ner_none.json")) as file:
            self.entity_node_keys = self.fact_node_keys = json.load(file)["docs"]
        self.docs, self.vectors = docs, self.model.batch_encode(docs)

    def prepare_retrieval_objects(self):
        self.facts = list("abcdefg")

    def retrieve(self, queries, num_to_retrieve):
        kept = self.rerank_filter(queries[0], self.facts, list(range(7)), len_after_rerank=5)
        assert kept == ([0, 1, 2, 3, 4], list("abcde"), {}), kept
        scores = self.vectors @ self.model.batch_encode(queries, instruction="find", norm=True)[0]
        order = np.argsort(-scores)[:num_to_retrieve]
        return [types.SimpleNamespace(docs=[self.docs[i] for i in order], doc_scores=scores[order])]
"""
PASSAGES = ["Oslo is a city.", "The Rhine is a river.", "Mars is a planet."]


class Hashed:
    """An embedder whose vectors are made of the text's hash; a question is the passage after its mark."""

    name, dimension, max_tokens, model_hash = "hashed", 8, 100, ""

    def embed(self, passages: Sequence[str], on_done: OnDone | None = None) -> Vectors:
        rows = [np.frombuffer(hashlib.sha256(text.encode()).digest()[:8], dtype=np.uint8) for text in passages]
        vectors = np.array(rows, dtype=np.float32) - 128
        if on_done:
            on_done(len(passages))
        return np.asarray(vectors / np.linalg.norm(vectors, axis=1, keepdims=True))

    def embed_question(self, question: str) -> Vectors:
        return np.asarray(self.embed([question.removeprefix("? ")])[0])

    def count_tokens(self, texts: Sequence[str]) -> list[int]:
        return [len(text) for text in texts]


def make_checkout(folder: Path, system: str) -> Path:
    if system == "linearrag":
        files = {"src/LinearRAG.py": LINEARRAG, "src/config.py": "LinearRAGConfig = dict\n"}
    else:
        files = {"hipporag/HippoRAG.py": HIPPORAG, "hipporag/utils/config_utils.py": "BaseConfig = dict\n"}
    for name, text in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")
    return folder


def a_job(checkout: Path, **changes: Any) -> dict[str, Any]:
    return {
        "import_from": str(checkout),
        "parameters": {},
        "passages": PASSAGES,
        "questions": [f"? {PASSAGES[2]}", f"? {PASSAGES[0]}"],
        "openie": [{"passage": passage} for passage in PASSAGES],
        "k": 2,
        **changes,
    }


@pytest.mark.parametrize("system", PEERS)
def test_a_driver_indexes_searches_and_reports_with_vectors_from_this_process(system: str, tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path / "checkout", system)
    found = run_driver(system, Path(sys.executable), a_job(checkout), Hashed(), tmp_path)
    assert [ranking[0][0] for ranking in found["rankings"]] == [PASSAGES[2], PASSAGES[0]]
    assert [len(ranking) for ranking in found["rankings"]] == [2, 2]
    assert found["rankings"][0][0][1] == pytest.approx(1, abs=1e-6)
    assert found["size"]["entities"] == 3
    assert len(found["search"]) == 2
    for clock in [found["index"], *found["search"]]:
        assert clock["wall_s"] >= clock["embedding_wall_s"] > 0
        assert clock["cpu_s"] >= clock["embedding_cpu_s"] > 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["checkout", f"{system}.log"]


def test_a_peer_that_fails_is_told_with_the_end_of_its_log_and_its_folder_is_kept(tmp_path: Path) -> None:
    checkout = make_checkout(tmp_path / "checkout", "linearrag")
    (checkout / "src/config.py").write_text("raise RuntimeError('out of paper')\n", encoding="utf-8")
    with pytest.raises(DriverFailed, match=r"got status 1; (?s:.*)RuntimeError: out of paper"):
        run_driver("linearrag", Path(sys.executable), a_job(checkout), Hashed(), tmp_path)
    (work,) = tmp_path.glob("linearrag-*")
    assert json.loads((work / "job.json").read_text(encoding="utf-8"))["k"] == 2
