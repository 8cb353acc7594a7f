"""The rows of a backup, read from both stores."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Self

import numpy as np

from tetragraph.archive.file_format import ROOTS
from tetragraph.arrays import Vectors
from tetragraph.host.process_names import is_dead
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.graph import Graph
from tetragraph.stores.vectors import KINDS, Kind, Point

Row = dict[str, Any]
_OF_SESSIONS = frozenset({"Session", "Step", "Anchor"})
"""Labels of what searches write while a backup is read, without changing the generation."""
_NOT_OF_NODES = ("corpus", "id")
_NOT_OF_SESSIONS = (*_NOT_OF_NODES, "owner")
"""Properties that are no part of a row; a copy of an interrupted session belongs to no process, and can be resumed."""
_OWN = "<f4"
_SENTENCES = "<f2"


@dataclass(frozen=True, slots=True)
class Sessions:
    """Sessions that a backup includes: no process was writing them when it began.

    Attributes:
        owners: Owner by id of the session, a process that has ended; empty for none.
        nodes: Ids of the sessions, their steps and their anchors.
        left_out: Number of sessions that a process may be writing.
    """

    owners: Mapping[str, str] = field(default_factory=dict)
    nodes: frozenset[str] = field(default=frozenset(), repr=False)
    left_out: int = 0

    @classmethod
    def read(cls, graph: Graph, corpus: str) -> Self:
        """Find the sessions of a corpus that are not being written."""
        owners: dict[str, str] = {}
        nodes: set[str] = set()
        has_ended: dict[str, bool] = {"": True}
        left_out = 0
        for row in graph.stream("archive/find_session_nodes", corpus=corpus):
            owner = row["owner"] or ""
            if owner not in has_ended:
                has_ended[owner] = is_dead(owner)
            if has_ended[owner]:
                nodes.add(row["id"])
                owners |= {row["id"]: owner} if row["is_session"] else {}
            else:
                left_out += row["is_session"]
        return cls(owners, frozenset(nodes), left_out)

    def notes(self) -> tuple[str, ...]:
        """A note on the sessions that are left out, if there are any."""
        if not self.left_out:
            return ()
        how_many = "one session is" if self.left_out == 1 else f"{self.left_out:,} sessions are"
        return (
            f"{how_many} left out, as a process may be writing: back up again when the search has ended; one that was "
            "interrupted on another machine, or before a restart of this one, is to be resumed or deleted first",
        )


def find_nodes(graph: Graph, corpus: str, sessions: Sessions | None = None) -> Iterator[tuple[str, Row]]:
    """Yield section and row of all nodes; the node of the corpus itself is part of the manifest.

    Args:
        graph: The graph store.
        corpus: Name of the corpus.
        sessions: The sessions that count; all by default.
    """
    for folder, query in (("nodes", "export/find_nodes"), ("internal", "archive/find_internal")):
        for row in graph.stream(query, corpus=corpus):
            label = row["label"]
            if label == "Corpus" or not _is_wanted(label, row["id"], sessions):
                continue
            without = _NOT_OF_SESSIONS if label == "Session" else _NOT_OF_NODES
            properties = {
                key: value for key, value in row["properties"].items() if value is not None and key not in without
            }
            yield f"{folder}/{label}", {"id": _without_name(label, row["id"]), "properties": properties}


def find_links(graph: Graph, corpus: str, sessions: Sessions | None = None) -> Iterator[tuple[str, Row]]:
    """Yield section and row of all relationships whose ends :func:`find_nodes` yields."""
    for row in graph.stream("export/find_relationships", corpus=corpus):
        start_label, end_label = row["start_label"], row["end_label"]
        if not _is_wanted(start_label, row["start_id"], sessions):
            continue
        section = f"links/{start_label}-{row['type']}-{end_label}"
        start = _without_name(start_label, row["start_id"])
        for end in row["ends"]:
            if _is_wanted(end_label, end["id"], sessions):
                name = _without_name(end_label, end["id"])
                yield section, {"start": start, "end": name, "properties": end["properties"]}


def find_vectors(stores: CorpusStores) -> Iterator[tuple[str, Row]]:
    """Yield section and row of all vectors.

    Chunks have no payload here: their metadata are those of their documents.
    """
    for kind in KINDS:
        for points in stores.vectors.points(stores.name, kind):
            for point in points:
                yield f"vectors/{kind}", _vector_row(kind, point)


def find_layouts(stores: CorpusStores) -> dict[str, tuple[int, bool]]:
    """Dimension, and whether there are vectors of sentences, of each collection of a corpus."""
    found = ((kind, stores.vectors.layout(stores.name, kind)) for kind in KINDS)
    return {kind: (layout.dimension, layout.sentences) for kind, layout in found if layout}


def read_point(row: Mapping[str, Any]) -> Point:
    """The point of a row of vectors."""
    own = np.frombuffer(base64.b64decode(row["vector"]), dtype=_OWN).astype(np.float32)
    packed = row["sentences"]
    sentences = None
    if packed is not None:
        flat = np.frombuffer(base64.b64decode(packed), dtype=_SENTENCES).astype(np.float32)
        sentences = flat.reshape(-1, own.size)
    return Point(row["id"], own, row["sha256"], row["payload"], sentences)


def with_name(label: str, node: str, corpus: str) -> str:
    """The id of a node in a corpus: the roots have the name of the corpus."""
    return corpus if label in ROOTS else node


def _is_wanted(label: str, node: str, sessions: Sessions | None) -> bool:
    return sessions is None or label not in _OF_SESSIONS or node in sessions.nodes


def _without_name(label: str, node: str) -> str:
    return "" if label in ROOTS else node


def _vector_row(kind: Kind, point: Point) -> Row:
    return {
        "id": point.id,
        "sha256": point.sha256,
        "vector": _pack(point.vector, _OWN),
        "sentences": None if point.sentences is None else _pack(point.sentences, _SENTENCES),
        "payload": {} if kind == "chunks" else dict(point.payload),
    }


def _pack(vectors: Vectors, kind: str) -> str:
    return base64.b64encode(np.ascontiguousarray(vectors, dtype=kind).tobytes()).decode()
