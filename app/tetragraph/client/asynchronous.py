"""The client for asyncio: every method runs the one of the synchronous client in a thread."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any, Concatenate, Generic, ParamSpec, Self, TypeVar

from tetragraph.answering.compose import CONTEXT_TOKENS, Context
from tetragraph.answering.sessions import AnchorRun, Session, Sessions
from tetragraph.answering.stream import AnswerIterator, AnswerStream, begin_later
from tetragraph.archive.report import BackupReport, UpgradeReport
from tetragraph.client.analytics import Analytics, Statement
from tetragraph.client.corpus import Corpus
from tetragraph.client.entities import Entities
from tetragraph.client.policies import Policies
from tetragraph.client.tetragraph import Tetragraph
from tetragraph.evaluate.model import BUDGET, OBJECTIVE, GoldQuestion
from tetragraph.evaluate.tune import Tuning
from tetragraph.model import Filters
from tetragraph.model.anchors import (
    AnchorGraph,
    AnchorStep,
    SessionRecord,
    Stopped,
)
from tetragraph.model.answers import MIN_CONFIDENCE, Answer
from tetragraph.model.usage import UNLIMITED, Budget
from tetragraph.progress import Progress
from tetragraph.settings import Settings

SyncT_co = TypeVar("SyncT_co", covariant=True)
IteratorT = TypeVar("IteratorT", bound=AnswerIterator[Any])
PieceT = TypeVar("PieceT")
ResultT = TypeVar("ResultT")
P = ParamSpec("P")


class AsyncFacade(Generic[SyncT_co]):
    """An object whose methods run those of a synchronous object in threads, with the same arguments and errors."""

    def __init__(self, synchronous: SyncT_co) -> None:
        self._synchronous = synchronous

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._synchronous!r})"


def threaded(
    method: Callable[Concatenate[SyncT_co, P], ResultT],
) -> Callable[Concatenate[AsyncFacade[SyncT_co], P], Coroutine[Any, Any, ResultT]]:
    """Convert a method to a coroutine function with the same parameters, docstring and result type.

    The method is looked up on the wrapped object, so that a client of a service runs its own.
    """

    @functools.wraps(method)
    async def call(self: AsyncFacade[SyncT_co], /, *args: P.args, **kwargs: P.kwargs) -> ResultT:
        own: Callable[..., ResultT] = getattr(self._synchronous, method.__name__)
        return await asyncio.to_thread(own, *args, **kwargs)

    return call


class AsyncTetragraph(AsyncFacade[Tetragraph]):
    """:class:`~tetragraph.Tetragraph` for asyncio: the same methods, arguments and errors.

    Create it with :meth:`connect`, and use it as an asynchronous context manager.
    """

    def __init__(self, client: Tetragraph) -> None:
        super().__init__(client)
        # the static method reads the stores of this machine, which are not those of the client of a service
        own = functools.partial(asyncio.to_thread, client.check_upgrade)
        self.check_upgrade = own  # type: ignore[method-assign]  # the same arguments and result

    @classmethod
    async def connect(
        cls, settings: Settings | str | None = None, *, api_key: str | None = None, progress: Progress | None = None
    ) -> Self:
        """Connect to a service, or to Neo4j and Qdrant; see :meth:`Tetragraph.connect`."""
        return cls(await asyncio.to_thread(Tetragraph.connect, settings, api_key=api_key, progress=progress))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    close = threaded(Tetragraph.close)

    def corpus(self, name: str) -> AsyncCorpus:
        """The corpus with a name, which need not exist yet; see :meth:`Tetragraph.corpus`."""
        return AsyncCorpus(self._synchronous.corpus(name))

    @property
    def policies(self) -> AsyncPolicies:
        """The policies of the home; see :attr:`Tetragraph.policies`."""
        return AsyncPolicies(self._synchronous.policies)

    corpora = threaded(Tetragraph.corpora)
    doctor = threaded(Tetragraph.doctor)
    copy_vectors = threaded(Tetragraph.copy_vectors)
    claim_vectors = threaded(Tetragraph.claim_vectors)
    restore = threaded(Tetragraph.restore)

    @staticmethod
    async def verify_backup(path: str | Path) -> BackupReport:
        """Check a backup; see :meth:`Tetragraph.verify_backup`."""
        return await asyncio.to_thread(Tetragraph.verify_backup, path)

    @staticmethod
    async def check_upgrade(settings: Settings | None = None, *, backups: Sequence[str | Path] = ()) -> UpgradeReport:
        """Find what this version would migrate; see :meth:`Tetragraph.check_upgrade`."""
        return await asyncio.to_thread(Tetragraph.check_upgrade, settings, backups=backups)


class AsyncCorpus(AsyncFacade[Corpus]):
    """:class:`~tetragraph.Corpus` for asyncio: the same methods, arguments and errors."""

    def __init__(self, corpus: Corpus) -> None:
        super().__init__(corpus)
        self.name = corpus.name

    ingest = threaded(Corpus.ingest)
    sync = threaded(Corpus.sync)
    reembed = threaded(Corpus.reembed)
    cancel_reembed = threaded(Corpus.cancel_reembed)
    find_gone = threaded(Corpus.find_gone)
    preview = threaded(Corpus.preview)
    build = threaded(Corpus.build)
    estimate = threaded(Corpus.estimate)
    delete = threaded(Corpus.delete)
    drop = threaded(Corpus.drop)
    counts = threaded(Corpus.counts)
    document = threaded(Corpus.document)
    files = threaded(Corpus.files)
    cypher = threaded(Corpus.cypher)
    search = threaded(Corpus.search)
    ask = threaded(Corpus.ask)

    def ask_stream(
        self,
        /,
        question: str,
        *,
        k: int = 5,
        method: str = "evidence",
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        generate: bool | None = None,
        iterations: int = 1,
        context_tokens: int = CONTEXT_TOKENS,
        context: Context = "passages",
        min_confidence: float = MIN_CONFIDENCE,
        **options: Any,
    ) -> AsyncAnswerStream:
        """Answer a question in pieces; see :meth:`Corpus.ask_stream`.

        Iterate over the text with ``async for``, then ``await stream.answer()``. Both raise the errors of the call,
        which waits for nothing.
        """
        begin = functools.partial(
            self._synchronous.ask_stream,
            question,
            k=k,
            method=method,
            filters=filters,
            budget=budget,
            generate=generate,
            iterations=iterations,
            context_tokens=context_tokens,
            context=context,
            min_confidence=min_confidence,
            **options,
        )
        return AsyncAnswerStream(begin_later(begin))

    async def anchor(
        self,
        /,
        question: str,
        *,
        k: int = 5,
        filters: Filters | None = None,
        budget: Budget = UNLIMITED,
        generate: bool | None = None,
        context_tokens: int = CONTEXT_TOKENS,
        min_confidence: float = MIN_CONFIDENCE,
        ttl: timedelta | None = None,
        **options: Any,
    ) -> AsyncAnchorRun:
        """Search in several steps, stored as a session, and answer; see :meth:`Corpus.anchor`.

        Iterate over the steps with ``async for``, then ``await run.answer()``.
        """
        run = await asyncio.to_thread(
            self._synchronous.anchor,
            question,
            k=k,
            filters=filters,
            budget=budget,
            generate=generate,
            context_tokens=context_tokens,
            min_confidence=min_confidence,
            ttl=ttl,
            **options,
        )
        return AsyncAnchorRun(run)

    async def session(self, session: str) -> AsyncSession:
        """Find a session by its id; see :meth:`Corpus.session`."""
        return AsyncSession(await asyncio.to_thread(self._synchronous.session, session))

    @property
    def sessions(self) -> AsyncSessions:
        """Sessions of the corpus; see :attr:`Corpus.sessions`."""
        return AsyncSessions(self._synchronous.sessions)

    facts = threaded(Corpus.facts)
    rollouts = threaded(Corpus.rollouts)
    train_policy = threaded(Corpus.train_policy)

    @property
    def entities(self) -> AsyncEntities:
        """Entities of the bipartite graph; see :attr:`Corpus.entities`."""
        return AsyncEntities(self._synchronous.entities)

    @property
    def analytics(self) -> AsyncAnalytics:
        """Statements for analysts; see :attr:`Corpus.analytics`."""
        return AsyncAnalytics(self._synchronous.analytics)

    documents = threaded(Corpus.documents)
    chunks = threaded(Corpus.chunks)
    tree = threaded(Corpus.tree)
    theme = threaded(Corpus.theme)
    affinity = threaded(Corpus.affinity)
    explain = threaded(Corpus.explain)
    subgraph = threaded(Corpus.subgraph)
    export = threaded(Corpus.export)
    backup = threaded(Corpus.backup)
    copy = threaded(Corpus.copy)
    fingerprint = threaded(Corpus.fingerprint)
    evaluate = threaded(Corpus.evaluate)

    async def tune(
        self,
        questions: str | Path | Sequence[GoldQuestion],
        report_on: AsyncCorpus,
        report_questions: str | Path | Sequence[GoldQuestion],
        *,
        method: str = "evidence",
        settings: Mapping[str, Sequence[Any]] | None = None,
        objective: Sequence[str] = OBJECTIVE,
        budget: int = BUDGET,
        progress: Progress | None = None,
    ) -> Tuning:
        """Choose options of a method, and measure their gain; see :meth:`Corpus.tune`."""
        return await asyncio.to_thread(
            self._synchronous.tune,
            questions,
            report_on._synchronous if isinstance(report_on, AsyncCorpus) else report_on,
            report_questions,
            method=method,
            settings=settings,
            objective=objective,
            budget=budget,
            progress=progress,
        )


class AsyncAnswerIterator(AsyncFacade[IteratorT], AsyncIterator[PieceT]):
    """An asynchronous iterator over the pieces of a computation that ends with an answer."""

    async def __anext__(self) -> PieceT:
        piece: PieceT | None = await asyncio.to_thread(next, self._synchronous, None)
        if piece is None:
            raise StopAsyncIteration
        return piece

    async def answer(self) -> Answer:
        """The answer; pieces that have not been read yet are computed and skipped."""
        return await asyncio.to_thread(lambda: self._synchronous.answer)


class AsyncAnswerStream(AsyncAnswerIterator[AnswerStream, str]):
    """:class:`~tetragraph.AnswerStream` for asyncio: the same pieces and errors."""


class AsyncAnchorRun(AsyncAnswerIterator[AnchorRun, AnchorStep]):
    """:class:`~tetragraph.AnchorRun` for asyncio: the same steps and errors.

    Attributes:
        session: Session that stores the steps; it can be read while the search runs.
    """

    def __init__(self, run: AnchorRun) -> None:
        super().__init__(run)
        self.session = AsyncSession(run.session)

    async def stopped(self) -> Stopped:
        """Reason why the search ended; see :attr:`AnchorRun.stopped`."""
        return await asyncio.to_thread(lambda: self._synchronous.stopped)


class AsyncSession(AsyncFacade[Session]):
    """:class:`~tetragraph.Session` for asyncio: the same methods, arguments and errors.

    Attributes:
        id: Complete id of the session.
    """

    def __init__(self, session: Session) -> None:
        super().__init__(session)
        self.id = session.id

    async def record(self) -> SessionRecord:
        """Current question, state and options of the session; see :attr:`Session.record`."""
        return await asyncio.to_thread(lambda: self._synchronous.record)

    async def steps(self) -> tuple[AnchorStep, ...]:
        """Steps so far, each with the graph after it; see :attr:`Session.steps`."""
        return await asyncio.to_thread(lambda: self._synchronous.steps)

    async def graph(self) -> AnchorGraph:
        """Graph after the last step; see :attr:`Session.graph`."""
        return await asyncio.to_thread(lambda: self._synchronous.graph)

    async def resume(self, *, budget: Budget = UNLIMITED) -> AsyncAnchorRun:
        """Continue the session, and answer its question; see :meth:`Session.resume`."""
        return AsyncAnchorRun(await asyncio.to_thread(self._synchronous.resume, budget=budget))

    async def ask(self, question: str, *, budget: Budget = UNLIMITED) -> AsyncAnchorRun:
        """Ask a follow-up question; see :meth:`Session.ask`."""
        return AsyncAnchorRun(await asyncio.to_thread(self._synchronous.ask, question, budget=budget))

    async def fork(
        self,
        at: int,
        *,
        query: str = "",
        retriever: str = "",
        ttl: timedelta | None = None,
        budget: Budget = UNLIMITED,
    ) -> AsyncAnchorRun:
        """Start a new session with copies of the first steps of this one; see :meth:`Session.fork`."""
        run = await asyncio.to_thread(
            self._synchronous.fork, at, query=query, retriever=retriever, ttl=ttl, budget=budget
        )
        return AsyncAnchorRun(run)

    export = threaded(Session.export)
    delete = threaded(Session.delete)


class AsyncSessions(AsyncFacade[Sessions]):
    """:class:`~tetragraph.answering.sessions.Sessions` for asyncio: the same methods, arguments and errors."""

    async def get(self, session: str) -> AsyncSession:
        """Find a session by its id; see :meth:`Sessions.get`."""
        return AsyncSession(await asyncio.to_thread(self._synchronous.get, session))

    newest = threaded(Sessions.newest)
    prune = threaded(Sessions.prune)


class AsyncPolicies(AsyncFacade[Policies]):
    """:class:`~tetragraph.client.policies.Policies` for asyncio: the same methods, arguments and errors."""

    versions = threaded(Policies.versions)
    train = threaded(Policies.train)
    evaluate = threaded(Policies.evaluate)
    promote = threaded(Policies.promote)
    roll_back = threaded(Policies.roll_back)


class AsyncEntities(AsyncFacade[Entities]):
    """:class:`~tetragraph.client.entities.Entities` for asyncio: the same methods, arguments and errors."""

    get = threaded(Entities.get)
    facts = threaded(Entities.facts)
    between = threaded(Entities.between)
    merged = threaded(Entities.merged)
    by_role = threaded(Entities.by_role)
    split = threaded(Entities.split)
    join = threaded(Entities.join)


class AsyncAnalytics(AsyncFacade[Analytics]):
    """:class:`~tetragraph.client.analytics.Analytics` for asyncio: the same methods, arguments and errors."""

    def list(self) -> tuple[Statement, ...]:
        """Statements that can be run, by group and name; see :meth:`Analytics.list`."""
        return self._synchronous.list()

    run = threaded(Analytics.run)
