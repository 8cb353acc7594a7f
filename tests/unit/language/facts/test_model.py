"""Rules for facts."""

from __future__ import annotations

from typing import Any

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.language.facts.model import Fact, Participant


def part(name: str, confidence: float = 0.9) -> Participant:
    return Participant(name, "", "subject", confidence)


def fact(**changes: Any) -> Fact:
    rows: dict[str, Any] = {"participants": (part("Oslo"), part("Norway")), "confidence": 0.5, "start": 0, "end": 3}
    return Fact(description="…", type="is", **rows | changes)


def test_two_participants_of_different_names_are_enough() -> None:
    assert len(fact().participants) == 2


BAD: dict[str, dict[str, Any]] = {
    "one participant": {"participants": (part("Oslo"),)},
    "one name in two spellings": {"participants": (part("Oslo"), part("OSLO's"))},
    "a name without letters": {"participants": (part("Oslo"), part("?"))},
    "a confidence above 1": {"confidence": 1.5},
    "a participant's confidence below 0": {"participants": (part("Oslo"), part("Norway", -0.1))},
    "an end before the start": {"start": 3},
    "a start before the text": {"start": -1},
}


@pytest.mark.parametrize("changes", BAD.values(), ids=BAD)
def test_a_fact_that_breaks_the_rule_is_refused(changes: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput):
        fact(**changes)
