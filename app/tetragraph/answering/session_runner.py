"""Runs the steps of a session: from a question and the steps so far to further steps and an answer."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from itertools import takewhile
from typing import Any, Final

from tetragraph.answering.compose import AskOptions, SearchIndex, extract_answer, generate_answer, is_generated
from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput
from tetragraph.llm import LazyOperation
from tetragraph.model import Filters, Findings
from tetragraph.model.anchors import AnchorGraph, AnchorStep, AnchorWalk, SessionRecord
from tetragraph.model.answers import Answer
from tetragraph.model.usage import UNLIMITED, Budget, check_budget
from tetragraph.retrieval.request import Request, make_options
from tetragraph.retrieval.search import make_evidence
from tetragraph.stores.corpus import CorpusStores
from tetragraph.stores.versions import load_versions
from tetragraph.systems import anchor_graph
from tetragraph.systems.anchor_graph import AnchorOptions, SessionStore, Walker
from tetragraph.systems.base import SearchRequest
from tetragraph.systems.copies import find_originals, merge_copies
from tetragraph.systems.registry import ANCHOR
from tetragraph.systems.rerank_options import describe_options
from tetragraph.systems.versions import hide_documents, mark_superseded, order_versions

METHOD: Final = ANCHOR.name
"""Name of the search method whose steps a session stores."""


@dataclass(frozen=True, slots=True)
class AnchorRequest:
    """Arguments of a search in several steps; see ``Corpus.anchor`` for their meaning.

    Raises:
        InvalidInput: ``budget`` is no budget.
    """

    corpus: str
    question: str
    k: int
    filters: Filters | None
    options: AnchorOptions
    answering: AskOptions
    budget: Budget = UNLIMITED

    def __post_init__(self) -> None:
        check_budget(self.budget)

    @property
    def stored_options(self) -> dict[str, Any]:
        """Options that are stored with the session, besides its question, ``k`` and filters."""
        return {**describe_options(self.options), **asdict(self.answering)}

    @classmethod
    def from_search(cls, request: Request, answering: AskOptions) -> AnchorRequest:
        """The request for an answer by method ``anchor``.

        Raises:
            InvalidInput: ``iterations`` is above 1, or an option is unknown or breaks its rule.
        """
        if answering.iterations > 1:
            raise InvalidInput(
                "iterations must be 1 with method 'anchor', whose steps ask follow-up questions, "
                f"got {answering.iterations}"
            )
        options = make_options(ANCHOR, request.options)
        return cls(request.corpus, request.question, request.k, request.filters, options, answering, request.budget)

    @classmethod
    def from_record(cls, corpus: str, record: SessionRecord, budget: Budget) -> AnchorRequest:
        """The request with which a session was started, for its newest question.

        Raises:
            InvalidInput: the session is an episode of a policy.
        """
        if record.is_episode:
            raise InvalidInput(
                f"session {record.id} is an episode of a policy, which ends with its answer and cannot be continued: "
                "ask its question again, replies that came cost nothing more"
            )
        names = {one.name for one in fields(AnchorOptions)}
        options = {name: value for name, value in record.options.items() if name in names}
        answering = {name: value for name, value in record.options.items() if name not in names}
        return cls(
            corpus,
            record.question,
            record.k,
            record.filters or None,
            AnchorOptions(**options),
            AskOptions(**answering),
            budget,
        )


@dataclass(frozen=True, slots=True)
class _SearchState:
    """State in which the search for a question starts.

    Attributes:
        steps: Stored steps of this question.
        graph: Graph that the steps of earlier questions built.
        before: Number of the last step of an earlier question; 0 for none.
        query: First query, which is the complete question; empty for the question itself.
    """

    steps: tuple[AnchorStep, ...] = ()
    graph: AnchorGraph = field(default_factory=AnchorGraph)
    before: int = 0
    query: str = ""

    @classmethod
    def of(
        cls, stores: CorpusStores, options: AnchorOptions, question: str, steps: Sequence[AnchorStep]
    ) -> _SearchState:
        """The state after the steps of a session; trailing steps for the same question become its ``steps``."""
        own = list(takewhile(lambda step: step.question == question, reversed(steps)))[::-1]
        earlier = steps[: len(steps) - len(own)]
        if not earlier:
            return cls(tuple(own))
        last = earlier[-1]
        query = ANCHOR.complete_question(stores, options, question, earlier)
        return cls(tuple(own), last.graph, last.number, query)


@dataclass(frozen=True, slots=True)
class SessionRunner:
    """A search in several steps; its creation raises every error that can be detected before a write.

    Attributes:
        connection: Connection to the stores.
        request: Arguments of the search.
        stores: Stores of the corpus.
        walker: Search loop of method ``anchor``.
        llm: Language model operation of all steps and of the answer.
    """

    connection: Connection
    request: AnchorRequest
    stores: CorpusStores
    walker: Walker
    llm: LazyOperation

    @classmethod
    def of(cls, connection: Connection, request: AnchorRequest) -> SessionRunner:
        """The runner of a request.

        Raises:
            LlmNotConfigured: a model is to reason or to answer, and none is configured.
            UnknownCorpus, UnknownMethod: there is no such corpus or retriever.
            NotBuilt: the corpus lacks the graph that the retriever needs.
            InvalidInput: the graph alone is to be answered from, without a language model.
        """
        stores = connection.stores(request.corpus)
        request = replace(request, options=ANCHOR.with_version(stores, request.options))
        is_written = is_generated(connection.settings, request.answering)
        if request.options.answer_from == "graph" and not is_written:
            raise InvalidInput(
                "answer_from graph needs a language model, as passages alone can be extracted from: set one, leave "
                "generate out, or answer from both or from passages"
            )
        llm = connection.operation(METHOD, request.corpus, request.budget)
        question = connection.question(stores, request.question, llm=llm, deadline=request.budget.ends())
        filters = hide_documents(stores, request.options, request.filters)
        search = SearchRequest(stores, question, request.k, request.options, filters)
        return cls(connection, request, stores, ANCHOR.make_walker(search), llm)

    def run(
        self, store: SessionStore, session: str, stored: Sequence[AnchorStep] = ()
    ) -> Generator[AnchorStep, None, Answer]:
        """Yield further steps of a session, each after it was written, and return the answer.

        Args:
            store: Sessions of the corpus.
            session: Id of a session that this process owns.
            stored: Steps that the session already has.
        """
        return self._run_from(
            _SearchState.of(self.stores, self.request.options, self.request.question, stored), store, session
        )

    def _run_from(self, state: _SearchState, store: SessionStore, session: str) -> Generator[AnchorStep, None, Answer]:
        steps = list(state.steps)
        walk_steps = self.walker.walk(
            self.request.question, query=state.query, graph=state.graph, steps=state.steps, before=state.before
        )
        while True:
            try:
                step = next(walk_steps)
            except StopIteration as end:
                walk = AnchorWalk(tuple(steps), end.value)
                break
            store.write_step(session, step)
            steps = [*(one for one in steps if one.number < step.number), step]
            yield step
        question = self.request.question
        answer = replace(self._answer(walk, state.query or question), question=question, session=session)
        store.end(session, walk.stopped, answer.text)
        return answer

    def _answer(self, walk: AnchorWalk, question: str) -> Answer:
        """The answer to the complete question, from all chunks and the final graph (equation 5)."""
        request, options = self.request, self.request.options
        for note in walk.notes:
            self.stores.note(note)
        versions = load_versions(self.stores)
        found = anchor_graph.rank(walk.steps, sum(len(step.hits) for step in walk.steps) or 1)
        ranked = merge_copies(found, find_originals(self.stores, found), versions)
        hits = mark_superseded(ranked, versions)
        if options.superseded == "below":
            hits = order_versions(hits, is_complete=True)
        chain, trace = anchor_graph.chain_of(walk.steps), {METHOD: walk.trace()}
        findings = Findings(hits, chain, trace=trace, engine=self.walker.engine)
        search = Request(request.corpus, question, request.k, METHOD, request.filters, {}, request.budget)
        evidence = make_evidence(self.connection, self.stores, search, options, findings, self.llm)
        read_at_most = 2 * request.k
        if not is_generated(self.connection.settings, request.answering):
            return extract_answer(evidence, request.answering, read_at_most)
        return generate_answer(evidence, self._index(walk), request.answering, self.llm, read_at_most)

    def _index(self, walk: AnchorWalk) -> SearchIndex:
        """The notes of the search that the language model answers from."""
        options = self.request.options
        if not options.graph or options.answer_from == "passages":
            return SearchIndex()
        is_alone = options.answer_from == "graph"
        if options.index == "text":
            return SearchIndex(summary=anchor_graph.latest_summary(walk.steps), is_alone=is_alone)
        limits = {"tokens": options.graph_tokens, "anchors": options.graph_anchors}
        graph = anchor_graph.linearise(walk.steps[-1].graph, self.request.question, **limits)
        return SearchIndex(graph.text, is_alone=is_alone)
