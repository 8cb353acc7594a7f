"""Reads the whole graph of a corpus, one row at a time."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from tetragraph.model.captions import Properties
from tetragraph.model.subgraphs import LinkKey, NodeKey
from tetragraph.stores.corpus import CorpusRecord
from tetragraph.stores.graph import Graph


def nodes(graph: Graph, corpus: str) -> Generator[tuple[NodeKey, Properties], None, None]:
    """Yield all nodes of the public schema in order of label and id, without the properties ``corpus`` and ``id``."""
    for row in graph.stream("export/find_nodes", corpus=corpus):
        properties: dict[str, Any] = row["properties"]
        del properties["corpus"], properties["id"]
        yield NodeKey(row["label"], row["id"]), properties


def links(graph: Graph, corpus: str) -> Generator[tuple[LinkKey, Properties], None, None]:
    """Yield all relationships of the public schema, in order of type, labels of both ends and ids of both ends."""
    for row in graph.stream("export/find_relationships", corpus=corpus):
        start = NodeKey(row["start_label"], row["start_id"])
        for end in row["ends"]:
            yield LinkKey(row["type"], start, NodeKey(row["end_label"], end["id"])), end["properties"]


def notes(before: CorpusRecord, after: CorpusRecord) -> tuple[str, ...]:
    """Return the warnings of an export, from the records of the corpus before and after it."""
    if before == after and after.published == after.generation:
        return ()
    return ("the corpus was being changed: nodes and relationships may be of different states; export it again",)
