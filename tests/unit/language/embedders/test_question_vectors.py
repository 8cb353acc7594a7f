"""Vectors of questions: each is computed once, and ahead of its use where a processor is idle."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import cast

import numpy as np
import pytest

from tetragraph.arrays import Vectors
from tetragraph.errors import StoreUnavailable
from tetragraph.host.turns import Turns
from tetragraph.language.embedders import Embedder
from tetragraph.language.embedders.question_vectors import QuestionVectors

PATIENCE_S = 60.0
MODEL = "letters"


class Letters:
    """An embedder that counts vowels, and waits before a text in capitals until it may go on."""

    def __init__(self) -> None:
        self.computed: list[tuple[str, bool]] = []
        """Each text, and whether the thread of the test computed it."""
        self.begun, self.go = threading.Semaphore(0), threading.Semaphore(0)
        self.error: Exception | None = None
        self._test = threading.current_thread()

    def embed_question(self, text: str) -> Vectors:
        self.computed.append((text, threading.current_thread() is self._test))
        if text.isupper():
            self.begun.release()
            assert self.go.acquire(timeout=PATIENCE_S)
        if self.error:
            raise self.error
        return np.array([text.lower().count(vowel) for vowel in "aeiou"], dtype=np.float32)


def wait_for_a_free(turns: Turns) -> None:
    """Wait until the thread that embeds has no work."""
    end = time.monotonic() + PATIENCE_S
    while not turns.has_free and time.monotonic() < end:
        time.sleep(0.001)


@pytest.fixture
def model() -> Letters:
    return Letters()


@pytest.fixture
def turns() -> Turns:
    return Turns(2)


@pytest.fixture
def vectors(model: Letters, turns: Turns) -> Iterator[QuestionVectors]:
    with turns.take():  # that of the thread of the test
        yield QuestionVectors(lambda name: cast(Embedder, {MODEL: model}[name]), 10, turns)


def test_a_text_is_embedded_once_and_what_is_returned_may_be_changed(vectors: QuestionVectors, model: Letters) -> None:
    vectors.get(MODEL, "who is it")[:] = 9
    assert vectors.get(MODEL, "who is it").tolist() == [0, 0, 2, 1, 0]
    assert model.computed == [("who is it", True)]


def test_texts_are_embedded_by_another_thread_before_they_are_needed(vectors: QuestionVectors, model: Letters) -> None:
    vectors.begin(MODEL, ["AEON", "area"])
    assert model.begun.acquire(timeout=PATIENCE_S)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(vectors.get, MODEL, "AEON")
        model.go.release()
        assert waiting.result(PATIENCE_S).tolist() == [1, 1, 0, 1, 0]
    vectors.begin(MODEL, ["AEON"])  # known
    assert vectors.get(MODEL, "AEON").tolist() == [1, 1, 0, 1, 0]
    assert [one for one in model.computed if one[0] == "AEON"] == [("AEON", False)]


def test_what_is_needed_first_is_embedded_by_who_needs_it_and_not_again(
    vectors: QuestionVectors, model: Letters, turns: Turns
) -> None:
    vectors.begin(MODEL, ["AEON", "area"])
    assert model.begun.acquire(timeout=PATIENCE_S)
    assert vectors.get(MODEL, "area").tolist() == [2, 1, 0, 0, 0]
    model.go.release()
    vectors.get(MODEL, "AEON")
    wait_for_a_free(turns)
    assert model.computed == [("AEON", False), ("area", True)]


def test_a_thread_at_work_goes_on_with_what_is_begun_meanwhile(
    vectors: QuestionVectors, model: Letters, turns: Turns
) -> None:
    vectors.begin(MODEL, ["AEON"])
    assert model.begun.acquire(timeout=PATIENCE_S)
    assert not turns.has_free
    vectors.begin(MODEL, ["AEON", "AREA", "ease"])
    model.go.release()
    assert model.begun.acquire(timeout=PATIENCE_S)  # the second text
    model.go.release()
    assert vectors.get(MODEL, "AREA").tolist() == [2, 1, 0, 0, 0]
    wait_for_a_free(turns)
    assert vectors.get(MODEL, "ease").tolist() == [1, 2, 0, 0, 0]
    assert model.computed == [("AEON", False), ("AREA", False), ("ease", False)]


@pytest.mark.parametrize("turns", [Turns(1)])
def test_nothing_is_begun_while_all_processors_compute(vectors: QuestionVectors, model: Letters) -> None:
    vectors.begin(MODEL, ["AREA"])
    model.go.release()
    assert vectors.get(MODEL, "AREA").tolist() == [2, 1, 0, 0, 0]
    assert model.computed == [("AREA", True)]


def test_an_error_reaches_who_waits_and_the_next_one_tries_again(vectors: QuestionVectors, model: Letters) -> None:
    model.error = StoreUnavailable("no answer")
    vectors.begin(MODEL, ["AEON"])
    assert model.begun.acquire(timeout=PATIENCE_S)
    with ThreadPoolExecutor(1) as threads:
        waiting = threads.submit(vectors.get, MODEL, "AEON")
        model.go.release(2)  # the thread that waits embeds the text itself if it comes too late
        with pytest.raises(StoreUnavailable, match="no answer"):
            waiting.result(PATIENCE_S)
    model.error = None
    model.go.release()
    assert vectors.get(MODEL, "AEON").tolist() == [1, 1, 0, 1, 0]
