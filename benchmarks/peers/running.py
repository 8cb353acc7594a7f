"""Runs a driver in its peer's environment, and serves its requests for vectors."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import tempfile
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from multiprocessing import Pipe
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

from tetragraph.arrays import Vectors
from tetragraph.errors import TetragraphError
from tetragraph.language.embedders.base import Embedder

ROOT = Path(__file__).parents[2]
_SETTINGS = {
    "CUDA_VISIBLE_DEVICES": "",
    "HF_HUB_OFFLINE": "1",
    "PYTHONHASHSEED": "0",
    "PYTHONPATH": str(ROOT),
    "TQDM_DISABLE": "1",
}
"""Environment of a driver: processor instead of accelerator, no downloads, and a fixed order of sets."""


class DriverFailed(TetragraphError):
    """A peer ended with an error; the message shows the end of its log."""


def run_driver(driver: str, python: Path, job: Mapping[str, Any], embedder: Embedder, out: Path) -> dict[str, Any]:
    """Run ``benchmarks.peers.drivers.<driver>``; its log is ``<driver>.log`` in ``out``.

    Args:
        driver: Name of the driver's module.
        python: Python interpreter of the peer's environment.
        job: Job of the driver; ``work``, ``result`` and ``dimension`` are added.
        embedder: Embedder for the peer.
        out: Parent of the working folder, which is deleted on success.

    Returns:
        Result of the driver.

    Raises:
        DriverFailed: the driver ended with an error.
    """
    work = Path(tempfile.mkdtemp(prefix=f"{driver}-", dir=out))
    result = work / "result.json"
    full = {**job, "work": str(work), "result": str(result), "dimension": embedder.dimension}
    (work / "job.json").write_text(json.dumps(full), encoding="utf-8")
    log = out / f"{driver}.log"
    status = _run(driver, python, work, log, embedder)
    if status or not result.is_file():
        end = "\n".join(log.read_text(encoding="utf-8").splitlines()[-5:])
        raise DriverFailed(f"{driver} must end with status 0 and a result, got status {status}; {log} ends:\n{end}")
    found: dict[str, Any] = json.loads(result.read_text(encoding="utf-8"))
    shutil.rmtree(work)
    return found


def _run(driver: str, python: Path, work: Path, log: Path, embedder: Embedder) -> int:
    """Start the driver, serve it until it ends, and return its status."""
    ours, theirs = Pipe()
    with log.open("w", encoding="utf-8") as output, ours:
        process = subprocess.Popen(
            [python, "-m", f"benchmarks.peers.drivers.{driver}", work / "job.json", str(theirs.fileno())],
            pass_fds=[theirs.fileno()],
            env={**os.environ, **_SETTINGS},
            cwd=work,
            stdout=output,
            stderr=subprocess.STDOUT,
        )
        theirs.close()
        try:
            serve(ours, embedder)
        finally:
            ours.close()
            status = process.wait()
    return status


def serve(connection: Connection, embedder: Embedder) -> None:
    """Answer requests for vectors until the other side ends: processor seconds first, then the vectors."""
    with suppress(EOFError, BrokenPipeError, ConnectionResetError):
        while True:
            request = json.loads(connection.recv_bytes())
            began = time.process_time()
            vectors = _embed(embedder, request["kind"], request["texts"])
            connection.send_bytes(struct.pack("<d", time.process_time() - began))
            connection.send_bytes(vectors.astype("<f4").tobytes())


def _embed(embedder: Embedder, kind: str, texts: Sequence[str]) -> Vectors:
    if kind == "questions":
        return np.array([embedder.embed_question(text) for text in texts], dtype=np.float32)
    return embedder.embed(texts)
