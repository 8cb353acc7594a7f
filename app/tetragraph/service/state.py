"""State of one server, which its routes share."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeVar

from fastapi import FastAPI, Request, Response
from starlette.types import Scope

from tetragraph.client.corpus import Corpus
from tetragraph.client.tetragraph import Tetragraph
from tetragraph.errors import AccessDenied, TetragraphError
from tetragraph.service.authentication import Authenticator
from tetragraph.service.config import ServiceConfig
from tetragraph.service.jobs.runner import JobRunner
from tetragraph.service.jobs.spool import Spool
from tetragraph.service.jobs.store import JobRecord
from tetragraph.service.jobs.submission import Submissions
from tetragraph.service.jobs.watching import WatchedJobs
from tetragraph.service.keys import Caller, KeyStore
from tetragraph.service.lanes import Lane
from tetragraph.service.limits import CallerLimits
from tetragraph.service.metrics import Metrics
from tetragraph.service.readiness import StoreChecks

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

Result = TypeVar("Result")
CONTROL_THREADS = 4
MODEL_THREADS = 16


@dataclass
class Service:
    """Everything that a request needs; one for each app, as ``app.state.service``.

    Attributes:
        client: Client of the stores.
        config: Address and limits.
        keys: Stored keys.
        callers: Finds the caller of a key.
        limits: Limits of callers and addresses.
        metrics: Figures of ``/metrics``.
        compute: Threads of searches and of reads that grow with a corpus, as many as processors.
        models: Threads of calls that wait for a language model most of the time.
        control: Threads of short reads and writes: keys, readiness, jobs, parts of lists. Every request may need one,
            so nothing runs there whose time grows with a corpus.
        jobs: Runs jobs.
        submissions: Adds jobs.
        watched_jobs: Jobs that streams watch.
        store_checks: Checks of the stores.
        tracer: Makes spans of searches; None where nothing is traced.
        refusals: Make the response of a surface to a refused request, each None for a request of another surface.
        stopping: Set when the server was told to stop: open streams end.
    """

    client: Tetragraph
    config: ServiceConfig
    keys: KeyStore
    callers: Authenticator
    limits: CallerLimits
    metrics: Metrics
    compute: Lane
    models: Lane
    control: Lane
    jobs: JobRunner
    submissions: Submissions
    watched_jobs: WatchedJobs
    store_checks: StoreChecks
    tracer: Tracer | None = None
    refusals: list[Callable[[Request, TetragraphError], Response | None]] = field(default_factory=list)
    stopping: asyncio.Event = field(default_factory=asyncio.Event)

    @classmethod
    def of(cls, client: Tetragraph, config: ServiceConfig) -> Service:
        """The state of a server that uses a client; the client is not closed with it."""
        keys = KeyStore(client.connection.graph)
        compute = Lane("compute", config.workers, config.queue, config.queue_s)
        models = Lane("models", MODEL_THREADS, config.queue, config.queue_s)
        control = Lane("control", CONTROL_THREADS, config.queue * 4, config.queue_s)
        callers = Authenticator(keys, is_open=config.is_private)
        metrics = Metrics((compute, models, control), lambda: client.connection.paid)
        spool = Spool(client.connection.settings.home / "service" / "spool", config.unpacked_bytes)
        jobs = JobRunner(client, spool, metrics)
        return cls(
            client,
            config,
            keys,
            callers,
            CallerLimits(config.rate, config.concurrency),
            metrics,
            compute,
            models,
            control,
            jobs,
            Submissions(jobs, spool),
            WatchedJobs(jobs.store, control),
            StoreChecks(client.connection, control, metrics, config.check_s),
        )

    async def caller_of_key(self, key: str | None) -> Caller:
        """The caller of a key, or of no key.

        Raises:
            AccessDenied: the key is missing or not valid.
        """
        known = self.callers.recall(key)
        return known if known is not None else await self.control.run(self.callers.recognise, key)

    async def admit(self, key: str | None, scope: Scope) -> Caller:
        """Identify the caller by the key of a new request or connection.

        Attempts with invalid keys are limited for each address, except behind a proxy, where all callers have the same.

        Raises:
            AccessDenied: the key is missing or not valid.
            ServiceBusy: the address has sent too many keys that are not valid.
        """
        if self.config.is_behind_proxy:
            return await self.caller_of_key(key)
        known = self.callers.recall(key)
        if known is not None:
            return known
        client = scope.get("client")
        with self.limits.guess(client[0] if client else "unknown"):
            return await self.caller_of_key(key)

    def corpus(self, name: str) -> Corpus:
        """The corpus of a name, whose use :func:`~tetragraph.service.keys.authorise` has allowed."""
        return self.client.corpus(name)

    async def check_corpus(self, name: str) -> None:
        """Raise unless there is a corpus of a name.

        Raises:
            UnknownCorpus: there is none.
        """
        await self.control.run(self.client.connection.stores, self.corpus(name).name)

    def span(self, name: str) -> AbstractContextManager[object]:
        """A span of a trace; a context without effect where nothing is traced."""
        return nullcontext() if self.tracer is None else self.tracer.start_as_current_span(name)

    def lane_of(self, generate: bool | None) -> Lane:
        """The threads for an answer: those of language models where one will write it."""
        has_model = bool(self.client.connection.settings.llm)
        return self.models if has_model and generate is not False else self.compute

    async def answer(self, corpus: str, call: Callable[[Corpus], Result]) -> Result:
        """Call a method of a corpus in the threads of searches: also one that reads much of it."""
        return await self.compute.run(call, self.corpus(corpus))

    async def look(self, corpus: str, call: Callable[[Corpus], Result]) -> Result:
        """Call a short method of a corpus in the threads of reads: one whose time does not grow with the corpus."""
        return await self.control.run(call, self.corpus(corpus))

    @property
    def is_computing(self) -> bool:
        """Whether a job or a request is still being computed."""
        return self.jobs.is_running or any(lane.running for lane in (self.compute, self.models, self.control))

    def stop(self) -> None:
        """End open streams, and let a running job return to the queue."""
        self.stopping.set()
        self.jobs.stop()

    def close(self) -> None:
        """End the threads."""
        for lane in (self.compute, self.models, self.control):
            lane.close()


def service_of(connection: Request | FastAPI) -> Service:
    """The state of the app, or of the app of a request."""
    app = connection if isinstance(connection, FastAPI) else connection.app
    found: Service = app.state.service
    return found


def caller_of(request: Request) -> Caller:
    """The caller of a request, whom the middleware has recognised."""
    found: Caller = request.state.caller
    return found


async def cancel_job(request: Request, corpus: str, job: str) -> JobRecord:
    """Cancel a job for the caller of a request.

    Raises:
        AccessDenied: another key started it, and the caller may not ingest.
        UnknownJob: there is no such job.
    """
    service, caller = service_of(request), caller_of(request)
    record = await service.control.run(service.jobs.store.get, corpus, job)
    if record.caller != caller.id and not caller.may(corpus, "ingest"):
        raise AccessDenied("a job is cancelled with the key that started it, or with the scope ingest")
    return await service.control.run(service.jobs.cancel, corpus, job)
