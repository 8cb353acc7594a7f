"""Merged names, and the facts from which they are resolved."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal, Protocol

from tetragraph.arrays import Vectors
from tetragraph.language.facts.model import Fact
from tetragraph.language.lexicon.names import normalise_name

Reason = Literal["gazetteer", "qualifier", "acronym", "fuller name", "short form", "spelling", "similar"]
"""Reason why two names are one entity: a gazetteer states it; "X (film)" is the only X among the titles; the text
abbreviates one by the other; the text gives a fuller name; one is a short form inside one document; they are equal word
by word except for spelling or number; their embeddings are similar and no guard forbids it."""


@dataclass(frozen=True, slots=True)
class Stated:
    """The facts of one chunk, with its document.

    Attributes:
        document: Id of the chunk's document.
        title: Title of the document.
        facts: Facts that the chunk states.
    """

    document: str
    title: str
    facts: Sequence[Fact]


@dataclass(frozen=True, slots=True)
class Merge:
    """The merge of a name into an entity.

    Attributes:
        alias: Normalised name, which is not an entity itself.
        entity: Normalised name of the entity; never an alias of a merge in the whole corpus or in the same document.
        name: The alias in its most frequent spelling.
        reason: Reason of the merge.
        score: Confidence, 0 to 1; 1 for no doubt.
        document: Id of the document in which the merge is valid; empty for the whole corpus.
    """

    alias: str
    entity: str
    name: str
    reason: Reason
    score: float
    document: str = ""


@dataclass(frozen=True)
class Resolution:
    """The merges of all names.

    Attributes:
        merges: Merges in order of alias and document.
    """

    merges: tuple[Merge, ...] = ()

    @cached_property
    def _meant(self) -> Mapping[tuple[str, str], str]:
        return {(merge.alias, merge.document): merge.entity for merge in self.merges}

    def entity(self, name: str, document: str) -> str:
        """Normalised name of the entity that a name denotes in a document; merges of that document take precedence."""
        key = normalise_name(name)
        for place in (document, ""):
            key = self._meant.get((key, place), key)
        return key


class NameVectors(Protocol):
    """Embeds names on request."""

    def __call__(self, names: Sequence[str]) -> Vectors:
        """``(n, dimension)`` vectors of length 1 of names in their most frequent spelling, each given once."""
