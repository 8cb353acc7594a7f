"""The anchor graph of a search in several steps, the steps that built it, and the session that stores them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal

from tetragraph.model import ChainStep, Filters, Hit
from tetragraph.model.display import html_table
from tetragraph.model.pictures import draw_anchors
from tetragraph.model.usage import NOTHING, Usage

Judgement = Literal["sufficient", "insufficient"]
Stopped = Literal["sufficient", "steps", "budget", "deadline", "no new evidence", "repeated query", "policy"]
"""Reason why a search in several steps ended: the evidence suffices; the limit of steps is reached; tokens, money or
time are used up; two steps in a row found no new chunk, or no query was left; the next query repeats an earlier one; a
policy chose the end."""
Status = Literal["running", "ended"]


@dataclass(frozen=True, slots=True)
class Anchor:
    """A subject of the question: an entity, or the statement of a fact about one.

    Attributes:
        key: Name in the normalised form of the entity dictionary; identifies the anchor within its graph.
        name: Name for display.
        attributes: Statements about the anchor other than its relations, in order of discovery.
        step: Number of the step that added the anchor.
        entity: Id of the corpus' entity of that name; empty where there is none.
        chunks: Ids of the chunks that mention the anchor, in order of discovery.
    """

    key: str
    name: str
    attributes: tuple[str, ...]
    step: int
    entity: str = ""
    chunks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Anchored:
    """A relation between two anchors: a triple of head, phrase and tail.

    Attributes:
        source: Key of the head.
        phrase: Words of the text that relate the two.
        target: Key of the tail.
        step: Number of the step that added the relation.
    """

    source: str
    phrase: str
    target: str
    step: int


@dataclass(frozen=True)
class AnchorGraph:
    """The graph ``G_t``: it only grows, so that the graph of an earlier step is a part of it.

    Attributes:
        anchors: Anchors in the order in which they were added.
        relations: Relations in the order in which they were added; both ends are among the anchors.

    Source:
        GraphAnchor (2026), section 3.2: ``G = (V, E)``, entities and RDF triples.
    """

    anchors: tuple[Anchor, ...] = ()
    relations: tuple[Anchored, ...] = ()

    @cached_property
    def by_key(self) -> dict[str, Anchor]:
        """The anchors by their keys."""
        return {anchor.key: anchor for anchor in self.anchors}

    def __len__(self) -> int:
        return len(self.anchors)

    def _repr_html_(self) -> str:
        rows = [(one.name, one.step, "; ".join(one.attributes)) for one in self.anchors]
        return html_table(f"{len(rows)} anchors", ("anchor", "step", "attributes"), rows) + draw_anchors(self)


@dataclass(frozen=True, slots=True)
class StepFact:
    """A fact that a step found.

    Attributes:
        rank: Rank, from 1.
        score: Score of the search for facts.
        relation: Id of the ``Relation`` node.
        description: A clause that can be read alone.
    """

    rank: int
    score: float
    relation: str
    description: str


@dataclass(frozen=True, slots=True)
class AnchorStep:
    """One step: its query, the hits, the graph after it, and the judgement of the evidence.

    Attributes:
        number: Number of the step, from 1, counted through the session.
        question: Question to be answered, ``q_0``; another one after a follow-up question.
        query: Query of the step, ``q_{t-1}``.
        retriever: Search method of the step.
        hits: Retrieved hits ``D_t``, best first.
        graph: Graph ``G_t`` after the step.
        thought: Reason in words why the evidence suffices or not.
        judgement: Whether the evidence suffices; None if budget or time ended before the judgement.
        next_query: Next query ``q_t``; empty where the search ends.
        next_retriever: Variant of the retriever that a policy chose for the next query; empty without a policy.
        notes: Warnings in words: every way in which the step differs from the request.
        usage: Language model usage of the step.
        chain: Sub-questions with the answers found for each, where the reasoner decomposed the question.
        answer: Answer given after the step; empty where the search went on, and where there is no answer.
        summary: What has been found so far, in words, where the index is a text and not a graph; empty otherwise, and
            where the step did not rewrite it.
        facts: Facts that the step found, best first, where it is a turn of a policy; empty otherwise.
    """

    number: int
    question: str
    query: str
    retriever: str
    hits: tuple[Hit, ...]
    graph: AnchorGraph
    thought: str = ""
    judgement: Judgement | None = None
    next_query: str = ""
    notes: tuple[str, ...] = ()
    usage: Usage = NOTHING
    chain: tuple[ChainStep, ...] = ()
    answer: str = ""
    summary: str = ""
    facts: tuple[StepFact, ...] = ()
    next_retriever: str = ""

    def trace(self) -> dict[str, Any]:
        """The step as names, numbers and lists of these, with ids instead of chunks and sizes instead of the graph."""
        return {
            "number": self.number,
            "query": self.query,
            "chunks": [hit.chunk.id for hit in self.hits],
            "anchors": len(self.graph.anchors),
            "relations": len(self.graph.relations),
            "thought": self.thought,
            "judgement": self.judgement or "",
            "next_query": self.next_query,
            "notes": list(self.notes),
        }

    @property
    def added(self) -> tuple[Anchor, ...]:
        """The anchors that this step added."""
        return tuple(anchor for anchor in self.graph.anchors if anchor.step == self.number)

    @property
    def related(self) -> tuple[Anchored, ...]:
        """The relations that this step added."""
        return tuple(relation for relation in self.graph.relations if relation.step == self.number)


@dataclass(frozen=True, slots=True)
class AnchorWalk:
    """A complete search in several steps.

    Attributes:
        steps: Steps in order; at least one.
        stopped: Reason why the search ended.
    """

    steps: tuple[AnchorStep, ...]
    stopped: Stopped

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes of the steps, each once, and one on a limit that the search reached between two steps."""
        notes = dict.fromkeys(note for step in self.steps for note in step.notes)
        if self.stopped in ("budget", "deadline") and self.steps[-1].judgement is not None:
            notes[f"the search ended after {len(self.steps)} steps: its {self.stopped} allows no further one"] = None
        return tuple(notes)

    def trace(self) -> dict[str, Any]:
        """Decisions of the search, as names, numbers and lists of these."""
        return {"stopped": self.stopped, "steps": [step.trace() for step in self.steps]}


