"""Sessions of a corpus: searches in several steps that are stored in Neo4j, resumed, forked and continued."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

from tetragraph.answering.session_runner import METHOD, AnchorRequest, SessionRunner
from tetragraph.answering.stream import AnswerIterator
from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput, TetragraphError
from tetragraph.export import session_files, session_page
from tetragraph.model.anchors import (
    AnchorGraph,
    AnchorStep,
    SessionRecord,
    Stopped,
)
from tetragraph.model.answers import Answer
from tetragraph.model.display import html_table
from tetragraph.model.pictures import draw_anchors
from tetragraph.model.usage import UNLIMITED, Budget
from tetragraph.retrieval.request import check_question
from tetragraph.settings import MOST_DAYS, Settings
from tetragraph.systems.anchor_graph import SessionStore

FORMATS: Final = ("json", "graphml", "html")
"""Formats of :meth:`Session.export`."""


class AnchorRun(AnswerIterator[AnchorStep]):
    """A running search in several steps: iterate over its steps, then read ``.answer``.

    Each step is written to the session before the iterator returns it.

    Attributes:
        session: Session that stores the steps; it can be read while the search runs.
    """

    def __init__(self, session: Session, steps: Generator[AnchorStep, None, Answer]) -> None:
        super().__init__(
            steps, f"a search that ended with an error has no answer: resume session {session.id}, or ask again"
        )
        self.session = session

    def __repr__(self) -> str:
        return f"AnchorRun({self.session!r})"

    def __next__(self) -> AnchorStep:
        try:
            return super().__next__()
        except TetragraphError as error:
            error.add_note(f"session {self.session.id} has stored the completed steps: resume it")
            raise

    @property
    def stopped(self) -> Stopped:
        """Reason why the search ended; steps not read yet are computed and skipped, as for ``answer``."""
        stopped: Stopped = self.answer.evidence.trace[METHOD]["stopped"]
        return stopped


class Session:
    """A search in several steps, stored in Neo4j; obtained from ``Corpus.session``.

    Attributes:
        id: Complete id of the session.

    Raises (all methods):
        UnknownSession: the session was deleted.
        UnknownCorpus, StoreUnavailable: see ``Corpus.search``.
    """

    def __init__(self, connection: Connection, corpus: str, session: str) -> None:
        self._connection = connection
        self._corpus = corpus
        self._store = SessionStore(connection.graph, corpus)
        self.id = session

    @property
    def record(self) -> SessionRecord:
        """Current question, state and options of the session."""
        return self._store.get(self.id)

    @property
    def steps(self) -> tuple[AnchorStep, ...]:
        """Steps so far, each with the graph after it; their hits have no score parts and no paths."""
        return self._store.load(self.id)[1]

    @property
    def graph(self) -> AnchorGraph:
        """Graph after the last step; empty before the first."""
        steps = self.steps
        return steps[-1].graph if steps else AnchorGraph()

    def __repr__(self) -> str:
        return f"Session({self.id!r}, corpus={self._corpus!r})"

    def _repr_html_(self) -> str:
        record, steps = self.record, self.steps
        rows = [
            (one.number, one.query, one.retriever, len(one.hits), ", ".join(anchor.name for anchor in one.added))
            for one in steps
        ]
        answer = [f"answer: {record.answer}"] if record.answer else []
        columns = ("step", "query", "retriever", "hits", "anchors found")
        picture = draw_anchors(steps[-1].graph) if steps else ""
        return html_table(f"{record.question} (session {self.id})", columns, rows, answer) + picture

    def resume(self, *, budget: Budget = UNLIMITED) -> AnchorRun:
        """Take over a session that ended, failed or was killed, continue it, and answer its question.

        A session that ended for lack of budget or time continues its search. For one that ended for any other reason,
        such as sufficient evidence, only the answer is computed again.

        Args:
            budget: Limits of the language model, as for ``Corpus.anchor``.

        Raises:
            LlmNotConfigured: the session uses a language model, and none is configured.
            SessionTaken: another process has taken the session over meanwhile; this run writes nothing more.
        """
        runner = SessionRunner.of(self._connection, AnchorRequest.from_record(self._corpus, self.record, budget))
        self._store.take(self.id)
        return self._run(runner, self.id)

    def ask(self, question: str, *, budget: Budget = UNLIMITED) -> AnchorRun:
        """Ask a follow-up question; its search starts with the session's graph.

        A question that names no entity of the corpus, and has a pronoun or begins like "And …", is searched for and
        answered together with its subject: of "When was he born?" the previous answer, if that is a person's name, of
        "How long is it?" the names of the question before.

        Args:
            question: Text of the follow-up question.
            budget: Limits of the language model, as for ``Corpus.anchor``.

        Raises:
            SessionTaken: the session is running: resume it first, or wait.
            InvalidInput, LlmNotConfigured: see ``Corpus.anchor``.
        """
        request = AnchorRequest.from_record(self._corpus, self.record, budget)
        text = check_question(question, request.k)
        runner = SessionRunner.of(self._connection, replace(request, question=text))
        self._store.begin(self.id, text)
        return self._run(runner, self.id)

    def fork(
        self,
        at: int,
        *,
        query: str = "",
        retriever: str = "",
        ttl: timedelta | None = None,
        budget: Budget = UNLIMITED,
    ) -> AnchorRun:
        """Start a new session with copies of the first steps of this one, and continue it with another search.

        Args:
            at: Number of the last step to copy.
            query: Next query, in place of the one that step ``at`` asks.
            retriever: Search method of the following steps, in place of this session's.
            ttl: Time after which the new session may be pruned, as for ``Corpus.anchor``.
            budget: Limits of the language model, as for ``Corpus.anchor``.

        Raises:
            InvalidInput: the session has no such step, or neither query nor retriever is given.
            UnknownMethod: there is no such retriever.
            NotBuilt: the corpus lacks the graph that the retriever needs.
        """
        if not query.strip() and not retriever:
            raise InvalidInput("a fork must differ from its session: give it a query, a retriever, or both")
        record, steps = self._store.load(self.id)
        next_query = check_question(query, record.k) if query.strip() else ""
        request = AnchorRequest.from_record(self._corpus, record, budget)
        question = next((step.question for step in steps if step.number == at), record.question)
        options = replace(request.options, retriever=retriever or record.retriever)
        runner = SessionRunner.of(self._connection, replace(request, question=question, options=options))
        fork = self._store.fork(
            self.id,
            at,
            ttl=time_to_live(self._connection.settings, ttl),
            now=datetime.now(UTC),
            query=next_query,
            retriever=retriever,
            options=runner.request.stored_options,
        )
        return self._run(runner, fork.id)

    def export(self, form: str = "json") -> str:
        """The session as the text of a file.

        Args:
            form: ``json`` for all of it, ``graphml`` for the graph, ``html`` for a self-contained page that shows how
                the graph grew.

        Raises:
            InvalidInput: there is no such format.
            MissingDependency: ``html`` needs the extra ``eval``.
        """
        if form not in FORMATS:
            raise InvalidInput(f"a session is exported as {', '.join(FORMATS)}, got {form!r}")
        record, steps = self._store.load(self.id)
        if form == "html":
            return session_page.render(record, steps)
        return session_files.to_json(record, steps) if form == "json" else session_files.to_graphml(record, steps)

    def delete(self) -> None:
        """Delete the session with its steps and anchors; forks of it stay."""
        self._store.delete(self.id)

    def _run(self, runner: SessionRunner, session: str) -> AnchorRun:
        """Run a session that this object's store owns: this one, or a fork of it."""
        steps = runner.run(self._store, session, self._store.load(session)[1])
        return AnchorRun(Session(self._connection, self._corpus, session), steps)


