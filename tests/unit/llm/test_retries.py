"""Tests of ``tetragraph.llm.retries``: pauses, requests of endpoints, and the end of retries."""

from __future__ import annotations

import time
from email.utils import formatdate

import pytest

from tetragraph.errors import DeadlineExceeded, LlmUnavailable, UnusableReply
from tetragraph.llm.retries import RetryState, TransientFailure, pause, retry_after


def test_pauses_double_and_are_cut_by_up_to_a_half() -> None:
    assert [pause(failed, 0.5, None, 1.0) for failed in (1, 2, 3)] == [0.5, 1.0, 2.0]
    assert [pause(failed, 0.5, None, 0.0) for failed in (1, 2, 3)] == [0.25, 0.5, 1.0]


def test_an_endpoints_own_time_is_waited_at_least_and_two_minutes_at_most() -> None:
    assert pause(1, 0.5, 20.0, 0.0) == 20.0
    assert pause(1, 0.5, 20.0, 1.0) == pytest.approx(22.0)
    assert pause(1, 0.5, 0.0, 1.0) == 0.5
    assert pause(1, 0.5, 86_400.0, 0.5) == pause(500, 0.5, None, 0.5) == 120.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "0.5"}, 0.5),
        ({"retry-after-ms": "250", "retry-after": "7"}, 0.25),
        ({"retry-after": formatdate(0, usegmt=True)}, 0.0),
        ({"retry-after": "soon"}, None),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "nan"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "Mon, 99 Foo 2026 99:99:99 GMT"}, None),
        ({}, None),
    ],
)
def test_retry_after_is_seconds_or_a_date_or_nothing(headers: dict[str, str], seconds: float | None) -> None:
    assert retry_after(headers) == seconds


def test_a_date_to_come_is_as_far_away_as_it_is() -> None:
    seconds = retry_after({"retry-after": formatdate(time.time() + 3600, usegmt=True)})
    assert seconds == pytest.approx(3600, abs=60)


def test_tries_end_after_the_retries_with_what_failed_last() -> None:
    tries = RetryState(2, 0.0, None, count=3)
    assert [tries.wait(TransientFailure("busy")) for _ in range(2)] == [None, None]
    error = tries.wait(TransientFailure("busy again"))
    assert isinstance(error, LlmUnavailable)
    assert str(error).startswith("busy again; tried 3 times")


def test_replies_without_content_end_as_unusable_ones() -> None:
    error = RetryState(0, 0.0, None, count=1).wait(TransientFailure("it has no text", raw=""))
    assert isinstance(error, UnusableReply)
    assert (str(error), error.raw) == ("it has no text; requested once", "")


def test_a_pause_that_would_outlast_the_deadline_is_not_begun() -> None:
    error = RetryState(5, 0.0, time.monotonic() + 60).wait(TransientFailure("busy", after_s=100.0))
    assert isinstance(error, DeadlineExceeded)
    assert "busy" in str(error)


def test_another_wording_of_a_request_counts_for_nothing() -> None:
    tries = RetryState(0, 60.0, None)
    assert tries.wait(TransientFailure("no schemas here", is_free=True)) is None


def test_tokens_of_tries_in_vain_add_up() -> None:
    tries = RetryState(1, 0.0, None)
    for tokens in ((10, 2), None, (5, 0)):
        tries.add_tokens(tokens)
    assert tries.tokens == (15, 2)
