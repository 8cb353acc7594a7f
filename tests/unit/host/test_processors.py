"""Work that is shared among processors."""

from __future__ import annotations

import threading

import pytest

from tetragraph.host.processors import count_processors, map_on_processors


def test_results_are_in_the_order_of_their_items() -> None:
    assert map_on_processors(lambda item: item * item, [3, 1, 2]) == [9, 1, 4]
    assert map_on_processors(str, []) == []


def test_no_more_threads_work_than_there_are_processors() -> None:
    names = map_on_processors(lambda _: threading.current_thread().name, range(50))
    assert 1 <= len({*names}) <= count_processors()


def test_an_error_of_an_item_is_raised() -> None:
    with pytest.raises(ZeroDivisionError):
        map_on_processors(lambda item: 1 // item, [1, 0])
