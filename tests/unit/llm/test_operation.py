"""Tests of ``tetragraph.llm.operation``: order, errors and early ends of parallel work."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from tetragraph.llm.operation import map_ordered


def test_results_come_in_the_order_of_the_items_however_long_each_takes() -> None:
    def slow_first(item: int) -> int:
        time.sleep(0.005 * (4 - item % 5))
        return item * item

    assert list(map_ordered(slow_first, range(40), 4)) == [item * item for item in range(40)]


def test_as_many_are_at_work_as_there_are_workers() -> None:
    together = threading.Barrier(3, timeout=10)
    assert list(map_ordered(lambda _: together.wait() < 3, range(6), 3)) == [True] * 6


def test_items_are_taken_as_they_are_needed() -> None:
    taken: list[int] = []

    def items() -> Iterator[int]:
        for item in range(1000):
            taken.append(item)
            yield item

    results = map_ordered(lambda item: item, items(), 2)
    assert [next(results), next(results)] == [0, 1]
    results.close()
    assert len(taken) < 20


def test_results_before_an_error_are_handed_out_and_no_item_is_begun_after_it() -> None:
    begun: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        if item == 5:
            raise ValueError(item)
        time.sleep(0.002)
        return item

    results = map_ordered(work, range(1000), 2)
    assert [next(results) for _ in range(5)] == [0, 1, 2, 3, 4]
    with pytest.raises(ValueError, match="5"):
        next(results)
    assert set(range(6)) <= set(begun)
    assert len(begun) <= 7  # the sixth fails while one other is in progress


def test_of_several_errors_that_of_the_first_item_is_raised() -> None:
    later_failed = threading.Event()

    def work(item: int) -> int:
        if item == 0:
            later_failed.wait(10)
            raise ValueError("first")
        later_failed.set()
        raise ValueError("later")

    with pytest.raises(ValueError, match="first"):
        list(map_ordered(work, range(8), 2))


def test_those_at_work_are_finished_when_another_fails() -> None:
    finished: list[int] = []
    at_work = threading.Barrier(2, timeout=10)

    def work(item: int) -> int:
        at_work.wait()
        if item == 0:
            raise ValueError(item)
        time.sleep(0.05)
        finished.append(item)
        return item

    with pytest.raises(ValueError, match="0"):
        list(map_ordered(work, range(2), 2))
    assert finished == [1]


def test_who_stops_early_leaves_nothing_at_work() -> None:
    begun: list[int] = []
    finished: list[int] = []

    def work(item: int) -> int:
        begun.append(item)
        time.sleep(0.01)
        finished.append(item)
        return item

    before = threading.active_count()
    results = map_ordered(work, range(1000), 4)
    next(results)
    results.close()
    assert sorted(begun) == sorted(finished)
    assert len(begun) <= 17
    assert threading.active_count() == before


def test_an_error_of_the_items_themselves_is_raised_after_the_work_is_done() -> None:
    def items() -> Iterator[int]:
        yield 1
        raise KeyError("no more")

    finished: list[int] = []
    with pytest.raises(KeyError):
        list(map_ordered(finished.append, items(), 2))
    assert finished == [1]


def test_nothing_comes_of_nothing() -> None:
    assert list(map_ordered(str, [], 3)) == []
