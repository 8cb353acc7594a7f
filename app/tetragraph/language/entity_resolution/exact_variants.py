"""Proposals for names that are equal word by word, except for spelling or singular and plural."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import Final, TypeVar

from tetragraph.language.entity_linking.entity_types import TYPES
from tetragraph.language.entity_resolution.guards import may_be_one
from tetragraph.language.entity_resolution.names import Name, Names
from tetragraph.language.entity_resolution.proposals import Proposal
from tetragraph.language.entity_resolution.spellings import fold, singular

Key = TypeVar("Key")
_PEOPLE: Final = TYPES["NORP"]
_NUMBERED = frozenset([_PEOPLE, TYPES["ORG"], TYPES["EVENT"], ""])
"""Types of names whose plural denotes the same entity: "Emmy Awards"."""
_LONGEST_ACRONYM = 5
_SPELLING, _NUMBER = 1.0, 0.95


def find_spellings(names: Names) -> Iterator[Proposal]:
    """Propose merges of names that differ in the spelling of words, in gaps between letters, or in singular and plural.

    A phrase without a capital is merged with its plural only if several documents state one form: a phrase stated once
    is too ambiguous ("great power").
    """
    blocks: dict[str, set[str]] = defaultdict(set)
    for name in names.unqualified.values():
        folded = [fold(word) for word in name.words]
        blocks["".join(folded)].add(name.key)
        if _has_plural(name):
            blocks[" ".join([*folded[:-1], singular(folded[-1])])].add(name.key)
    for first, second in pairs(names, blocks):
        if not may_be_one(first, second):
            continue
        if _letters(first) == _letters(second):
            if _may_ignore_gaps(first, second):
                yield Proposal(first.key, second.key, "spelling", _SPELLING)
        elif _may_differ_in_number(names, first, second):
            yield Proposal(first.key, second.key, "spelling", _NUMBER)


def pairs(names: Names, blocks: Mapping[Key, set[str]]) -> Iterator[tuple[Name, Name]]:
    """All pairs of names of one block, each pair once, in order of the names."""
    found = {pair for block in blocks.values() if len(block) > 1 for pair in combinations(sorted(block), 2)}
    for first, second in sorted(found):
        yield names.all[first], names.all[second]


def _letters(name: Name) -> str:
    return "".join(fold(word) for word in name.words)


def _has_plural(name: Name) -> bool:
    if name.is_concept:
        return True
    if name.type not in _NUMBERED or name.is_title:
        return False
    return len(name.words) > 1 or name.type == _PEOPLE


def _may_differ_in_number(names: Names, first: Name, second: Name) -> bool:
    is_stated_once = all(len(names.documents[name.key]) == 1 for name in (first, second))
    return not (first.is_concept and is_stated_once)


def _may_ignore_gaps(first: Name, second: Name) -> bool:
    """Whether gaps between letters are irrelevant: "U.S." is "US", and not "us"."""
    if len(first.words) == len(second.words):
        return True
    single = [name for name in (first, second) if len(name.words) == 1]
    return all(len(name.key) > _LONGEST_ACRONYM or name.surface.isupper() for name in single)
