"""Brings the information-gain graph up to documents that came or went, without building it anew."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from tetragraph.algorithms.nearest_neighbours import nearest_after_adding, nearest_neighbours
from tetragraph.progress import Progress
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Change, CorpusStores
from tetragraph.systems import entity_links
from tetragraph.systems.gain_graph import edges
from tetragraph.systems.gain_graph.build import BuildReport, judge_pairs, report, with_explaining
from tetragraph.systems.gain_graph.candidates import NEAREST, Candidates
from tetragraph.systems.gain_graph.edges import Edges
from tetragraph.systems.gain_graph.judge import GainJudge, MakeJudge, TokenFreeJudge
from tetragraph.systems.gain_graph.options import BUILD_DEFAULTS, BuildOptions

Rows: TypeAlias = NDArray[np.int64]


def update(
    stores: CorpusStores,
    table: ChunkTable,
    change: Change,
    progress: Progress,
    options: BuildOptions = BUILD_DEFAULTS,
    make_judge: MakeJudge = TokenFreeJudge,
) -> BuildReport:
    """Link chunks that came, and fill the gaps of those that went; only new pairs are judged.

    Afterwards the graph has the edges that a build would make. A pair that stays keeps the gain it was given, when
    the corpus was another; a build judges it again.

    Args:
        stores: The corpus.
        table: All chunks as they are now.
        change: What came and went since the graph was last complete.
        progress: Told of pairs judged and chunks written.
        options: Those of the build.
        make_judge: Makes the judge of new pairs.

    Source:
        iG²RAG (2025), section 3.3 and algorithm 3, which is ``mode="paper"``: edges from new chunks to their
        neighbours and nothing else. Deviation of ``mode="tetragraph"``: new chunks also become neighbours of old
        ones, and gaps that removed chunks left are filled.
    """
    found = entity_links.read(stores, table.rows)
    stored = edges.read(stores, table.rows)
    added = np.array(sorted(table.rows[chunk] for chunk in change.added if chunk in table.rows), dtype=np.int64)
    if options.mode == "paper":
        near = nearest_neighbours(table.vectors, options.neighbours, added)
        kept = stored.take(~np.isin(stored.base, added))
    else:
        near = _near(table, stored, added, options.neighbours, has_gaps=bool(change.removed))
        kept = stored.take(np.zeros(len(stored), dtype=bool))
    pairs = with_explaining(table, found, near, options)
    judged, count = _judge_new(pairs, stored, len(table), make_judge(stores, table, found), progress)
    wanted = _joined(kept, judged)
    return report(wanted, count, edges.write_difference(stores, table.ids, stored, wanted, progress))


def _near(table: ChunkTable, stored: Edges, added: Rows, count: int, *, has_gaps: bool) -> tuple[Rows, Rows]:
    """Every chunk with its ``count`` nearest.

    Who lost a neighbour with the chunks that went cannot be seen any more, so then all are looked for anew; so they
    are where the graph was made with fewer neighbours.
    """
    is_old = (stored.kind == NEAREST) & ~np.isin(stored.base, added) & ~np.isin(stored.other, added)
    old = stored.take(is_old)
    known = np.delete(np.bincount(old.base, minlength=len(table)), added)
    if has_gaps or (known < min(count, len(known) - 1)).any():
        return nearest_neighbours(table.vectors, count)
    return nearest_after_adding(table.vectors, count, (old.base, old.other), added)


def _judge_new(pairs: Candidates, stored: Edges, size: int, judge: GainJudge, progress: Progress) -> tuple[Edges, int]:
    """Candidates as edges: judgements that are stored stay, the others are made; and how many were made."""
    mine = stored.take(stored.judge == judge.name)
    keys, known = pairs.base * size + pairs.other, mine.keys(size)
    is_known = np.isin(keys, known)
    fresh = judge_pairs(pairs.take(~is_known), judge, progress)
    standing = mine.take(np.searchsorted(known, keys[is_known]))
    kinds = pairs.kind[is_known]
    kept = Edges(standing.base, standing.other, standing.gain, standing.level, kinds, standing.judge)
    return _joined(kept, fresh), len(fresh)


def _joined(first: Edges, second: Edges) -> Edges:
    parts = (np.concatenate([getattr(first, name), getattr(second, name)]) for name in Edges.__dataclass_fields__)
    edges = Edges(*parts)
    return edges.take(np.lexsort((edges.other, edges.base)))
