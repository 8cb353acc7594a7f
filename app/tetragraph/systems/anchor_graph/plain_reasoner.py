"""The reasoner without language model and graph."""

from __future__ import annotations

from tetragraph.language.extractive_qa import find_span
from tetragraph.systems.anchor_graph.reasoner import ReasonerInput, ReasonerOutput, Update


class PlainReasoner:
    """Repeats the question, followed by the likeliest answer from the chunks found so far.

    It never judges the evidence sufficient, as it has no measure of that. Deterministic.

    Source:
        Replaces GraphAnchor without graph (2026, section 5.2, "w/o Graph"), which iterates as Iter-RetGen
        does.
    """

    name = "token_free without graph"

    def reason(self, situation: ReasonerInput) -> ReasonerOutput:
        """See :class:`~tetragraph.systems.anchor_graph.reasoner.Reasoner`."""
        hits = [hit for step in situation.steps for hit in step.hits[: len(situation.hits)]] + list(situation.hits)
        chunks = {hit.chunk.id: hit.chunk for hit in hits}
        span = find_span(situation.question, list(chunks.values()))
        if span is None:
            return ReasonerOutput(Update(), "no passage has a sentence", "insufficient", "")
        words = " ".join(span.chunk.text[span.start : span.end].split())
        thought = f"the likeliest answer so far: {words}"
        return ReasonerOutput(Update(), thought, "insufficient", f"{situation.question} {words}")
