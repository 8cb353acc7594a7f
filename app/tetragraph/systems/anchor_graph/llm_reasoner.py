"""The reasoner that asks a language model to update the anchor graph, judge the evidence and write the next query."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from tetragraph.errors import UnusableReply
from tetragraph.language.llm_steps import anchoring
from tetragraph.language.llm_steps.anchoring import AnchorReply, PreviousSteps
from tetragraph.language.llm_steps.answer import shown
from tetragraph.language.prompts import load
from tetragraph.llm import Operation, Request
from tetragraph.systems.anchor_graph.linearisation import Linearised, linearise
from tetragraph.systems.anchor_graph.options import AnchorOptions
from tetragraph.systems.anchor_graph.reasoner import ReasonerInput, ReasonerOutput, Triple, Update, latest_summary

_ASKS_ON: Final = "the model judges the evidence sufficient and still has a next query: the judgement counts"
_ASKS_NOTHING: Final = "the model judges the evidence insufficient and gives no next query"
_UNDECIDED: Final = "the reply does not state whether the evidence suffices: it counts as insufficient"
_EMPTY: Final = "the first graph is empty: the reply has no name that occurs in the passages"


@dataclass(frozen=True, slots=True)
class _StepRequest:
    """The request of a step.

    Attributes:
        request: The request.
        needs_graph: Whether the reply must have an update of the graph.
        needs_summary: Whether the reply must have a summary.
        graph: The graph in the request.
        texts: All texts in the request from which names may come.
    """

    request: Request
    needs_graph: bool
    needs_summary: bool
    graph: Linearised
    texts: tuple[str, ...]


class LlmReasoner:
    """Asks a model once a step, and once more if its reply lacks a required part (see :class:`Reasoner`).

    However wrong the replies are, a step ends in a defined state, described in its notes. Parts that only one of two
    replies has are used. An unreadable reply, or a refusal, adds nothing, counts as insufficient and has no next query.
    Names may come only from the texts in the request.

    Attributes:
        name: Name of the model, and its prompts with versions and hashes.

    Args:
        operation: Language model operation, or a function that starts it, which is called at once.
        options: Options of the search.

    Source:
        GraphAnchor (2026), equations 2, 3, 7 and 8: one call gives graph, reasoning and next query.
    """

    def __init__(self, operation: Operation | Callable[[], Operation], options: AnchorOptions) -> None:
        self._operation = operation
        self._options = options
        with_index = anchoring.SUMMARY_PROMPTS if options.index == "text" else anchoring.GRAPH_PROMPTS
        prompts = with_index if options.graph else anchoring.PLAIN_PROMPTS
        self.name = f"llm {self._start().model} {', '.join(load(prompt).identity for prompt in prompts)}"

    def reason(self, situation: ReasonerInput) -> ReasonerOutput:
        """See :class:`Reasoner`.

        Raises:
            BudgetExhausted, DeadlineExceeded: the next call would exceed the limit.
            LlmUnavailable, LlmRefused: the endpoint failed in all attempts.
        """
        asked = self._make_request(situation)
        try:
            reply, notes = self._request_reply(asked)
        except UnusableReply as error:
            note = f"the model gave no reply that can be used, also when asked again: {error}"
            return ReasonerOutput(Update(), "", "insufficient", "", tuple(filter(None, (asked.graph.note, note))))
        known = anchoring.drop_unsupported(reply, asked.texts)
        notes = (asked.graph.note, *notes, *_reply_notes(known, situation, needs_graph=asked.needs_graph))
        judgement = known.judgement or "insufficient"
        return ReasonerOutput(
            _update(known) if asked.needs_graph else Update(),
            known.thought,
            judgement,
            known.next_query if judgement == "insufficient" else "",
            tuple(filter(None, notes)),
            summary=known.summary if asked.needs_summary else "",
        )

    def _start(self) -> Operation:
        return self._operation if isinstance(self._operation, Operation) else self._operation()

    def _make_request(self, situation: ReasonerInput) -> _StepRequest:
        """The request of a step."""
        question, passages = situation.question, [shown(hit.chunk) for hit in situation.hits]
        limits = self._options
        graph, summary, is_text = Linearised(), latest_summary(situation.steps), limits.index == "text"
        if limits.graph:
            graph = linearise(situation.graph, question, tokens=limits.graph_tokens, anchors=limits.graph_anchors)
        needs_graph = situation.may_update and limits.graph and not is_text
        needs_summary = situation.may_update and is_text
        is_first = not situation.steps and not len(situation.graph)
        queries = (*(step.query for step in situation.steps), situation.query)
        thought = situation.steps[-1].thought if situation.steps else ""
        known = PreviousSteps(summary if is_text else graph.text, thought, queries)
        if needs_summary:
            request = anchoring.summary_request(question, passages, known if situation.steps else None)
        elif not needs_graph:
            request = anchoring.judge_request(question, passages, known)
        elif is_first:
            request = anchoring.first_request(question, passages)
        else:
            request = anchoring.update_request(question, passages, known)
        names = (anchor.name for anchor in situation.graph.anchors)
        return _StepRequest(request, needs_graph, needs_summary, graph, (question, *passages, *names))

    def _request_reply(self, asked: _StepRequest) -> tuple[AnchorReply, tuple[str, ...]]:
        """The reply, completed by a second one if it lacks a required part, and notes on that.

        Raises:
            UnusableReply: neither reply has a text.
        """
        operation = self._start()
        first, text, is_cut = AnchorReply(), "", False
        try:
            completion = operation.complete(asked.request)
        except UnusableReply as error:
            text, lacking = error.raw, "a text"
        else:
            text, is_cut = completion.text, completion.finish == "length"
            first = anchoring.read_reply(text)
            lacking = anchoring.fault(first, needs_graph=asked.needs_graph, needs_summary=asked.needs_summary)
        if not lacking:
            return first, ()
        note = f"the first reply lacks {lacking}, and was asked for again"
        words = anchoring.repair_words(lacking, is_cut=is_cut)
        try:
            second = anchoring.read_reply(operation.complete_again(asked.request, text, words).text)
        except UnusableReply as error:
            if first == AnchorReply():
                raise
            return first, (f"{note}: without success, {error}; the readable parts are used",)
        both = anchoring.combine_replies(first, second)
        still = anchoring.fault(both, needs_graph=asked.needs_graph, needs_summary=asked.needs_summary)
        return both, (f"{note}; the second lacks {still}: the readable parts are used" if still else note,)


def _update(reply: AnchorReply) -> Update:
    return Update(reply.entities, tuple(Triple(*triple) for triple in reply.triples))


def _reply_notes(reply: AnchorReply, situation: ReasonerInput, *, needs_graph: bool) -> Iterator[str]:
    """Notes on the faults of a reply."""
    if needs_graph:
        if reply.is_empty and not situation.graph.anchors:
            yield _EMPTY
        if reply.junk:
            yield f"{reply.junk} lines of the reply's graph are neither an entity nor a relation"
        if reply.left_out:
            yield f"{reply.left_out} lines of the reply's graph were not read: they are too many"
        if reply.strange:
            yield f"{reply.strange} entities or relations of the reply have names that do not occur in the request"
    if not reply.judgement:
        yield _UNDECIDED
    if reply.judgement == "sufficient" and reply.next_query:
        yield _ASKS_ON
    if reply.judgement != "sufficient" and not reply.next_query:
        yield _ASKS_NOTHING
