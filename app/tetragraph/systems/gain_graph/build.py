"""Makes the information-gain graph of a corpus: candidates, judgements, edges."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from tetragraph.algorithms.nearest_neighbours import nearest_neighbours
from tetragraph.algorithms.quantise import LEVELS, quantise
from tetragraph.progress import Progress
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems import entity_links
from tetragraph.systems.entity_links import EntityLinks
from tetragraph.systems.gain_graph import candidates, edges
from tetragraph.systems.gain_graph.candidates import Candidates
from tetragraph.systems.gain_graph.edges import Edges
from tetragraph.systems.gain_graph.judge import GainJudge, MakeJudge, TokenFreeJudge
from tetragraph.systems.gain_graph.options import BUILD_DEFAULTS, BuildOptions

JUDGING = "judging pairs"
_JUDGED_AT_ONCE = 20_000


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build or an update did.

    Attributes:
        edges: INFO_GAIN edges of the corpus now.
        judged: Pairs that were judged; an update keeps the judgements of pairs that stay.
        written: Edges that were new or changed.
        deleted: Edges that are no candidates any more.
        levels: Edges by level.
    """

    edges: int
    judged: int
    written: int
    deleted: int
    levels: dict[str, int]


def build(
    stores: CorpusStores,
    table: ChunkTable,
    progress: Progress,
    options: BuildOptions = BUILD_DEFAULTS,
    make_judge: MakeJudge = TokenFreeJudge,
) -> BuildReport:
    """Judge every candidate and bring the graph to the result; an interrupted build is finished by the next.

    Source:
        iG²RAG (2025), section 3.1 and algorithm 1.
    """
    found = entity_links.read(stores, table.rows)
    pairs = find_candidates(table, found, options)
    stored = edges.read(stores, table.rows)
    wanted = judge_pairs(pairs, make_judge(stores, table, found), progress)
    return report(wanted, len(wanted), edges.write_difference(stores, table.ids, stored, wanted, progress))


def find_candidates(table: ChunkTable, found: EntityLinks, options: BuildOptions) -> Candidates:
    """All candidates of a corpus, from nothing."""
    near = nearest_neighbours(table.vectors, options.neighbours)
    return with_explaining(table, found, near, options)


def with_explaining(
    table: ChunkTable, found: EntityLinks, near: tuple[NDArray[np.int64], NDArray[np.int64]], options: BuildOptions
) -> Candidates:
    """Candidates of both kinds, in one direction or both, as the options say."""
    if options.mode == "paper":
        nothing = np.empty(0, dtype=np.int64)
        return candidates.merge(len(table), near, (nothing, nothing), both_ways=False)
    explaining = candidates.explaining_pairs(found, table.vectors, options.explains)
    return candidates.merge(len(table), near, explaining, both_ways=True)


def judge_pairs(pairs: Candidates, judge: GainJudge, progress: Progress) -> Edges:
    """Candidates as edges, each with its gain and level (eq. 3)."""
    gains = np.empty(len(pairs))
    progress.start(JUDGING, len(pairs), "pairs")
    for start in range(0, len(pairs), _JUDGED_AT_ONCE):
        part = slice(start, start + _JUDGED_AT_ONCE)
        gains[part] = judge.judge(pairs.base[part], pairs.other[part])
        progress.advance(JUDGING, len(gains[part]))
    progress.finish(JUDGING)
    return Edges(pairs.base, pairs.other, gains, quantise(gains), pairs.kind, np.full(len(pairs), judge.name))


def report(wanted: Edges, judged: int, changed: tuple[int, int]) -> BuildReport:
    """What was done, in numbers."""
    levels = np.bincount(wanted.level, minlength=len(LEVELS)).tolist()
    written, deleted = changed
    return BuildReport(len(wanted), judged, written, deleted, dict(zip(LEVELS, levels, strict=True)))
