"""One process at a time changes a corpus."""

from __future__ import annotations

import os
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest

from tetragraph.errors import CorpusBusy
from tetragraph.host import process_names
from tetragraph.indexing import lease
from tetragraph.indexing.lease import Lease
from tetragraph.stores.graph import Graph

NEVER_A_PID = 2**22 + 1


@pytest.fixture
def corpus(graph: Graph, corpus_name: str) -> Iterator[str]:
    graph.write(
        "corpus/upsert_corpus", corpus=corpus_name, embedder="none", dimension=3, settings="{}", schema_version=1
    )
    yield corpus_name
    graph.write("corpus/delete_corpus", corpus=corpus_name)


def hold(graph: Graph, corpus: str, holder: str) -> None:
    graph.write("ingest/upsert_lease", corpus=corpus, holder=holder, expected="", lease_ms=60_000)


def test_a_second_holder_is_refused_and_told_who_holds_it(graph: Graph, corpus: str) -> None:
    with Lease(graph, corpus) as first, Lease(graph, corpus) as second:
        first.hold()
        with pytest.raises(CorpusBusy, match=f"being changed by {socket.gethostname()} pid"):
            second.hold()


def test_the_refusal_names_one_who_took_the_lease_at_the_last_moment(graph: Graph, corpus: str) -> None:
    class Late(Lease):
        def _request(self, expected: str) -> bool:
            first.hold()
            return super()._request(expected)

    message = rf"being changed by {socket.gethostname()} pid .*, heard of 0 s ago"
    with Lease(graph, corpus) as first, Late(graph, corpus) as late, pytest.raises(CorpusBusy, match=message):
        late.hold()


def test_a_lease_that_was_given_back_can_be_taken(graph: Graph, corpus: str) -> None:
    for _ in range(2):
        with Lease(graph, corpus) as one:
            one.hold()
            one.hold()
    assert (graph.get("ingest/get_lease", corpus=corpus) or {})["holder"] is None


def test_threads_of_one_change_acquire_it_once(graph: Graph, corpus: str) -> None:
    asked: list[str] = []
    together = threading.Barrier(4)

    class Slow(Lease):
        def _request(self, expected: str) -> bool:
            asked.append(expected)
            time.sleep(0.2)
            return super()._request(expected)

    def change(_: int) -> None:
        together.wait()
        one.hold()

    with Slow(graph, corpus) as one, ThreadPoolExecutor(4) as pool:
        list(pool.map(change, range(4)))
    assert asked == [""]


def test_nothing_is_written_until_something_is_to_be_changed(graph: Graph, corpus: str) -> None:
    with Lease(graph, corpus):
        assert (graph.get("ingest/get_lease", corpus=corpus) or {})["holder"] is None


def test_a_dead_process_of_this_machine_loses_its_lease_at_once(graph: Graph, corpus: str) -> None:
    hold(graph, corpus, f"{socket.gethostname()} pid {NEVER_A_PID} {process_names._process_space()}-abcd")
    with Lease(graph, corpus) as one:
        one.hold()


def test_a_process_of_another_container_of_the_same_host_name_keeps_it(graph: Graph, corpus: str) -> None:
    hold(graph, corpus, f"{socket.gethostname()} pid {NEVER_A_PID} 01234567-abcd")
    with Lease(graph, corpus) as one, pytest.raises(CorpusBusy, match=f"pid {NEVER_A_PID}"):
        one.hold()


def test_a_dead_process_that_names_this_container_loses_its_lease(graph: Graph, corpus: str) -> None:
    with Lease(graph, corpus) as one:
        one.hold()
        held = (graph.get("ingest/get_lease", corpus=corpus) or {})["holder"]
    hold(graph, corpus, held.replace(f"pid {os.getpid()} ", f"pid {NEVER_A_PID} "))
    with Lease(graph, corpus) as one:
        one.hold()


def test_a_process_of_another_machine_keeps_it_while_it_is_heard_of(graph: Graph, corpus: str) -> None:
    hold(graph, corpus, f"elsewhere pid {NEVER_A_PID} abcd")
    with Lease(graph, corpus) as one, pytest.raises(CorpusBusy, match="elsewhere pid"):
        one.hold()


def test_a_holder_that_fell_silent_loses_it(graph: Graph, corpus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    hold(graph, corpus, "elsewhere pid 1 abcd")
    monkeypatch.setattr(lease, "LEASE_S", -1.0)
    with Lease(graph, corpus) as one:
        one.hold()


def test_a_lease_that_was_taken_away_is_noticed(graph: Graph, corpus: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lease, "RENEWAL_S", 0.05)
    with Lease(graph, corpus) as one:
        one.hold()
        graph.write("ingest/upsert_lease", corpus=corpus, holder="thief", expected="", lease_ms=-60_000)
        time.sleep(1)
        with pytest.raises(CorpusBusy, match="was lost"):
            one.hold()


@pytest.mark.parametrize("is_taken", [True, False])
def test_a_process_that_was_stopped_for_a_while_looks_before_its_next_change(
    graph: Graph, corpus: str, is_taken: bool
) -> None:
    with Lease(graph, corpus) as one:
        one.hold()
        one._renewed -= 3 * lease.RENEWAL_S  # its thread has not renewed it since
        if is_taken:
            graph.write("ingest/upsert_lease", corpus=corpus, holder="another", expected="", lease_ms=-60_000)
            with pytest.raises(CorpusBusy, match="was lost"):
                one.hold()
        else:
            one.hold()
