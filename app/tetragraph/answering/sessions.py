"""Searches in several steps that are kept: a session is made step by step, and can be resumed, forked and asked on."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from typing import Any, Final

from tetragraph.answering.compose import (
    AnswerIterator,
    AskOptions,
    extract_answer,
    generate_answer,
    is_generated,
)
from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput, TetragraphError
from tetragraph.export import session_files, session_page
from tetragraph.llm import LazyOperation
from tetragraph.model import Filters, Findings
from tetragraph.model.anchors import (
    AnchorGraph,
    AnchorStep,
    AnchorWalk,
    SessionRecord,
    Stopped,
)
from tetragraph.model.answers import Answer
from tetragraph.model.usage import UNLIMITED, Budget
from tetragraph.retrieval.request import Request, check_question
from tetragraph.retrieval.search import evidence_of
from tetragraph.settings import Settings
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems import anchor_graph
from tetragraph.systems.anchor_graph import AnchorOptions, SessionStore, Walker
from tetragraph.systems.base import SearchRequest
from tetragraph.systems.registry import ANCHOR

METHOD: Final = ANCHOR.name
FORMATS: Final = ("json", "graphml", "html")


@dataclass(frozen=True, slots=True)
class AnchorRequest:
    """What a session is made of; see ``Corpus.anchor`` for the parts."""

    corpus: str
    question: str
    k: int
    filters: Filters | None
    options: AnchorOptions
    answering: AskOptions
    budget: Budget = UNLIMITED

    @property
    def kept(self) -> dict[str, Any]:
        """What is kept of it with the session, beside question, ``k`` and filters."""
        return {**asdict(self.options), **asdict(self.answering)}

    @classmethod
    def of(cls, corpus: str, record: SessionRecord, budget: Budget) -> AnchorRequest:
        """The request that a session was made with, of its newest question."""
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
    """What a search begins with.

    Attributes:
        steps: Of the question, made already.
        graph: What earlier questions taught.
        before: Number of the last step of an earlier question; 0 for none.
        query: The first query; empty for the question.
    """

    steps: tuple[AnchorStep, ...] = ()
    graph: AnchorGraph = field(default_factory=AnchorGraph)
    before: int = 0
    query: str = ""

    @classmethod
    def of(cls, stores: CorpusStores, question: str, steps: Sequence[AnchorStep]) -> _SearchState:
        """What the steps of a session are to a question: the last ones are its own, if they ask it."""
        mine = list(takewhile(lambda step: step.question == question, reversed(steps)))[::-1]
        earlier = steps[: len(steps) - len(mine)]
        if not earlier:
            return cls(tuple(mine))
        last = earlier[-1]
        return cls(tuple(mine), last.graph, last.number, ANCHOR.follow_up_query(stores, question, last))


class AnchorRun(AnswerIterator[AnchorStep]):
    """The steps of a session as they are made; each is written before it is given. Then ``.answer``."""

    def __init__(self, connection: Connection, corpus: str, session: str, steps: Generator[AnchorStep, None, Answer]):
        super().__init__(
            steps, f"a search that ended with an error has no answer: resume session {session}, or ask again"
        )
        self.session = Session(connection, corpus, session)

    def __next__(self) -> AnchorStep:
        try:
            return super().__next__()
        except TetragraphError as error:
            error.add_note(f"session {self.session.id} keeps the steps that were made: resume it")
            raise

    @property
    def stopped(self) -> Stopped:
        """Why the search ended; the same holds for steps that have not been read."""
        stopped: Stopped = self.answer.evidence.trace[METHOD]["stopped"]
        return stopped


class Session:
    """A session of a corpus: a search in several steps, as Neo4j keeps it. Made by ``Corpus.session``.

    Attributes:
        id: Its whole id.

    Raises (all methods):
        UnknownSession: it was deleted.
        UnknownCorpus, StoreUnavailable: see ``Corpus.search``.
    """

    def __init__(self, connection: Connection, corpus: str, session: str) -> None:
        self._connection = connection
        self._corpus = corpus
        self._store = SessionStore(connection.graph, corpus)
        self.id = session

    @property
    def record(self) -> SessionRecord:
        """Question, state and settings, as they are now."""
        return self._store.get(self.id)

    @property
    def steps(self) -> tuple[AnchorStep, ...]:
        """The steps so far, each with the graph as it was then; hits without parts and paths."""
        return self._store.load(self.id)[1]

    @property
    def graph(self) -> AnchorGraph:
        """The graph as it is now."""
        steps = self.steps
        return steps[-1].graph if steps else AnchorGraph()

    def resume(self, *, budget: Budget = UNLIMITED) -> AnchorRun:
        """Go on where the session stopped, be it by an end, an error or a kill, and answer; takes it over.

        A session whose evidence sufficed, or that came to its end otherwise, is only answered again; one that ended
        for want of budget or time searches on.

        Args:
            budget: As for ``Corpus.anchor``.

        Raises:
            LlmNotConfigured: the session asks a model, and none is set.
            SessionTaken: somebody else took it over meanwhile; of this run nothing more was written.
        """
        request = AnchorRequest.of(self._corpus, self.record, budget)
        maker = _SessionRunner.of(self._connection, request)
        self._store.take(self.id)
        return maker.run(self._store, self.id, self.steps)

    def ask(self, question: str, *, budget: Budget = UNLIMITED) -> AnchorRun:
        """Ask a follow-up question, which starts from the session's graph.

        One that names nothing that the corpus knows ("When was he born?") is searched for with the answer before it,
        or with the question before it where there is no answer.

        Args:
            question: In words.
            budget: As for ``Corpus.anchor``.

        Raises:
            SessionTaken: the session runs: resume it first, or wait.
            InvalidInput, LlmNotConfigured: see ``Corpus.anchor``.
        """
        request = AnchorRequest.of(self._corpus, self.record, budget)
        text = check_question(question, request.k)
        maker = _SessionRunner.of(self._connection, replace(request, question=text))
        self._store.begin(self.id, text)
        return maker.run(self._store, self.id, self.steps)

    def fork(
        self,
        at: int,
        *,
        query: str = "",
        retriever: str = "",
        ttl: timedelta | None = None,
        budget: Budget = UNLIMITED,
    ) -> AnchorRun:
        """Begin another session with copies of the first steps of this one, and go on from there another way.

        Args:
            at: Number of the last step that is copied.
            query: What to search for next, in place of what that step asks.
            retriever: Another search method for the steps to come.
            ttl: As for ``Corpus.anchor``.
            budget: Likewise.

        Raises:
            InvalidInput: the session has no such step, or neither query nor retriever is given.
            UnknownMethod, NotBuilt: of the retriever.
        """
        if not query.strip() and not retriever:
            raise InvalidInput("a fork must go another way: give it a query, a retriever, or both")
        record, steps = self._store.load(self.id)
        asks = check_question(query, record.k) if query.strip() else ""
        request = AnchorRequest.of(self._corpus, record, budget)
        question = next((step.question for step in steps if step.number == at), record.question)
        options = replace(request.options, retriever=retriever or record.retriever)
        maker = _SessionRunner.of(self._connection, replace(request, question=question, options=options))
        made = self._store.fork(
            self.id,
            at,
            ttl=_time_to_live(self._connection.settings, ttl),
            now=datetime.now(UTC),
            query=asks,
            retriever=retriever,
            options=maker.request.kept,
        )
        return maker.run(self._store, made.id, self._store.load(made.id)[1])

    def export(self, form: str = "json") -> str:
        """The whole session in a file's text.

        Args:
            form: ``json`` for everything, ``graphml`` for the graph, ``html`` for a page with a picture of how the
                graph grew, which needs nothing beside itself.

        Raises:
            InvalidInput: there is no such form.
            MissingDependency: pages need the extra ``eval``.
        """
        if form not in FORMATS:
            raise InvalidInput(f"a session is exported as {', '.join(FORMATS)}, got {form!r}")
        record, steps = self._store.load(self.id)
        if form == "html":
            return session_page.render(record, steps)
        return session_files.to_json(record, steps) if form == "json" else session_files.to_graphml(record, steps)

    def delete(self) -> None:
        """Delete it with its steps and anchors; forks of it stay."""
        self._store.delete(self.id)


class Sessions:
    """The sessions of a corpus; made by ``Corpus.sessions``.

    Raises (all methods):
        UnknownCorpus: there is no such corpus.
        StoreUnavailable: Neo4j does not answer.
    """

    def __init__(self, connection: Connection, corpus: str) -> None:
        self._connection = connection
        self._corpus = corpus

    def get(self, session: str) -> Session:
        """One of them.

        Args:
            session: Its id, or how that begins.

        Raises:
            UnknownSession: no session has that id, or several begin like that.
        """
        return Session(self._connection, self._corpus, self._store().resolve(session))

    def newest(self, limit: int = 20) -> list[SessionRecord]:
        """Those that were begun last, the newest first.

        Raises:
            InvalidInput: ``limit`` is below 1.
        """
        return list(self._store().find(limit))

    def prune(self) -> int:
        """Delete those whose time is over, and tell how many."""
        return self._store().prune(datetime.now(UTC))

    def _store(self) -> SessionStore:
        self._connection.stores(self._corpus)
        return SessionStore(self._connection.graph, self._corpus)


def begin(connection: Connection, request: AnchorRequest, ttl: timedelta | None = None) -> AnchorRun:
    """A new session; see ``Corpus.anchor``."""
    text = check_question(request.question, request.k)
    maker = _SessionRunner.of(connection, replace(request, question=text))
    store = SessionStore(connection.graph, request.corpus)
    record = store.create(
        text,
        retriever=request.options.retriever,
        reasoner=maker.walker.reasoner.name,
        options=request.kept,
        k=request.k,
        filters=request.filters or {},
        ttl=_time_to_live(connection.settings, ttl),
        now=datetime.now(UTC),
    )
    return maker.run(store, record.id)


@dataclass(frozen=True, slots=True)
class _SessionRunner:
    """Makes the steps for a question, and its answer; what can fail before anything is written has been tried."""

    connection: Connection
    request: AnchorRequest
    stores: CorpusStores
    walker: Walker
    llm: LazyOperation

    @classmethod
    def of(cls, connection: Connection, request: AnchorRequest) -> _SessionRunner:
        """The maker of a request.

        Raises:
            LlmNotConfigured: a model is to reason or to answer, and none is set.
            UnknownCorpus, UnknownMethod, NotBuilt: there is none, or the corpus lacks what the retriever needs.
        """
        stores = connection.stores(request.corpus)
        is_generated(connection.settings, request.answering)
        llm = LazyOperation(lambda: connection.llm.operation(METHOD, corpus=request.corpus, budget=request.budget))
        question = connection.question(stores, request.question, llm=llm, deadline=request.budget.ends())
        search = SearchRequest(stores, question, request.k, request.options, request.filters)
        walker = ANCHOR.make_walker(search)
        return cls(connection, request, stores, walker, llm)

    def run(self, store: SessionStore, session: str, steps: Sequence[AnchorStep] = ()) -> AnchorRun:
        """The run that goes on behind the steps of a session that this process owns."""
        making = self._make(store, session, _SearchState.of(self.stores, self.request.question, steps))
        return AnchorRun(self.connection, self.request.corpus, session, making)

    def _make(self, store: SessionStore, session: str, known: _SearchState) -> Generator[AnchorStep, None, Answer]:
        steps = list(known.steps)
        making = self.walker.walk(
            self.request.question, query=known.query, graph=known.graph, steps=known.steps, before=known.before
        )
        while True:
            try:
                step = next(making)
            except StopIteration as end:
                walk = AnchorWalk(tuple(steps), end.value)
                break
            store.write_step(session, step)
            steps = [*(one for one in steps if one.number < step.number), step]
            yield step
        answer = replace(self._answer(walk), session=session)
        store.end(session, walk.stopped, answer.text)
        return answer

    def _answer(self, walk: AnchorWalk) -> Answer:
        """The answer from all passages and the final graph (equation 5)."""
        request, options = self.request, self.request.options
        hits = anchor_graph.rank(walk.steps, sum(len(step.hits) for step in walk.steps) or 1)
        found = Findings(hits, anchor_graph.chain_of(walk.steps), trace={METHOD: walk.trace()})
        asked = Request(request.corpus, request.question, request.k, METHOD, request.filters, {}, request.budget)
        evidence = evidence_of(self.connection, self.stores, asked, options, found, self.llm)
        most = 2 * request.k
        if not is_generated(self.connection.settings, request.answering):
            return extract_answer(evidence, request.answering, most)
        limits = {"tokens": options.graph_tokens, "anchors": options.graph_anchors}
        graph = anchor_graph.linearise(walk.steps[-1].graph, request.question, **limits) if options.graph else None
        return generate_answer(evidence, graph.text if graph else "", request.answering, self.llm, most)


def _time_to_live(settings: Settings, ttl: timedelta | None) -> timedelta | None:
    """How long a session is kept at the least; None for ever.

    Raises:
        InvalidInput: the time is not above 0.
    """
    if ttl is None:
        return timedelta(days=settings.session_days) if settings.session_days else None
    if ttl <= timedelta(0):
        raise InvalidInput(f"ttl must be a time above 0, got {ttl}")
    return ttl
