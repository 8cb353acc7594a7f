"""Searches in several steps, and their sessions, in asyncio."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from environments import user_environment
from tetragraph import AnchorStep, Answer, AsyncCorpus, AsyncTetragraph, Corpus, Document, Settings, Tetragraph, errors

QUESTION = "When was the harbour of the town where Elva Kron was born built?"
FOLLOW_UP = "Who wrote a poem about Halvik?"
PAGE = (Path(__file__).parents[2] / "docs" / "python.md").read_text(encoding="utf-8")


@pytest.fixture
def corpus(client: Tetragraph, corpus_name: str, world: list[Document]) -> Iterator[Corpus]:
    """The world, to be searched in several steps."""
    corpus = client.corpus(corpus_name)
    corpus.ingest(world, build=())
    yield corpus
    corpus.drop()


@pytest.fixture
def other(client: Tetragraph, corpus: Corpus) -> AsyncCorpus:
    """The same for asyncio."""
    return AsyncTetragraph(client).corpus(corpus.name)


def traces(steps: tuple[AnchorStep, ...] | list[AnchorStep]) -> list[dict[str, Any]]:
    """What the steps did, in values that can be compared."""
    return [step.trace() for step in steps]


def test_the_example_of_the_documents_runs(
    server_settings: Settings, corpus_name: str, world: list[Document], monkeypatch: pytest.MonkeyPatch, capsys: Any
) -> None:
    with Tetragraph.connect(server_settings) as client:
        client.corpus(corpus_name).ingest(world, build=())
    for name, value in user_environment(server_settings).items():
        monkeypatch.setenv(name, value)
    (example,) = (block for block in re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL) if "asyncio.run" in block)
    exec(example.replace('handbook"', f'{corpus_name}"'), {})  # noqa: S102 - the page's own words
    printed = capsys.readouterr().out
    assert "Answer(" in printed
    assert "\n1 Who leads the team" in printed


def test_steps_and_their_answer_are_those_of_the_synchronous_client(corpus: Corpus, other: AsyncCorpus) -> None:
    async def work() -> tuple[list[AnchorStep], Answer, str]:
        run = await other.anchor(QUESTION, documents=2)
        return [step async for step in run], await run.answer(), await run.stopped()

    steps, answer, stopped = asyncio.run(work())
    run = corpus.anchor(QUESTION, documents=2)
    assert traces(steps) == traces(list(run))
    assert len(steps) > 1
    assert (answer.text, stopped) == (run.answer.text, run.stopped)
    assert answer.session != run.session.id


def test_steps_that_nobody_reads_are_made_for_the_answer(other: AsyncCorpus) -> None:
    async def work() -> tuple[Answer, int]:
        run = await other.anchor(QUESTION, documents=2)
        return await run.answer(), len(await run.session.steps())

    answer, steps = asyncio.run(work())
    assert len(answer.evidence.trace["anchor"]["steps"]) == steps > 1


def test_searches_at_once_keep_to_their_own_sessions(corpus: Corpus, other: AsyncCorpus) -> None:
    async def ask(question: str) -> tuple[str, list[AnchorStep]]:
        run = await other.anchor(question)
        return run.session.id, [step async for step in run]

    async def work() -> list[tuple[str, list[AnchorStep]]]:
        return await asyncio.gather(*(ask(question) for question in (QUESTION, FOLLOW_UP, QUESTION)))

    found = asyncio.run(work())
    assert len({session for session, _ in found}) == 3
    for session, steps in found:
        assert traces(corpus.session(session).steps) == traces(steps)


def test_a_session_shows_what_it_keeps(corpus: Corpus, other: AsyncCorpus) -> None:
    run = corpus.anchor(QUESTION)
    steps = list(run)

    async def work() -> None:
        session = await other.session(run.session.id[:8])
        assert session.id == run.session.id
        assert (await session.record()).answer == run.answer.text
        assert traces(await session.steps()) == traces(steps)
        assert await session.graph() == run.session.graph
        assert await session.export("graphml") == run.session.export("graphml")
        assert await other.sessions.newest(1) == [await session.record()]

    asyncio.run(work())


def test_a_session_is_resumed_asked_on_forked_and_deleted(corpus: Corpus, other: AsyncCorpus) -> None:
    ended = corpus.anchor(QUESTION, documents=2)
    answer, made = ended.answer, len(ended.session.steps)

    async def work() -> None:
        session = await other.sessions.get(ended.session.id)
        assert (await (await session.resume()).answer()).text == answer.text
        more = await session.ask(FOLLOW_UP)
        assert (await anext(more)).number == made + 1
        assert (await more.answer()).session == session.id
        assert (await more.session.record()).question == FOLLOW_UP
        fork = await session.fork(1, retriever="keyword")
        assert {step.retriever async for step in fork} == {"keyword"}
        assert (await fork.session.record()).forked_from == session.id
        await session.delete()
        assert [record.id for record in await other.sessions.newest()] == [fork.session.id]
        assert await other.sessions.prune() == 0

    asyncio.run(work())


def test_errors_come_where_they_are_awaited(other: AsyncCorpus) -> None:
    async def work() -> None:
        with pytest.raises(errors.UnknownSession, match="none begins like that"):
            await other.session("nothing")
        with pytest.raises(errors.InvalidInput, match="steps must be"):
            await other.anchor(QUESTION, steps=0)
        assert await other.sessions.newest() == []

    asyncio.run(work())
