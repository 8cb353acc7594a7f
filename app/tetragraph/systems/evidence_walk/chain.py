"""Answers the sub-questions of a question one after the other: which chunk answers which, over which entities.

The question is parsed into sub-questions (:mod:`tetragraph.language.questions.decompose`). The entities that a chunk
names are candidate answers of the sub-question that it answers, and the next sub-question is asked about these. With
``match`` a sub-question is embedded once, and chunks that name the entity are preferred; with ``embed`` the name of the
entity is inserted into the text, which is embedded again; with ``read`` a model also reads which entity is the answer.

Source:
    docs/evidence-walk.md, section 6 ("Chain").
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from tetragraph.algorithms.chained_search import Bridge, Link, StepAnswers, search_chain
from tetragraph.arrays import Flags, Floats
from tetragraph.language.extractive_qa.encoder import find_model
from tetragraph.language.questions.decompose import Step
from tetragraph.model import Bridge as NamedBridge
from tetragraph.model import ChainStep
from tetragraph.stores.corpus import Question
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.options import CHAINS, COMPARED_STEPS, EvidenceOptions
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms
from tetragraph.systems.evidence_walk.read_answers import ReadAnswers
from tetragraph.systems.evidence_walk.relevance import without_names
from tetragraph.systems.evidence_walk.similarity import TextSimilarity
from tetragraph.systems.evidence_walk.sub_question import SubQuestionSearch
from tetragraph.systems.question_decomposition import Decomposed, decompose, fill_variables

_NEAR_QUESTION = 0.02
"""Weight of the logarithm of the mass of the walk: keeps the chain near the question."""
_SHOWN = 3
"""Number of chunks and of bridges of a step in a result."""


@dataclass(frozen=True, slots=True)
class ChainResult:
    """Result of a chain.

    Attributes:
        answers: ``(steps, n)`` probability that a chunk answers a step; no rows if there is no chain.
        steps: The most probable answers of each step, by name.
    """

    answers: Floats
    steps: tuple[ChainStep, ...] = ()

    @property
    def total(self) -> Floats:
        """``(n,)`` ``pi(p) = min(1, sum over steps)``."""
        total: Floats = np.minimum(self.answers.sum(axis=0), 1.0)
        return total


@dataclass(frozen=True, slots=True)
class ComparedText:
    """Comparison of the text of a sub-question with an index.

    Attributes:
        similarities: Similarity of the chunks.
        keyword: ``(n,)`` weighted keyword relevance.
        named: Entities that the text names.
    """

    similarities: TextSimilarity
    keyword: Floats
    named: frozenset[int]


def take_apart(question: Question, reading: QuestionTerms, options: EvidenceOptions) -> Decomposed:
    """Decompose a question into sub-questions; one is the question itself, none if the options disable the chain.

    The texts that a search is going to embed are embedded ahead: the residual question beside the decomposition, and
    the sub-questions beside what comes next.

    Raises:
        MissingDependency: answers are to be read, and the model is not installed.
    """
    if options.chain == "read":
        find_model()
    if options.residual and (residual := without_names(question.text, reading)):
        question.embed_ahead([residual])
    if options.chain == "off":
        return Decomposed(())
    decomposed = decompose(question, reading.spans, options.decomposition)
    steps = decomposed.steps
    if len(steps) > 1:
        complete = [step for step in steps if options.chain == "match" or not step.refers]
        question.embed_ahead([fill_variables(steps, step) for step in complete])
    return decomposed


def follow(
    index: Index,
    question: Question,
    steps: Sequence[Step],
    walked: Floats,
    options: EvidenceOptions,
    is_allowed: Flags,
    compared: dict[str, ComparedText] | None = None,
    *,
    trust: float = 1.0,
) -> ChainResult:
    """Answer the steps of a question.

    Args:
        index: Index of the corpus, or of a part of it.
        question: The question; embeds its sub-questions.
        steps: The sub-questions.
        walked: ``(n,)`` logarithm of the mass of the walk.
        options: Search options.
        is_allowed: ``(n,)`` whether a chunk may be found.
        compared: Comparisons of texts with this index, by text; new ones are added.
        trust: How far the words of the question tell anything about the corpus, 0 to 1.

    Returns:
        A result without steps if there are fewer than two, or no chain of chunks answers them.
    """
    none = ChainResult(np.zeros((0, len(index.table))))
    if len(steps) < 2:
        return none
    bonus = np.where(is_allowed, _NEAR_QUESTION * walked, -np.inf)
    options = replace(options, keyword=trust * options.keyword)
    search = _ChainSearch(index, question, steps, bonus, options, {} if compared is None else compared)
    return search.run() or none


class _ChainSearch:
    """Search for the chain of one question."""

    def __init__(
        self,
        index: Index,
        question: Question,
        steps: Sequence[Step],
        bonus: Floats,
        options: EvidenceOptions,
        compared: dict[str, ComparedText],
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
        self._texts: dict[Step, str] = {}
        self._searches: dict[str, SubQuestionSearch] = {}
        reader = self._options.reader
        self._answers = ReadAnswers(index, self._options.beam, reader) if reader else None

    def run(self) -> ChainResult | None:
        """Answers of all steps; None if a step has none."""
        needed = {number for step in self._steps for number in step.refers}
        links = [
            Link(
                tuple(number - 1 for number in step.refers),
                partial(self._find, step, is_last=place not in needed),
                partial(self._offer, step) if place in needed else None,
                None if self._is_matched else partial(self._begin, step),
            )
            for place, step in enumerate(self._steps, 1)
        ]
        found = search_chain(links, self._options.beam)
        if not found:
            return None
        answers = np.zeros((len(found), len(self._index.table)))
        for row, chained in enumerate(found):
            answers[row, list(chained.passages)] = list(chained.passages.values())
        return ChainResult(answers, tuple(map(self._to_chain_step, self._steps, found)))

    def _begin(self, step: Step, asked: Sequence[tuple[Bridge, ...]]) -> None:
        self._question.embed_ahead([self._fill(step, bridges) for bridges in asked[1:]])  # the first is needed at once

    def _find(self, step: Step, bridges: tuple[Bridge, ...], *, is_last: bool) -> tuple[Sequence[int], Sequence[float]]:
        """Chunks of a sub-question; those of a last one are not read, as no answer of it is needed."""
        rows, scores = self._ask(step, bridges).find(_known_entities(bridges) if self._is_matched else ())
        if self._answers is None or is_last:
            return rows, scores
        return self._answers.rank(self._fill(step, bridges), rows, scores)

    def _offer(self, step: Step, row: int, bridges: tuple[Bridge, ...]) -> Sequence[tuple[Bridge, float]]:
        offered = self._ask(step, bridges).offer(row, _known_entities(bridges))
        return self._answers.order(self._fill(step, bridges), row, offered) if self._answers else offered

    def _ask(self, step: Step, bridges: tuple[Bridge, ...]) -> SubQuestionSearch:
        text = self._fill(step, bridges)
        if text not in self._searches:
            compared = self._compared.get(text) or self._compare(text)
            self._compared[text] = compared
            extra = compared.keyword + self._bonus
            self._searches[text] = SubQuestionSearch(
                self._index, self._passages, compared.similarities, extra, compared.named, self._options
            )
        return self._searches[text]

    def _compare(self, text: str) -> ComparedText:
        reading = self._index.read(text)
        return ComparedText(
            self._passages.compare(self._question.embed(text), COMPARED_STEPS),
            self._keyword * self._index.postings.relative_score(reading.terms),
            frozenset(reading.entities),
        )

    def _fill(self, step: Step, bridges: tuple[Bridge, ...]) -> str:
        """Text of a sub-question with the kind of each answer that it needs, or with the assumed answer."""
        if self._is_matched:
            if step not in self._texts:
                self._texts[step] = fill_variables(self._steps, step)
            return self._texts[step]
        found = zip(step.refers, bridges, strict=True)
        names = {number: self._index.labels[entity] for number, entity in found if entity is not None}
        return fill_variables(self._steps, step, names)

    def _to_chain_step(self, step: Step, chained: StepAnswers) -> ChainStep:
        labels, ids = self._index.labels, self._index.table.ids
        return ChainStep(
            step.text,
            step.refers,
            tuple(
                NamedBridge(self._index.entity_id(entity), labels[entity], weight)
                for entity, weight in _largest(chained.bridges)
            ),
            tuple((ids[row], weight) for row, weight in _largest(chained.passages)),
        )


def _known_entities(bridges: tuple[Bridge, ...]) -> tuple[int, ...]:
    return tuple(entity for entity in bridges if entity is not None)


def _largest(shares: Mapping[int, float]) -> list[tuple[int, float]]:
    return sorted(shares.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
