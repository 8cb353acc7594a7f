"""Chunks with facts, each written in one line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import numpy as np
import pytest

from tetragraph.arrays import Vectors
from tetragraph.language.entity_resolution.model import Stated
from tetragraph.language.facts.model import Fact, Participant


class MakeFact(Protocol):
    """Makes a fact; see the fixture."""

    def __call__(self, *parts: str, kind: str = "is", said: str = "") -> Fact: ...


class MakePassage(Protocol):
    """Makes a passage; see the fixture."""

    def __call__(self, title: str, *facts: Fact, document: str = "") -> Stated: ...


@pytest.fixture(scope="session")
def fact() -> MakeFact:
    """A fact of names with their types ("Oslo:PLACE", "Jane Doe:PERSON", "Nightfall"); the first one is its subject."""

    def make(*parts: str, kind: str = "is", said: str = "") -> Fact:
        roles = ["subject", *["object"] * (len(parts) - 1)]
        participants = [
            Participant(name, label, role, 0.9)
            for role, (name, _, label) in zip(roles, (part.partition(":") for part in parts), strict=True)
        ]
        return Fact(said or ", ".join(one.name for one in participants), kind, 0.9, tuple(participants), 0, 1)

    return make


@pytest.fixture(scope="session")
def passage() -> MakePassage:
    """A passage of a document that is called by its title, unless another id is given."""

    def make(title: str, *facts: Fact, document: str = "") -> Stated:
        return Stated(document or title, title, facts)

    return make


class AllAlike:
    """To this model all names are the same, so that only the guards tell them apart; it notes what it is asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, names: Sequence[str]) -> Vectors:
        self.asked += names
        return np.tile(np.array([[1.0, 0.0]], dtype=np.float32), (len(names), 1))


@pytest.fixture
def all_alike() -> AllAlike:
    """A model to which all names are the same."""
    return AllAlike()
