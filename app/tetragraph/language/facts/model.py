"""A fact with its participants, and what every way of finding facts has in common."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from tetragraph.errors import InvalidInput
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import Chunk


@dataclass(frozen=True, slots=True)
class Participant:
    """Something or somebody that a fact is about.

    Attributes:
        name: As the text writes it, without article and possessive; the document's title where the text means it.
        type: One of the values of :data:`~tetragraph.language.entity_linking.entity_types.TYPES`, ``OTHER`` for a
            number, ``CONCEPT`` for a phrase without a capital and a digit ("chamber orchestra"),
            ``""`` where nothing is known.
        role: What it does in the fact: ``subject``, ``object``, ``attribute`` (what the subject is), ``agent`` (by whom
            something is done), ``place``, ``time``, ``topic`` (the document's title where the statement does not name
            it), ``modifier``, or the preposition before it (``of``, ``with``, ``for`` …).
        confidence: That it takes part, 0 to 1.
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
        type: The word that joins the participants, in small letters: a verb with its particle ("born", "set up"), a
            kinship or an office ("wife"), ``is`` for what something is. After a name ``named`` joins a fuller one,
            ``abbreviated`` a short one, and ``beside`` one that stands alone in brackets (of an actor).
        confidence: 0 to 1; the smallest of its participants' at the most.
        participants: Two or more, in order of the statement, subject first; no two have one normalised name.
        start: Where the statement begins in the chunk's text, in characters.
        end: Where it ends.

    Raises:
        InvalidInput: fewer than two participants, two of one name, a name without a letter or a digit, a confidence
            outside 0 to 1, offsets in the wrong order.

    Source:
        Definition 2 of BiG-RAG, with roles and offsets besides.
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
    """A way of finding facts."""

    @property
    def name(self) -> str:
        """Says which way it is, for people and for what is kept of its results."""

    def extract(self, chunks: Sequence[Chunk]) -> list[list[Fact]]:
        """The facts of each chunk, in the order of the chunks; the same each time.

        What a chunk gives depends on that chunk alone.
        """
