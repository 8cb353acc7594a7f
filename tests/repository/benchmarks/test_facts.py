"""When a recorded triple counts as found."""

from __future__ import annotations

import pytest
from benchmarks.facts import RULES, is_covered, matches

from tetragraph.language.facts.model import Fact, Participant


def fact(*names: str) -> Fact:
    return Fact("…", "is", 0.9, tuple(Participant(name, "", "object", 0.9) for name in names), 0, 1)


PAIRS = {
    "another spelling": ("Jean-Luc Godard", "jean luc godard's", "equal"),
    "most of the longer one": ("Norwegian painter", "painter", "mostly"),
    "a word of a long one": ("Oslo", "the old harbour of Oslo city", "contained"),
    "words in another order": ("harbour of Oslo", "Oslo harbour", "overlap"),
    "forms of a word": ("film directors", "director of films", "overlap"),
    "part of a word": ("Oslo", "Osloer", ""),
    "small words": ("of the", "the house of lords", ""),
    "one of three words": ("Marta Ida Olsen", "Marta Anna Varga", ""),
}


@pytest.mark.parametrize(("first", "second", "strictest"), PAIRS.values(), ids=PAIRS)
def test_each_rule_allows_what_stricter_ones_do(first: str, second: str, strictest: str) -> None:
    allowed = [rule for rule in RULES if matches(first, second, rule)]
    assert allowed == (list(RULES[RULES.index(strictest) :]) if strictest else [])
    assert allowed == [rule for rule in RULES if matches(second, first, rule)]


def test_both_ends_of_a_pair_must_be_participants_of_one_fact() -> None:
    assert is_covered([fact("Oslo", "Norway", "1921")], "Norway", "1921", "equal")
    assert not is_covered([fact("Oslo", "Norway"), fact("Oslo", "1921")], "Norway", "1921", "equal")


def test_one_participant_is_not_both_ends() -> None:
    assert not is_covered([fact("Oslo in Norway", "1921")], "Oslo", "Norway", "contained")
    assert is_covered([fact("Oslo", "Oslo in Norway")], "Oslo", "Norway", "contained")
