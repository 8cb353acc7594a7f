"""Stand-ins for the modules of the peers, with the interfaces that the drivers call."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

_LINEARRAG = """
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
_HIPPORAG = """
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
_FILES = {
    "linearrag": {"src/LinearRAG.py": _LINEARRAG, "src/config.py": "LinearRAGConfig = dict\n"},
    "hipporag": {
        "src/hipporag/HippoRAG.py": _HIPPORAG,
        "src/hipporag/utils/config_utils.py": "BaseConfig = dict\n",
    },
}


@pytest.fixture
def make_checkout(tmp_path: Path) -> Callable[[str], Path]:
    """Writes what passes for a checkout of a system, into a folder of its name."""

    def make(system: str) -> Path:
        for name, text in _FILES[system].items():
            place = tmp_path / system / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")
        return tmp_path / system

    return make
