"""Who updates the anchor graph, judges whether it suffices, and asks on: the port that a model and its twin keep."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tetragraph.model import ChainStep, Hit
from tetragraph.model.anchors import AnchorGraph, AnchorStep, Judgement


@dataclass(frozen=True, slots=True)
class Triple:
    """A relation as somebody states it: head, phrase and tail by name."""

    head: str
    phrase: str
    tail: str


@dataclass(frozen=True, slots=True)
class Update:
    """What a step adds to the graph, ``ΔG`` of equation 8, by names as they are written.

    Attributes:
        entities: Name to attributes; an anchor of that name gets those that it lacks.
        triples: Heads and tails that are no anchors yet become some.
    """

    entities: tuple[tuple[str, tuple[str, ...]], ...] = ()
    triples: tuple[Triple, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entities or self.triples)


@dataclass(frozen=True, slots=True)
class ReasonerInput:
    """What a reasoner is given.

    Attributes:
        question: ``q_0``.
        query: ``q_{t-1}``, which found the hits.
        hits: ``D_t``, best first: those that are to be read.
        graph: ``G_{t-1}``.
        steps: The earlier steps for this question; the last one has ``R_{t-1}``.
        may_update: Whether the graph may be extended; where not, an update is left out.
        behind: What the search found behind the hits, best first.
    """

    question: str
    query: str
    hits: Sequence[Hit]
    graph: AnchorGraph
    steps: Sequence[AnchorStep]
    may_update: bool = True
    behind: Sequence[Hit] = ()


@dataclass(frozen=True, slots=True)
class ReasonerOutput:
    """What a reasoner concludes: ``ΔG``, ``R_t`` and ``q_t``.

    Attributes:
        next_query: Empty where the judgement is ``sufficient``, and where there is nothing to ask.
        notes: Said in words: what was wrong with a reply, and what became of it.
        chain: See :class:`AnchorStep`.
    """

    update: Update
    thought: str
    judgement: Judgement
    next_query: str
    notes: tuple[str, ...] = ()
    chain: tuple[ChainStep, ...] = ()


class Reasoner(Protocol):
    """Reads what a step found.

    Attributes:
        name: For records: ``token_free``, or the model and its prompts.

    Source:
        GraphAnchor (2026), equations 2, 3 and 7: one call gives graph, reasoning and next query.
    """

    name: str

    def reason(self, situation: ReasonerInput) -> ReasonerOutput:
        """The conclusions of a step.

        Raises:
            LlmError: a model is asked, and does not answer, or not within the budget.
        """
