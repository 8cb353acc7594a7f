"""Two kernels of BLAS store the same bytes, and find the same chunks with the same scores."""

from __future__ import annotations

import gzip
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kernel_corpus
from blas_kernels import KERNELS, kernel_variables
from environments import user_environment
from tetragraph import Settings, Tetragraph, samples

PASSAGES = 24
QUESTIONS = (
    "What currency predated the Euro in the country Signmark is from?",
    "When was the country that produced Fist Power taken by the British?",
)
Fingerprint = Callable[[Tetragraph, str], dict[str, list[Any]]]


@pytest.mark.slow
def test_two_kernels_store_the_same_bytes_and_find_the_same(
    server_settings: Settings, corpus_name: str, tmp_path: Path, fingerprint: Fingerprint
) -> None:
    file = tmp_path / "passages.jsonl"
    with gzip.open(str(samples.passages()), "rt", encoding="utf-8") as lines:
        file.write_text("".join(line for line, _ in zip(lines, range(PASSAGES), strict=False)), encoding="utf-8")
    computed = {}
    for kernel, environment in kernel_variables(user_environment(server_settings)).items():
        command = [sys.executable, kernel_corpus.__file__, str(file), corpus_name, *QUESTIONS]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=900, check=False)
        assert done.returncode == 0, done.stderr
        computed[kernel] = json.loads(done.stdout)
        with Tetragraph.connect(server_settings) as client:
            computed[kernel]["graph"] = fingerprint(client, corpus_name)
            client.corpus(corpus_name).drop()
    first, second = (computed[kernel] for kernel in KERNELS)
    for search, (kernel, hits) in first["found"].items():
        assert kernel == KERNELS[0]
        assert second["found"][search] == [KERNELS[1], hits], search
    assert first["vectors"] == second["vectors"]
    assert first["graph"] == second["graph"]
    assert {key.split()[0] for key in first["vectors"]} == {
        "chunks",
        "communities",
        "relations",
        "entities",
        "sentences",
    }
