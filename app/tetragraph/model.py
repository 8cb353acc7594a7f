"""The values that every layer shares. Frozen: a result can be kept, compared and sent between threads."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

from tetragraph.results import Results
from tetragraph.spending import NOTHING, Usage

Scalar: TypeAlias = str | int | float | bool
Metadata: TypeAlias = Mapping[str, Scalar]
Range: TypeAlias = Mapping[Literal["gt", "gte", "lt", "lte"], int | float | str]
Filters: TypeAlias = Mapping[str, Scalar | Sequence[Scalar] | Range]
"""Metadata key to the value it must equal, the values it must be one of, or the bounds it must respect."""


CORPUS_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,62}")
"""Names of corpora; they are parts of file names, collection names and links too."""


def content_id(*parts: str) -> str:
    """Name a thing by its content: 16 hex digits of SHA-256 over the parts, a newline between them.

    >>> content_id("Title", "Text")
    '2c21b2810f4dce98'
    """
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class Heading:
    """A heading inside a document: where it begins in the text, its depth (1 is the highest) and its words."""

    start: int
    level: int
    title: str


@dataclass(frozen=True, slots=True)
class Document:
    """A source text as a loader gives it.

    Attributes:
        id: The source's own id where it has one, else its path below the folder that was ingested.
        title: Shown to people, embedded with every chunk, and an entity of the corpus. May be empty.
        text: What the character offsets of the chunks count in.
        source: Where it came from, for people: a path, with ``:line`` for formats of many documents.
        metadata: Scalars that searches can filter on.
        headings: In order of ``start``.
    """

    id: str
    title: str
    text: str
    source: str = ""
    metadata: Metadata = field(default_factory=dict)
    headings: tuple[Heading, ...] = ()

    @property
    def sha256(self) -> str:
        """Hash of all that searches depend on (not of ``source``), so that an unchanged document costs no work."""
        facts = [self.title, self.text]
        facts += [f"{key}={value!r}" for key, value in sorted(self.metadata.items())]
        facts += [f"{h.start},{h.level},{h.title}" for h in self.headings]
        return hashlib.sha256("\n".join(facts).encode()).hexdigest()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A source that a loader could not turn into a document, with the reason for people."""

    source: str
    reason: str


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage: ``text`` is exactly ``document.text[start:end]``.

    Attributes:
        id: ``content_id`` of the document's id, the position, the title and the text.
        document_id: The source's own id where it has one.
        title: The nearest heading, or the document's title where no heading stands above the passage.
        document_title: Title of the document.
        position: 0-based place in the document.
        tokens: Length in tokens of the corpus' embedder.
    """

    id: str
    document_id: str
    title: str
    document_title: str
    text: str
    position: int
    start: int
    end: int
    tokens: int
    metadata: Metadata = field(default_factory=dict)

    @property
    def passage(self) -> str:
        """What is embedded: titles and text in one string."""
        titles = [self.document_title, self.title] if self.title != self.document_title else [self.title]
        lead = ": ".join(title for title in titles if title)
        return f"{lead}. {self.text}" if lead else self.text


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
    """What one thing on the way brought to a part of a score.

    Attributes:
        part: Name of the part, as in :attr:`Hit.parts`.
        label: For people: the entity's name, the gain level, the theme, the rank in another ranking.
        value: In units of the score; those of a part add up to no more than it is, as small ones are left out.
        path: The last steps to the chunk that carried it; empty where nothing in the graph did.
    """

    part: str
    label: str
    value: float
    path: tuple[PathStep, ...] = ()


@dataclass(frozen=True, slots=True)
class FactParticipant:
    """An entity that takes part in a fact.

    Attributes:
        entity: Its id.
        name: For people.
        type: What kind of thing it is; empty where nobody can tell.
        role: What it does in the fact.
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
    """What a system found.

    Attributes:
        chain: How the question was taken apart, where it was.
        graph: How the graph that was searched was made, where its settings are kept with it.
        trace: What was decided on the way, in names, numbers and lists of these.
    """

    hits: tuple[Hit, ...]
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
