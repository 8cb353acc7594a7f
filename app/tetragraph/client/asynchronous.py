"""The client for asyncio: every call runs the synchronous one in a thread."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any, Self

from tetragraph.answering.stream import AnswerStream
from tetragraph.answering.sessions import AnchorRun, Session, Sessions
from tetragraph.client.analytics import Analytics, Statement, Table
from tetragraph.client.corpus import Corpus
from tetragraph.client.entities import Entities
from tetragraph.client.tetragraph import CorpusSummary, Tetragraph
from tetragraph.doctor import HealthReport
from tetragraph.evaluate.model import EvaluationReport, GoldQuestion
from tetragraph.evaluate.tune import Tuning
from tetragraph.export import ExportReport
from tetragraph.indexing.operations import IngestReport
from tetragraph.indexing.sources import Source
from tetragraph.model import Evidence, FactEvidence, Hit
from tetragraph.model.anchors import (
    AnchorGraph,
    AnchorStep,
    SessionRecord,
    Stopped,
)
from tetragraph.model.answers import Answer
from tetragraph.model.explanations import Explanation
from tetragraph.model.subgraphs import Subgraph
from tetragraph.model.usage import Estimate
from tetragraph.progress import Progress
from tetragraph.settings import Settings
from tetragraph.systems.bipartite_graph.entity_lookup import EntityReport
from tetragraph.systems.bipartite_graph.entity_queries import (
    KnownFact,
    MergedName,
    RolePlayer,
    Way,
)
from tetragraph.systems.encoding_tree.overview import TreeOverview
from tetragraph.systems.encoding_tree.themes import Affinity, ThemeReport


class AsyncTetragraph:
    """:class:`~tetragraph.Tetragraph` for asyncio; the arguments and errors are the same."""

    def __init__(self, client: Tetragraph) -> None:
        self._client = client

    @classmethod
    async def connect(cls, settings: Settings | None = None, *, progress: Progress | None = None) -> Self:
        """See :meth:`Tetragraph.connect`."""
        return cls(await asyncio.to_thread(Tetragraph.connect, settings, progress=progress))

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """See :meth:`Tetragraph.close`."""
        await asyncio.to_thread(self._client.close)

    def corpus(self, name: str) -> AsyncCorpus:
        """See :meth:`Tetragraph.corpus`."""
        return AsyncCorpus(self._client.corpus(name))

    async def corpora(self) -> list[CorpusSummary]:
        """See :meth:`Tetragraph.corpora`."""
        return await asyncio.to_thread(self._client.corpora)

    async def doctor(self, **options: Any) -> HealthReport:
        """See :meth:`Tetragraph.doctor`."""
        return await asyncio.to_thread(self._client.doctor, **options)


class AsyncCorpus:
    """:class:`~tetragraph.Corpus` for asyncio; the arguments and errors are the same."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.name = corpus.name

    async def ingest(self, source: Source, **options: Any) -> IngestReport:
        """See :meth:`Corpus.ingest`."""
        return await asyncio.to_thread(self._corpus.ingest, source, **options)

    async def build(self, what: str, **options: Any) -> IngestReport:
        """See :meth:`Corpus.build`."""
        return await asyncio.to_thread(self._corpus.build, what, **options)

    async def estimate(self, what: str, **options: Any) -> Estimate:
        """See :meth:`Corpus.estimate`."""
        return await asyncio.to_thread(self._corpus.estimate, what, **options)

    async def delete(self, *document_ids: str, **options: Any) -> IngestReport:
        """See :meth:`Corpus.delete`."""
        return await asyncio.to_thread(self._corpus.delete, *document_ids, **options)

    async def drop(self) -> None:
        """See :meth:`Corpus.drop`."""
        await asyncio.to_thread(self._corpus.drop)

    async def counts(self) -> dict[str, int]:
        """See :meth:`Corpus.counts`."""
        return await asyncio.to_thread(self._corpus.counts)

    async def search(self, question: str, **options: Any) -> Evidence:
        """See :meth:`Corpus.search`."""
        return await asyncio.to_thread(self._corpus.search, question, **options)

    async def ask(self, question: str, **options: Any) -> Answer:
        """See :meth:`Corpus.ask`."""
        return await asyncio.to_thread(self._corpus.ask, question, **options)

    def ask_stream(self, question: str, **options: Any) -> AsyncAnswerStream:
        """See :meth:`Corpus.ask_stream`; iterate with ``async for``, then ``await stream.answer()``."""
        return AsyncAnswerStream(self._corpus.ask_stream(question, **options))

    async def anchor(self, question: str, **options: Any) -> AsyncAnchorRun:
        """See :meth:`Corpus.anchor`; iterate with ``async for``, then ``await run.answer()``."""
        return AsyncAnchorRun(await asyncio.to_thread(self._corpus.anchor, question, **options))

    async def session(self, session: str) -> AsyncSession:
        """See :meth:`Corpus.session`."""
        return AsyncSession(await asyncio.to_thread(self._corpus.session, session))

    @property
    def sessions(self) -> AsyncSessions:
        """See :meth:`Corpus.sessions`."""
        return AsyncSessions(self._corpus.sessions)

    async def facts(self, question: str, **options: Any) -> FactEvidence:
        """See :meth:`Corpus.facts`."""
        return await asyncio.to_thread(self._corpus.facts, question, **options)

    @property
    def entities(self) -> AsyncEntities:
        """See :meth:`Corpus.entities`."""
        return AsyncEntities(self._corpus.entities)

    @property
    def analytics(self) -> AsyncAnalytics:
        """See :attr:`Corpus.analytics`."""
        return AsyncAnalytics(self._corpus.analytics)

    async def tree(self, **options: Any) -> TreeOverview:
        """See :meth:`Corpus.tree`."""
        return await asyncio.to_thread(self._corpus.tree, **options)

    async def theme(self, theme: str, **options: Any) -> ThemeReport:
        """See :meth:`Corpus.theme`."""
        return await asyncio.to_thread(self._corpus.theme, theme, **options)

    async def affinity(self, first: str, second: str) -> Affinity | None:
        """See :meth:`Corpus.affinity`."""
        return await asyncio.to_thread(self._corpus.affinity, first, second)

    async def explain(self, result: Evidence, hit: Hit | int) -> Explanation:
        """See :meth:`Corpus.explain`."""
        return await asyncio.to_thread(self._corpus.explain, result, hit)

    async def subgraph(self, result: Evidence, *hits: Hit | int) -> Subgraph:
        """See :meth:`Corpus.subgraph`."""
        return await asyncio.to_thread(self._corpus.subgraph, result, *hits)

    async def export(self, path: str | Path, part: Evidence | Subgraph | None = None, **options: Any) -> ExportReport:
        """See :meth:`Corpus.export`."""
        return await asyncio.to_thread(self._corpus.export, path, part, **options)

    async def evaluate(self, questions: str | Path | Sequence[GoldQuestion], **options: Any) -> EvaluationReport:
        """See :meth:`Corpus.evaluate`."""
        return await asyncio.to_thread(self._corpus.evaluate, questions, **options)

    async def tune(
        self,
        questions: Sequence[GoldQuestion],
        report_on: AsyncCorpus,
        report_questions: Sequence[GoldQuestion],
        **options: Any,
    ) -> Tuning:
        """See :meth:`Corpus.tune`."""
        return await asyncio.to_thread(self._corpus.tune, questions, report_on._corpus, report_questions, **options)


