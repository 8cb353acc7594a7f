"""Recall of questions of several steps by how their chain is searched, with and without a reranker."""

from __future__ import annotations

from benchmarks.plan import Plan
from benchmarks.recall import Methods, measure_methods

SETS = ("2wikimultihopqa", "hotpotqa", "musique")
METHODS: Methods = {
    "match": ("evidence", {}),
    "read": ("evidence", {"chain": "read"}),
    "read+reranked": ("evidence", {"chain": "read", "rerank": "late-interaction", "rerank_weight": 0.5}),
}
"""Method and settings by name in the table."""


def measure_reading(plan: Plan) -> dict[str, dict[str, float]]:
    """Measure the chains; see :func:`benchmarks.recall.measure_methods`."""
    return measure_methods(plan, SETS, METHODS, ("gain",))
