"""What is to be told of a step, for people: what is new in it, with names for keys."""

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
}
"""Why a search ended, in words."""


@dataclass(frozen=True, slots=True)
class ToldRelation:
    """A relation with the names of its ends."""

    source: str
    phrase: str
    target: str


@dataclass(frozen=True, slots=True)
class StepSummary:
    """What a step brought.

    Attributes:
        passages: The hits that were read, best first, each with whether no earlier step read it.
        unread: How many hits there are besides.
        anchors: Those that it added.
        learnt: Anchors that were known, each with the attributes that are new.
        relations: Those that it added.
    """

    step: AnchorStep
    passages: tuple[tuple[Hit, bool], ...]
    unread: int
    anchors: tuple[Anchor, ...]
    learnt: tuple[tuple[Anchor, tuple[str, ...]], ...]
    relations: tuple[ToldRelation, ...]


def chunks_read_per_step(record: SessionRecord) -> int:
    """How many passages of each step of a session are read."""
    return int(record.options.get("documents", AnchorOptions().documents))


def summarise_step(step: AnchorStep, steps: Sequence[AnchorStep], read: int) -> StepSummary:
    """What a step brought.

    Args:
        step: Is among the steps or not.
        steps: Of its session, in order.
        read: How many passages of each are read.
    """
    earlier = [one for one in steps if one.number < step.number]
    known = {hit.chunk.id for one in earlier for hit in one.hits[:read]}
    before = earlier[-1].graph if earlier else AnchorGraph()
    relations = (ToldRelation(*_named(step.graph, one.source, one.phrase, one.target)) for one in step.related)
    return StepSummary(
        step,
        tuple((hit, hit.chunk.id not in known) for hit in step.hits[:read]),
        len(step.hits[read:]),
        step.added,
        tuple(_learnt(step, before)),
        tuple(relations),
    )


def title_of(hit: Hit) -> str:
    """What a passage is called: the nearest title, else the id of its document."""
    return hit.chunk.title or hit.chunk.document_title or hit.chunk.document_id


def _named(graph: AnchorGraph, source: str, phrase: str, target: str) -> tuple[str, str, str]:
    return graph.by_key[source].name, phrase, graph.by_key[target].name


def _learnt(step: AnchorStep, before: AnchorGraph) -> list[tuple[Anchor, tuple[str, ...]]]:
    found = []
    for anchor in step.graph.anchors:
        was = before.by_key.get(anchor.key)
        new = () if was is None else tuple(one for one in anchor.attributes if one not in was.attributes)
        if new:
            found.append((anchor, new))
    return found
