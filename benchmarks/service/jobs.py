"""Servers that are killed or stopped while a job runs: the job must end as one that nothing disturbed.

``python -m benchmarks.service.jobs --kills 10`` kills at fewer moments.
"""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
import uuid
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import neo4j
import numpy as np

from benchmarks.hostile import first_documents
from benchmarks.kill_commands import read_content
from benchmarks.killed_world import Bench
from benchmarks.plan import Plan, own_stores
from benchmarks.service import tables
from benchmarks.service.process import Caller, Served, open_stream
from tetragraph.client.remote.jobs import ENDED
from tetragraph.stores import local

KILLS = 50
STREAMS = 50
SEED = 1
BUILD = ("bipartite", "gain", "tree")
PATIENCE_S = 300.0
LOOK_S = 0.1


def measure_jobs(plan: Plan, kills: int = KILLS, seed: int = SEED) -> dict[str, Any]:
    """Kill a server at random moments of ingest jobs, start it again, and compare each corpus with an undisturbed one.

    Returns:
        Number of kills, of those that came while the job ran, and of corpora equal to the undisturbed one; exit code
        and seconds of a server that is stopped with open streams and a running job, and how that job ended.
    """
    server = local.start(plan.settings)
    prefix = f"served-{uuid.uuid4().hex[:6]}"
    rng = np.random.default_rng(seed)
    in_time = 0
    with Served(plan.environment, plan.home / "server.log") as served:
        for corpus in (f"{prefix}-first", f"{prefix}-a"):  # the first one loads models
            began = time.monotonic()
            _wait(served.port, corpus, _submit(served.port, corpus))
            length = time.monotonic() - began
        for number in range(kills):
            corpus = f"{prefix}-{number}"
            job = _submit(served.port, corpus)
            time.sleep(length * rng.uniform(0.02, 1.0))
            in_time += _job(served.port, corpus, job)["status"] not in ENDED
            served.kill()
            served.start()
            again = _submit(served.port, corpus)
            ended = _wait(served.port, corpus, job)
            print(f"kill {number + 1}: {ended['status']} after {ended['attempts']} starts", flush=True)
            if again != job:
                raise RuntimeError("a repeated request added another job")
        stopped = _stop(served, f"{prefix}-stopped")
    corpora = [f"{prefix}-{number}" for number in range(kills)]
    with (
        tempfile.TemporaryDirectory() as folder,
        neo4j.GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver,
    ):
        bench = Bench(plan.settings, {**os.environ}, driver, Path(folder), f"{prefix}-a")
        contents = [_content(replace(bench, corpus=corpus)) for corpus in [f"{prefix}-a", *corpora]]
        stopped["equal to undisturbed"] = int(_content(replace(bench, corpus=f"{prefix}-stopped")) == contents[0])
    equal = sum(content == contents[0] for content in contents[1:])
    killed = {"kills": kills, "while the job ran": in_time, "equal to undisturbed": equal}
    return {"kill -9 during a job": killed, "SIGTERM": stopped}


def _submit(port: int, corpus: str) -> str:
    documents = [{"id": one.id, "title": one.title, "text": one.text} for one in first_documents()]
    with closing(Caller(port)) as caller:
        status, _, job = caller.post(
            f"/v1/corpora/{corpus}/documents", {"documents": documents, "build": BUILD}, Idempotency_Key="the-job"
        )
    if status != 202:
        raise RuntimeError(f"a job was refused with {status}: {job}")
    return str(job["id"])


def _job(port: int, corpus: str, job: str) -> dict[str, Any]:
    with closing(Caller(port)) as caller:
        found: dict[str, Any] = caller.get(f"/v1/corpora/{corpus}/jobs/{job}")[2]
    return found


def _wait(port: int, corpus: str, job: str) -> dict[str, Any]:
    """The job once it has ended."""
    end = time.monotonic() + PATIENCE_S
    while (found := _job(port, corpus, job))["status"] not in ENDED:
        if time.monotonic() > end:
            raise RuntimeError(f"job {job} of {corpus} has not ended: {found}")
        time.sleep(LOOK_S)
    return found


def _stop(served: Served, corpus: str) -> dict[str, Any]:
    """Stop the server while streams watch a running job, and start it again for the rest of the job."""
    job = _submit(served.port, corpus)
    while _job(served.port, corpus, job)["status"] == "queued":
        time.sleep(LOOK_S)
    streams = [open_stream(served.port, f"/v1/corpora/{corpus}/jobs/{job}/events") for _ in range(STREAMS)]
    texts: list[bytes] = []
    readers = [threading.Thread(target=lambda one=stream: texts.append(one.read())) for stream in streams]
    for reader in readers:
        reader.start()
    code, seconds = served.stop()
    for reader in readers:
        reader.join()
    served.start()
    ended = _wait(served.port, corpus, job)
    return {
        "exit code": code,
        "seconds": round(seconds, 2),
        "streams that were told": sum(b"event: stopping" in text or b"event: end" in text for text in texts),
        "job": ended["status"],
        "starts of the job": ended["attempts"],
    }


def _content(bench: Bench) -> Any:
    """Content without the name of the corpus, which differs."""
    return repr(read_content(bench)).replace(bench.corpus, "")


def main() -> None:
    """Kill servers in stores of their own, and print the tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.service.jobs", description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS)
    parser.add_argument("--seed", type=int, default=SEED)
    arguments = parser.parse_args()
    with own_stores("served") as plan:
        found = measure_jobs(plan, arguments.kills, arguments.seed)
    print("\n".join(tables.jobs({"service_jobs": found})))


if __name__ == "__main__":
    main()
