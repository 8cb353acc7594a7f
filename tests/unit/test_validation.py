"""Checks of argument values: what they accept, and the words of what they refuse."""

from __future__ import annotations

import math

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.validation import (
    check_boolean,
    check_integer,
    check_list,
    check_not_negative,
    check_positive,
    check_text,
    is_number,
    merge_options,
)


def test_a_text_is_accepted_and_anything_else_is_named() -> None:
    check_text("method", "evidence", "the name of a method")
    with pytest.raises(InvalidInput, match=r"method must be the name of a method, got \['evidence'\]"):
        check_text("method", ["evidence"], "the name of a method")


def test_a_text_is_no_list_of_letters() -> None:
    check_list("of", ["dense", "keyword"], str, "methods")
    with pytest.raises(InvalidInput, match="of must be a list of methods, got 'magic'"):
        check_list("of", "magic", str, "methods")


@pytest.mark.parametrize("value", [0, 1.0, True, "2"])
def test_a_number_below_its_least_or_of_another_type_is_refused(value: object) -> None:
    check_integer("k", 1, 1)
    with pytest.raises(InvalidInput, match=f"k must be an integer of at least 1, got {value!r}"):
        check_integer("k", value, 1)


@pytest.mark.parametrize("value", [0, 1, "true", None])
def test_a_flag_is_neither_a_number_nor_a_word(value: object) -> None:
    check_boolean("if_drifted", False)
    with pytest.raises(InvalidInput, match=f"if_drifted must be true or false, got {value!r}"):
        check_boolean("if_drifted", value)


@pytest.mark.parametrize(
    ("value", "expected"),
    [(0, True), (-1.5, True), (10**400, True), (True, False), ("1", False), (float("nan"), False), (math.inf, False)],
)
def test_a_number_is_finite_and_no_truth_value(value: object, expected: bool) -> None:
    assert is_number(value) is expected


def test_bounds_of_numbers_are_named() -> None:
    check_integer("units", 3, 1, 3)
    check_positive("rate", 0.1)
    check_not_negative("cost", 0)
    with pytest.raises(InvalidInput, match="units must be at most 3, got 4"):
        check_integer("units", 4, 1, 3)
    for value in (0, -1.0, True, "1", math.nan):
        with pytest.raises(InvalidInput, match="rate must be a number above 0, got"):
            check_positive("rate", value)
    for other in (-0.1, False, None, math.inf):
        with pytest.raises(InvalidInput, match="cost must be a number from 0, got"):
            check_not_negative("cost", other)


def test_options_stand_beside_the_arguments_of_a_call_and_have_other_names() -> None:
    assert merge_options({"steps": 2}, k=5) == {"k": 5, "steps": 2}
    with pytest.raises(InvalidInput, match="'k' is an argument of its own and no option"):
        merge_options({"method": "gain", "k": 3}, k=5, method="dense")
