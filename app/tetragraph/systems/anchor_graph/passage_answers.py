"""What the passages at hand say to a question: its sub-questions, answered from these passages alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from tetragraph.algorithms.evidence_walk import items
from tetragraph.arrays import Longs, Vectors
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.language.questions import decompose
from tetragraph.language.questions.answer_type import expected_type
from tetragraph.language.questions.decompose import Step
from tetragraph.model import ChainStep
from tetragraph.stores.corpus import Question
from tetragraph.systems.evidence_walk.chain import Compared, fill_variables, follow
from tetragraph.systems.evidence_walk.index import EvidenceIndex, QuestionTerms
from tetragraph.systems.evidence_walk.local_index import Index, restrict_to
from tetragraph.systems.evidence_walk.options import LOCAL_FROM, EvidenceOptions

SURE: Final = 0.2
"""Probability from which on an answer of a sub-question is taken for likely."""
_OPTIONS: Final = EvidenceOptions(chain="embed")
"""Names that were found are put into the sub-questions, which costs little among so few passages."""


class Asked:
    """A question, taken apart once.

    Args:
        index: Of the corpus.
        text: The question.
        embed: Gives the vector of a text.
        type_of: Key of an entity to its type; empty where nobody can tell.
    """

    def __init__(
        self,
        index: EvidenceIndex,
        text: str,
        embed: Callable[[str], Vectors],
        type_of: Callable[[str], str],
    ) -> None:
        self.text = text
        self._index = index
        self._embed = embed
        self._type_of = type_of
        self._compared: dict[str, Compared] = {}

    @cached_property
    def reading(self) -> QuestionTerms:
        """The question in the corpus' words."""
        return self._index.read(self.text)

    @cached_property
    def steps(self) -> Sequence[Step]:
        """Its sub-questions; one is the question itself."""
        return decompose.take_apart(self.text, self.reading.spans)

    @property
    def names(self) -> tuple[str, ...]:
        """The corpus' entities that it names, as the corpus calls them."""
        return tuple(self._index.labels[entity] for entity in self.reading.entities)

    def answered_from(self, chunks: Sequence[str]) -> KnownPassages:
        """What some passages, by id, say to it; those that the index lacks are passed over."""
        rows = np.array(
            [self._index.table.rows[one] for one in chunks if one in self._index.table.rows], dtype=np.int64
        )
        titles = [items(self._index.graph.titles, row) for row in rows.tolist()]
        described = frozenset(entity for found in titles for entity in found.tolist())
        chain = self._follow(rows)
        return KnownPassages(described, self.steps, chain, self._found(chain))

    def _follow(self, rows: Longs) -> tuple[ChainStep, ...]:
        """The sub-questions answered; in a large corpus words are weighed by what is at hand alone."""
        if len(self.steps) < 2 or not len(rows):
            return ()
        question = Question(self.text, np.zeros(0, dtype=np.float32), self._embed)
        index: Index = self._index
        compared = self._compared
        is_known = np.zeros(len(self._index.table), dtype=bool)
        is_known[rows] = True
        if len(is_known) >= LOCAL_FROM:
            index = restrict_to(self._index, self.reading, rows)
            is_known, compared = np.ones(len(index.table), dtype=bool), {}
        return follow(index, question, self.steps, np.zeros(len(is_known)), _OPTIONS, is_known, compared).steps

    def _found(self, chain: Sequence[ChainStep]) -> dict[int, str]:
        """Number of a sub-question to its answer; see :class:`KnownPassages`."""
        answers: dict[int, str] = {}
        for number, (step, answered) in enumerate(zip(self.steps, chain, strict=False), 1):
            likely = [bridge.name for bridge in answered.bridges if bridge.weight >= SURE]
            names = likely or [bridge.name for bridge in answered.bridges[:1]]
            types = expected_type(step.text, step.head).types
            fitting = (name for name in names if self._type_of(normalise_name(name)) in types)
            if names:
                answers[number] = next(fitting, names[0])
        return answers


@dataclass(frozen=True, slots=True)
class KnownPassages:
    """What the passages at hand say.

    Attributes:
        described: Rows of the entities that title one of them.
        steps: The sub-questions.
        chain: What was found for each; empty for a question of one step, or where no chain of passages answers it.
        found: Number of a sub-question, from 1, to its likeliest answer, one of the type asked for if there is any.
    """

    described: frozenset[int]
    steps: Sequence[Step]
    chain: tuple[ChainStep, ...]
    found: Mapping[int, str]

    def filled(self) -> list[str]:
        """The sub-questions with the answers put in that they need; those that lack one are left out."""
        known = self.found.keys()
        return [fill_variables(self.steps, step, self.found) for step in self.steps if known >= set(step.refers)]

    def answers_for(self, step: Step) -> list[str]:
        """The answers that a sub-question needs, as far as they are known."""
        return [self.found[number] for number in step.refers if number in self.found]
