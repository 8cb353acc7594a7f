"""Index and search with HippoRAG 2 with given triples and without its LLM: its filter of facts accepts all facts."""

from __future__ import annotations

import importlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.peers.drivers.driver import Clock, RemoteEmbedder, main, stand_in, timed

_LLM = "none"
_NEVER_CALLED = (
    *("boto3", "botocore", "einops", "gritlm", "litellm", "nest_asyncio", "sentence_transformers", "transformers"),
    "vllm",
)


class _BatchEncoder:
    """The only method of an embedding model that HippoRAG calls; questions have an instruction."""

    def __init__(self, embedder: RemoteEmbedder) -> None:
        self._embedder = embedder

    def batch_encode(self, texts: Sequence[str], instruction: str = "", **_: Any) -> np.ndarray:
        return self._embedder.questions(texts) if instruction else self._embedder.passages(texts)


class _NoLLM:
    """Stand-in for the LLM that extracts, filters and answers."""

    def infer(self, *_: Any, **__: Any) -> Any:
        raise RuntimeError("this comparison uses no LLM, and one was asked")


def _keep_all(_: str, facts: list[Any], places: list[int], len_after_rerank: int) -> tuple[Any, ...]:
    return places[:len_after_rerank], facts[:len_after_rerank], {}


def _drive(job: dict[str, Any], embedder: RemoteEmbedder) -> dict[str, Any]:
    stand_in(*_NEVER_CALLED)
    work = Path(job["work"])
    triples = work / f"openie_results_ner_{_LLM}.json"
    triples.write_text(json.dumps({"docs": job["openie"]}), encoding="utf-8")
    rag = importlib.import_module("hipporag.HippoRAG").HippoRAG(
        global_config=importlib.import_module("hipporag.utils.config_utils").BaseConfig(
            save_dir=str(work), llm_name=_LLM, embedding_model_name="given", **job["parameters"]
        ),
        extraction_llm=_NoLLM(),
        qa_llm=_NoLLM(),
        embedding_model=_BatchEncoder(embedder),
    )
    rag.rerank_filter = _keep_all
    clock = Clock(embedder)
    rag.index(job["passages"])
    rag.prepare_retrieval_objects()
    index = clock.read()
    laps: list[dict[str, float]] = []
    found = [rag.retrieve([text], num_to_retrieve=job["k"])[0] for text in timed(job["questions"], embedder, laps)]
    return {
        "index": index,
        "search": laps,
        "rankings": [list(zip(one.docs, map(float, one.doc_scores), strict=True)) for one in found],
        "size": {
            "entities": len(rag.entity_node_keys),
            "facts": len(rag.fact_node_keys),
            "edges": rag.graph.ecount(),
        },
    }


if __name__ == "__main__":
    main(_drive)
