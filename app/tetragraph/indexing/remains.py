"""Nodes that are left of a corpus without a node of its own, which somebody has deleted.

There is no such corpus: no list shows it, and no search finds it. Its other nodes would come back with the next ingest
of that name, so the doctor finds them, and a drop deletes them.
"""

from __future__ import annotations

from typing import Final

from tetragraph.stores.graph import Graph

JOB_DAYS: Final = 7
"""Days for which an ended job is kept, also that of a drop."""
JOB_AGE_MS: Final = JOB_DAYS * 86_400_000
"""The same time in milliseconds."""


def find_remains(graph: Graph) -> list[str]:
    """Names of corpora that have nodes but no node of their own, in order.

    They are looked up twice if there are any, as a drop deletes the node of a corpus while the nodes are read.
    """
    found = _read(graph)
    return [name for name in _read(graph) if name in found] if found else []


def mark_remains(graph: Graph, corpus: str) -> None:
    """Let what is left of a corpus count as an interrupted restore; nothing if there is such a corpus, or nothing."""
    if graph.get("corpus/get_corpus", corpus=corpus) is None and corpus in _read(graph):
        graph.write("corpus/upsert_remains", corpus=corpus)


def _read(graph: Graph) -> list[str]:
    return [row["name"] for row in graph.read("corpus/find_remains", job_age_ms=JOB_AGE_MS)]
