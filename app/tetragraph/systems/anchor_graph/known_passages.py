"""What the passages at hand say to a question: its sub-questions, answered from these passages alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tetragraph.algorithms.evidence_walk import items
from tetragraph.language import subquestions
from tetragraph.language.subquestions import Step
from tetragraph.model import ChainStep
from tetragraph.stores.corpus import Question
from tetragraph.stores.vectors import Vectors
from tetragraph.systems.evidence_walk.chain import follow, worded
from tetragraph.systems.evidence_walk.index import EvidenceIndex, Reading
from tetragraph.systems.evidence_walk.local import Index, only
from tetragraph.systems.evidence_walk.options import LOCAL_FROM, EvidenceOptions

_OPTIONS = EvidenceOptions(chain="embed")
"""Names that were found are put into the sub-questions, which costs little among so few passages."""


class Asked:
    """A question, taken apart once."""

    def __init__(self, index: EvidenceIndex, text: str, embed: Callable[[str], Vectors]) -> None:
        self.text = text
        self._index = index
        self._embed = embed

    @cached_property
    def reading(self) -> Reading:
        """The question in the corpus' words."""
        return self._index.read(self.text)

    @cached_property
    def steps(self) -> Sequence[Step]:
        """Its sub-questions; one is the question itself."""
        return subquestions.take_apart(self.text, self.reading.spans)

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
        return KnownPassages(described, self.steps, self._follow(rows))

    def _follow(self, rows: NDArray[np.int64]) -> tuple[ChainStep, ...]:
        """The sub-questions answered; in a large corpus words are weighed by what is at hand alone."""
        if len(self.steps) < 2 or not len(rows):
            return ()
        question = Question(self.text, np.zeros(0, dtype=np.float32), self._embed)
        index: Index = self._index
        is_known = np.zeros(len(self._index.table), dtype=bool)
        is_known[rows] = True
        if len(is_known) >= LOCAL_FROM:
            index = only(self._index, self.reading, rows)
            is_known = np.ones(len(index.table), dtype=bool)
        return follow(index, question, self.steps, np.zeros(len(is_known)), _OPTIONS, is_known).steps


@dataclass(frozen=True, slots=True)
class KnownPassages:
    """What the passages at hand say.

    Attributes:
        described: Rows of the entities that title one of them.
        steps: The sub-questions.
        chain: What was found for each; empty for a question of one step, or where no chain of passages answers it.
    """

    described: frozenset[int]
    steps: Sequence[Step]
    chain: tuple[ChainStep, ...]

    @property
    def found(self) -> Mapping[int, str]:
        """Number of a sub-question, from 1, to its likeliest answer."""
        return {number: step.bridges[0].name for number, step in enumerate(self.chain, 1) if step.bridges}

    def filled(self) -> list[str]:
        """The sub-questions with the answers put in that they need; those that lack one are left out."""
        found = self.found
        return [worded(self.steps, step, found) for step in self.steps if found.keys() >= set(step.refers)]