class AsyncAnswerStream(AsyncIterator[str]):
    """:class:`~tetragraph.answering.ask.AnswerStream` for asyncio."""

    def __init__(self, stream: AnswerStream) -> None:
        self._stream = stream

    async def __anext__(self) -> str:
        piece = await asyncio.to_thread(next, self._stream, None)
        if piece is None:
            raise StopAsyncIteration
        return piece

    async def answer(self) -> Answer:
        """The whole; what has not been read of the pieces is passed over."""
        return await asyncio.to_thread(lambda: self._stream.answer)


class AsyncAnchorRun(AsyncIterator[AnchorStep]):
    """:class:`~tetragraph.AnchorRun` for asyncio; the errors are the same.

    Attributes:
        session: It can be watched while the steps are made.
    """

    def __init__(self, run: AnchorRun) -> None:
        self._run = run
        self.session = AsyncSession(run.session)

    async def __anext__(self) -> AnchorStep:
        step = await asyncio.to_thread(next, self._run, None)
        if step is None:
            raise StopAsyncIteration
        return step

    async def answer(self) -> Answer:
        """The answer; what has not been read of the steps is made and passed over."""
        return await asyncio.to_thread(lambda: self._run.answer)

    async def stopped(self) -> Stopped:
        """Why the search ended; the same holds for steps that have not been read."""
        return await asyncio.to_thread(lambda: self._run.stopped)


