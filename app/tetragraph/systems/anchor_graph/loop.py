"""The loop of a search in several steps: search, update the graph, judge, continue with the next query.

Source:
    GraphAnchor (2026), section 3.1, equations 1 to 4.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from tetragraph.errors import BudgetExhausted, DeadlineExceeded
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.questions.plain import plain_question
from tetragraph.model import Hit
from tetragraph.model.anchors import (
    AnchorGraph,
    AnchorStep,
    AnchorWalk,
    Stopped,
)
from tetragraph.model.usage import NOTHING, Usage
from tetragraph.systems.anchor_graph.choices import Choice
from tetragraph.systems.anchor_graph.graph import FindEntities, extend
from tetragraph.systems.anchor_graph.options import AnchorOptions
from tetragraph.systems.anchor_graph.reasoner import Reasoner, ReasonerInput, ReasonerOutput

Retrieve = Callable[[str], Sequence[Hit]]
"""Returns the ranked chunks of a query, ``Retriever`` of equation 1."""
Choose = Callable[[Sequence[AnchorStep], Sequence[str]], Choice]
"""Returns the choice after some steps, given the open queries after the last one."""
Steps = Generator[AnchorStep, None, Stopped]
"""Yields steps; returns the reason of the end."""
_NOTHING_FOUND = "the query found no passage: the graph is unchanged"
_MAX_UNPRODUCTIVE = 2
"""Number of consecutive steps without an unread chunk that ends a walk."""


def _no_usage() -> Usage:
    return NOTHING


@dataclass(frozen=True, slots=True)
class Walker:
    """Runs the steps of a search.

    Questions and queries are searched for and read by :func:`tetragraph.language.questions.plain.plain_question`; the
    steps have them as they were written.

    Attributes:
        retrieve: Searches the corpus.
        reasoner: Reads the hits of a step.
        options: Options of the search.
        find_entities: Returns the ids of the entities of some keys, by key.
        usage: Returns the usage of the language model so far.
        deadline: Time of the end, in seconds of :func:`time.monotonic`; None for no limit.
        choose: A policy, which chooses queries, variants and the end in the place of the reasoner; None for none.
        variants: Searches of the corpus by the variant that a policy chooses.
        engine: Engine that reads names and facts.
    """

    retrieve: Retrieve
    reasoner: Reasoner
    options: AnchorOptions
    find_entities: FindEntities
    usage: Callable[[], Usage] = _no_usage
    deadline: float | None = None
    choose: Choose | None = None
    variants: Mapping[str, Retrieve] = field(default_factory=dict)
    engine: str = ""

    def walk(
        self,
        question: str,
        *,
        query: str = "",
        graph: AnchorGraph | None = None,
        steps: Sequence[AnchorStep] = (),
        before: int = 0,
    ) -> Steps:
        """Run the steps of a question, one after the other.

        A step without judgement is repeated; otherwise the walk continues after the last step, so that an interrupted
        walk ends like one that was not interrupted.

        Args:
            question: The question, ``q_0``.
            query: The first query; the question when left out.
            graph: The graph before the first step; empty when left out.
            steps: Finished steps of this question.
            before: Number of the last step of an earlier question; 0 for none.

        Raises:
            BudgetExhausted, DeadlineExceeded: the first search exceeds the limit. Later such errors end the walk.
            LlmError: a model is asked, and fails for another reason; the steps before remain valid.
        """
        finished = [step for step in steps if step.judgement is not None]
        known = finished[-1].graph if finished else graph or AnchorGraph()
        while True:
            stopped = self.find_end(finished)
            if stopped:
                return stopped
            asked, variant = self._next_search(query or question, finished)
            number, spent = before + len(finished) + 1, self.usage()
            try:
                found = (self.variants[variant] if variant else self.retrieve)(plain_question(asked))
            except (BudgetExhausted, DeadlineExceeded) as error:
                if not finished:
                    raise
                return _reason_of(error)
            step = AnchorStep(number, question, asked, variant or self.options.retriever, tuple(found), known)
            try:
                step = self._judge(step, finished)
            except (BudgetExhausted, DeadlineExceeded) as error:
                yield replace(step, notes=(f"the step was not judged: {error}",), usage=self.usage() - spent)
                return _reason_of(error)
            step = replace(step, usage=self.usage() - spent)
            known = step.graph
            finished.append(step)
            yield step

    def collect_steps(self, question: str) -> AnchorWalk:
        """All steps of a question; see :meth:`walk`."""
        steps: list[AnchorStep] = []
        making = self.walk(question)
        while True:
            try:
                steps.append(next(making))
            except StopIteration as end:
                return AnchorWalk(tuple(steps), end.value)

    def _next_search(self, first: str, finished: Sequence[AnchorStep]) -> tuple[str, str]:
        """Query and variant of the next step; an empty variant is the retriever of the options."""
        return (finished[-1].next_query, finished[-1].next_retriever) if finished else (first, "")

    def _judge(self, step: AnchorStep, finished: Sequence[AnchorStep]) -> AnchorStep:
        """The step with graph, judgement and next query of the reasoner."""
        read = step.hits[: self.options.documents]
        if not read:
            return replace(step, judgement="insufficient", notes=(_NOTHING_FOUND,))
        may_update = self.options.graph and len(finished) <= self.options.updates
        behind = step.hits[self.options.documents :]
        question, query = plain_question(step.question), plain_question(step.query)
        situation = ReasonerInput(question, query, read, step.graph, tuple(finished), step.number, may_update, behind)
        reasoned = self.reasoner.reason(situation)
        graph, notes = step.graph, reasoned.notes
        if may_update:
            passages = [hit.chunk for hit in read]
            graph, left_out = extend(graph, reasoned.update, step.number, passages, self.find_entities)
            if left_out:
                notes = (*notes, f"{left_out} anchors, attributes or relations were left out: too many for one step")
        judged = replace(
            step,
            graph=graph,
            thought=reasoned.thought,
            judgement=reasoned.judgement,
            next_query=_next_query(reasoned),
            notes=notes,
            chain=reasoned.chain,
            summary=reasoned.summary,
        )
        if not self.choose:
            return judged
        chosen = self.choose((*finished, judged), reasoned.open_queries)
        return replace(judged, next_query=chosen.query, next_retriever=chosen.variant)

    def _count_unproductive(self, finished: Sequence[AnchorStep]) -> int:
        """Number of last steps that read no chunk that earlier steps had not read."""
        known: set[str] = set()
        count = 0
        for step in finished:
            read = {hit.chunk.id for hit in step.hits[: self.options.documents]}
            count = 0 if read - known else count + 1
            known |= read
        return count

    def _repeats(self, last: AnchorStep, step: AnchorStep) -> bool:
        """Whether the next query after a step is that of an earlier one; with a policy, by the same variant."""
        same_variant = not self.choose or last.next_retriever == step.retriever
        return same_variant and normalise_name(last.next_query) == normalise_name(step.query)

    def find_end(self, finished: Sequence[AnchorStep]) -> Stopped | None:
        """Reason why a walk ends after some finished steps; None if a further step follows."""
        if not finished:
            return None
        last = finished[-1]
        if not self.choose and last.judgement == "sufficient":
            return "sufficient"
        if len(finished) >= self.options.steps:
            return "steps"
        if not last.next_query:
            return "policy" if self.choose and last.hits else "no new evidence"
        if not self.choose and self._count_unproductive(finished) >= _MAX_UNPRODUCTIVE:
            return "no new evidence"
        if any(self._repeats(last, step) for step in finished):
            return "repeated query"
        if self.deadline is not None and time.monotonic() > self.deadline:
            return "deadline"
        return None


def _next_query(reasoned: ReasonerOutput) -> str:
    """The next query; none if the evidence is judged sufficient, even if the reasoner has one."""
    return reasoned.next_query if reasoned.judgement == "insufficient" else ""


def _reason_of(error: BudgetExhausted | DeadlineExceeded) -> Stopped:
    return "budget" if isinstance(error, BudgetExhausted) else "deadline"
