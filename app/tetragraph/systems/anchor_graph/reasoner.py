"""Interface of reasoners, which update the anchor graph, judge the evidence and write the next query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tetragraph.model import ChainStep, Hit
from tetragraph.model.anchors import AnchorGraph, AnchorStep, Judgement


@dataclass(frozen=True, slots=True)
class Triple:
    """A stated relation: head, phrase and tail by name."""

    head: str
    phrase: str
    tail: str


@dataclass(frozen=True, slots=True)
class Update:
    """Update of the graph by a step, ``ΔG`` of equation 8, with names as written.

    Attributes:
        entities: Names with attributes; an anchor of that name receives those that it lacks.
        triples: Relations; heads and tails that are no anchors become anchors.
    """

    entities: tuple[tuple[str, tuple[str, ...]], ...] = ()
    triples: tuple[Triple, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entities or self.triples)


@dataclass(frozen=True, slots=True)
class ReasonerInput:
    """Input of a reasoner.

    Attributes:
        question: The question, ``q_0``.
        query: The query that found the hits, ``q_{t-1}``.
        hits: Hits to read, ``D_t``, best first.
        graph: Graph before the step, ``G_{t-1}``.
        steps: Earlier steps of this question; the last one has ``R_{t-1}``.
        number: Number of the step, from 1, counted through the session.
        may_update: Whether the graph may be extended; if not, an update is ignored.
        behind: Further hits of the search after ``hits``, best first.
    """

    question: str
    query: str
    hits: Sequence[Hit]
    graph: AnchorGraph
    steps: Sequence[AnchorStep]
    number: int
    may_update: bool = True
    behind: Sequence[Hit] = ()


@dataclass(frozen=True, slots=True)
class ReasonerOutput:
    """Conclusions of a reasoner.

    Attributes:
        update: Update of the graph, ``ΔG``.
        thought: Reasoning in words, ``R_t``.
        judgement: Whether the evidence suffices.
        next_query: Next query, ``q_t``; empty if the judgement is ``sufficient``, and if there is none.
        notes: Faults of a reply and their consequences, in words.
        chain: Sub-questions with their results; see :class:`AnchorStep`.
        summary: Summary that takes the place of the earlier one; empty where the index is a graph.
        open_queries: Queries that no step had and between which a policy can choose, ``next_query`` first if there is
            one; none where the reasoner writes only that one.
    """

    update: Update
    thought: str
    judgement: Judgement
    next_query: str
    notes: tuple[str, ...] = ()
    chain: tuple[ChainStep, ...] = ()
    summary: str = ""
    open_queries: tuple[str, ...] = ()


def latest_summary(steps: Sequence[AnchorStep]) -> str:
    """The summary after some steps; empty where none has one."""
    return next((step.summary for step in reversed(steps) if step.summary), "")


class Reasoner(Protocol):
    """Reads the hits of a step.

    Attributes:
        name: Name in records: ``token_free``, or the model and its prompts.

    Source:
        GraphAnchor (2026), equations 2, 3 and 7: one call gives graph, reasoning and next query.
    """

    name: str

    def reason(self, situation: ReasonerInput) -> ReasonerOutput:
        """The conclusions of a step.

        Raises:
            LlmError: a model is asked, and does not answer, or not within the budget.
        """