@dataclass(frozen=True, slots=True)
class SessionRecord:
    """Properties of a session in the graph.

    Attributes:
        id: Id made from corpus, question, settings and the number of such sessions before.
        question: Question that is being answered or was answered last.
        status: ``running`` until the question is answered; a session whose process died stays so, and can be resumed.
        stopped: Reason why the search ended; None while it runs.
        retriever: Search method of the steps.
        reasoner: Name of the reasoner that judged.
        options: Options of the search.
        k: Number of requested hits; each step retrieves at least as many chunks.
        filters: Metadata filters of the search.
        steps: Number of steps.
        started: Start in ISO 8601, UTC.
        expires: End of its lifetime in ISO 8601, UTC, after which it may be pruned; empty for never.
        answer: Answer; empty where there is none.
        forked_from: Id of the session that it is a fork of; empty for none.
        forked_at: Number of the last step that both share; 0 for none.
        reward: Reward of an episode of a policy, -1 to 1; None where it is no episode or no answer is known.
    """

    id: str
    question: str
    status: Status
    stopped: Stopped | None
    retriever: str
    reasoner: str
    options: Mapping[str, Any]
    k: int
    filters: Filters
    steps: int
    started: str
    expires: str
    answer: str = ""
    forked_from: str = ""
    forked_at: int = 0
    reward: float | None = None

    def _repr_html_(self) -> str:
        state = f"{self.status}, {self.stopped}" if self.stopped else self.status
        named = {"state": state, "retriever": self.retriever, "reasoner": self.reasoner, "steps": self.steps}
        rows = [*named.items(), ("started", self.started), ("answer", self.answer or "none")]
        return html_table(f"{self.question} (session {self.id})", ("", ""), rows)

    @property
    def is_episode(self) -> bool:
        """Whether the steps are the turns of a policy (``mode="rl"``)."""
        return self.options.get("mode") == "rl"
