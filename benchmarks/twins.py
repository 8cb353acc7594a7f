"""Comparison of the engines of one method: agreement of results, and cost."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import combinations
from typing import Any

import neo4j

from benchmarks import measure
from benchmarks.variants import Search, Variant, engines, searches
from tetragraph import Tetragraph
from tetragraph.host import processes
from tetragraph.model import Hit
from tetragraph.stores import gds, local
from tetragraph.stores.corpus import Question
from tetragraph.systems.registry import RETRIEVERS

PROJECTED = (
    "CALL gds.graph.list() YIELD graphName, sizeInBytes WHERE graphName STARTS WITH $key RETURN sum(sizeInBytes)"
)
SAME_PART: Mapping[str, tuple[tuple[str, str], ...]] = {"evidence": (("scope", "local"),)}
"""Options by which all engines of a method search the same part of the corpus; by default one walks all of it."""
Answers = list[tuple[Hit, ...]]


def compare(client: Tetragraph, corpus: str, questions: list[Question]) -> dict[str, Any]:
    """Search every question with every engine of the methods whose graph is there; Neo4j starts without projections.

    Returns:
        The cost with key ``<method>, engine <engine>``, the agreement with key ``<method>: <engine> and <engine>``.
    """
    connection = client.connection
    server = local.start(connection.settings)
    stores = connection.stores(corpus)
    key = stores.record.key
    gds.drop_all(connection.graph, key)
    figures: dict[str, Any] = {}
    for method, retriever in RETRIEVERS.items():
        answers: dict[str, Answers] = {}
        for engine in engines(method) if retriever.has_required_graph(stores) else ():
            variant = Variant(method, (("engine", engine), *SAME_PART.get(method, ())))
            work = searches(client, corpus, variant, questions)
            before_mb = _projected_mb(server, key)
            answers[engine], costs = _answers(work, server.pid)
            figures[variant.name] = {**costs, "projected_mb": round(_projected_mb(server, key) - before_mb, 1)}
        for one, other in combinations(answers, 2):
            figures[f"{method}: {one} and {other}"] = agreement(answers[one], answers[other])
    return figures


def _answers(work: Sequence[Search], server: int) -> tuple[Answers, dict[str, float]]:
    """Results of the questions, and seconds, processor time and memory of the searches."""
    own = os.getpid()
    before_mb = processes.resident_mb(own)
    first_s = measure.seconds(work[0])
    used = {pid: measure.cpu_s(pid) for pid in (own, server)}
    found: Answers = []
    timed = measure.load([partial(_keep, found, piece) for piece in work], warm_up=0)
    cpu_ms = {pid: (measure.cpu_s(pid) - used[pid]) * 1000 / len(work) for pid in used}
    return found, {
        "first_s": first_s,
        "p50_ms": timed["p50_ms"],
        "python_cpu_ms": round(cpu_ms[own], 1),
        "neo4j_cpu_ms": round(cpu_ms[server], 1),
        "python_more_mb": round(processes.resident_mb(own) - before_mb),
    }


def _projected_mb(server: local.LocalServer, key: str) -> float:
    """Memory of a corpus' projected graphs in Neo4j, in MB."""
    with neo4j.GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:
        return float(driver.execute_query(PROJECTED, key=key).records[0][0]) / 1e6


def _keep(found: Answers, search: Search) -> None:
    found.append(search().hits)


def agreement(one: Answers, other: Answers) -> Mapping[str, float]:
    """Agreement of two engines' results for the same questions.

    Returns:
        Number of ``questions``, of those with the ``same_passages`` in any order and with the ``same_order``, and the
        ``largest_difference`` between the two scores of a passage.
    """
    pairs = [(_scores(first), _scores(second)) for first, second in zip(one, other, strict=True)]
    apart = [abs(a[chunk] - b[chunk]) for a, b in pairs for chunk in a.keys() & b.keys()]
    return {
        "questions": len(one),
        "same_passages": sum(a.keys() == b.keys() for a, b in pairs),
        "same_order": sum(list(a) == list(b) for a, b in pairs),
        "largest_difference": float(f"{max(apart, default=0.0):.1e}"),
    }


def _scores(hits: tuple[Hit, ...]) -> dict[str, float]:
    return {hit.chunk.id: hit.score for hit in hits}