class Sessions:
    """The sessions of a corpus; obtained from ``Corpus.sessions``.

    Raises (all methods):
        UnknownCorpus: there is no such corpus.
        StoreUnavailable: Neo4j does not answer.
    """

    def __init__(self, connection: Connection, corpus: str) -> None:
        self._connection = connection
        self._corpus = corpus

    def get(self, session: str) -> Session:
        """Find a session by its id.

        Args:
            session: Id of the session, or a unique prefix of it.

        Raises:
            UnknownSession: no session has that id, or several ids have that prefix.
        """
        return Session(self._connection, self._corpus, self._store().resolve(session))

    def newest(self, limit: int = 20) -> list[SessionRecord]:
        """Records of the most recently started sessions, newest first.

        Args:
            limit: Largest number of records.

        Raises:
            InvalidInput: ``limit`` is below 1.
        """
        return list(self._store().find(limit))

    def prune(self) -> int:
        """Delete the sessions whose time to live is over, and return their number."""
        return self._store().prune(datetime.now(UTC))

    def _store(self) -> SessionStore:
        self._connection.stores(self._corpus)
        return SessionStore(self._connection.graph, self._corpus)


def begin(connection: Connection, request: AnchorRequest, ttl: timedelta | None = None) -> AnchorRun:
    """Start a new session; see ``Corpus.anchor``."""
    text = check_question(request.question, request.k)
    runner = SessionRunner.of(connection, replace(request, question=text))
    store = SessionStore(connection.graph, request.corpus)
    record = store.create(
        text,
        retriever=runner.request.options.retriever,
        reasoner=runner.walker.reasoner.name,
        options=runner.request.stored_options,
        k=request.k,
        filters=request.filters or {},
        ttl=time_to_live(connection.settings, ttl),
        now=datetime.now(UTC),
    )
    return AnchorRun(Session(connection, request.corpus, record.id), runner.run(store, record.id))


def time_to_live(settings: Settings, ttl: timedelta | None) -> timedelta | None:
    """Shortest time for which a session is stored; None for no limit.

    Raises:
        InvalidInput: see :func:`check_ttl`.
    """
    check_ttl(ttl)
    if ttl is None and settings.session_days:
        return timedelta(days=settings.session_days)
    return ttl


def check_ttl(ttl: timedelta | None) -> None:
    """Check a time to live.

    Raises:
        InvalidInput: it is neither None nor a ``timedelta`` above 0 of at most a hundred years.
    """
    if ttl is not None and (not isinstance(ttl, timedelta) or not timedelta(0) < ttl <= timedelta(days=MOST_DAYS)):
        rule = f"ttl must be a time above 0 and at most {MOST_DAYS:,} days, like timedelta(days=7)"
        raise InvalidInput(f"{rule}, got {ttl!r:.200}")
