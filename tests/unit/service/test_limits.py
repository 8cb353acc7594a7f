"""Limits of one caller: a token bucket and a number of requests at the same time; and keys of an address."""

from __future__ import annotations

import pytest

from tetragraph.errors import AccessDenied, ServiceBusy
from tetragraph.service import limits as module
from tetragraph.service import problems
from tetragraph.service.limits import CallerLimits


def test_a_burst_passes_then_the_rate_holds_and_other_callers_are_not_touched() -> None:
    now = [0.0]
    limits = CallerLimits(2.0, 10, lambda: now[0])

    def send(caller: str) -> None:
        with limits.request(caller):
            return

    for _ in range(4):
        send("a")
    with pytest.raises(ServiceBusy) as told:
        send("a")
    assert told.value.retry_after_s == pytest.approx(0.5)
    assert problems.status_of(told.value) == 429
    send("b")
    now[0] = 0.5
    send("a")
    with pytest.raises(ServiceBusy):
        send("a")


def test_requests_at_the_same_time_are_counted_until_they_end() -> None:
    limits = CallerLimits(0, 1)
    with limits.request("a"):
        with pytest.raises(ServiceBusy, match="1 requests in progress"), limits.request("a"):
            pass
        with limits.request("b"):
            pass
    with limits.request("a"):
        pass


def test_only_keys_that_are_not_valid_count_for_an_address() -> None:
    now = [0.0]
    limits = CallerLimits(1.0, 1, lambda: now[0])

    def guess(address: str, *, is_valid: bool) -> None:
        with limits.guess(address):
            if not is_valid:
                raise AccessDenied("the key is not valid")

    for _ in range(5):
        guess("a", is_valid=True)
    for _ in range(2):
        with pytest.raises(AccessDenied):
            guess("a", is_valid=False)
    with pytest.raises(ServiceBusy, match="this address may send 1 keys that are not valid a second"):
        guess("a", is_valid=True)
    guess("b", is_valid=True)
    now[0] = 1.0
    guess("a", is_valid=True)


def test_accounts_without_requests_make_room_while_others_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_CALLERS", 3)
    limits = CallerLimits(0, 1)
    with limits.request("oldest"):
        for number in range(9):
            with limits.request(str(number)):
                assert len(limits._accounts) <= 3
        with pytest.raises(ServiceBusy, match="1 requests in progress"), limits.request("oldest"):
            pass
        assert [*limits._accounts] == ["key 7", "key 8", "key oldest"]
