"""Recovery of an ingest that was killed at twenty random times."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import Any

import neo4j
import numpy as np

from benchmarks import data, index
from benchmarks.plan import Plan
from tetragraph import Tetragraph
from tetragraph.arrays import Vectors
from tetragraph.stores import local

SET = "hotpotqa_train"
KILLS = 20


CONTENT = (
    "MATCH (n {corpus: $corpus}) WHERE NOT n:Corpus AND NOT n:IngestState "
    "RETURN labels(n) AS labels, n {.*} AS properties",
    "MATCH (a {corpus: $corpus})-[r]->(b {corpus: $corpus}) "
    "RETURN a.id AS start, type(r) AS type, r {.*} AS properties, b.id AS end",
)


def measure_kill(plan: Plan) -> dict[str, Any]:
    """Kill an ingest, run it again, and compare graph and vectors with an uninterrupted run."""
    local.start(plan.settings)
    index.drop(plan, SET)
    length = index.ingest(plan, SET)[index.TOTAL]["s"]
    expected = _content(plan, SET)
    moments = np.random.default_rng(1)
    equal = 0
    for _ in range(KILLS):
        index.drop(plan, SET)
        _kill_after(plan, SET, length * moments.random())
        index.ingest(plan, SET)
        equal += _same(_content(plan, SET), expected)
    return {f"{SET}, kill -9 and again": {"runs": KILLS, "equal to undisturbed": equal}}


def _kill_after(plan: Plan, corpus: str, seconds: float) -> None:
    process = subprocess.Popen(
        [sys.executable, "-m", "tetragraph", "ingest", str(data.corpus(SET)), "--corpus", corpus, "--json"],
        env={**os.environ, **plan.environment},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    time.sleep(seconds)
    process.send_signal(signal.SIGKILL)
    process.wait()


Content = tuple[list[str], dict[str, Vectors]]


def _content(plan: Plan, corpus: str) -> Content:
    """Nodes and relationships as texts, and vectors by chunk; without values that differ between runs by design."""
    with Tetragraph.connect(plan.settings) as client:
        vectors = {
            name: vector
            for names, batch in client.connection.vectors.scroll(corpus, "chunks")
            for name, vector in zip(names, batch, strict=True)
        }
    server = local.start(plan.settings)
    with neo4j.GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:
        rows = [row for statement in CONTENT for row in driver.execute_query(statement, corpus=corpus).records]
    return sorted(repr(row.data()) for row in rows), vectors


def _same(found: Content, expected: Content) -> bool:
    if found[0] != expected[0] or found[1].keys() != expected[1].keys():
        return False
    return all(np.allclose(vector, expected[1][name], atol=1e-5) for name, vector in found[1].items())
