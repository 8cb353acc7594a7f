"""A question of several steps, answered step by step: which passage answers which, over which entities.

The question is parsed into sub-questions (:mod:`tetragraph.language.questions.decompose`). A passage that answers one
offers the entities that it names for the answer, and the next sub-question is asked about these. With ``match`` a
sub-question is embedded once, and passages that name the entity are preferred; with ``embed`` the entity's name is
put into the words, and these are embedded again.

Source:
    docs/evidence-walk.md, section 6 ("Chain").
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from tetragraph.algorithms.chained_search import Bridge, Link, StepAnswers, search_chain
from tetragraph.arrays import Flags, Floats
from tetragraph.language.questions.decompose import Step
from tetragraph.language.questions.steps import PLACEHOLDER, stand_in
from tetragraph.model import Bridge as NamedBridge
from tetragraph.model import ChainStep, content_id
from tetragraph.stores.corpus import Question
from tetragraph.systems.evidence_walk.index import QuestionTerms
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.options import CHAINS, COMPARED_STEPS, EvidenceOptions
from tetragraph.systems.evidence_walk.similarity import TextSimilarity
from tetragraph.systems.evidence_walk.sub_question import SubQuestionSearch
from tetragraph.systems.question_decomposition import Decomposed, decompose

_NEAR_QUESTION = 0.02
"""Weight of the logarithm of the walk's mass: keeps the chain near the question."""
_SHOWN = 3
"""Passages and bridges of a step that a result shows."""


@dataclass(frozen=True, slots=True)
class ChainResult:
    """What the chain found.

    Attributes:
        answers: ``(steps, n)`` probability that a passage answers a step; no steps where there is no chain.
        steps: The same for people.
    """

    answers: Floats
    steps: tuple[ChainStep, ...] = ()

    @property
    def total(self) -> Floats:
        """``(n,)`` ``pi(p) = min(1, sum over steps)``."""
        total: Floats = np.minimum(self.answers.sum(axis=0), 1.0)
        return total


@dataclass(frozen=True, slots=True)
class Compared:
    """One wording of a sub-question, compared with an index.

    Attributes:
        closeness: Of the passages.
        keyword: ``(n,)`` weighted keyword relevance.
        named: Entities that it names.
    """

    closeness: TextSimilarity
    keyword: Floats
    named: frozenset[int]


def take_apart(question: Question, reading: QuestionTerms, options: EvidenceOptions) -> Decomposed:
    """The sub-questions of a question; one is the question itself, none where no chain is wanted."""
    return Decomposed(()) if options.chain == "off" else decompose(question, reading.spans, options.decomposition)


def fill_variables(steps: Sequence[Step], step: Step, names: Mapping[int, str] | None = None) -> str:
    """A sub-question without placeholders.

    Args:
        steps: The chain.
        step: One of it.
        names: Number of a step to the answer to put in; without one, what kind of thing it is ("the director").
    """

    def word(match: re.Match[str]) -> str:
        number = int(match[1])
        if names and number in names:
            return names[number]
        return stand_in(steps[number - 1].head)

    return PLACEHOLDER.sub(word, step.text)


def follow(
    index: Index,
    question: Question,
    steps: Sequence[Step],
    walked: Floats,
    options: EvidenceOptions,
    is_allowed: Flags,
    compared: dict[str, Compared] | None = None,
) -> ChainResult:
    """Answer the steps of a question.

    Args:
        index: Of the corpus.
        question: Embeds the sub-questions.
        steps: Its sub-questions.
        walked: ``(n,)`` logarithm of the walk's mass.
        options: Of the search.
        is_allowed: ``(n,)`` passages that may be found.
        compared: Wordings that were compared with this index before; new ones are added.

    Returns:
        A trail without steps when there are fewer than two, or no chain of passages answers them.
    """
    none = ChainResult(np.zeros((0, len(index.table))))
    if len(steps) < 2:
        return none
    bonus = np.where(is_allowed, _NEAR_QUESTION * walked, -np.inf)
    search = _ChainSearch(index, question, steps, bonus, options, {} if compared is None else compared)
    return search.trail() or none


class _ChainSearch:
    """One question's chain."""

    def __init__(
        self,
        index: Index,
        question: Question,
        steps: Sequence[Step],
        bonus: Floats,
        options: EvidenceOptions,
        compared: dict[str, Compared],
    ) -> None:
        self._compared = compared
        self._index = index
        self._question = question
        self._steps = steps
        self._bonus = bonus
        self._passages = index.passages if options.sentences else index.passages.without_sentences()
        self._keyword = options.keyword
        self._is_matched = options.chain == "match"
        self._options = CHAINS[options.chain]
        self._asked: dict[str, SubQuestionSearch] = {}

    def trail(self) -> ChainResult | None:
        """The answers to all steps, or None where some step has none."""
        needed = {number for step in self._steps for number in step.refers}
        links = [
            Link(
                tuple(number - 1 for number in step.refers),
                partial(self._find, step),
                partial(self._offer, step) if place in needed else None,
            )
            for place, step in enumerate(self._steps, 1)
        ]
        found = search_chain(links, self._options.beam)
        if not found:
            return None
        answers = np.zeros((len(found), len(self._index.table)))
        for row, chained in enumerate(found):
            answers[row, list(chained.passages)] = list(chained.passages.values())
        return ChainResult(answers, tuple(map(self._shown, self._steps, found)))

    def _find(self, step: Step, put_in: tuple[Bridge, ...]) -> tuple[Sequence[int], Sequence[float]]:
        return self._ask(step, put_in).find(_known(put_in) if self._is_matched else ())

    def _offer(self, step: Step, row: int, put_in: tuple[Bridge, ...]) -> Sequence[tuple[Bridge, float]]:
        return self._ask(step, put_in).offer(row, _known(put_in))

    def _ask(self, step: Step, put_in: tuple[Bridge, ...]) -> SubQuestionSearch:
        text = self._worded(step, put_in)
        if text not in self._asked:
            told = self._compared.get(text) or self._compare(text)
            self._compared[text] = told
            extra = told.keyword + self._bonus
            self._asked[text] = SubQuestionSearch(
                self._index, self._passages, told.closeness, extra, told.named, self._options
            )
        return self._asked[text]

    def _compare(self, text: str) -> Compared:
        reading = self._index.read(text)
        return Compared(
            self._passages.compare(self._question.embed(text), COMPARED_STEPS),
            self._keyword * self._index.postings.relative_score(reading.terms),
            frozenset(reading.entities),
        )

    def _worded(self, step: Step, put_in: tuple[Bridge, ...]) -> str:
        """The sub-question in words: with the kind of each answer it needs, or the answer assumed for it."""
        if self._is_matched:
            return fill_variables(self._steps, step)
        found = zip(step.refers, put_in, strict=True)
        names = {number: self._index.labels[entity] for number, entity in found if entity is not None}
        return fill_variables(self._steps, step, names)

    def _shown(self, step: Step, chained: StepAnswers) -> ChainStep:
        labels, names, ids = self._index.labels, self._index.names, self._index.table.ids
        return ChainStep(
            step.text,
            step.refers,
            tuple(
                NamedBridge(content_id(names[entity]), labels[entity], weight)
                for entity, weight in _largest(chained.bridges)
            ),
            tuple((ids[row], weight) for row, weight in _largest(chained.passages)),
        )


def _known(put_in: tuple[Bridge, ...]) -> tuple[int, ...]:
    return tuple(entity for entity in put_in if entity is not None)


def _largest(shares: Mapping[int, float]) -> list[tuple[int, float]]:
    return sorted(shares.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
