"""Histories of ingests, replacements and deletions that clients search meanwhile: every read is one generation.

A small model knows the documents of each published generation. A result names the generation that it is of, and must
have exactly its documents, whatever another client writes at that moment. ``TETRAGRAPH_HISTORIES=50`` draws more.
"""

from __future__ import annotations

import os
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from environments import own_home
from tetragraph import Corpus, Document, Evidence, Settings, Tetragraph

HISTORIES = int(os.environ.get("TETRAGRAPH_HISTORIES", "2"))
STEPS = 4
READERS = 3
NAMES = ("Halvik", "Old Port", "Sund", "Reyer")
METHODS = ("evidence", "gain")
State = frozenset[tuple[str, int]]
"""Documents with their revisions."""
QUESTION = "Who leads the harbour of Halvik?"


def document(name: str, revision: int) -> Document:
    text = f"The harbour of {name} is led by Keeper {revision}. It was counted in revision {revision}."
    return Document(name, name, text, metadata={"revision": revision})


def state_of(found: Evidence) -> tuple[int, State]:
    """The generation of a result, and the documents that it is made from, by their texts."""
    revisions = {(hit.chunk.document_id, int(hit.chunk.text.rstrip(".").rpartition(" ")[2])) for hit in found}
    assert revisions == {(hit.chunk.document_id, hit.chunk.metadata["revision"]) for hit in found}
    return found.manifest["generation"], frozenset(revisions)


class History(RuleBasedStateMachine):
    """One corpus that a client changes, and others that search it."""

    def __init__(self, writer: Tetragraph, readers: list[Tetragraph]) -> None:
        super().__init__()
        name = f"history-{uuid.uuid4().hex[:12]}"
        self.writer, self.corpus = writer, writer.corpus(name)
        self.others = [reader.corpus(name) for reader in readers]
        self.states: dict[int, State] = {}
        self.now: dict[str, int] = {}
        self.revision = 0

    @initialize(names=some.sets(some.sampled_from(NAMES), min_size=2))
    def begin(self, names: set[str]) -> None:
        self._ingest(names)

    @rule(names=some.sets(some.sampled_from(NAMES), min_size=1))
    def replace(self, names: set[str]) -> None:
        self._while_searched(lambda: self._ingest(names))

    @rule(name=some.sampled_from(NAMES))
    def delete(self, name: str) -> None:
        if name in self.now:
            self._while_searched(lambda: self._delete(name))

    @rule(method=some.sampled_from(METHODS))
    def repeat(self, method: str) -> None:
        """An ingest of what is there publishes nothing."""
        report = self.corpus.ingest([document(name, self.now[name]) for name in sorted(self.now)], build=("gain",))
        assert not report.written
        assert state_of(self._search(self.corpus, method)) == (report.generation, frozenset(self.now.items()))

    @invariant()
    def all_clients_see_the_last_generation(self) -> None:
        for corpus in (self.corpus, *self.others) if self.states else ():
            assert state_of(self._search(corpus, "evidence")) == (max(self.states), frozenset(self.now.items()))

    def teardown(self) -> None:
        if self.states:
            assert self.writer.doctor(corpus=self.corpus.name).faults == ()
            self.corpus.drop()

    def _ingest(self, names: set[str]) -> None:
        self.revision += 1
        documents = [document(name, self.revision) for name in sorted(names)]
        report = self.corpus.ingest(documents, build=("gain",))
        self.now |= dict.fromkeys(sorted(names), self.revision)
        self.states[report.generation] = frozenset(self.now.items())

    def _delete(self, name: str) -> None:
        report = self.corpus.delete(name)
        del self.now[name]
        self.states[report.generation] = frozenset(self.now.items())

    def _search(self, corpus: Corpus, method: str) -> Evidence:
        return corpus.search(QUESTION, k=50, method=method, engine="memory")

    def _while_searched(self, change: Callable[[], None]) -> None:
        """Make a change while every other client searches; then compare what each read with the model."""
        ended = Event()

        def read(place: int) -> list[tuple[int, State]]:
            found: list[tuple[int, State]] = []
            while not ended.is_set():
                found.append(state_of(self._search(self.others[place], METHODS[(place + len(found)) % len(METHODS)])))
            return found

        with ThreadPoolExecutor(len(self.others)) as pool:
            running = [pool.submit(read, place) for place in range(len(self.others))]
            try:
                change()
            finally:
                ended.set()
            for generation, state in (one for reads in running for one in reads.result()):
                assert state == self.states[generation]


@pytest.fixture(scope="module")
def history_settings(neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return own_home(neo4j_server, tmp_path_factory.mktemp("histories"))


@pytest.fixture(scope="module")
def clients(history_settings: Settings) -> Iterator[list[Tetragraph]]:
    """One that writes, and those that read."""
    opened = [Tetragraph.connect(history_settings) for _ in range(1 + READERS)]
    yield opened
    for client in opened:
        client.close()


def test_every_read_is_the_state_of_one_generation(clients: list[Tetragraph]) -> None:
    writer, *readers = clients
    machine: Any = lambda: History(writer, readers)  # noqa: E731  # a factory, which the annotation of it does not allow
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=HISTORIES,
            stateful_step_count=STEPS,
            derandomize=True,
            deadline=None,
            database=None,
            phases=(Phase.explicit, Phase.generate),  # a shorter history would take minutes to find
            suppress_health_check=list(HealthCheck),
        ),
    )
