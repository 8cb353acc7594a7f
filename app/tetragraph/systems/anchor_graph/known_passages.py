"""What the passages at hand say to a question: its sub-questions, answered from these passages alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from tetragraph.language import subquestions
from tetragraph.language.subquestions import Step
from tetragraph.model import ChainStep
from tetragraph.stores.corpus import Question
from tetragraph.stores.vectors import Vectors
from tetragraph.systems.evidence_walk.chain import follow, worded
from tetragraph.systems.evidence_walk.index import EvidenceIndex, Reading
from tetragraph.systems.evidence_walk.local import LocalIndex, only
from tetragraph.systems.evidence_walk.options import EvidenceOptions

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
        rows = [self._index.table.rows[chunk] for chunk in chunks if chunk in self._index.table.rows]
        local = only(self._index, self.reading, np.array(rows, dtype=np.int64))
        return KnownPassages(local, self.steps, self._follow(local))

    def _follow(self, local: LocalIndex) -> tuple[ChainStep, ...]:
        if len(self.steps) < 2 or not len(local.table):
            return ()
        question = Question(self.text, np.zeros(0, dtype=np.float32), self._embed)
        size = len(local.table)
        return follow(local, question, self.steps, np.zeros(size), _OPTIONS, np.ones(size, dtype=bool)).steps


@dataclass(frozen=True, slots=True)
class KnownPassages:
    """The passages at hand.

    Attributes:
        index: Of these alone.
        steps: The sub-questions.
        chain: What was found for each; empty for a question of one step, or where no chain of passages answers it.
    """

    index: LocalIndex
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

    @property
    def described(self) -> frozenset[int]:
        """Rows, in the corpus, of the entities that title one of the passages."""
        graph = self.index.graph
        return frozenset(graph.entities[np.unique(graph.titles.indices)].tolist())
