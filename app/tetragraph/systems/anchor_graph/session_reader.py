"""Reads sessions from Neo4j: their records, and their steps as first written."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import takewhile
from typing import Any

from tetragraph.errors import UnknownSession
from tetragraph.model import Bridge, ChainStep, Chunk, Hit
from tetragraph.model.anchors import (
    Anchor,
    Anchored,
    AnchorGraph,
    AnchorStep,
    SessionRecord,
    StepFact,
)
from tetragraph.model.usage import NOTHING, Usage
from tetragraph.stores import chunk_table
from tetragraph.stores.graph import Graph, Row
from tetragraph.validation import check_integer

GET = "anchor_graph/get_session"


class SessionReader:
    """Read access to the sessions of one corpus.

    Raises (all methods):
        UnknownSession: the corpus has no session of that id; it may have been deleted.
        StoreError: see :class:`Graph`.
    """

    def __init__(self, graph: Graph, corpus: str) -> None:
        self._graph = graph
        self._corpus = corpus

    def get(self, session: str) -> SessionRecord:
        """The record of a session."""
        return to_record(self._first_row(session, self._graph.read(GET, corpus=self._corpus, session=session)))

    def load(self, session: str) -> tuple[SessionRecord, tuple[AnchorStep, ...]]:
        """A session with its steps, as first written.

        Hits have rank, score and chunk, but no parts, path and facts, which are not stored. Chunks and entities that
        were deleted from the corpus are missing; the notes of a step count the missing chunks.
        """
        record = self.get(session)
        steps = read_steps(self._graph, self._corpus, session)
        return replace(record, steps=len(steps)), steps

    def find(self, limit: int) -> tuple[SessionRecord, ...]:
        """The records of the newest sessions, newest first; ``limit`` is at least 1."""
        check_integer("limit", limit, 1)
        return tuple(map(to_record, self._graph.read("anchor_graph/find_sessions", corpus=self._corpus, limit=limit)))

    def resolve(self, begins: str) -> str:
        """The id of the only session whose id has this prefix.

        Raises:
            UnknownSession: no session has it, or several have.
        """
        found = self._graph.read("anchor_graph/find_session_ids", corpus=self._corpus, begins=begins, limit=2)
        if len(found) == 1:
            return str(found[0]["id"])
        raise UnknownSession(
            f"a session must be named by its id, or by a beginning that no other has, got {begins!r}: "
            f"{'several begin' if found else 'none begins'} like that in corpus {self._corpus!r}"
        )

    def _first_row(self, session: str, rows: Sequence[Row]) -> Row:
        if not rows:
            raise UnknownSession(f"corpus {self._corpus!r} has no session {session!r}: it may have expired")
        return rows[0]


def to_record(row: Row) -> SessionRecord:
    """A record from the columns of ``anchor_graph/get_session``."""
    values = {name: row[name] for name in SessionRecord.__dataclass_fields__ if row[name] is not None}
    values |= {"options": json.loads(row["options"]), "filters": json.loads(row["filters"])}
    return SessionRecord(**{"stopped": None, "expires": "", **values})


def read_steps(graph: Graph, corpus: str, session: str) -> tuple[AnchorStep, ...]:
    """The steps of a session, each with the graph after it.

    Steps are read before anchors: anchors that are added in between belong to a later step, and are left out.
    """
    asked = {"corpus": corpus, "session": session}
    rows = graph.read("anchor_graph/find_steps", **asked)
    anchors = graph.read("anchor_graph/find_anchors", **asked)
    relations = [
        Anchored(row["source"], row["phrase"], row["target"], row["step"])
        for row in graph.read("anchor_graph/find_anchored", **asked)
    ]
    chunks = _chunks(graph, corpus, rows)
    return tuple(_step(row, _graph(row["number"], anchors, relations), chunks) for row in rows)


def _chunks(graph: Graph, corpus: str, steps: Sequence[Row]) -> dict[str, Chunk]:
    ids = sorted({chunk for row in steps for _, _, chunk in row["hits"]})
    found = graph.read("corpus/find_chunks_by_id", corpus=corpus, ids=ids) if ids else []
    return {row["id"]: chunk_table.from_row(row) for row in found}


def _step(row: Row, graph: AnchorGraph, chunks: Mapping[str, Chunk]) -> AnchorStep:
    hits = tuple(Hit(rank, score, chunks[chunk]) for rank, score, chunk in row["hits"] if chunk in chunks)
    missing = row["retrieved"] - len(hits)
    note = (f"passages of this step that were deleted from the corpus: {missing}",) if missing else ()
    return AnchorStep(
        number=row["number"],
        question=row["question"],
        query=row["query"],
        retriever=row["retriever"],
        hits=hits,
        graph=graph,
        thought=row["thought"],
        judgement=row["judgement"],
        next_query=row["next_query"],
        notes=(*row["notes"], *note),
        usage=Usage(**json.loads(row["usage"])) if row["usage"] else NOTHING,
        chain=tuple(_sub_questions(row["chain"])) if row["chain"] else (),
        answer=row["answer"] or "",
        summary=row["summary"] or "",
        facts=tuple(StepFact(*fact) for fact in row["facts"]),
        next_retriever=row["next_retriever"] or "",
    )


def _graph(number: int, anchors: Sequence[Row], relations: Sequence[Anchored]) -> AnchorGraph:
    """The graph after a step: the additions of that step and those before it."""
    return AnchorGraph(
        tuple(_anchor(row, number) for row in anchors if row["step"] <= number),
        tuple(relation for relation in relations if relation.step <= number),
    )


def _anchor(row: Row, number: int) -> Anchor:
    added = takewhile(lambda one: one[0] <= number, row["added"])
    seen = (chunk for step, chunk in row["seen"] if step <= number)
    attributes = tuple(attribute for _, some in added for attribute in some)
    return Anchor(row["key"], row["name"], attributes, row["step"], row["entity"] or "", tuple(seen))


def _sub_questions(text: str) -> Iterator[ChainStep]:
    for one in json.loads(text):
        found: dict[str, Any] = one
        yield ChainStep(
            question=found["question"],
            refers=tuple(found["refers"]),
            bridges=tuple(Bridge(**bridge) for bridge in found["bridges"]),
            passages=tuple((chunk, weight) for chunk, weight in found["passages"]),
        )
