"""Summary of a step for people: its additions, with names instead of keys."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.model import Hit
from tetragraph.model.anchors import (
    Anchor,
    AnchorGraph,
    AnchorStep,
    SessionRecord,
    Stopped,
)
from tetragraph.systems.anchor_graph.options import AnchorOptions

ENDED: Final[Mapping[Stopped | None, str]] = {
    None: "the search has not ended",
    "sufficient": "the evidence suffices",
    "steps": "there were as many steps as there may be",
    "budget": "the budget is spent",
    "deadline": "the time is up",
    "no new evidence": "nothing new was found",
    "repeated query": "the next query had been asked before",
    "policy": "the policy chose to end it",
}
"""Reason of the end of a search, in words."""


@dataclass(frozen=True, slots=True)
class NamedRelation:
    """A relation with the names of its ends."""

    source: str
    phrase: str
    target: str


@dataclass(frozen=True, slots=True)
class StepSummary:
    """Additions of a step.

    Attributes:
        step: The step.
        passages: Hits that were read, best first, each with whether no earlier step had read it.
        unread: Number of further hits.
        anchors: New anchors.
        learnt: Earlier anchors with new attributes, each with these.
        relations: New relations.
    """

    step: AnchorStep
    passages: tuple[tuple[Hit, bool], ...]
    unread: int
    anchors: tuple[Anchor, ...]
    learnt: tuple[tuple[Anchor, tuple[str, ...]], ...]
    relations: tuple[NamedRelation, ...]


def chunks_read_per_step(record: SessionRecord) -> int:
    """Number of chunks of each step of a session that are read."""
    return int(record.options.get("documents", AnchorOptions().documents))


def summarise_step(step: AnchorStep, steps: Sequence[AnchorStep], read: int) -> StepSummary:
    """Summarise the additions of a step.

    Args:
        step: The step; it may be among the steps.
        steps: Steps of its session, in order.
        read: Number of chunks of each step that are read.
    """
    earlier = [one for one in steps if one.number < step.number]
    known = {hit.chunk.id for one in earlier for hit in one.hits[:read]}
    before = earlier[-1].graph if earlier else AnchorGraph()
    relations = (
        NamedRelation(*_relation_names(step.graph, one.source, one.phrase, one.target)) for one in step.related
    )
    return StepSummary(
        step,
        tuple((hit, hit.chunk.id not in known) for hit in step.hits[:read]),
        len(step.hits[read:]),
        step.added,
        tuple(_new_attributes(step, before)),
        tuple(relations),
    )


def title_of(hit: Hit) -> str:
    """Title of a hit in one line: that of its section or document, otherwise the id of the document."""
    return " ".join((hit.chunk.title or hit.chunk.document_title or hit.chunk.document_id).split())


def _relation_names(graph: AnchorGraph, source: str, phrase: str, target: str) -> tuple[str, str, str]:
    return graph.by_key[source].name, phrase, graph.by_key[target].name


def _new_attributes(step: AnchorStep, before: AnchorGraph) -> list[tuple[Anchor, tuple[str, ...]]]:
    found = []
    for anchor in step.graph.anchors:
        was = before.by_key.get(anchor.key)
        new = () if was is None else tuple(one for one in anchor.attributes if one not in was.attributes)
        if new:
            found.append((anchor, new))
    return found
