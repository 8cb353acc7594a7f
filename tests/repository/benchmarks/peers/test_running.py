"""Drivers run in a process of their own against the interfaces of the peers."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.peers.peer import PEERS
from benchmarks.peers.running import DriverFailed, run_driver

from tetragraph.arrays import Vectors
from tetragraph.language.embedders.base import OnDone

MakeCheckout = Callable[[str], Path]
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


def a_job(system: str, checkout: Path) -> dict[str, Any]:
    return {
        "import_from": str(checkout / PEERS[system].import_from),
        "parameters": {},
        "passages": PASSAGES,
        "questions": [f"? {PASSAGES[2]}", f"? {PASSAGES[0]}"],
        "openie": [{"passage": passage} for passage in PASSAGES],
        "k": 2,
    }


@pytest.mark.parametrize("system", PEERS)
def test_a_driver_indexes_searches_and_reports_with_vectors_from_this_process(
    system: str, make_checkout: MakeCheckout, tmp_path: Path
) -> None:
    job = a_job(system, make_checkout(system))
    found = run_driver(system, Path(sys.executable), job, Hashed(), tmp_path)
    assert [ranking[0][0] for ranking in found["rankings"]] == [PASSAGES[2], PASSAGES[0]]
    assert [len(ranking) for ranking in found["rankings"]] == [2, 2]
    assert found["rankings"][0][0][1] == pytest.approx(1, abs=1e-6)
    assert found["size"]["entities"] == 3
    assert len(found["search"]) == 2
    for clock in [found["index"], *found["search"]]:
        assert clock["wall_s"] >= clock["embedding_wall_s"] > 0
        assert clock["cpu_s"] >= clock["embedding_cpu_s"] > 0
    assert sorted(path.name for path in tmp_path.iterdir()) == [system, f"{system}.log"]


def test_a_peer_that_fails_is_told_with_the_end_of_its_log_and_its_folder_is_kept(
    make_checkout: MakeCheckout, tmp_path: Path
) -> None:
    checkout = make_checkout("linearrag")
    (checkout / "src/config.py").write_text("raise RuntimeError('out of paper')\n", encoding="utf-8")
    with pytest.raises(DriverFailed, match=r"got status 1; (?s:.*)RuntimeError: out of paper"):
        run_driver("linearrag", Path(sys.executable), a_job("linearrag", checkout), Hashed(), tmp_path)
    (work,) = tmp_path.glob("linearrag-*")
    assert json.loads((work / "job.json").read_text(encoding="utf-8"))["k"] == 2
