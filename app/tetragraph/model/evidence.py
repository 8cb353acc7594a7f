"""Results of searches: hits, facts, and the evidence that contains them; frozen, so that threads can share them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tetragraph.model.display import OMITTED_IF_EMPTY, first_of, html_table, shorten, to_plain
from tetragraph.model.documents import Chunk
from tetragraph.model.pictures import draw_facts, draw_hits
from tetragraph.model.results import Results
from tetragraph.model.usage import NOTHING, Usage

CONTRIBUTIONS = 5
"""Largest number of contributions to one part of a hit."""
MOST_COPIES = 100
"""Largest number of copies of a hit that are listed."""
SHOWN_COPIES = 3
"""Largest number of copies of a hit that are displayed."""
FACT_COLUMNS = ("rank", "score", "fact", "type", "stated in", "path")
"""Columns of a fact in a table."""
HIT_COLUMNS = ("rank", "score", "title", "place", "text")
"""Columns of a hit in a table."""
SIMILAR = "similar to the question"
NAMED = "named in the question"
"""Labels of the path steps of kind ``SEED``: the reason why a walk starts at a chunk."""


@dataclass(frozen=True, slots=True)
class PathStep:
    """One step of the path that leads from the question to a chunk.

    Attributes:
        source: Id of the chunk or entity where the step starts; ``"question"`` for the first.
        target: Id of the chunk or entity where the step ends.
        via: Relationship type (``INFO_GAIN``, ``MENTIONS``, ``PARTICIPATES_IN`` …) or ``SEED``.
        label: Label for display: the gain level, the entity's name, the kind of seed.
        weight: Share of the score or probability that passes through this step, 0 to 1.
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
    """Place where a fact is stated: ``chunk.text[start:end]``."""

    chunk: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class FoundFact:
    """One ranked n-ary fact.

    Attributes:
        rank: Rank, from 1.
        score: Score, which falls with rank; comparable within one result only.
        relation: Id of the ``Relation`` node.
        description: A clause that can be read alone.
        type: Type of the relation between the participants.
        confidence: Confidence, 0 to 1.
        weight: Number of chunks that state the fact.
        hop: Number of entities on the path to the fact; 0 if the question itself leads to it.
        participants: Participants in order of the entities' ids.
        statements: Statements in order of the chunks' ids.
        path: Path from the question to the fact.
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

    def _repr_html_(self) -> str:
        return html_table("", FACT_COLUMNS, [self.row()]) + draw_facts([self])

    def row(self) -> tuple[object, ...]:
        """The fact as a row of a table with the columns :data:`FACT_COLUMNS`."""
        path = " → ".join(step.label for step in self.path)
        return self.rank, self.score, self.description, self.type, f"{self.weight} chunks", path


@dataclass(frozen=True, slots=True)
class Copy:
    """Another chunk with the content of a hit.

    Attributes:
        chunk: Id of the chunk.
        document: Id of its document.
        title: Title of the chunk.
        start: Offset of its first character in the document.
        end: Offset behind its last character.
        source: Origin of the document, such as its file.
        page: Number of the page on which the chunk begins, from 1; None where it is unknown.
        place: Where the chunk stands, for display, as in :attr:`Chunk.place`.
        is_exact: Whether it is the same to the letter; False for a passage of a document that is nearly the same.
    """

    chunk: str
    document: str
    title: str
    start: int
    end: int
    source: str
    page: int | None
    place: str
    is_exact: bool = True

    @classmethod
    def of(cls, chunk: Chunk, *, is_exact: bool = True) -> Copy:
        """The place of a chunk."""
        own = (chunk.id, chunk.document_id, chunk.title, chunk.start, chunk.end)
        return cls(*own, chunk.source, chunk.page, chunk.place, is_exact)


@dataclass(frozen=True, slots=True, repr=False)
class Hit:
    """One ranked chunk.

    Attributes:
        rank: Rank, from 1.
        score: Score, which falls with rank; comparable within one result only.
        parts: Addends of the score by name; the values add up to ``score``.
        path: The strongest path from the question to this chunk; empty for methods without a graph.
        facts: Facts of the chunk that the search found, best first; empty for methods without facts.
        contributions: Largest shares of some parts, in order of the parts and of value.
        also_in: Other chunks with the same content, or nearly the same, that pass the filters, in order of id, at most
            ``MOST_COPIES``.
        superseded_by: Ids of the documents that supersede that of the chunk, directly or by others, in ascending
            order; empty if there is none, and then no part of :meth:`to_dict`.
    """

    rank: int
    score: float
    chunk: Chunk
    parts: Mapping[str, float] = field(default_factory=dict)
    path: tuple[PathStep, ...] = ()
    facts: tuple[FoundFact, ...] = ()
    contributions: tuple[Contribution, ...] = ()
    also_in: tuple[Copy, ...] = ()
    superseded_by: tuple[str, ...] = field(default=(), metadata=OMITTED_IF_EMPTY)

    @property
    def places(self) -> str:
        """Where the chunk and its copies stand, and what supersedes it, for display."""
        newer = f" (superseded by {', '.join(self.superseded_by)})" if self.superseded_by else ""
        return self._copies + newer

    @property
    def _copies(self) -> str:
        if not self.also_in:
            return self.chunk.place
        others = [copy.place + ("" if copy.is_exact else " (nearly the same)") for copy in self.also_in]
        return f"{self.chunk.place} (also in {first_of(others, SHOWN_COPIES)})"

    def __repr__(self) -> str:
        return f"Hit({self.rank}, {self.score:.4f}, {shorten(self.chunk.place)!r}, {shorten(self.chunk.text)!r})"

    def to_dict(self) -> dict[str, Any]:
        """All fields as types of JSON."""
        found: dict[str, Any] = to_plain(self)
        return found

    def _repr_html_(self) -> str:
        return html_table("", HIT_COLUMNS, [self.row()]) + draw_hits([self])

    def row(self) -> tuple[object, ...]:
        """The hit as a row of a table with the columns :data:`HIT_COLUMNS`."""
        return self.rank, self.score, self.chunk.title, self.places, self.chunk.text


@dataclass(frozen=True, slots=True)
class Bridge:
    """An entity that answers one sub-question and that a later one asks about.

    Attributes:
        entity: Id of the entity.
        name: Name for display.
        weight: Probability, 0 to 1, that it is the answer of the sub-question.
    """

    entity: str
    name: str
    weight: float


@dataclass(frozen=True, slots=True)
class ChainStep:
    """One sub-question of a decomposed question.

    Attributes:
        question: Text of the sub-question; ``#1`` stands for the answer of the first one.
        refers: Numbers, from 1, of the sub-questions whose answers it needs.
        bridges: Entities taken for its answer, the likeliest first; empty where no later sub-question needs the answer.
        passages: Id of a chunk and the probability that it answers the sub-question, the likeliest first.
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
        engine: Where it was computed, ``memory``, ``stores`` or ``gds``; empty for methods without a choice.
    """

    hits: tuple[Hit, ...]
    chain: tuple[ChainStep, ...] = ()
    graph: Mapping[str, Any] = field(default_factory=dict)
    trace: Mapping[str, Any] = field(default_factory=dict)
    engine: str = ""


@dataclass(frozen=True, slots=True)
class FactFindings:
    """Result of a search for facts: ranked facts, and the rest as in :class:`Findings`."""

    facts: tuple[FoundFact, ...]
    chain: tuple[ChainStep, ...] = ()
    graph: Mapping[str, Any] = field(default_factory=dict)
    trace: Mapping[str, Any] = field(default_factory=dict)
    engine: str = ""


@dataclass(frozen=True, slots=True, repr=False)
class Evidence(Results[Hit]):
    """The ranked result of a search: a sequence of hits, with everything needed to repeat the search.

    Attributes:
        chain: Sub-questions of a decomposed question; empty otherwise.
        trace: Decisions of the search, as names, numbers and lists of these; empty for methods that make none.
        manifest: Settings, models, versions, corpus generation and engine: all that a rerun needs for the same bytes.
        notes: Warnings in words: every way in which the result differs from the request (a degraded path, an
            unfinished ingest). Empty if there is none.
        usage: Language model usage of the search.
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
    def current(self) -> tuple[Hit, ...]:
        """The hits to answer from: without those that another hit supersedes, unless the search was to keep them."""
        if self.manifest.get("options", {}).get("superseded") == "keep":
            return self.hits
        present = {hit.chunk.document_id for hit in self.hits}
        return tuple(hit for hit in self.hits if present.isdisjoint(hit.superseded_by)) or self.hits

    @property
    def _found(self) -> tuple[Hit, ...]:
        return self.hits

    def __repr__(self) -> str:
        lines = [f"Evidence({shorten(self.question)!r}, method={self.method!r}, {len(self.hits)} hits)"]
        return "\n".join([*lines, *(f"  {hit!r}" for hit in self.hits), *(f"  note: {note}" for note in self.notes)])

    def to_dict(self) -> dict[str, Any]:
        """All fields as types of JSON: what ``tetragraph search --json`` prints."""
        found: dict[str, Any] = to_plain(self)
        return found

    def _repr_html_(self) -> str:
        notes = [f"note: {note}" for note in self.notes]
        table = html_table(f"{self.question} ({self.method})", HIT_COLUMNS, [hit.row() for hit in self.hits], notes)
        return table + draw_hits(self.hits)


@dataclass(frozen=True, slots=True)
class FactEvidence(Results[FoundFact]):
    """The facts that answer a question: a sequence of facts; the other fields are those of :class:`Evidence`."""

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

    def _repr_html_(self) -> str:
        notes = [f"note: {note}" for note in self.notes]
        table = html_table(f"{self.question} (facts)", FACT_COLUMNS, [fact.row() for fact in self.facts], notes)
        return table + draw_facts(self.facts)
