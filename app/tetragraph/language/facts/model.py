"""A fact with its participants, and the interface of fact extractors."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tetragraph.errors import InvalidInput
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import Chunk


@dataclass(frozen=True, slots=True)
class Participant:
    """An entity that takes part in a fact.

    Attributes:
        name: Name as written, without article and possessive; the document's title if the text refers to it.
        type: One of the values of :data:`~tetragraph.language.entity_linking.entity_types.TYPES`, ``OTHER`` for a
            number, ``CONCEPT`` for a phrase without a capital and a digit ("chamber orchestra"), ``""`` for unknown.
        role: Function in the fact: ``subject``, ``object``, ``attribute`` (what the subject is), ``agent`` (the actor
            in the passive), ``place``, ``time``, ``topic`` (the document's title if the statement does not name it),
            ``modifier``, the preposition before it (``of``, ``with``, ``for`` …), or the header of its column in a
            table.
        confidence: Confidence that the entity takes part, 0 to 1.
    """

    name: str
    type: str
    role: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Fact:
    """An n-ary fact.

    Attributes:
        description: A clause that can be read alone.
        type: Word that relates the participants, in small letters: a verb with its particle ("born", "set up"), a
            kinship or an office ("wife"), ``is`` for a definition. ``named`` relates a name to a fuller one,
            ``abbreviated`` to a short one, ``beside`` to a name that fills brackets after it (an actor's), and
            ``listed`` the cells of a row of a table.
        confidence: Confidence, 0 to 1; at most the smallest of its participants'.
        participants: Two or more participants in order of the statement, subject first; no two have the same normalised
            name.
        start: Start of the statement in the chunk's text, in characters.
        end: End of the statement in the chunk's text, in characters.

    Raises:
        InvalidInput: there are fewer than two participants, two with the same name, a name without a letter or a digit,
            a confidence outside 0 to 1, or offsets in the wrong order.

    Source:
        Definition 2 of BiG-RAG, with roles and offsets in addition.
    """

    description: str
    type: str
    confidence: float
    participants: tuple[Participant, ...]
    start: int
    end: int

    def __post_init__(self) -> None:
        names = [normalise_name(participant.name) for participant in self.participants]
        if len(names) < 2 or len({*names}) < len(names) or "" in names:
            given = [participant.name for participant in self.participants]
            raise InvalidInput(f"a fact must have at least 2 participants of different names, got {given}")
        for confidence in (self.confidence, *(participant.confidence for participant in self.participants)):
            if not 0 <= confidence <= 1:
                raise InvalidInput(f"the confidence of a fact must be between 0 and 1, got {confidence}")
        if not 0 <= self.start < self.end:
            raise InvalidInput(f"a fact must begin before it ends, got {self.start} and {self.end}")


class FactExtractor(Protocol):
    """A method of fact extraction."""

    @property
    def name(self) -> str:
        """Name of the method and its version, for display and as a key of stored results."""

    def extract(self, chunks: Sequence[Chunk]) -> list[list[Fact]]:
        """Facts of each chunk, in the order of the chunks; deterministic.

        The facts of a chunk depend on that chunk alone.
        """
