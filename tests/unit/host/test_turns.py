"""Turns: no more threads at a time than allowed, in the order of their coming, also where one gives up."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from functools import partial

import pytest

from tetragraph.host.turns import Turns

PATIENCE_S = 60.0


def wait_until(is_so: Callable[[], bool]) -> None:
    """Wait for other threads."""
    end = time.monotonic() + PATIENCE_S
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.001)


def test_no_more_threads_have_a_turn_than_allowed_and_the_first_to_come_is_the_next() -> None:
    turns, go = Turns(2), threading.Semaphore(0)
    order: list[int] = []
    most: list[int] = []
    inside = 0

    def work(number: int) -> None:
        nonlocal inside
        with turns.take():
            order.append(number)
            inside += 1
            most.append(inside)
            go.acquire()
            inside -= 1

    def has_come(count: int) -> bool:
        return len(order) + turns.waiting == count

    def has_begun(count: int) -> bool:
        return len(order) == count

    threads = [threading.Thread(target=work, args=[number]) for number in range(6)]
    for number, thread in enumerate(threads):
        thread.start()
        wait_until(partial(has_come, number + 1))
    assert (sorted(order), turns.waiting, turns.has_free) == ([0, 1], 4, False)
    for done in range(4):
        go.release()
        wait_until(partial(has_begun, 3 + done))
    go.release(2)
    for thread in threads:
        thread.join(PATIENCE_S)
    assert order[2:] == [2, 3, 4, 5]
    assert max(most) == 2
    assert (turns.waiting, turns.has_free) == (0, True)


def test_a_thread_that_has_a_turn_needs_no_second_one() -> None:
    turns = Turns(1)
    with turns.take(), turns.take():
        assert not turns.has_free
    assert turns.has_free


def test_an_error_gives_the_turn_back() -> None:
    turns = Turns(1)
    with pytest.raises(ZeroDivisionError), turns.take():
        raise ZeroDivisionError
    assert turns.has_free


def test_a_free_turn_is_taken_without_waiting_and_given_back() -> None:
    turns = Turns(1)
    with turns.take_if_free() as has_turn:
        assert (has_turn, turns.has_free) == (True, False)
        with turns.take(), turns.take_if_free() as has_still:  # the thread has one already
            assert has_still
        assert not turns.has_free
    assert turns.has_free


def test_without_a_free_turn_a_thread_gets_none_and_takes_none() -> None:
    turns, found = Turns(1), []

    def look() -> None:
        with turns.take_if_free() as has_turn:
            found.append(has_turn)

    with turns.take():
        other = threading.Thread(target=look)
        other.start()
        other.join(PATIENCE_S)
        assert (found, turns.has_free) == ([False], False)
    assert turns.has_free
