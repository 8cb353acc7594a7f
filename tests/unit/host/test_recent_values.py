"""Values in memory: the ones that were used last stay."""

from __future__ import annotations

from tetragraph.host.recent_values import RecentValues


def test_the_value_goes_that_was_not_used_for_longest() -> None:
    values = RecentValues[str, int](2)
    values.put("a", 1)
    values.put("b", 2)
    assert values.get("a") == 1
    values.put("c", 3)
    assert [values.get(key) for key in "abc"] == [1, None, 3]


def test_a_value_takes_the_place_of_that_with_the_same_key() -> None:
    values = RecentValues[str, int](2)
    values.put("a", 1)
    values.put("b", 2)
    values.put("a", 3)
    values.put("c", 4)
    assert [values.get(key) for key in "abc"] == [3, None, 4]


def test_nothing_is_stored_where_there_is_room_for_nothing() -> None:
    values = RecentValues[str, int](0)
    values.put("a", 1)
    assert values.get("a") is None
