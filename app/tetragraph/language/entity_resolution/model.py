"""Names that were merged, and what they are resolved from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

from tetragraph.arrays import Vectors
from tetragraph.language.facts.model import Fact
from tetragraph.language.lexicon.names import normalise_name

Reason = Literal["qualifier", "acronym", "fuller name", "short form", "spelling", "similar"]
"""Why two names are one entity: "X (film)" is the only X that a title tells of; the text abbreviates one by the other;
it gives the fuller one; one is a short form inside one document; they are one word by word, in another spelling or
number; their embeddings are alike and no guard objects."""


@dataclass(frozen=True, slots=True)
class Stated:
    """The facts of one chunk, with what resolution has to know of it.

    Attributes:
        document: Id of the chunk's document.
        title: The document's title.
        facts: What the chunk states.
    """

    document: str
    title: str
    facts: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class Merge:
    """A name that stands for another one.

    Attributes:
        alias: The normalised name that makes no entity of its own.
        entity: The normalised name that it stands for: no alias of a merge that holds everywhere, nor of one that holds
            in the same document.
        name: The alias as it is written most often.
        reason: Why.
        score: 0 to 1; 1 where no doubt is left.
        document: Id of the document inside which it holds; empty where it holds everywhere.
    """

    alias: str
    entity: str
    name: str
    reason: Reason
    score: float
    document: str = ""


@dataclass(frozen=True)
class Resolution:
    """Result of entity resolution: the entity of each name.

    Attributes:
        merges: In order of alias and document.
    """

    merges: tuple[Merge, ...] = ()

    @cached_property
    def _meant(self) -> Mapping[tuple[str, str], str]:
        return {(merge.alias, merge.document): merge.entity for merge in self.merges}

    def entity(self, name: str, document: str) -> str:
        """The normalised name of the entity that a name means in a document: that document's merges come first."""
        key = normalise_name(name)
        for place in (document, ""):
            key = self._meant.get((key, place), key)
        return key


class NameVectors(Protocol):
    """Gives the vectors of names; only those asked for are embedded."""

    def __call__(self, names: Sequence[str]) -> Vectors:
        """``(n, dimension)`` vectors of length 1 of names as they are written most often, each given once."""
