"""Work that is shared among processors."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import pytest

from tetragraph.host.processors import count_processors, map_ahead, map_on_processors


def test_results_are_in_the_order_of_their_items() -> None:
    assert map_on_processors(lambda item: item * item, [3, 1, 2]) == [9, 1, 4]
    assert map_on_processors(str, []) == []


def test_no_more_threads_work_than_there_are_processors() -> None:
    names = map_on_processors(lambda _: threading.current_thread().name, range(50))
    assert 1 <= len({*names}) <= count_processors()


def test_an_error_of_an_item_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        map_on_processors(lambda item: 1 // item, [1, 0])


def test_the_next_item_is_read_while_one_is_worked_on() -> None:
    events: list[str] = []
    is_read = threading.Event()

    def items() -> Iterator[int]:
        yield 1
        events.append("second is read")
        is_read.set()
        yield 2

    def work(item: int) -> int:
        assert is_read.wait(10)
        events.append(f"{item} is done")
        return item * 10

    assert list(map_ahead(work, items())) == [10, 20]
    assert events == ["second is read", "1 is done", "2 is done"]
    assert list(map_ahead(work, [])) == []


def test_nothing_is_begun_after_an_error() -> None:
    begun: list[int] = []

    def work(item: int) -> None:
        begun.append(item)
        raise OSError("no space")

    with pytest.raises(OSError, match="no space"):
        list(map_ahead(work, [1, 2, 3]))
    assert begun == [1]