class AsyncSession:
    """:class:`~tetragraph.Session` for asyncio; the arguments and errors are the same."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self.id = session.id

    async def record(self) -> SessionRecord:
        """See :attr:`Session.record`."""
        return await asyncio.to_thread(lambda: self._session.record)

    async def steps(self) -> tuple[AnchorStep, ...]:
        """See :attr:`Session.steps`."""
        return await asyncio.to_thread(lambda: self._session.steps)

    async def graph(self) -> AnchorGraph:
        """See :attr:`Session.graph`."""
        return await asyncio.to_thread(lambda: self._session.graph)

    async def resume(self, **options: Any) -> AsyncAnchorRun:
        """See :meth:`Session.resume`."""
        return AsyncAnchorRun(await asyncio.to_thread(self._session.resume, **options))

    async def ask(self, question: str, **options: Any) -> AsyncAnchorRun:
        """See :meth:`Session.ask`."""
        return AsyncAnchorRun(await asyncio.to_thread(self._session.ask, question, **options))

    async def fork(self, at: int, **options: Any) -> AsyncAnchorRun:
        """See :meth:`Session.fork`."""
        return AsyncAnchorRun(await asyncio.to_thread(self._session.fork, at, **options))

    async def export(self, form: str = "json") -> str:
        """See :meth:`Session.export`."""
        return await asyncio.to_thread(self._session.export, form)

    async def delete(self) -> None:
        """See :meth:`Session.delete`."""
        await asyncio.to_thread(self._session.delete)


class AsyncSessions:
    """:class:`~tetragraph.answering.sessions.Sessions` for asyncio; the arguments and errors are the same."""

    def __init__(self, sessions: Sessions) -> None:
        self._sessions = sessions

    async def get(self, session: str) -> AsyncSession:
        """See :meth:`Sessions.get`."""
        return AsyncSession(await asyncio.to_thread(self._sessions.get, session))

    async def newest(self, limit: int = 20) -> list[SessionRecord]:
        """See :meth:`Sessions.newest`."""
        return await asyncio.to_thread(self._sessions.newest, limit)

    async def prune(self) -> int:
        """See :meth:`Sessions.prune`."""
        return await asyncio.to_thread(self._sessions.prune)


class AsyncEntities:
    """:class:`~tetragraph.client.entities.Entities` for asyncio; the arguments and errors are the same."""

    def __init__(self, entities: Entities) -> None:
        self._entities = entities

    async def get(self, entity: str) -> EntityReport:
        """See :meth:`Entities.get`."""
        return await asyncio.to_thread(self._entities.get, entity)

    async def facts(self, entity: str, **options: Any) -> tuple[KnownFact, ...]:
        """See :meth:`Entities.facts`."""
        return await asyncio.to_thread(self._entities.facts, entity, **options)

    async def between(self, first: str, second: str, **options: Any) -> tuple[Way, ...]:
        """See :meth:`Entities.between`."""
        return await asyncio.to_thread(self._entities.between, first, second, **options)

    async def merged(self, **options: Any) -> tuple[MergedName, ...]:
        """See :meth:`Entities.merged`."""
        return await asyncio.to_thread(self._entities.merged, **options)

    async def by_role(self, role: str, **options: Any) -> tuple[RolePlayer, ...]:
        """See :meth:`Entities.by_role`."""
        return await asyncio.to_thread(self._entities.by_role, role, **options)

    async def split(self, entity: str, alias: str, **options: Any) -> IngestReport:
        """See :meth:`Entities.split`."""
        return await asyncio.to_thread(self._entities.split, entity, alias, **options)

    async def join(self, entity: str, alias: str, **options: Any) -> IngestReport:
        """See :meth:`Entities.join`."""
        return await asyncio.to_thread(self._entities.join, entity, alias, **options)


class AsyncAnalytics:
    """:class:`~tetragraph.client.analytics.Analytics` for asyncio; the arguments and errors are the same."""

    def __init__(self, analytics: Analytics) -> None:
        self._analytics = analytics

    def list(self) -> tuple[Statement, ...]:
        """See :meth:`Analytics.list`."""
        return self._analytics.list()

    async def run(self, name: str, /, **parameters: Any) -> Table:
        """See :meth:`Analytics.run`."""
        return await asyncio.to_thread(self._analytics.run, name, **parameters)
