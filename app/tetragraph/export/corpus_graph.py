"""Reads the whole graph of a corpus, one row at a time."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Final

from tetragraph.model.captions import Properties
from tetragraph.model.subgraphs import LinkKey, NodeKey
from tetragraph.stores.corpus import CorpusRecord
from tetragraph.stores.graph import Graph

SESSION_LABELS: Final = frozenset({"Session", "Step", "Anchor"})
"""Labels of what searches write while a graph is read, without changing the generation."""


def find_session_nodes(graph: Graph, corpus: str) -> frozenset[NodeKey]:
    """The nodes of all sessions; an export takes no others, so that none has a relationship to a node it lacks."""
    rows = graph.stream("export/find_session_nodes", corpus=corpus)
    return frozenset(NodeKey(row["label"], row["id"]) for row in rows)


def nodes(graph: Graph, corpus: str, sessions: frozenset[NodeKey]) -> Generator[tuple[NodeKey, Properties], None, None]:
    """Yield all nodes of the public schema in order of label and id, without the properties ``corpus`` and ``id``.

    Args:
        graph: The graph store.
        corpus: Name of the corpus.
        sessions: The nodes of sessions that count.
    """
    for row in graph.stream("export/find_nodes", corpus=corpus):
        node = NodeKey(row["label"], row["id"])
        if _counts(node, sessions):
            properties: dict[str, Any] = row["properties"]
            del properties["corpus"], properties["id"]
            yield node, properties


def links(graph: Graph, corpus: str, sessions: frozenset[NodeKey]) -> Generator[tuple[LinkKey, Properties], None, None]:
    """Yield all relationships between nodes that :func:`nodes` yields.

    They are in order of type, labels of both ends and ids of both ends.
    """
    for row in graph.stream("export/find_relationships", corpus=corpus):
        start = NodeKey(row["start_label"], row["start_id"])
        if not _counts(start, sessions):
            continue
        for one in row["ends"]:
            end = NodeKey(row["end_label"], one["id"])
            if _counts(end, sessions):
                yield LinkKey(row["type"], start, end), one["properties"]


def _counts(node: NodeKey, sessions: frozenset[NodeKey]) -> bool:
    return node.label not in SESSION_LABELS or node in sessions


def notes(before: CorpusRecord, after: CorpusRecord) -> tuple[str, ...]:
    """Return the warnings of an export, from the records of the corpus before and after it."""
    if before == after and after.published == after.generation:
        return ()
    return ("the corpus was being changed: nodes and relationships may be of different states; export it again",)
