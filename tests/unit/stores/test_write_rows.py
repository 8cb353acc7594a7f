"""Writing rows in batches, on a graph that notes its writes in place of sending them."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any, cast

import neo4j
import pytest

from tetragraph.stores.graph import Graph, Row

WAIT_S = 30.0


class Notes(Graph):
    """A graph whose writes wait for :attr:`may_write`, and are then noted; that of the row ``fault`` fails."""

    def __init__(self, fault: int = -1) -> None:
        super().__init__(cast("neo4j.Driver", None), "neo4j")
        self.written: list[list[int]] = []
        self.may_write = threading.Event()
        self._fault = fault

    def write(self, name: str, /, **parameters: Any) -> list[Row]:
        assert self.may_write.wait(WAIT_S)
        rows = [row["number"] for row in parameters["rows"]]
        if self._fault in rows:
            raise ConnectionError(name)
        self.written.append(rows)
        return []


def rows(count: int) -> Iterator[Row]:
    return ({"number": number} for number in range(count))


@pytest.fixture
def graph() -> Notes:
    notes = Notes()
    notes.may_write.set()
    return notes


@pytest.mark.parametrize(("count", "sizes"), [(0, []), (1, [1]), (2, [2]), (5, [2, 2, 1])])
def test_the_size_of_each_batch_follows_its_write(graph: Notes, count: int, sizes: list[int]) -> None:
    done = []
    for size in graph.write_rows("ingest/upsert_documents", rows(count), batch=2):
        done.append(size)
        assert sum(map(len, graph.written)) >= sum(done)
    assert done == sizes
    assert [number for batch in graph.written for number in batch] == list(range(count))


def test_nothing_is_written_before_the_first_size_is_taken(graph: Notes) -> None:
    writing = graph.write_rows("ingest/upsert_documents", rows(3))
    assert not graph.written
    assert next(writing) == 3


def test_a_batch_is_made_while_the_one_before_is_written() -> None:
    graph = Notes()

    def made() -> Iterator[Row]:
        yield from rows(2)
        assert not graph.written
        graph.may_write.set()
        yield {"number": 2}

    assert list(graph.write_rows("ingest/upsert_documents", made(), batch=2)) == [2, 1]
    assert graph.written == [[0, 1], [2]]


def test_a_batch_that_fails_is_the_last(graph: Notes) -> None:
    graph = Notes(fault=3)
    graph.may_write.set()
    writing = graph.write_rows("ingest/upsert_documents", rows(8), batch=2)
    assert next(writing) == 2
    with pytest.raises(ConnectionError):
        next(writing)
    assert graph.written == [[0, 1]]


def test_rows_that_fail_leave_what_was_written(graph: Notes) -> None:
    def broken() -> Iterator[Row]:
        yield from rows(2)
        raise ConnectionError

    with pytest.raises(ConnectionError):
        list(graph.write_rows("ingest/upsert_documents", broken(), batch=2))
    assert graph.written == [[0, 1]]
