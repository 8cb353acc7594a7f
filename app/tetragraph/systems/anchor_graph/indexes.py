"""Indexes of other systems that the search in several steps reads; the registry supplies them.

Systems do not import one another: a system provides an object that has these members, and knows nothing of its reader.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import ClassVar, Protocol

from tetragraph.arrays import Vectors
from tetragraph.language.questions.decompose import Step
from tetragraph.model import ChainStep, FactParticipant


class SubQuestions(Protocol):
    """A question that is divided into sub-questions."""

    @property
    def names(self) -> tuple[str, ...]:
        """Entities that the question names, in the spelling of the corpus."""

    @property
    def steps(self) -> Sequence[Step]:
        """The sub-questions; a single one is the question itself."""

    def answer_from(self, chunks: Sequence[str], /) -> tuple[ChainStep, ...]:
        """Answers of the sub-questions from these chunks alone.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.

        Returns:
            One item for each sub-question; none for a question of one step, or if no chain of the chunks answers it.
        """


class NameIndex(Protocol):
    """The entities of a corpus by their names, and the chunks that name them."""

    def entity_ids(self, keys: Collection[str], /) -> Mapping[str, str]:
        """Ids of the entities with these normalised names, by name; names without an entity are left out."""

    def names_in(self, text: str, /) -> tuple[str, ...]:
        """Entities that a text names, in the spelling of the corpus."""

    def keys_of_titles(self, chunks: Sequence[str], /) -> frozenset[str]:
        """Normalised names of the entities in the titles of these chunks; ids that the corpus lacks are ignored."""

    def mentions_of(self, chunks: Sequence[str], query: Vectors, /) -> Iterator[tuple[str, str]]:
        """Each entity in the title of a chunk with each in its text, by name.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.
            query: ``(dimension,)`` vector of the query: the chunks most similar to it come first, ties by id.
        """

    def decompose(self, question: str, embed: Callable[[str], Vectors], /) -> SubQuestions:
        """Divide a question into sub-questions.

        Args:
            question: Text of the question.
            embed: Returns the vector of a text.
        """


class StatedFact(Protocol):
    """A fact that a chunk states."""

    @property
    def verb(self) -> str:
        """Type of the fact: the word that connects its participants."""

    @property
    def title(self) -> str:
        """Title of the first chunk that states the fact."""

    @property
    def participants(self) -> Sequence[FactParticipant]:
        """Participants, in ascending order of entity id."""


class FactIndex(Protocol):
    """The facts of a corpus by the chunks that state them."""

    def facts_of(self, chunks: Sequence[str], query: Vectors, /) -> Iterator[StatedFact]:
        """Facts that these chunks state, the most similar to the query first, ties by id.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.
            query: ``(dimension,)`` vector of the query.
        """

    def types_of(self, keys: Collection[str], /) -> Mapping[str, str]:
        """Types of the entities with these normalised names, by name; names of unknown type are left out."""


class FactSource(Protocol):
    """The build target that finds the facts.

    Attributes:
        name: Argument of ``tetragraph build``.
        title: Its name in messages.
    """

    name: ClassVar[str]
    title: ClassVar[str]

    def is_built(self, graphs: Collection[str], /) -> bool:
        """Whether it is among the graphs of a corpus."""
