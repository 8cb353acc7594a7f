"""The loop: search, update the graph, judge, ask on.

Source:
    GraphAnchor (2026), section 3.1, equations 1 to 4.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Sequence
from dataclasses import dataclass, replace

from tetragraph.errors import BudgetExhausted, DeadlineExceeded
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import Hit
from tetragraph.model.anchors import (
    AnchorGraph,
    AnchorStep,
    AnchorWalk,
    Stopped,
)
from tetragraph.model.usage import NOTHING, Usage
from tetragraph.systems.anchor_graph.graph import extend
from tetragraph.systems.anchor_graph.options import AnchorOptions
from tetragraph.systems.anchor_graph.reasoner import Reasoner, ReasonerInput, ReasonerOutput

Retrieve = Callable[[str], Sequence[Hit]]
"""``Retriever`` of equation 1: a query to ranked passages."""
Steps = Generator[AnchorStep, None, Stopped]
"""The steps as they are made; returns why there are no more."""
_NOTHING_FOUND = "the query found no passage: the graph is as it was"
_IN_VAIN = 2
"""So many steps in a row without a passage that was not read before end a walk."""


def _no_usage() -> Usage:
    return NOTHING


@dataclass(frozen=True, slots=True)
class Walker:
    """What a search in several steps works with.

    Attributes:
        retrieve: Searches the corpus.
        reasoner: Reads what was found.
        options: Of the search.
        find_entity: Id of the corpus' entity of a key; empty where there is none.
        usage: What a language model has cost so far.
        deadline: When to end, in seconds of :func:`time.monotonic`; None for never.
    """

    retrieve: Retrieve
    reasoner: Reasoner
    options: AnchorOptions
    find_entity: Callable[[str], str]
    usage: Callable[[], Usage] = _no_usage
    deadline: float | None = None

    def walk(
        self,
        question: str,
        *,
        query: str = "",
        graph: AnchorGraph | None = None,
        steps: Sequence[AnchorStep] = (),
        before: int = 0,
    ) -> Steps:
        """Make the steps for a question, one after the other.

        A step that nobody came to judge is made again; else the walk goes on behind the last one, so that one that
        was broken off ends as if it had not been.

        Args:
            question: ``q_0``.
            query: The first query; the question when left out.
            graph: What is known before the first step.
            steps: Those that were made already, of this question.
            before: Number of the last step of an earlier question; 0 for none.

        Raises:
            BudgetExhausted, DeadlineExceeded: the first search does not fit. Later they end the walk.
            LlmError: a model is asked, and fails otherwise; the steps that were given hold.
        """
        made = [step for step in steps if step.judgement is not None]
        known = made[-1].graph if made else graph or AnchorGraph()
        while True:
            stopped = self._stopped(made)
            if stopped:
                return stopped
            asked = made[-1].next_query if made else query or question
            number, spent = before + len(made) + 1, self.usage()
            try:
                found = self.retrieve(asked)
            except (BudgetExhausted, DeadlineExceeded) as error:
                if not made:
                    raise
                return _reason(error)
            step = AnchorStep(number, question, asked, self.options.retriever, tuple(found), known)
            try:
                step = self._judged(step, made)
            except (BudgetExhausted, DeadlineExceeded) as error:
                yield replace(step, notes=(f"nobody judged the step: {error}",), usage=self.usage() - spent)
                return _reason(error)
            step = replace(step, usage=self.usage() - spent)
            known = step.graph
            made.append(step)
            yield step

    def walked(self, question: str) -> AnchorWalk:
        """All steps for a question at once; see :meth:`walk`."""
        steps: list[AnchorStep] = []
        making = self.walk(question)
        while True:
            try:
                steps.append(next(making))
            except StopIteration as end:
                return AnchorWalk(tuple(steps), end.value)

    def _judged(self, step: AnchorStep, made: Sequence[AnchorStep]) -> AnchorStep:
        """A step with what its reasoner makes of it."""
        read = step.hits[: self.options.documents]
        if not read:
            return replace(step, judgement="insufficient", notes=(_NOTHING_FOUND,))
        may_update = self.options.graph and len(made) <= self.options.updates
        behind = step.hits[self.options.documents :]
        situation = ReasonerInput(step.question, step.query, read, step.graph, tuple(made), may_update, behind)
        reasoned = self.reasoner.reason(situation)
        graph, notes = step.graph, reasoned.notes
        if may_update:
            passages = [hit.chunk for hit in read]
            graph, left_out = extend(graph, reasoned.update, step.number, passages, self.find_entity)
            if left_out:
                notes = (*notes, f"{left_out} anchors, attributes or relations were left out: too many for one step")
        return replace(
            step,
            graph=graph,
            thought=reasoned.thought,
            judgement=reasoned.judgement,
            next_query=_next(reasoned),
            notes=notes,
            chain=reasoned.chain,
        )

    def _in_vain(self, made: Sequence[AnchorStep]) -> int:
        """How many of the last steps read no passage that no step before had read."""
        known: set[str] = set()
        count = 0
        for step in made:
            read = {hit.chunk.id for hit in step.hits[: self.options.documents]}
            count = 0 if read - known else count + 1
            known |= read
        return count

    def _stopped(self, made: Sequence[AnchorStep]) -> Stopped | None:
        """Why no further step is made; None where one is."""
        if not made:
            return None
        last = made[-1]
        if last.judgement == "sufficient":
            return "sufficient"
        if len(made) >= self.options.steps:
            return "steps"
        if not last.next_query or self._in_vain(made) >= _IN_VAIN:
            return "no new evidence"
        if normalise_name(last.next_query) in {normalise_name(step.query) for step in made}:
            return "repeated query"
        if self.deadline is not None and time.monotonic() > self.deadline:
            return "deadline"
        return None


def _next(reasoned: ReasonerOutput) -> str:
    """The next query; a judgement that the evidence suffices is believed, whatever is asked beside it."""
    return reasoned.next_query if reasoned.judgement == "insufficient" else ""


def _reason(error: BudgetExhausted | DeadlineExceeded) -> Stopped:
    return "budget" if isinstance(error, BudgetExhausted) else "deadline"
