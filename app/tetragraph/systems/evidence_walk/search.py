"""Online: from a question to ranked evidence, in process, on the arrays of the corpus."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tetragraph.algorithms.coverage_selection import Selection, select
from tetragraph.algorithms.evidence_walk import Transition, items, top, walk
from tetragraph.model import Hit
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.systems.evidence_walk.index import EvidenceIndex, Reading, load
from tetragraph.systems.evidence_walk.options import FLOOR, POOL, POOL_WALK, EvidenceOptions
from tetragraph.systems.evidence_walk.paths import PathFinder
from tetragraph.systems.evidence_walk.seeds import Seeds, find_seeds

Floats = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Scores:
    """What every passage's score is made of before the selection, ``(passages,)`` each.

    Attributes:
        similarity: The scaled cosine.
        keyword: The weighted BM25.
        walked: Weighted logarithm of the walk's mass, 0 where there is none.
        is_allowed: Whether the passage may be found.
    """

    similarity: Floats
    keyword: Floats
    walked: Floats
    is_allowed: NDArray[np.bool_]

    @property
    def total(self) -> Floats:
        """``b = walked + z``."""
        return self.walked + self.similarity + self.keyword


def search(
    stores: CorpusStores,
    question: Question,
    k: int,
    options: EvidenceOptions | None = None,
    allowed: Collection[str] | None = None,
) -> list[Hit]:
    """The best ``k`` passages, or all that are allowed when there are fewer.

    Args:
        stores: Of the corpus.
        question: With its vector.
        k: At least 1.
        options: The defaults when left out.
        allowed: Ids of the chunks that may be found; the walk passes through no other. All when left out.
    """
    return rank(load(stores), question, k, options or EvidenceOptions(), allowed)


def rank(
    index: EvidenceIndex, question: Question, k: int, options: EvidenceOptions, allowed: Collection[str] | None
) -> list[Hit]:
    """The same on an index at hand.

    The parts of a hit are the logarithm of its walk mass, split in proportion to where the mass came from
    (``seed_similar``, ``seed_entity``, ``seed_name``, ``walk``), its ``similarity`` and ``keyword`` relevance, the
    ``coverage`` and ``link`` it was given when it was chosen, and ``order``: the first picks are judged by what those
    before them left open, and may be worth more later; it lifts them to the next score, so that scores fall.
    """
    is_allowed = np.ones(len(index.table), dtype=bool) if allowed is None else _mask(index, allowed)
    if not is_allowed.any():
        return []
    reading = index.read(question.text)
    similarity = index.similarity_scale * (index.table.vectors @ question.vector).astype(np.float64)
    keyword = options.keyword * _relative(index.postings.score(reading.terms))
    relevance = np.where(is_allowed, similarity + keyword, -np.inf)
    transition = Transition.build(index.graph, relevance, reading.entities, options.walk_options)
    seeds = find_seeds(index, reading, relevance, transition)
    steps = walk(transition, seeds.total)
    mass = steps[-1].after
    scores = Scores(similarity, keyword, options.walk * np.log1p(mass / FLOOR), is_allowed)
    rows, selection = _choose(index, reading, scores, options, k)
    values = scores.total[rows]
    values[: len(selection.order)] += selection.coverage + selection.link
    falling = np.maximum.accumulate(values[::-1])[::-1]
    paths = PathFinder(index, transition, seeds, steps)
    hits = []
    for place, row in enumerate(rows[:k].tolist()):
        parts = _parts(row, scores, seeds, mass, options)
        if place < len(selection.order):
            parts |= {"coverage": float(selection.coverage[place]), "link": float(selection.link[place])}
        parts["order"] = float(falling[place] - values[place])
        hits.append(Hit(place + 1, float(falling[place]), index.table.chunk(row), parts, paths.path(row)))
    return hits


def _mask(index: EvidenceIndex, allowed: Collection[str]) -> NDArray[np.bool_]:
    mask = np.zeros(len(index.table), dtype=bool)
    mask[[index.table.rows[chunk_id] for chunk_id in allowed if chunk_id in index.table.rows]] = True
    return mask


def _relative(scores: Floats) -> Floats:
    highest = scores.max(initial=0.0)
    return scores / highest if highest > 0 else scores


def _choose(
    index: EvidenceIndex, reading: Reading, scores: Scores, options: EvidenceOptions, k: int
) -> tuple[Rows, Selection]:
    """Rows in order of rank: the pool by selection, then the others by score."""
    total = np.where(scores.is_allowed, scores.total, -np.inf)
    pool = top(total + (POOL_WALK - 1) * scores.walked, min(POOL, int(scores.is_allowed.sum())))
    holds = [index.postings.is_held(term, pool) for term in reading.terms]
    titles = index.graph.titles[pool]

    def linked(place: int) -> NDArray[np.bool_]:
        mentioned = np.zeros(titles.shape[1])
        mentioned[items(index.graph.mentions, int(pool[place]))] = 1.0
        return np.asarray(titles @ mentioned > 0)

    selection = select(
        total[pool],
        np.array(holds, dtype=bool).reshape(len(holds), len(pool)),
        index.postings.idf[list(reading.terms)],
        linked,
        options.selection_options,
    )
    chosen = pool[selection.order]
    total[pool] = -np.inf
    others = top(total, min(max(k - len(pool), 0), int(np.isfinite(total).sum())))
    return np.concatenate([chosen, others]), selection


def _parts(row: int, scores: Scores, seeds: Seeds, mass: Floats, options: EvidenceOptions) -> dict[str, float]:
    """The score of a passage before the selection; the walk's part is split by where its mass came from."""
    walked = float(scores.walked[row])
    unit = options.restart * walked / float(mass[row]) if mass[row] > 0 else 0.0
    parts: Mapping[str, float] = {
        "seed_similar": unit * float(seeds.similar[row]),
        "seed_entity": unit * float(seeds.named[row]),
        "seed_name": unit * float(seeds.worded[row]),
    }
    return {
        **parts,
        "walk": walked - sum(parts.values()),
        "similarity": float(scores.similarity[row]),
        "keyword": float(scores.keyword[row]),
    }
