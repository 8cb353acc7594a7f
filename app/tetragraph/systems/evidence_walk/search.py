"""Online: from a question to ranked evidence, in process, on the arrays of the corpus."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tetragraph.algorithms.coverage_selection import Pool, Selection, select
from tetragraph.algorithms.evidence_walk import Transition, items, top, walk
from tetragraph.language.subquestions import has_parser
from tetragraph.model import Findings, Hit
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.systems.evidence_walk.chain import Trail, follow
from tetragraph.systems.evidence_walk.index import EvidenceIndex, Reading, load
from tetragraph.systems.evidence_walk.options import (
    CHAIN_FLOOR,
    CHAINED_POOL,
    CHAINS,
    FLOOR,
    POOL,
    POOL_WALK,
    EvidenceOptions,
)
from tetragraph.systems.evidence_walk.paths import PathFinder
from tetragraph.systems.evidence_walk.relevance import Relevance, judge
from tetragraph.systems.evidence_walk.seeds import Seeds, find_seeds

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scores:
    """What every passage's score is made of before the selection, ``(passages,)`` each.

    Attributes:
        relevance: Similarity and keyword.
        walked: Weighted logarithm of the walk's mass, 0 where there is none.
        chained: Weighted logarithm of the probability that the passage answers a sub-question.
    """

    relevance: Relevance
    walked: Floats
    chained: Floats

    @property
    def total(self) -> Floats:
        """``b = walked + z + chained``; ``-inf`` for passages that may not be found."""
        return self.walked + self.relevance.total + self.chained


def search(
    stores: CorpusStores,
    question: Question,
    k: int,
    options: EvidenceOptions | None = None,
    allowed: Collection[str] | None = None,
) -> Findings:
    """The best ``k`` passages, or all that are allowed when there are fewer, and the chain that led to them.

    Args:
        stores: Of the corpus.
        question: With its vector.
        k: At least 1.
        options: The defaults when left out.
        allowed: Ids of the chunks that may be found; the walk passes through no other. All when left out.
    """
    index = load(stores)
    options = options or EvidenceOptions()
    for shortcoming in _shortcomings(stores, index, options):
        stores.note(shortcoming)
    return rank(index, question, k, options, allowed)


def _shortcomings(stores: CorpusStores, index: EvidenceIndex, options: EvidenceOptions) -> Iterator[str]:
    """In what the search falls short of its options."""
    if options.sentences and not index.passages.has_sentences and len(index.table):
        yield (
            f"corpus {stores.name!r} keeps no vectors of sentences: whole passages were compared; "
            f"set sentences=False, or drop the corpus and ingest it with sentences"
        )
    if options.chain != "off" and not has_parser():
        yield (
            "spaCy and its English model are not installed: a question of several steps was taken apart by a pattern, "
            "once at most; pip install 'tetragraph[local]', or set chain='off'"
        )


def rank(
    index: EvidenceIndex, question: Question, k: int, options: EvidenceOptions, allowed: Collection[str] | None
) -> Findings:
    """The same on an index at hand.

    The parts of a hit are the logarithm of its walk mass, split in proportion to where the mass came from
    (``seed_similar``, ``seed_entity``, ``seed_name``, ``walk``), its ``similarity``, that of its closest ``sentence``
    and its ``keyword`` relevance, the probability that it answers a sub-question (``chain``), the ``coverage``,
    ``link`` and ``hop`` it was given when it was chosen, and ``order``: the first picks are judged by what those
    before them left open, and may be worth more later; it lifts them to the next score, so that scores fall.
    """
    is_allowed = np.ones(len(index.table), dtype=bool) if allowed is None else _mask(index, allowed)
    if not is_allowed.any():
        return Findings(())
    reading = index.read(question.text)
    relevance = judge(index, question, reading, options, is_allowed)
    transition = Transition.build(
        index.graph, relevance.destination, reading.entities, options.walk_options, relevance.bonds
    )
    seeds = find_seeds(index, reading, relevance.total, transition)
    steps = walk(transition, seeds.total)
    mass = steps[-1].after
    walked = np.log1p(mass / FLOOR)
    trail = follow(index, question, reading, walked, options, is_allowed)
    scores = Scores(relevance, options.walk * walked, _chained(trail, options))
    rows, selection = _choose(index, reading, scores, trail, options, k)
    values = scores.total[rows]
    values[: len(selection.order)] += selection.coverage + selection.link + selection.hop
    falling = np.maximum.accumulate(values[::-1])[::-1]
    paths = PathFinder(index, transition, seeds, steps)
    hits = []
    for place, row in enumerate(rows[:k].tolist()):
        parts = _parts(row, scores, seeds, mass, options)
        if place < len(selection.order):
            gains = {"coverage": selection.coverage, "link": selection.link, "hop": selection.hop}
            parts |= {name: float(gain[place]) for name, gain in gains.items()}
        parts["order"] = float(falling[place] - values[place])
        hits.append(Hit(place + 1, float(falling[place]), index.table.chunk(row), parts, paths.path(row)))
    return Findings(tuple(hits), trail.steps)


def _mask(index: EvidenceIndex, allowed: Collection[str]) -> NDArray[np.bool_]:
    mask = np.zeros(len(index.table), dtype=bool)
    mask[[index.table.rows[chunk_id] for chunk_id in allowed if chunk_id in index.table.rows]] = True
    return mask


def _chained(trail: Trail, options: EvidenceOptions) -> Floats:
    if not trail.steps:
        return np.zeros(trail.answers.shape[1])
    return CHAINS[options.chain].share * np.log1p(trail.total / CHAIN_FLOOR)


def _choose(
    index: EvidenceIndex, reading: Reading, scores: Scores, trail: Trail, options: EvidenceOptions, k: int
) -> tuple[Rows, Selection]:
    """Rows in order of rank: the pool by selection, then the others by score."""
    total = scores.total
    size = min(CHAINED_POOL if trail.steps else POOL, int(np.isfinite(total).sum()))
    pool = top(total + (POOL_WALK - 1) * scores.walked, size)
    holds = [index.postings.is_held(term, pool) for term in reading.terms]
    titles = index.graph.titles[pool]

    def linked(place: int) -> NDArray[np.bool_]:
        mentioned = np.zeros(titles.shape[1])
        mentioned[items(index.graph.mentions, int(pool[place]))] = 1.0
        return np.asarray(titles @ mentioned > 0)

    known = Pool(
        total[pool],
        np.array(holds, dtype=bool).reshape(len(holds), len(pool)),
        index.postings.idf[list(reading.terms)],
        trail.answers[:, pool],
        linked,
    )
    selection = select(known, k, options.selection_options)
    chosen = pool[selection.order]
    total[pool] = -np.inf
    others = top(total, min(max(k - len(pool), 0), int(np.isfinite(total).sum())))
    return np.concatenate([chosen, others]), selection


def _parts(row: int, scores: Scores, seeds: Seeds, mass: Floats, options: EvidenceOptions) -> dict[str, float]:
    """The score of a passage before the selection; the walk's part is split by where its mass came from."""
    walked = float(scores.walked[row])
    unit = options.restart * walked / float(mass[row]) if mass[row] > 0 else 0.0
    parts = {
        "seed_similar": unit * float(seeds.similar[row]),
        "seed_entity": unit * float(seeds.named[row]),
        "seed_name": unit * float(seeds.worded[row]),
    }
    return {
        **parts,
        "walk": walked - sum(parts.values()),
        **scores.relevance.parts(row),
        "chain": float(scores.chained[row]),
    }
