"""Updates the information-gain graph after documents were added or removed, without a rebuild."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tetragraph.algorithms.nearest_neighbours import nearest_neighbours
from tetragraph.arrays import Rows
from tetragraph.llm import Operation
from tetragraph.progress import Progress
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import Change, CorpusStores, raise_llm_not_configured
from tetragraph.systems import entity_links
from tetragraph.systems.gain_graph import stored
from tetragraph.systems.gain_graph.build import (
    GainBuildReport,
    build,
    judge_pairs,
    make_judge,
    note_replies,
    report,
    with_explaining,
)
from tetragraph.systems.gain_graph.candidates import NEAREST, Candidates
from tetragraph.systems.gain_graph.judge import GainJudge, TokenFreeJudge
from tetragraph.systems.gain_graph.options import BuildOptions
from tetragraph.systems.gain_graph.stored import Edges
from tetragraph.systems.neighbours import note_lists


def update(
    stores: CorpusStores,
    table: ChunkTable,
    change: Change,
    progress: Progress,
    options: BuildOptions | None = None,
    llm: Callable[[], Operation] = raise_llm_not_configured,
) -> GainBuildReport:
    """Link new chunks, and fill the gaps left by removed ones; only new pairs are judged.

    The result has the edges of a new build; above ``exact_up_to`` chunks, new chunks miss no neighbour, unlike in a
    build. An unchanged pair keeps its gain, also if the corpus, the model or its prompt was different then; a build
    judges it again. After a build that was interrupted while its edges were written, everything is rebuilt.

    Args:
        stores: Stores of the corpus.
        table: All current chunks.
        change: Chunks added and removed since the graph was last complete.
        progress: Receives the numbers of judged pairs and of written chunks.
        options: Build options; by default the stored options, or the defaults for a new graph.
        llm: Returns the language model operation, for a judge that needs one.

    Raises:
        LlmError: as in :func:`~tetragraph.systems.gain_graph.build.build`.

    Source:
        iG²RAG (2025), section 3.3 and algorithm 3, which is ``mode="paper"``: edges from new chunks to their
        neighbours and nothing else; gaps left by removed chunks stay. Deviation: neighbours may be new chunks, too; its
        line 4 takes old ones only, so that the graph depends on batches. Deviation of ``mode="tetragraph"``: new chunks
        also become neighbours of old ones, and gaps left by removed chunks are filled.
    """
    options = options or stored.options_of(stores.record)
    if stored.is_unfinished(stores.record):
        return build(stores, table, progress, options, llm)
    found = entity_links.read(stores, table.rows)
    judge = make_judge(stores, table, found, options, llm)
    stored_edges = stored.read(stores, table.rows)
    added = np.array(sorted(table.rows[chunk] for chunk in change.added if chunk in table.rows), dtype=np.int64)
    if options.mode == "paper":
        near = nearest_neighbours(table.vectors, options.neighbours, added)
        unchanged = stored_edges.take(~np.isin(stored_edges.base, added))
    else:
        known = _known(stored_edges, added)
        near = table.neighbours.update(
            options.neighbours, options.exact_up_to, known, added, has_gaps=bool(change.removed)
        )
        unchanged = stored_edges.take(np.zeros(len(stored_edges), dtype=bool))
    note_lists(stores, len(table), options.exact_up_to)
    pairs = with_explaining(table, found, near, options)
    judged, count = _judge_new(pairs, stored_edges, len(table), judge, progress)
    wanted = _join(unchanged, judged)
    note_replies(stores, judge)
    _note_others(stores, wanted, judge)
    return report(wanted, count, stored.write_difference(stores, table.ids, stored_edges, wanted, progress))


def _known(stored_edges: Edges, added: Rows) -> tuple[Rows, Rows]:
    """Stored pairs of a chunk and one of its nearest neighbours, without those of new chunks."""
    is_old = (stored_edges.kind == NEAREST) & ~np.isin(stored_edges.base, added) & ~np.isin(stored_edges.other, added)
    old = stored_edges.take(is_old)
    return old.base, old.other


def _judge_new(
    pairs: Candidates, stored_edges: Edges, size: int, judge: GainJudge, progress: Progress
) -> tuple[Edges, int]:
    """Candidates as edges, keeping judgements of the same kind; and the number of new judgements."""
    same_kind = stored_edges.take(
        np.isin(stored_edges.judge, [name for name in {*stored_edges.judge.tolist()} if _way(name) == _way(judge.name)])
    )
    keys, known = pairs.base * size + pairs.other, same_kind.keys(size)
    is_known = np.isin(keys, known)
    fresh = judge_pairs(pairs.take(~is_known), judge, progress)
    old = same_kind.take(np.searchsorted(known, keys[is_known]))
    unchanged = Edges(old.base, old.other, old.gain, old.level, pairs.kind[is_known], old.judge)
    return _join(unchanged, fresh), len(fresh)


def _way(judge: str) -> str:
    """Kind of judgement in the name of a judge, the same for all models."""
    return judge.split(" ", 1)[0]


def _note_others(stores: CorpusStores, wanted: Edges, judge: GainJudge) -> None:
    """Add a note if some judgements are from another model."""
    others = int(np.count_nonzero(~np.isin(wanted.judge, [judge.name, TokenFreeJudge.name])))
    if others:
        stores.note(
            f"{others:,} pairs keep what another model or prompt judged: `tetragraph build gain -c {stores.name}` "
            f"judges them anew"
        )


def _join(first: Edges, second: Edges) -> Edges:
    parts = (np.concatenate([getattr(first, name), getattr(second, name)]) for name in Edges.__dataclass_fields__)
    edges = Edges(*parts)
    return edges.take(np.lexsort((edges.other, edges.base)))
