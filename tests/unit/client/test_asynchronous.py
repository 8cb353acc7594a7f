"""The client for asyncio has the methods of the synchronous one, and runs them in threads."""

from __future__ import annotations

import asyncio
import inspect
import threading
from typing import Any

import pytest

from tetragraph import AnchorRun, AnswerStream, AsyncCorpus, AsyncTetragraph, Corpus, Session, Tetragraph
from tetragraph.answering.sessions import Sessions
from tetragraph.client.analytics import Analytics
from tetragraph.client.asynchronous import (
    AsyncAnalytics,
    AsyncAnchorRun,
    AsyncAnswerStream,
    AsyncEntities,
    AsyncFacade,
    AsyncPolicies,
    AsyncSession,
    AsyncSessions,
    threaded,
)
from tetragraph.client.entities import Entities
from tetragraph.client.policies import Policies
from tetragraph.errors import InvalidInput

PAIRS: tuple[tuple[type[Any], type[Any]], ...] = (
    (Tetragraph, AsyncTetragraph),
    (Corpus, AsyncCorpus),
    (AnswerStream, AsyncAnswerStream),
    (AnchorRun, AsyncAnchorRun),
    (Session, AsyncSession),
    (Sessions, AsyncSessions),
    (Entities, AsyncEntities),
    (Analytics, AsyncAnalytics),
    (Policies, AsyncPolicies),
)
IMMEDIATE = {"corpus", "policies", "ask_stream", "sessions", "entities", "analytics", "list"}
"""Members that wait for nothing, and therefore are no coroutine functions."""


def public_names(cls: type[Any]) -> set[str]:
    return {name for name in dir(cls) if not name.startswith("_")}


def methods(cls: type[Any]) -> dict[str, Any]:
    return {name: getattr(cls, name) for name in public_names(cls) if inspect.isroutine(getattr(cls, name))}


@pytest.mark.parametrize(("synchronous", "asynchronous"), PAIRS)
def test_both_clients_have_the_same_public_names(synchronous: type[Any], asynchronous: type[Any]) -> None:
    assert public_names(asynchronous) == public_names(synchronous)


@pytest.mark.parametrize(("synchronous", "asynchronous"), PAIRS)
def test_both_clients_take_the_same_arguments(synchronous: type[Any], asynchronous: type[Any]) -> None:
    for name, method in methods(synchronous).items():
        ours = inspect.signature(getattr(asynchronous, name)).parameters.values()
        theirs = inspect.signature(method).parameters.values()
        assert [(one.name, one.kind, one.default) for one in ours] == [
            (one.name, one.kind, one.default) for one in theirs
        ], name


@pytest.mark.parametrize(("synchronous", "asynchronous"), PAIRS)
def test_every_method_has_a_docstring_and_whatever_waits_is_awaited(
    synchronous: type[Any], asynchronous: type[Any]
) -> None:
    for name in public_names(synchronous):
        member = getattr(asynchronous, name)
        assert member.__doc__, name
        assert inspect.iscoroutinefunction(member) == (name not in IMMEDIATE), name


def test_a_threaded_method_keeps_signature_and_docstring() -> None:
    assert inspect.signature(AsyncCorpus.search) == inspect.signature(Corpus.search)
    assert AsyncCorpus.search.__doc__ == Corpus.search.__doc__


class Adder:
    """Adds numbers to a start."""

    def __init__(self, start: int) -> None:
        self.start = start
        self.left = threading.Event()

    def add(self, *numbers: int, times: int = 1) -> tuple[int, int]:
        """Add numbers so many times, and name the thread."""
        if times < 1:
            raise InvalidInput(f"times must be at least 1, got {times}")
        return self.start + times * sum(numbers), threading.get_ident()

    def wait(self) -> None:
        """Wait until the event loop has gone on."""
        assert self.left.wait(30)


class AsyncAdder(AsyncFacade[Adder]):
    """The same for asyncio."""

    add = threaded(Adder.add)
    wait = threaded(Adder.wait)


def test_a_threaded_method_passes_its_arguments_on_and_runs_in_another_thread() -> None:
    total, thread = asyncio.run(AsyncAdder(Adder(1)).add(2, 3, times=2))
    assert total == 11
    assert thread != threading.get_ident()


def test_errors_are_raised_where_the_call_is_awaited() -> None:
    async def work() -> None:
        call = AsyncAdder(Adder(1)).add(2, times=0)
        with pytest.raises(InvalidInput, match="times must be at least 1, got 0"):
            await call

    asyncio.run(work())


def test_the_event_loop_goes_on_while_a_method_runs() -> None:
    adder = Adder(1)

    async def work() -> None:
        waiting = asyncio.create_task(AsyncAdder(adder).wait())
        await asyncio.sleep(0)
        adder.left.set()
        await waiting

    asyncio.run(work())


def test_a_cancelled_call_is_left_at_once() -> None:
    adder = Adder(1)

    async def work() -> None:
        waiting = asyncio.create_task(AsyncAdder(adder).wait())
        await asyncio.sleep(0)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
        adder.left.set()

    asyncio.run(work())
