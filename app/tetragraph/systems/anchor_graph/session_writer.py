"""Statements that write a step of a session to Neo4j: the difference to the step before, in one transaction."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from operator import itemgetter
from typing import Any

from tetragraph.errors import InvalidInput
from tetragraph.model import content_id
from tetragraph.model.anchors import Anchor, AnchorGraph, AnchorStep
from tetragraph.model.usage import NOTHING
from tetragraph.stores.graph import Statement

Rows = list[dict[str, Any]]
Writer = dict[str, str]
"""``corpus``, ``session`` and ``owner``: nothing is written if the session has another owner."""


def step_statements(writer: Writer, step: AnchorStep, known: AnchorGraph) -> list[Statement]:
    """The statements that write a step, in order; they may be repeated, as the first one deletes the stored step.

    Relationships are written in order of chunk, fact and entity ids, so that two sessions that write at the same time
    do not deadlock.

    Args:
        writer: The session and its owner.
        step: The step.
        known: The graph after the step before.

    Raises:
        InvalidInput: the graph of the step lacks a part of the graph before.
    """
    session = writer["session"]
    _check_grows(step, known)
    this = {**writer, "step": content_id(session, str(step.number))}
    rows: dict[str, Rows] = {
        "anchor_graph/link_hits": [
            {"chunk": hit.chunk.id, "rank": hit.rank, "score": float(hit.score)}
            for hit in sorted(step.hits, key=lambda hit: hit.chunk.id)
        ],
        "anchor_graph/link_facts": [
            {"relation": fact.relation, "rank": fact.rank, "score": float(fact.score)}
            for fact in sorted(step.facts, key=lambda fact: fact.relation)
        ],
        "anchor_graph/upsert_anchors": list(_anchors(session, step, known)),
        "anchor_graph/link_anchors": list(_relations(session, step, known)),
        "anchor_graph/link_chunks": sorted(_seen(session, step, known), key=itemgetter("chunk", "id")),
        "anchor_graph/link_entities": sorted(_entities(session, step, known), key=itemgetter("entity", "id")),
    }
    return [
        ("anchor_graph/delete_step", {**this, "number": step.number}),
        ("anchor_graph/upsert_step", {**this, "properties": _properties(step)}),
        *((query, {**this, "rows": found}) for query, found in rows.items() if found),
    ]


def to_json(value: object) -> str:
    """The canonical JSON of a value: keys in order, no blanks.

    Raises:
        InvalidInput: JSON cannot represent the value.
    """
    try:
        return json.dumps(value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as error:
        raise InvalidInput(
            f"options and filters must be of texts, finite numbers, booleans, lists and mappings to be stored with a "
            f"session, got {value!r}: {error}"
        ) from error


def _properties(step: AnchorStep) -> dict[str, Any]:
    """Properties of the node of a step; empty usage and chain are left out."""
    return {
        "number": step.number,
        "question": step.question,
        "query": step.query,
        "retriever": step.retriever,
        "thought": step.thought,
        "judgement": step.judgement,
        "next_query": step.next_query,
        "next_retriever": step.next_retriever or None,
        "notes": list(step.notes),
        "usage": None if step.usage == NOTHING else to_json(asdict(step.usage)),
        "chain": to_json([asdict(one) for one in step.chain]) if step.chain else None,
        "answer": step.answer or None,
        "summary": step.summary or None,
        "retrieved": len(step.hits),
    }


def _check_grows(step: AnchorStep, known: AnchorGraph) -> None:
    now = step.graph
    keeps_anchors = all(_continues(new, old) for new, old in zip(now.anchors, known.anchors, strict=False))
    keeps_relations = len(now) >= len(known) and now.relations[: len(known.relations)] == known.relations
    if not keeps_anchors or not keeps_relations:
        raise InvalidInput(
            f"the graph of a step must begin with that of the step before, as it only grows, got another for step "
            f"{step.number}: load the session and go on from its last step"
        )


def _continues(new: Anchor, old: Anchor) -> bool:
    """Whether an anchor is the same, possibly with more attributes; its chunks and entities may have been deleted."""
    return (new.key, new.name, new.step) == (old.key, old.name, old.step) and (
        new.attributes[: len(old.attributes)] == old.attributes
    )


def _anchors(session: str, step: AnchorStep, known: AnchorGraph) -> Iterator[dict[str, Any]]:
    for position, anchor in enumerate(step.graph.anchors):
        old = known.by_key.get(anchor.key)
        if old is None or anchor.attributes != old.attributes:
            yield {
                "id": content_id(session, anchor.key),
                "properties": {
                    "key": anchor.key,
                    "name": anchor.name,
                    "attributes": list(anchor.attributes),
                    "step": anchor.step,
                    "position": position,
                },
                "added": list(anchor.attributes[len(old.attributes) if old else 0 :]),
            }


def _relations(session: str, step: AnchorStep, known: AnchorGraph) -> Iterator[dict[str, Any]]:
    first = len(known.relations)
    for position, relation in enumerate(step.graph.relations[first:], start=first):
        yield {
            "source": content_id(session, relation.source),
            "target": content_id(session, relation.target),
            "phrase": relation.phrase,
            "step": relation.step,
            "position": position,
        }


def _seen(session: str, step: AnchorStep, known: AnchorGraph) -> Iterator[dict[str, Any]]:
    for anchor in step.graph.anchors:
        old = known.by_key.get(anchor.key)
        before = frozenset(old.chunks) if old else frozenset()
        for position, chunk in enumerate(anchor.chunks):
            if chunk not in before:
                yield {
                    "id": content_id(session, anchor.key),
                    "chunk": chunk,
                    "step": step.number,
                    "position": position,
                }


def _entities(session: str, step: AnchorStep, known: AnchorGraph) -> Iterator[dict[str, Any]]:
    for anchor in step.graph.anchors:
        if anchor.entity and anchor.key not in known.by_key:
            yield {"id": content_id(session, anchor.key), "entity": anchor.entity}
