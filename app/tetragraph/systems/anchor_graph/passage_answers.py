"""The sub-questions of a question, answered from the chunks that a search has found so far."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from tetragraph.arrays import Vectors
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.questions.answer_type import expected_type
from tetragraph.language.questions.decompose import Step
from tetragraph.language.questions.plain import plain_question
from tetragraph.model import ChainStep
from tetragraph.systems.anchor_graph.indexes import NameIndex
from tetragraph.systems.question_decomposition import fill_variables

SURE: Final = 0.2
"""Lowest probability of a likely answer to a sub-question."""


class DecomposedQuestion:
    """A question with its sub-questions.

    Attributes:
        text: Text of the question.

    Args:
        index: Names of the corpus.
        text: Text of the question.
        embed: Returns the vector of a text.
        types_of: Returns the types of entities, by their normalised names; unknown ones are left out.
    """

    def __init__(
        self,
        index: NameIndex,
        text: str,
        embed: Callable[[str], Vectors],
        types_of: Callable[[Collection[str]], Mapping[str, str]],
    ) -> None:
        self.text = text
        self._index = index
        self._types_of = types_of
        self._sub_questions = index.decompose(plain_question(text), embed)

    @property
    def steps(self) -> Sequence[Step]:
        """The sub-questions; a single one is the question itself."""
        return self._sub_questions.steps

    @property
    def names(self) -> tuple[str, ...]:
        """Entities that the question names, in the spelling of the corpus."""
        return self._sub_questions.names

    def answer_from(self, chunks: Sequence[str]) -> ChunkAnswers:
        """Answers of the sub-questions from these chunks alone.

        Args:
            chunks: Ids; those that the corpus lacks are ignored.
        """
        chain = self._sub_questions.answer_from(chunks)
        return ChunkAnswers(self._index.keys_of_titles(chunks), self.steps, chain, self._likeliest_answers(chain))

    def _likeliest_answers(self, chain: Sequence[ChainStep]) -> dict[int, str]:
        """Number of a sub-question to its answer; see :class:`ChunkAnswers`."""
        answers: dict[int, str] = {}
        type_of = self._types_of({normalise_name(bridge.name) for answered in chain for bridge in answered.bridges})
        for number, (step, answered) in enumerate(zip(self.steps, chain, strict=False), 1):
            likely = [bridge.name for bridge in answered.bridges if bridge.weight >= SURE]
            names = likely or [bridge.name for bridge in answered.bridges[:1]]
            types = expected_type(step.text, step.head).types
            fitting = (name for name in names if type_of.get(normalise_name(name), "") in types)
            if names:
                answers[number] = next(fitting, names[0])
        return answers


@dataclass(frozen=True, slots=True)
class ChunkAnswers:
    """Answers of sub-questions from a set of chunks.

    Attributes:
        described: Normalised names of the entities in the titles of the chunks.
        steps: The sub-questions.
        chain: Result for each sub-question; empty for a question of one step, or if no chain of the chunks answers it.
        answers: Number of a sub-question, from 1, to its likeliest answer, one of the expected type if there is any.
    """

    described: frozenset[str]
    steps: Sequence[Step]
    chain: tuple[ChainStep, ...]
    answers: Mapping[int, str]

    def filled_questions(self) -> list[str]:
        """The sub-questions with the answers that they need; those that lack one are left out."""
        known = self.answers.keys()
        return [fill_variables(self.steps, step, self.answers) for step in self.steps if known >= set(step.refers)]

    def answers_for(self, step: Step) -> list[str]:
        """The answers that a sub-question needs, as far as they are known."""
        return [self.answers[number] for number in step.refers if number in self.answers]
