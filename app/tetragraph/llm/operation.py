"""Calls of a language model that share one budget, one deadline and one meter."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any, TypeVar

from pydantic import BaseModel

from tetragraph.errors import UnusableReply
from tetragraph.llm import structured
from tetragraph.llm.budget import Meter
from tetragraph.llm.cache import Replies
from tetragraph.llm.messages import Completion, Request
from tetragraph.llm.transport import Transport
from tetragraph.model.usage import Usage

Form = TypeVar("Form", bound=BaseModel)
Item = TypeVar("Item")
Result = TypeVar("Result")
_SHOWN_CHARACTERS = 80
"""Length of the beginning of an unusable reply in its error."""
_QUEUED_PER_WORKER = 4
"""Items in progress or waiting for each worker; results wait for those before them."""


class Operation:
    """The calls of one build, search or answer; created by :meth:`LanguageModel.operation`.

    Every method looks into the cache first, sends only requests that the budget allows, counts paid calls, and caches
    every reply at once, so that no reply is paid for twice. Safe to share between threads.

    Besides the errors that they list, all methods raise:
        BudgetExhausted, DeadlineExceeded: before a call that does not fit.
        LlmUnavailable, LlmRefused: from the endpoint, after all attempts.
        NotRecorded: a replayed recording lacks the call.
    """

    def __init__(self, transport: Transport, replies: Replies, meter: Meter, concurrency: int) -> None:
        self._transport = transport
        self._replies = replies
        self._meter = meter
        self._concurrency = concurrency
        self._prompts: set[str] = set()
        self._uses_forms = False

    @property
    def model(self) -> str:
        """Name of the model."""
        return self._transport.model

    @property
    def usage(self) -> Usage:
        """Usage so far."""
        return self._meter.usage

    @property
    def record(self) -> dict[str, Any]:
        """Model and prompts, for manifests."""
        return {"model": self.model, "prompts": sorted(self._prompts)}

    @property
    def notes(self) -> tuple[str, ...]:
        """Result notes: limitations of the endpoint that make structured replies less reliable."""
        return self._transport.notes if self._uses_forms else ()

    def complete(self, request: Request) -> Completion:
        """Return the reply to a request.

        Raises:
            UnusableReply: the reply has no text.
        """
        with self.describing(request):
            return self._complete(request)

    def _complete(self, request: Request) -> Completion:
        self._prompts.add(request.prompt)
        key = request.key(self.model)
        with self._replies.claim(key, self._meter.deadline):
            cached = self._cached(key)
            if cached is not None:
                return cached
            with self._meter.call(request) as record:
                reply = self._transport.send(request, self._meter.deadline)
                with record(reply):
                    self._replies.put(request, reply)
        return reply

    def complete_again(self, request: Request, reply: str, correction: str) -> Completion:
        """Return the reply to a request whose first reply cannot be used; counts as a repair.

        Args:
            request: First request.
            reply: Text of the first reply.
            correction: Message to the model that names the fault and the remedy; quoted text is fenced.

        Raises:
            UnusableReply: the second reply has no text either.
        """
        self._meter.add_repair()
        return self.complete(structured.correction_request(request, reply, correction))

    def structured(self, request: Request, form: type[Form]) -> Form:
        """Return the reply as an object of a form; the schema of the form is added to the request.

        A reply that cannot be read is requested once more, with a description of its fault.

        Raises:
            UnusableReply: the second reply cannot be read either.
        """
        self._uses_forms = True
        with_schema = structured.with_schema(request, form)
        with self.describing(request):
            reply = self._complete(with_schema)
            try:
                return structured.read(reply, form)
            except UnusableReply as error:
                self._meter.add_repair()
                second = self._complete(structured.repair(with_schema, reply, error))
                return structured.read(second, form)

    def probability(self, request: Request, yes: str, no: str) -> float:
        """Return the probability of ``yes`` as the first word of the reply, relative to ``no``: 0 to 1.

        Raises:
            UnusableReply: the endpoint returns no probabilities, or neither word is among the likeliest.
        """
        with self.describing(request):
            return structured.probability(self._complete(structured.with_logprobs(request)), yes, no)

    def stream(self, request: Request) -> Generator[str, None, Completion]:
        """Yield the pieces of a reply as they arrive, a cached reply as one piece; returns the whole reply.

        Raises:
            UnusableReply: the stream broke off, or had no text.
        """
        self._prompts.add(request.prompt)
        cached = self._cached(request.key(self.model))
        if cached is not None:
            yield cached.text
            return cached
        with self.describing(request), self._meter.call(request, ends=False) as record:
            reply = yield from self._transport.stream(request, self._meter.deadline)
            with record(reply):
                self._replies.put(request, reply)
        return reply

    @contextmanager
    def describing(self, request: Request) -> Iterator[None]:
        """Add model, step and the beginning of the reply to the message of an :class:`UnusableReply`."""
        try:
            yield
        except UnusableReply as error:
            step = [f"step {request.prompt.split()[0]!r}"] if request.prompt else []
            text = " ".join(error.raw.split())
            shown = text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]} …"
            reply = [f"reply {shown!r}"] if shown else []
            error.args = (f"{error} ({', '.join([f'model {self.model!r}', *step, *reply])})",)
            raise

    def map(self, function: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Apply a function that uses this operation to several items in parallel; results in the order of the items.

        After an error no further item is started, those in progress are finished and cached, and the error is raised.
        """
        return map_ordered(function, items, self._concurrency)

    def _cached(self, key: str) -> Completion | None:
        reply = self._replies.get(key)
        if reply is not None:
            self._meter.add_cached()
        return reply


def map_ordered(function: Callable[[Item], Result], items: Iterable[Item], workers: int) -> Generator[Result]:
    """Apply a function to several items in parallel; results in the order of the items.

    After an error no further item is started; those in progress are finished, results before the error are yielded, and
    the error of the first failed item is raised. Closing the generator early waits for the items in progress.
    """
    failed: list[int] = []

    def work(number: int, item: Item) -> Result:
        if any(before < number for before in failed):
            raise CancelledError
        try:
            return function(item)
        except BaseException:
            failed.append(number)
            raise

    waiting: deque[Future[Result]] = deque()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="tetragraph-llm")
    try:
        for number, item in enumerate(items):
            if failed:
                break
            waiting.append(pool.submit(work, number, item))
            if len(waiting) >= _QUEUED_PER_WORKER * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
