"""Asks a language model what a search adds to an anchor graph, whether it suffices, and what to search for next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.lexicon.words import STOP_WORDS, stem
from tetragraph.language.llm_steps.anchor_sections import (
    Told,
    judgement,
    query,
    sections,
)
from tetragraph.language.llm_steps.anchor_triples import Entity, TripleText, read_graph
from tetragraph.language.llm_steps.answer import one_line
from tetragraph.language.prompts import Fenced, fence, fences, load
from tetragraph.llm import Request

GRAPH_PROMPTS: Final = ("anchor_first", "anchor_update", "anchor_judge")
"""Of a search that grows a graph; once it may not grow any more, the last one."""
PLAIN_PROMPTS: Final = ("anchor_judge",)
"""Of a search without a graph."""
_REPLY: Final = 1200
_EXPECTED: Final = 300
_JUDGED: Final = 400
_EXPECTED_JUDGED: Final = 100
"""Tokens of a reply with a graph, and of one without."""
_OWN_WORDS: Final = 0.5
"""Share of a name's words that what the model was shown has to have."""


@dataclass(frozen=True, slots=True)
class PreviousSteps:
    """State of the previous steps, ``o_{t-1}``.

    Attributes:
        graph: ``G_{t-1}``, linearised; empty for none.
        thought: Thought of ``R_{t-1}``; empty for none.
        queries: All that was searched for, in order; the last one brought the passages.
    """

    graph: str = ""
    thought: str = ""
    queries: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class AnchorReply:
    """Sections of a reply.

    Attributes:
        entities: Name and attributes, as they are written.
        triples: Head, phrase and tail, likewise.
        thought: One line; empty where there is none: servers of models that think aloud take it away.
        judgement: None where the reply has none, or one that says neither.
        next_query: One line; empty for none.
        has_graph: Whether a graph was written, be it an empty one; so is the following.
        has_query: Whether there was room for the next query.
        junk: Lines of the graph that are neither entity nor triple.
        left_out: Lines of the graph that were not read, because there were too many.
        strange: Entities and triples of names that nobody knows of (see :func:`drop_unsupported`).
    """

    entities: tuple[Entity, ...] = ()
    triples: tuple[TripleText, ...] = ()
    thought: str = ""
    judgement: Told | None = None
    next_query: str = ""
    has_graph: bool = False
    has_query: bool = False
    junk: int = 0
    left_out: int = 0
    strange: int = 0

    @property
    def is_empty(self) -> bool:
        """Whether the graph holds nothing."""
        return not (self.entities or self.triples)


def first_request(question: str, passages: Sequence[str]) -> Request:
    """Request of the first step, without a state.

    Args:
        question: Which is to be answered.
        passages: As a model reads them, best first.

    Source:
        GraphAnchor (2026), equations 2 and 3: one call for both.
    """
    values = {"question": fence("question", question), "passages": fences("passage", passages)}
    return load("anchor_first").request(_REPLY, values, expected=_EXPECTED)


def update_request(question: str, passages: Sequence[str], known: PreviousSteps) -> Request:
    """Request of a later step.

    Source:
        GraphAnchor (2026), equations 3, 7 and 8. Deviation: the paper's model writes the whole graph anew each time;
        it is asked for what is new, which is shorter, and nothing that was known can be lost.
    """
    return load("anchor_update").request(_REPLY, _values(question, passages, known), expected=_EXPECTED)


def judge_request(question: str, passages: Sequence[str], known: PreviousSteps) -> Request:
    """Request of a step that writes no graph: there is none, or it has been extended often enough.

    Source:
        GraphAnchor (2026), equation 3; without a graph the ablation of section 5.2.
    """
    return load("anchor_judge").request(_JUDGED, _values(question, passages, known), expected=_EXPECTED_JUDGED)


def _values(question: str, passages: Sequence[str], known: PreviousSteps) -> Mapping[str, Fenced]:
    return {
        "question": fence("question", question),
        "known": fences("known", [known.graph] if known.graph else []),
        "thought": fences("thought", [known.thought] if known.thought else []),
        "queries": fences("query", known.queries),
        "passages": fences("passage", passages),
    }


def read_reply(text: str) -> AnchorReply:
    """Read a reply in any of the accepted forms; see :func:`sections` and :func:`read_graph`."""
    parts = sections(text)
    graph = read_graph(parts.get("graph", ""))
    return AnchorReply(
        tuple(graph.entities),
        tuple(graph.triples),
        one_line(str(parts.get("think", ""))),
        judgement(parts.get("judgement", "")),
        query(parts.get("next_question", "")),
        has_graph="graph" in parts,
        has_query="next_question" in parts,
        junk=graph.junk,
        left_out=graph.left_out,
    )


def fault(reply: AnchorReply, *, needs_graph: bool) -> str:
    """Parts that a step needs and the reply lacks, in words for the model; empty for none.

    A thought is not needed, and neither is a next query where the evidence suffices.
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
    """Words of the repair request."""
    cut = " It was cut off: a shorter one is needed." if is_cut else ""
    return (
        f"This reply cannot be used. It lacks {lacking}.{cut}\n"
        "Write all parts again, each between its two marks, in their order, and nothing else."
    )


def together(first: AnchorReply, second: AnchorReply) -> AnchorReply:
    """A second reply, with what only the first one has."""
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
    """A reply without names that the model cannot have read anywhere: from the example of its prompt, or made up.

    At least half of a name's words must be in what it was shown, or all of it where words have no blanks between them;
    a triple goes with either of its ends.

    Args:
        reply: As it was read.
        shown: Question, passages and graph.
    """
    text = normalise_name("\n".join(shown))
    words = {stem(word) for word in text.split()}

    def is_known(name: str) -> bool:
        key = normalise_name(name)
        telling = [stem(word) for word in key.split() if word not in STOP_WORDS]
        return sum(word in words for word in telling) >= _OWN_WORDS * len(telling) or key in text

    entities = tuple(entity for entity in reply.entities if is_known(entity[0]))
    triples = tuple(triple for triple in reply.triples if is_known(triple[0]) and is_known(triple[2]))
    strange = len(reply.entities) + len(reply.triples) - len(entities) - len(triples)
    return replace(reply, entities=entities, triples=triples, strange=strange)
