"""A budget is checked before an operation begins."""

from __future__ import annotations

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.model.usage import UNLIMITED, check_budget


@pytest.mark.parametrize("value", [None, 20_000, {"tokens": 20_000}])
def test_what_is_no_budget_is_refused_with_an_example_of_one(value: object) -> None:
    with pytest.raises(InvalidInput, match=r"must be a Budget, such as Budget\(tokens=20_000\), got "):
        check_budget(value)
    check_budget(UNLIMITED)
