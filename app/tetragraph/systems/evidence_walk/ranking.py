"""Ranks one question on one index: relevance, walk, chain, selection and hits."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from tetragraph.algorithms.coverage_selection import Selection, SelectionPool, select
from tetragraph.algorithms.document_relevance import document_evidence, expected_texts
from tetragraph.algorithms.evidence_walk import Step, Transition, items, top, walk
from tetragraph.algorithms.neighbour_support import neighbour_support
from tetragraph.arrays import Flags, Floats, Rows
from tetragraph.language.questions.decompose import Step as SubQuestion
from tetragraph.model import Contribution, Findings, Hit
from tetragraph.stores.corpus import Question
from tetragraph.systems.evidence_walk.chain import ChainResult, follow
from tetragraph.systems.evidence_walk.explain import PathFinder
from tetragraph.systems.evidence_walk.guidance import Weights
from tetragraph.systems.evidence_walk.local_index import Index
from tetragraph.systems.evidence_walk.options import (
    CHAIN_FLOOR,
    CHAINED_POOL,
    CHAINS,
    DOCUMENT_WORDS,
    FLOOR,
    POOL,
    POOL_WALK,
    EvidenceOptions,
)
from tetragraph.systems.evidence_walk.question_terms import QuestionTerms
from tetragraph.systems.evidence_walk.relevance import Relevance, compute_relevance
from tetragraph.systems.evidence_walk.seeds import Seeds, find_seeds


@dataclass(frozen=True, slots=True)
class IndexedQuestion:
    """A question with its terms and sub-questions.

    Attributes:
        question: The question with its vector.
        reading: Terms and entities of the question in the index.
        steps: Sub-questions; a single one is the question itself.
    """

    question: Question
    reading: QuestionTerms
    steps: Sequence[SubQuestion]


@dataclass(frozen=True, slots=True)
class Walk:
    """The finished walk of a question over an index."""

    relevance: Relevance
    transition: Transition
    seeds: Seeds
    steps: Sequence[Step]

    @property
    def mass(self) -> Floats:
        """``(chunks,)`` mass after the last step."""
        return self.steps[-1].after


@dataclass(frozen=True, slots=True)
class Scores:
    """Score components before selection, one array of shape ``(chunks,)`` each.

    Attributes:
        relevance: Similarity, with weighted BM25 and names of files.
        keyword: Weighted BM25.
        document: Weighted evidence of the other chunks of the document.
        support: Weighted support by similar chunks.
        walked: Weighted logarithm of the mass of the walk, 0 without mass.
        chained: Weighted logarithm of the probability that the chunk answers a sub-question.
    """

    relevance: Relevance
    keyword: Floats
    document: Floats
    support: Floats
    walked: Floats
    chained: Floats

    @property
    def total(self) -> Floats:
        """``b``, the sum; ``-inf`` for chunks that may not be found."""
        beside = (self.keyword - self.relevance.keyword) + self.document + self.support
        return self.walked + (self.relevance.total + beside) + self.chained

    def parts(self, row: int) -> dict[str, float]:
        """Parts of the score of a chunk, except those of walk and chain."""
        similarities = self.relevance.similarities
        return {
            "similarity": float(similarities.whole[row]) / 2,
            "sentence": float(similarities.best[row]) / 2,
            "keyword": float(self.keyword[row]),
            "file_name": float(self.relevance.file_name[row]),
            "document": float(self.document[row]),
            "support": float(self.support[row]),
        }


@dataclass(frozen=True, slots=True)
class _RankedQuestion:
    """The intermediate results from which hits are built."""

    walk: Walk
    scores: Scores
    chain: ChainResult
    selection: Selection


def start(
    index: Index, asked: IndexedQuestion, options: EvidenceOptions, is_allowed: Flags
) -> tuple[Relevance, Transition, Seeds]:
    """Relevance, transition and seeds of a walk."""
    relevance = compute_relevance(index, asked.question, asked.reading, options, is_allowed)
    transition = Transition.build(
        index.graph, relevance.destination, asked.reading.entities, options.walk_options, relevance.bonds
    )
    return relevance, transition, find_seeds(index, asked.reading, relevance.total, transition)


def rank(index: Index, asked: IndexedQuestion, k: int, options: EvidenceOptions, is_allowed: Flags) -> Findings:
    """The best ``k`` chunks of an index, best first.

    The parts of a hit are the logarithm of its mass of the walk, split in proportion to the sources of the mass
    (``seed_similar``, ``seed_entity``, ``seed_name``, ``walk``), its ``similarity``, that of its most similar
    ``sentence``, its ``keyword`` relevance, that of the rest of its ``document``, its ``support`` by similar chunks,
    the probability that it answers a sub-question (``chain``), the ``coverage``, ``link``, ``hop`` and ``repeat`` at
    the time when it was picked, and ``order``: a pick is scored by the terms and sub-questions that earlier picks left
    open, so a later pick may score higher; ``order`` raises the earlier one to the score of the later, so that scores
    do not rise.
    """
    relevance, transition, seeds = start(index, asked, options, is_allowed)
    taken = Walk(relevance, transition, seeds, walk(transition, seeds.total))
    walked = np.log1p(taken.mass / FLOOR)
    chain = follow(index, asked.question, asked.steps, walked, options, is_allowed, trust=relevance.trust)
    weights = Weights.choose(index.postings, asked.reading, asked.steps, options)
    scores = _score(index, asked.reading, relevance, walked, chain, weights, options)
    rows, selection = _choose(index, asked.reading, scores, chain, weights, options, k)
    found = _RankedQuestion(taken, scores, chain, selection)
    return Findings(tuple(_hits(index, found, rows[:k], options)), chain.steps)


def _score(
    index: Index,
    reading: QuestionTerms,
    relevance: Relevance,
    walked: Floats,
    chain: ChainResult,
    weights: Weights,
    options: EvidenceOptions,
) -> Scores:
    keyword = weights.keyword * relevance.keyword
    topical = relevance.total + (keyword - relevance.keyword)
    document = weights.document * _find_document_evidence(index, reading, topical)
    topical = topical + document
    support = np.zeros(len(topical))
    if weights.support:
        support = weights.support * neighbour_support(topical, index.passages.vectors_of)
    return Scores(relevance, keyword, document, support, weights.walk * walked, _chain_scores(chain, options))


def _find_document_evidence(index: Index, reading: QuestionTerms, relevance: Floats) -> Floats:
    """``(n,)`` what the other chunks of its document add to the relevance of a chunk."""
    nothing = np.zeros(len(relevance))
    if int(index.documents.max(initial=-1)) + 1 == len(index.documents):  # each document is one chunk
        return nothing
    postings, terms = index.postings, reading.terms
    highest = float(postings.score(terms).max(initial=0.0))
    if not highest:
        return nothing

    def weigh(rows: Rows) -> Floats:
        return np.array([postings.weights(term, rows) for term in terms]) * reading.trust / highest

    return document_evidence(relevance, index.documents, index.document_shares, weigh, DOCUMENT_WORDS)


def _chain_scores(chain: ChainResult, options: EvidenceOptions) -> Floats:
    if not chain.steps:
        return np.zeros(chain.answers.shape[1])
    return CHAINS[options.chain].share * np.log1p(chain.total / CHAIN_FLOOR)


def _choose(
    index: Index,
    reading: QuestionTerms,
    scores: Scores,
    chain: ChainResult,
    weights: Weights,
    options: EvidenceOptions,
    k: int,
) -> tuple[Rows, Selection]:
    """Rows in order of rank: the pool by selection, then the others by score."""
    total = scores.total
    size = min(CHAINED_POOL if chain.steps else POOL, int(np.isfinite(total).sum()))
    pool = top(total + (POOL_WALK - 1) * scores.walked, size)
    holds = [index.postings.is_held(term, pool) for term in reading.terms]
    titles = index.graph.titles[pool]

    def find_linked(place: int) -> Flags:
        mentioned = np.zeros(titles.shape[1])
        mentioned[items(index.graph.mentions, int(pool[place]))] = 1.0
        return np.asarray(titles @ mentioned > 0)

    candidates = SelectionPool(
        total[pool],
        np.array(holds, dtype=bool).reshape(len(holds), len(pool)),
        weights.terms,
        chain.answers[:, pool],
        find_linked,
        index.documents[pool],
        1 / np.sqrt(expected_texts(index.document_shares[pool])),
    )
    selection = select(candidates, k, options.selection_options)
    chosen = pool[selection.order]
    total[pool] = -np.inf
    others = top(total, min(max(k - len(pool), 0), int(np.isfinite(total).sum())))
    return np.concatenate([chosen, others]), selection


def _hits(index: Index, found: _RankedQuestion, rows: Rows, options: EvidenceOptions) -> Iterator[Hit]:
    walk, scores, selection = found.walk, found.scores, found.selection
    gains = {name: getattr(selection, name) for name in ("coverage", "link", "hop", "repeat")}
    chosen = min(len(rows), len(selection.order))
    values = scores.total[rows]
    values[:chosen] += sum(gain[:chosen] for gain in gains.values())
    falling = np.maximum.accumulate(values[::-1])[::-1]
    paths = PathFinder(index, walk.transition, walk.seeds, walk.steps)
    chunks = index.table.chunks_of(rows.tolist())
    for place, row in enumerate(rows.tolist()):
        parts = _parts(row, scores, walk, options)
        if place < chosen:
            parts |= {name: float(gain[place]) for name, gain in gains.items()}
        parts["order"] = float(falling[place] - values[place])
        contributions = (
            *paths.contributions(row, parts["walk"]),
            *_chain_contributions(found.chain, row, parts["chain"]),
        )
        yield Hit(
            place + 1,
            float(falling[place]),
            chunks[place],
            parts,
            paths.path(row),
            contributions=contributions,
        )


def _chain_contributions(chain: ChainResult, row: int, value: float) -> Iterator[Contribution]:
    """Contributions of the sub-questions that a chunk answers, by its probability for each."""
    likely = chain.answers[:, row]
    for place in np.flatnonzero(likely).tolist():
        yield Contribution("chain", chain.steps[place].question, value * float(likely[place] / likely.sum()))


def _parts(row: int, scores: Scores, walk: Walk, options: EvidenceOptions) -> dict[str, float]:
    """Parts of the score of a chunk before the selection; that of the walk is split by the sources of its mass."""
    walked, mass, seeds = float(scores.walked[row]), float(walk.mass[row]), walk.seeds
    unit = options.restart * walked / mass if mass > 0 else 0.0
    parts = {
        "seed_similar": unit * float(seeds.similar[row]),
        "seed_entity": unit * float(seeds.named[row]),
        "seed_name": unit * float(seeds.worded[row]),
    }
    return {
        **parts,
        "walk": walked - sum(parts.values()),
        **scores.parts(row),
        "chain": float(scores.chained[row]),
    }
