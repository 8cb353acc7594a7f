"""Results of searches: hits, facts, and the evidence that holds them; frozen, so that threads can share them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tetragraph.model.documents import Chunk
from tetragraph.model.results import Results
from tetragraph.model.usage import NOTHING, Usage

CONTRIBUTIONS = 5
"""Contributions to one part that a hit carries at the most."""
SIMILAR = "similar to the question"
NAMED = "named in the question"
"""Labels of the steps of kind ``SEED``: why a walk begins where it does."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of the way that led from the question to a chunk.

    Attributes:
        source: Id of the chunk or entity the step leaves; ``"question"`` for the first.
        target: Id of the chunk or entity it reaches.
        via: The relationship type (``INFO_GAIN``, ``MENTIONS``, ``PARTICIPATES_IN`` …) or ``SEED``.
        label: For people: the gain level, the entity's name, the kind of seed.
        weight: Share of score or probability that took this step, 0 to 1.
    """

    source: str
    target: str
    via: str
    label: str
    weight: float


@dataclass(frozen=True, slots=True)
class Contribution:
    """One of the largest shares of a part of a score.

    Attributes:
        part: Name of the part, as in :attr:`Hit.parts`.
        label: Origin of the share for people: an entity name, a gain level, a theme, a rank in another ranking.
        value: Share in units of the score; those of a part sum to at most its value, as small shares are left out.
        path: Last steps of the path that carried it to the chunk; empty if no relationship of the graph did.
    """

    part: str
    label: str
    value: float
    path: tuple[PathStep, ...] = ()


@dataclass(frozen=True, slots=True)
class FactParticipant:
    """An entity that takes part in a fact.

    Attributes:
        entity: Id of the entity.
        name: Name of the entity.
        type: Type of the entity; empty where it is unknown.
        role: Function of the entity in the fact.
    """

    entity: str
    name: str
    type: str
    role: str


@dataclass(frozen=True, slots=True)
class FactStatement:
    """Where a fact is stated: ``chunk.text[start:end]``."""

    chunk: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FoundFact:
    """One ranked n-ary fact.

    Attributes:
        rank: From 1.
        score: Falls with rank; comparable within one result only.
        relation: Id of the ``Relation`` node.
        description: A clause that can be read alone.
        type: What joins the participants.
        confidence: 0 to 1.
        weight: Number of chunks that state it.
        hop: How many entities were crossed on the way to it; 0 where the question itself led to it.
        participants: In order of the entities' ids.
        statements: In order of the chunks' ids.
        path: The way from the question to the fact.
    """

    rank: int
    score: float
    relation: str
    description: str
    type: str
    confidence: float
    weight: int
    hop: int
    participants: tuple[FactParticipant, ...]
    statements: tuple[FactStatement, ...]
    path: tuple[PathStep, ...] = ()


@dataclass(frozen=True, slots=True)
class Hit:
    """One ranked passage.

    Attributes:
        rank: From 1.
        score: Falls with rank; comparable within one result only.
        parts: What the score is made of, by name; the values add up to ``score``.
        path: The strongest way from the question to this chunk; empty for methods without a graph.
        facts: Those of its facts that were found, best first; empty for methods without facts.
        contributions: Where the largest shares of some parts came from, in order of the parts and of value.
    """

    rank: int
    score: float
    chunk: Chunk
    parts: Mapping[str, float] = field(default_factory=dict)
    path: tuple[PathStep, ...] = ()
    facts: tuple[FoundFact, ...] = ()
    contributions: tuple[Contribution, ...] = ()


@dataclass(frozen=True, slots=True)
class Bridge:
    """An entity that one step of a chain found and the next one asks about.

    Attributes:
        entity: Its id.
        name: For people.
        weight: Probability, 0 to 1, that it is the step's answer.
    """

    entity: str
    name: str
    weight: float


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One sub-question of a question that asks in several steps.

    Attributes:
        question: In words; ``#1`` stands for the answer of the first step.
        refers: Numbers, from 1, of the steps whose answers it needs.
        bridges: What it was taken to answer, the likeliest first; empty where no later step needs its answer.
        passages: Id of a chunk and the probability that it answers the step, the likeliest first.
    """

    question: str
    refers: tuple[int, ...]
    bridges: tuple[Bridge, ...]
    passages: tuple[tuple[str, float], ...]


@dataclass(frozen=True, slots=True)
class Findings:
    """Result of a system's search.

    Attributes:
        hits: Hits, best first.
        chain: Sub-questions of a decomposed question; empty otherwise.
        graph: Stored options of the searched graph, where they are part of its root.
        trace: Decisions of the search, as names, numbers and lists of these.
    """

    hits: tuple[Hit, ...]
    chain: tuple[ChainStep, ...] = ()
    graph: Mapping[str, Any] = field(default_factory=dict)
    trace: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FactFindings:
    """Result of a search for facts: ranked facts, and the rest as in :class:`Findings`."""

    facts: tuple[FoundFact, ...]
    chain: tuple[ChainStep, ...] = ()
    graph: Mapping[str, Any] = field(default_factory=dict)
    trace: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Evidence(Results[Hit]):
    """The ranked answer of a search: a sequence of hits with all that is needed to repeat it.

    Attributes:
        chain: The sub-questions that it was answered by; empty where it was asked as a whole.
        trace: What was decided on the way, in names, numbers and lists of these; empty for methods that decide nothing.
        manifest: Settings, models, versions, corpus generation and engine: what a rerun needs to give the same bytes.
        notes: Said in words: every way in which this result is not what was asked for (a degraded path, an
            unfinished ingest). Empty when all is as it should be.
        usage: What a language model cost, where the search asked one.
    """

    question: str
    method: str
    hits: tuple[Hit, ...]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    chain: tuple[ChainStep, ...] = ()
    trace: Mapping[str, Any] = field(default_factory=dict)
    usage: Usage = NOTHING

    @property
    def _found(self) -> tuple[Hit, ...]:
        return self.hits


@dataclass(frozen=True, slots=True)
class FactEvidence(Results[FoundFact]):
    """The facts that answer a question: a sequence of these, with what :class:`Evidence` has besides."""

    question: str
    facts: tuple[FoundFact, ...]
    manifest: Mapping[str, Any] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    chain: tuple[ChainStep, ...] = ()
    trace: Mapping[str, Any] = field(default_factory=dict)
    usage: Usage = NOTHING

    @property
    def _found(self) -> tuple[FoundFact, ...]:
        return self.facts
