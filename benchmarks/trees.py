"""Quality and speed of finding communities: in large graphs with planted ones, and in those of real corpora."""

from __future__ import annotations

import json
from functools import partial
from typing import Any

from benchmarks import index, measure, partitions, planted, recall
from benchmarks.plan import Plan
from tetragraph.algorithms.structural_entropy import WeightedGraph
from tetragraph.connection import Connection
from tetragraph.progress import NoProgress
from tetragraph.stores import chunk_table
from tetragraph.systems.encoding_tree import affinity_edges

SIZES = (100_000, 1_000_000)
PLANTED = "planted"


def measure_trees(plan: Plan) -> dict[str, Any]:
    """Measure planted communities, each graph in its own process; then graphs of the corpora, by every method."""
    found = {f"{size:,} nodes": _planted(plan, size) for size in SIZES}
    return {PLANTED: found, **partitions.compare(partial(affinity_graphs, plan))}


def _planted(plan: Plan, size: int) -> dict[str, Any]:
    done = measure.run(["-m", planted.__name__, str(size)], plan.environment)
    return {**json.loads(done.output), "peak_mb": round(done.peak_mb)}


def affinity_graphs(plan: Plan) -> dict[str, WeightedGraph]:
    """The affinity graph of each corpus on which recall is measured, from which its tree was built."""
    graphs = {}
    for name in recall.SETS:
        index.ingest(plan, name, index.ALL_GRAPHS)
        connection = Connection.open(plan.settings, NoProgress())
        try:
            stores = connection.stores(name)
            table = chunk_table.load(stores)
            graphs[name] = affinity_edges.read(stores, table.rows).graph(len(table))
        finally:
            connection.close()
    return graphs
