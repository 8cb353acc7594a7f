"""Searches the encoding tree: ranks chunks by the communities they belong to and by their own similarity."""

from __future__ import annotations

from collections.abc import Callable, Collection

import numpy as np

from tetragraph.algorithms.evidence_walk import top
from tetragraph.arrays import Flags, Floats
from tetragraph.model import Findings
from tetragraph.stores.corpus import CorpusStores, Question
from tetragraph.systems.encoding_tree.entity_matching import find_entities
from tetragraph.systems.encoding_tree.index import TreeIndex, load
from tetragraph.systems.encoding_tree.options import SEARCH_DEFAULTS, TreeOptions
from tetragraph.systems.encoding_tree.query_expansion import (
    FIRST_HITS,
    FOLLOWED,
    ExpandedQuestion,
    FirstHit,
    follow,
    write,
)
from tetragraph.systems.encoding_tree.scores import Scores

_DECIMALS = 12


def search(
    stores: CorpusStores,
    question: Question,
    k: int,
    options: TreeOptions = SEARCH_DEFAULTS,
    allowed: Collection[str] | None = None,
) -> Findings:
    """Find the best ``k`` chunks, or all allowed chunks if there are fewer; ties are broken by id.

    Args:
        stores: Stores of the corpus.
        question: Question and its vector.
        k: Number of hits, at least 1.
        options: Search options.
        allowed: Ids of the chunks that may be found; all when left out.

    Raises:
        NotBuilt: the corpus is being changed and its last complete tree is unavailable.

    Source:
        SeRAG (2026), section 3.3.
    """
    return find(load(stores), question, k, options, allowed, note=stores.note)


def _ignore_note(_: str) -> None:
    """Discard a note."""


def find(
    index: TreeIndex,
    question: Question,
    k: int,
    options: TreeOptions,
    allowed: Collection[str] | None = None,
    *,
    note: Callable[[str], None] = _ignore_note,
) -> Findings:
    """Search an index; ``note`` receives the result notes. See :func:`search`."""
    may_be_found = index.table.mask(allowed)
    if not may_be_found.any():
        return Findings((), graph=index.made)
    return rank(index, question, write(question, options.enhancement, note), k, options, may_be_found)


def rank(
    index: TreeIndex, question: Question, written: ExpandedQuestion, k: int, options: TreeOptions, may_be_found: Flags
) -> Findings:
    """Rank the chunks of an index.

    Args:
        index: Index of the corpus, or of the part that the question needs.
        question: The question with its vector.
        written: The question with its passage, if the expansion has one.
        k: Number of hits, at least 1.
        options: Search options.
        may_be_found: ``(n,)`` whether a chunk may be found; at least one.
    """
    alone = score_alone(index, question, options)
    enhanced = written
    if options.enhancement in FOLLOWED:
        enhanced = follow(index, find_first_hits(alone, may_be_found), written)
    scores = alone.after(enhanced)
    looked_at = may_be_found
    if options.weights.is_gated:
        looked_at = may_be_found & in_chosen_communities(index, scores.themes, options.communities, k, may_be_found)
    hits = tuple(scores.hits(_best(scores.total, looked_at, k)))
    trace = {"llm": {"passage": enhanced.passage}} if enhanced.passage else {}
    return Findings(hits, graph=index.made, trace=trace)


def score_alone(index: TreeIndex, question: Question, options: TreeOptions) -> Scores:
    """The scores of the question without an expansion."""
    entities = find_entities(index, question.text, options.threshold)
    return Scores(index, options.weights, ExpandedQuestion(question.vector), entities)


def find_first_hits(alone: Scores, may_be_found: Flags) -> list[FirstHit]:
    """The best hits of the question without an expansion, best first."""
    return [FirstHit(row, float(alone.total[row])) for row in _best(alone.total, may_be_found, FIRST_HITS)]


def in_chosen_communities(index: TreeIndex, themes: Floats, count: int, least: int, may_be_found: Flags) -> Flags:
    """``(n,)`` whether a chunk is in one of the communities most similar to the question, ``count`` per level.

    Below the first level, only communities inside those selected above are compared. If they contain too few
    chunks that may be found, more are selected on all levels until there are enough.

    Args:
        index: Index of the corpus.
        themes: ``(communities,)`` cosines of the communities with the question.
        count: Number of communities per level, at least 1.
        least: Number of chunks needed.
        may_be_found: ``(n,)`` whether a chunk may be found.

    Source:
        SeRAG (2026), appendix A.3 (``k_coarse``).
    """
    wanted = min(least, int(may_be_found.sum()))
    while True:
        inside = np.ones(len(may_be_found), dtype=bool)
        for places in index.places:
            level = np.unique(places[inside])
            best = level[np.lexsort((level, -themes[level].round(_DECIMALS)))][:count]
            inside &= np.isin(places, best)
        if int((inside & may_be_found).sum()) >= wanted:
            return inside
        count *= 2


def _best(scores: Floats, among: Flags, count: int) -> list[int]:
    best: list[int] = top(np.where(among, scores.round(_DECIMALS), -np.inf), min(count, int(among.sum()))).tolist()
    return best
