"""Asks a language model for additions to an anchor graph, a verdict on the evidence, and the next query."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.lexicon.words import STOP_WORDS, stem
from tetragraph.language.llm_steps.anchor_sections import (
    Verdict,
    parse_judgement,
    parse_query,
    split_sections,
)
from tetragraph.language.llm_steps.anchor_triples import Entity, TripleText, read_graph
from tetragraph.language.llm_steps.answer import one_line
from tetragraph.language.prompts import Fenced, fence, fences, load
from tetragraph.llm import Request

GRAPH_PROMPTS: Final = ("anchor_first", "anchor_update", "anchor_judge")
"""Prompts of a search with a graph; the last one is used once the graph has reached its limit of extensions."""
PLAIN_PROMPTS: Final = ("anchor_judge",)
"""Prompts of a search without a graph."""
_REPLY: Final = 1200
_EXPECTED: Final = 300
_JUDGED: Final = 400
_EXPECTED_JUDGED: Final = 100
"""Largest and expected number of tokens of a reply with a graph, and of one without."""
_OWN_WORDS: Final = 0.5
"""Smallest share of a name's words that the prompt must contain."""


@dataclass(frozen=True, slots=True)
class PreviousSteps:
    """State of the search before a step, ``o_{t-1}``.

    Attributes:
        graph: Graph ``G_{t-1}``, linearised; empty for none.
        thought: Thought of ``R_{t-1}``; empty for none.
        queries: All earlier queries, in order; the last one retrieved the chunks.
    """

    graph: str = ""
    thought: str = ""
    queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnchorReply:
    """Contents of a reply.

    Attributes:
        entities: Name and attributes of each entity, as written.
        triples: Head, phrase and tail of each triple, as written.
        thought: Thought in one line; empty for none, as servers of reasoning models may remove it.
        judgement: Verdict; None if the reply has none, or an ambiguous one.
        next_query: Next query in one line; empty for none.
        has_graph: Whether the reply contains a graph, possibly an empty one.
        has_query: Whether the reply contains a part for the next query, possibly an empty one.
        junk: Number of lines of the graph that are neither entity nor triple.
        left_out: Number of lines of the graph that were not read, because of the limit.
        strange: Number of entities and triples with names of unknown origin (see :func:`drop_unsupported`).
    """

    entities: tuple[Entity, ...] = ()
    triples: tuple[TripleText, ...] = ()
    thought: str = ""
    judgement: Verdict | None = None
    next_query: str = ""
    has_graph: bool = False
    has_query: bool = False
    junk: int = 0
    left_out: int = 0
    strange: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether the graph is empty."""
        return not (self.entities or self.triples)


def first_request(question: str, passages: Sequence[str]) -> Request:
    """The request of the first step, without any earlier state.

    Args:
        question: Question to be answered.
        passages: Chunks as a model reads them, best first.

    Source:
        GraphAnchor (2026), equations 2 and 3: one call for both.
    """
    values = {"question": fence("question", question), "passages": fences("passage", passages)}
    return load("anchor_first").request(_REPLY, values, expected=_EXPECTED)


def update_request(question: str, passages: Sequence[str], previous: PreviousSteps) -> Request:
    """The request of a later step.

    Source:
        GraphAnchor (2026), equations 3, 7 and 8. Deviation: the paper's model rewrites the whole graph each time; here
        it is asked for additions only, which is shorter and cannot lose anything.
    """
    return load("anchor_update").request(_REPLY, _values(question, passages, previous), expected=_EXPECTED)


def judge_request(question: str, passages: Sequence[str], previous: PreviousSteps) -> Request:
    """The request of a step that does not extend the graph: there is none, or it has reached its limit of extensions.

    Source:
        GraphAnchor (2026), equation 3; without a graph the ablation of section 5.2.
    """
    return load("anchor_judge").request(_JUDGED, _values(question, passages, previous), expected=_EXPECTED_JUDGED)


def _values(question: str, passages: Sequence[str], previous: PreviousSteps) -> Mapping[str, Fenced]:
    return {
        "question": fence("question", question),
        "known": fences("known", [previous.graph] if previous.graph else []),
        "thought": fences("thought", [previous.thought] if previous.thought else []),
        "queries": fences("query", previous.queries),
        "passages": fences("passage", passages),
    }


def read_reply(text: str) -> AnchorReply:
    """Parse a reply; see :func:`split_sections` and :func:`read_graph`."""
    parts = split_sections(text)
    graph = read_graph(parts.get("graph", ""))
    return AnchorReply(
        tuple(graph.entities),
        tuple(graph.triples),
        one_line(str(parts.get("think", ""))),
        parse_judgement(parts.get("judgement", "")),
        parse_query(parts.get("next_question", "")),
        has_graph="graph" in parts,
        has_query="next_question" in parts,
        junk=graph.junk,
        left_out=graph.left_out,
    )


def fault(reply: AnchorReply, *, needs_graph: bool) -> str:
    """Describe in words for the model what a reply lacks for a step; empty if nothing.

    A thought is optional, and so is a next query if the evidence suffices.
    """
    lacking = []
    if needs_graph and not reply.has_graph:
        lacking.append("a part <graph>…</graph>")
    elif needs_graph and reply.is_empty and reply.junk:
        lacking.append('lines such as "- name (Attributes: …)" or "- name -> words -> name" in the graph')
    if not reply.judgement:
        lacking.append("a part <judgement>…</judgement> with one of the words sufficient and insufficient")
    if reply.judgement != "sufficient" and not reply.has_query:
        lacking.append("a part <next_question>…</next_question>")
    return ", and ".join(lacking)


def repair_words(lacking: str, *, is_cut: bool) -> str:
    """Text of a correction request for the model."""
    cut = " It was cut off: a shorter one is needed." if is_cut else ""
    return (
        f"This reply cannot be used. It lacks {lacking}.{cut}\n"
        "Write all parts again, each between its two marks, in their order, and nothing else."
    )


def combine_replies(first: AnchorReply, second: AnchorReply) -> AnchorReply:
    """The second reply, completed by parts that only the first one has."""
    graph = first if second.is_empty and not first.is_empty else second
    asked = second if second.has_query else first
    return AnchorReply(
        graph.entities,
        graph.triples,
        second.thought or first.thought,
        second.judgement or first.judgement,
        asked.next_query,
        has_graph=first.has_graph or second.has_graph,
        has_query=first.has_query or second.has_query,
        junk=graph.junk,
        left_out=graph.left_out,
    )


def drop_unsupported(reply: AnchorReply, shown: Sequence[str]) -> AnchorReply:
    """A reply without names that are not in the model's input: from the example of its prompt, or invented.

    At least half of a name's words must occur in the input, or all of it for words without blanks between them; a
    triple is dropped with either of its ends.

    Args:
        reply: Parsed reply.
        shown: Question, chunks and graph of the request.
    """
    text = normalise_name("\n".join(shown))
    words = {stem(word) for word in text.split()}

    def is_known(name: str) -> bool:
        key = normalise_name(name)
        content_words = [stem(word) for word in key.split() if word not in STOP_WORDS]
        return sum(word in words for word in content_words) >= _OWN_WORDS * len(content_words) or key in text

    entities = tuple(entity for entity in reply.entities if is_known(entity[0]))
    triples = tuple(triple for triple in reply.triples if is_known(triple[0]) and is_known(triple[2]))
    strange = len(reply.entities) + len(reply.triples) - len(entities) - len(triples)
    return replace(reply, entities=entities, triples=triples, strange=strange)
