"""Calls of a language model that belong together: one budget, one deadline, one bill."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from typing import Any, TypeVar

from pydantic import BaseModel

from tetragraph.errors import UnusableReply
from tetragraph.llm import structured
from tetragraph.llm.budget import Bill
from tetragraph.llm.cache import Replies
from tetragraph.llm.messages import Completion, Request
from tetragraph.llm.transport import Transport
from tetragraph.model.usage import Usage

Form = TypeVar("Form", bound=BaseModel)
Given = TypeVar("Given")
Made = TypeVar("Made")


class Operation:
    """What one build, search or answer asks of a model; made by :meth:`LanguageModel.operation`.

    Every method looks into the cache first, asks only what the budget allows, counts what is paid, and keeps every
    reply at once, so that nothing is paid for twice. Safe to share between threads.

    All of them raise, besides what they tell of:
        BudgetExhausted, DeadlineExceeded: before the call that would not fit.
        LlmUnavailable, LlmRefused: the endpoint, after all tries.
        NotRecorded: a replayed file lacks the call.
    """

    def __init__(self, transport: Transport, replies: Replies, bill: Bill, concurrency: int) -> None:
        self._transport = transport
        self._replies = replies
        self._bill = bill
        self._concurrency = concurrency
        self._prompts: set[str] = set()
        self._wants_forms = False

    @property
    def model(self) -> str:
        """Which model is asked."""
        return self._transport.model

    @property
    def usage(self) -> Usage:
        """What it has cost so far."""
        return self._bill.usage

    @property
    def record(self) -> dict[str, Any]:
        """Who was asked with which prompts, for manifests."""
        return {"model": self.model, "prompts": sorted(self._prompts)}

    @property
    def notes(self) -> tuple[str, ...]:
        """Said in words: every way in which replies are less sure than they could be."""
        return self._transport.notes if self._wants_forms else ()

    def complete(self, request: Request) -> Completion:
        """The reply to a request, as it is.

        Raises:
            UnusableReply: it has no text.
        """
        self._prompts.add(request.prompt)
        key = request.key(self.model)
        with self._replies.claimed(key, self._bill.deadline):
            kept = self._kept(key)
            if kept is not None:
                return kept
            with self._bill.paid(request) as call:
                reply = self._transport.send(request, call.deadline)
                with call.settled(reply):
                    self._replies.put(request, reply)
        return reply

    def complete_again(self, request: Request, said: str, told: str) -> Completion:
        """The reply to a request whose first reply cannot be used; counted as a repair.

        Args:
            request: The first one.
            said: The first reply.
            told: What is wrong with it, and what to do, in words for the model; text of others is fenced.

        Raises:
            UnusableReply: this one has no text either.
        """
        self._bill.add_repair()
        return self.complete(structured.correction_request(request, said, told))

    def structured(self, request: Request, form: type[Form]) -> Form:
        """The reply as an object of a form; the schema of the form is added to the request.

        A reply that cannot be read is asked for once more, with what is wrong with it.

        Raises:
            UnusableReply: the second reply cannot be read either.
        """
        self._wants_forms = True
        asked = structured.with_schema(request, form)
        reply = self.complete(asked)
        try:
            return structured.read(reply, form)
        except UnusableReply as error:
            self._bill.add_repair()
            mended = self.complete(structured.repair(asked, reply, error))
            return structured.read(mended, form)

    def probability(self, request: Request, yes: str, no: str) -> float:
        """How much likelier the first word of the reply is ``yes`` than ``no``: 0 to 1.

        Raises:
            UnusableReply: the endpoint tells no probabilities, or neither word is among the likeliest.
        """
        return structured.probability(self.complete(structured.with_logprobs(request)), yes, no)

    def stream(self, request: Request) -> Generator[str, None, Completion]:
        """The pieces of a reply as they come; a kept reply is one piece. Returns the whole.

        Raises:
            UnusableReply: the stream broke off, or had no text.
        """
        self._prompts.add(request.prompt)
        kept = self._kept(request.key(self.model))
        if kept is not None:
            yield kept.text
            return kept
        with self._bill.paid(request, settles=False) as call:
            reply = yield from self._transport.stream(request, call.deadline)
            with call.settled(reply):
                self._replies.put(request, reply)
        return reply

    def map(self, function: Callable[[Given], Made], items: Iterable[Given]) -> Iterator[Made]:
        """Results of a function that asks this operation, in the order of the items, several at work at once.

        After an error no further item is begun, those at work are finished and kept, and the error is raised.
        """
        return map_ordered(function, items, self._concurrency)

    def _kept(self, key: str) -> Completion | None:
        kept = self._replies.get(key)
        if kept is not None:
            self._bill.add_cached()
        return kept


_AHEAD = 4
"""Items begun or waiting for each worker; results wait for those before them."""


def map_ordered(function: Callable[[Given], Made], items: Iterable[Given], workers: int) -> Generator[Made]:
    """Results in the order of the items, several at work at once.

    After an error no further item is begun; those at work are finished, results before the error are handed out, and
    the error of the first item that has one is raised. Who stops early waits for those at work.
    """
    failed: list[int] = []

    def work(number: int, item: Given) -> Made:
        if any(before < number for before in failed):
            raise CancelledError
        try:
            return function(item)
        except BaseException:
            failed.append(number)
            raise

    waiting: deque[Future[Made]] = deque()
    pool = ThreadPoolExecutor(workers, thread_name_prefix="tetragraph-llm")
    try:
        for number, item in enumerate(items):
            if failed:
                break
            waiting.append(pool.submit(work, number, item))
            if len(waiting) >= _AHEAD * workers:
                yield waiting.popleft().result()
        while waiting:
            yield waiting.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
