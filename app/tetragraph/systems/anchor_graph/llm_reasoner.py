"""A language model as the one who updates the anchor graph, judges whether it suffices, and asks on."""

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
from tetragraph.systems.anchor_graph.reasoner import ReasonerInput, ReasonerOutput, Triple, Update

_ASKS_ON: Final = "the model judges the evidence sufficient and yet asks on: the judgement counts"
_ASKS_NOTHING: Final = "the model judges the evidence insufficient and asks for nothing: there is no next query"
_UNDECIDED: Final = "the reply does not tell whether the evidence suffices: it counts as insufficient"
_EMPTY: Final = "the first graph is empty: the reply names nothing that the passages do"


@dataclass(frozen=True, slots=True)
class _Asked:
    """A request of a step, and what it shows.

    Attributes:
        graph: As it is shown.
        texts: All texts that names may come from.
    """

    request: Request
    needs_graph: bool
    graph: Linearised
    texts: tuple[str, ...]


class LlmReasoner:
    """Asks a model once a step, and once more where its reply lacks what the step needs (see :class:`Reasoner`).

    However wrong the replies are, a step ends in a defined state, and its notes say how. What only one of two replies
    has is kept. A reply that nothing can be read from, or a refusal, adds nothing, counts as insufficient and asks
    for nothing. What the model was shown is all that names may come from.

    Attributes:
        name: Model, and its prompts with versions and hashes.

    Args:
        operation: Asks the model, or gives the operation that does, when something is asked.
        options: Of the search.
        model: Its name, where the operation is not begun yet.

    Source:
        GraphAnchor (2026), equations 2, 3, 7 and 8: one call gives graph, reasoning and next query.
    """

    def __init__(self, operation: Operation | Callable[[], Operation], options: AnchorOptions, model: str = "") -> None:
        self._operation = operation
        self._options = options
        prompts = anchoring.GRAPH_PROMPTS if options.graph else anchoring.PLAIN_PROMPTS
        named = model or self._begun().model
        self.name = f"llm {named} {', '.join(load(prompt).identity for prompt in prompts)}"

    def reason(self, situation: ReasonerInput) -> ReasonerOutput:
        """See :class:`Reasoner`.

        Raises:
            BudgetExhausted, DeadlineExceeded: before the call that would not fit.
            LlmUnavailable, LlmRefused: the endpoint, after all tries.
        """
        asked = self._asked(situation)
        try:
            reply, notes = self._reply(asked)
        except UnusableReply as error:
            note = f"the model gave no reply that can be used, also when asked again: {error}"
            return ReasonerOutput(Update(), "", "insufficient", "", tuple(filter(None, (asked.graph.note, note))))
        known = anchoring.drop_unsupported(reply, asked.texts)
        told = (asked.graph.note, *notes, *_told(known, situation, needs_graph=asked.needs_graph))
        judgement = known.judgement or "insufficient"
        return ReasonerOutput(
            _update(known) if asked.needs_graph else Update(),
            known.thought,
            judgement,
            known.next_query if judgement == "insufficient" else "",
            tuple(filter(None, told)),
        )

    def _begun(self) -> Operation:
        return self._operation if isinstance(self._operation, Operation) else self._operation()

    def _asked(self, situation: ReasonerInput) -> _Asked:
        """What is sent for a step."""
        question, passages = situation.question, [shown(hit.chunk) for hit in situation.hits]
        limits = self._options
        graph = Linearised()
        if limits.graph:
            graph = linearise(situation.graph, question, tokens=limits.graph_tokens, anchors=limits.graph_anchors)
        needs_graph = situation.may_update and limits.graph
        is_first = not situation.steps and not len(situation.graph)
        queries = (*(step.query for step in situation.steps), situation.query)
        thought = situation.steps[-1].thought if situation.steps else ""
        known = PreviousSteps(graph.text, thought, queries)
        if not needs_graph:
            request = anchoring.judge_request(question, passages, known)
        elif is_first:
            request = anchoring.first_request(question, passages)
        else:
            request = anchoring.update_request(question, passages, known)
        names = (anchor.name for anchor in situation.graph.anchors)
        return _Asked(request, needs_graph, graph, (question, *passages, *names))

    def _reply(self, asked: _Asked) -> tuple[AnchorReply, tuple[str, ...]]:
        """The reply, mended where it has to be, and what there is to say of that.

        Raises:
            UnusableReply: neither the first nor the second one has a text.
        """
        operation = self._begun()
        first, said, is_cut = AnchorReply(), "", False
        try:
            completion = operation.complete(asked.request)
        except UnusableReply as error:
            said, lacking = error.raw, "a text"
        else:
            said, is_cut = completion.text, completion.finish == "length"
            first = anchoring.read_reply(said)
            lacking = anchoring.fault(first, needs_graph=asked.needs_graph)
        if not lacking:
            return first, ()
        note = f"the first reply lacks {lacking}, and was asked for again"
        words = anchoring.repair_words(lacking, is_cut=is_cut)
        try:
            second = anchoring.read_reply(operation.complete_again(asked.request, said, words).text)
        except UnusableReply as error:
            if first == AnchorReply():
                raise
            return first, (f"{note}: in vain, {error}; what could be read is kept",)
        both = anchoring.together(first, second)
        still = anchoring.fault(both, needs_graph=asked.needs_graph)
        return both, (f"{note}; the second lacks {still}: what could be read is kept" if still else note,)


def _update(reply: AnchorReply) -> Update:
    return Update(reply.entities, tuple(Triple(*triple) for triple in reply.triples))


def _told(reply: AnchorReply, situation: ReasonerInput, *, needs_graph: bool) -> Iterator[str]:
    """What is to be said of a reply."""
    if needs_graph:
        if reply.is_empty and not situation.graph.anchors:
            yield _EMPTY
        if reply.junk:
            yield f"{reply.junk} lines of the reply's graph are neither an entity nor a relation"
        if reply.left_out:
            yield f"{reply.left_out} lines of the reply's graph were not read: they are too many"
        if reply.strange:
            yield f"{reply.strange} entities or relations of the reply have names that it was shown nowhere"
    if not reply.judgement:
        yield _UNDECIDED
    if reply.judgement == "sufficient" and reply.next_query:
        yield _ASKS_ON
    if reply.judgement != "sufficient" and not reply.next_query:
        yield _ASKS_NOTHING
