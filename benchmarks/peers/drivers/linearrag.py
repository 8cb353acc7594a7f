"""Index and search with LinearRAG: ``retrieve`` only, so that no LLM is built or asked."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from benchmarks.peers.drivers.driver import Clock, RemoteEmbedder, main, stand_in, timed


class _SentenceModel:
    """The only method of a sentence-transformers model that LinearRAG calls."""

    def __init__(self, embedder: RemoteEmbedder) -> None:
        self._embedder = embedder

    def encode(self, texts: str | Sequence[str], **_: Any) -> np.ndarray:
        if isinstance(texts, str):
            return np.asarray(self._embedder.questions([texts])[0])
        return self._embedder.passages(texts)


def _drive(job: dict[str, Any], embedder: RemoteEmbedder) -> dict[str, Any]:
    _without_torch()
    config = importlib.import_module("src.config").LinearRAGConfig(
        dataset_name="passages",
        embedding_model=_SentenceModel(embedder),
        llm_model=None,
        working_dir=job["work"],
        retrieval_top_k=job["k"],
        **job["parameters"],
    )
    rag = importlib.import_module("src.LinearRAG").LinearRAG(config)
    clock = Clock(embedder)
    rag.index(job["passages"])
    index = clock.read()
    laps: list[dict[str, float]] = []
    questions = [{"question": text, "answer": ""} for text in job["questions"]]
    found = rag.retrieve(timed(questions, embedder, laps))
    return {
        "index": index,
        "search": laps,
        "rankings": [
            list(zip(one["sorted_passage"], map(float, one["sorted_passage_scores"]), strict=True)) for one in found
        ],
        "size": {
            "entities": len(rag.entity_embedding_store.texts),
            "sentences": len(rag.sentence_embedding_store.texts),
            "edges": rag.graph.ecount(),
        },
    }


def _without_torch() -> None:
    """Replace torch, which LinearRAG imports for its vectorised search even if that is off."""
    importlib.import_module("spacy")  # it also imports torch if it is present, so it must be imported before
    stand_in("torch")
    torch = importlib.import_module("torch")
    if not hasattr(torch, "__version__"):
        vars(torch).update(cuda=SimpleNamespace(is_available=lambda: False), device=str)


if __name__ == "__main__":
    main(_drive)
