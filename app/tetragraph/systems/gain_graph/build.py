"""Builds the information-gain graph of a corpus: candidates, judgements, edges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from tetragraph.algorithms.quantise import LEVELS, quantise
from tetragraph.arrays import Longs
from tetragraph.llm import Operation, Request
from tetragraph.progress import Progress
from tetragraph.stores.chunk_table import ChunkTable
from tetragraph.stores.corpus import CorpusStores, raise_llm_not_configured
from tetragraph.systems import entity_links
from tetragraph.systems.base import BuildReport
from tetragraph.systems.entity_links import EntityLinks
from tetragraph.systems.gain_graph import candidates, stored
from tetragraph.systems.gain_graph.candidates import Candidates
from tetragraph.systems.gain_graph.judge import GainJudge, TokenFreeJudge
from tetragraph.systems.gain_graph.llm_judge import JudgePrompting, LlmJudge
from tetragraph.systems.gain_graph.options import BuildOptions
from tetragraph.systems.gain_graph.stored import Edges
from tetragraph.systems.neighbours import note_lists

JUDGING = "judging pairs"


@dataclass(frozen=True, slots=True)
class GainBuildReport(BuildReport):
    """Result of a build or an update of the information-gain graph.

    Attributes:
        written: Number of new and changed edges.
        edges: Number of INFO_GAIN edges of the corpus.
        judged: Number of judged pairs; an update keeps the judgements of unchanged pairs.
        deleted: Number of deleted edges, which are candidates no longer.
        levels: Number of edges by level.
    """

    edges: int
    judged: int
    deleted: int
    levels: dict[str, int]


def build(
    stores: CorpusStores,
    table: ChunkTable,
    progress: Progress,
    options: BuildOptions | None = None,
    llm: Callable[[], Operation] = raise_llm_not_configured,
) -> GainBuildReport:
    """Judge every candidate and write the difference; completes an interrupted build.

    Edges are written after all candidates are judged; until then the graph is unchanged.

    Args:
        stores: Stores of the corpus.
        table: All chunks of the corpus.
        progress: Receives the numbers of judged pairs and of written chunks.
        options: Build options; by default the stored options, or the defaults for a new graph.
        llm: Returns the language model operation, for a judge that needs one.

    Raises:
        LlmError: a judge needs a language model, and none is configured, or it gave no usable reply within the budget.

    Source:
        iG²RAG (2025), section 3.1 and algorithm 1.
    """
    options = options or stored.options_of(stores.record)
    found = entity_links.read(stores, table.rows)
    judge = make_judge(stores, table, found, options, llm)
    pairs = find_candidates(table, found, options)
    note_lists(stores, len(table), options.exact_up_to)
    stored_edges = stored.read(stores, table.rows)
    wanted = judge_pairs(pairs, judge, progress)
    note_replies(stores, judge)
    with stored.rebuilding(stores, options):
        changed = stored.write_difference(stores, table.ids, stored_edges, wanted, progress)
    return report(wanted, len(wanted), changed)


def llm_requests(stores: CorpusStores, table: ChunkTable, options: BuildOptions | None = None) -> Iterator[Request]:
    """Yield the requests of a build with these options if every reply is well formed."""
    options = options or stored.options_of(stores.record)
    if options.way is None:
        return iter(())
    pairs = find_candidates(table, entity_links.read(stores, table.rows), options)
    return JudgePrompting(table, options.way, options.batch).requests(pairs.base, pairs.other)


def make_judge(
    stores: CorpusStores,
    table: ChunkTable,
    links: EntityLinks,
    options: BuildOptions,
    llm: Callable[[], Operation],
) -> GainJudge:
    """Return the judge that the options select, for the current chunks."""
    if options.way is None:
        return TokenFreeJudge(stores, table, links)
    make_twin = partial(TokenFreeJudge, stores, table, links)
    return LlmJudge(llm(), JudgePrompting(table, options.way, options.batch), make_twin)


def find_candidates(table: ChunkTable, found: EntityLinks, options: BuildOptions) -> Candidates:
    """Compute all candidates of a corpus."""
    near = table.neighbours.find(options.neighbours, options.exact_up_to)
    return with_explaining(table, found, near, options)


def with_explaining(
    table: ChunkTable, found: EntityLinks, near: tuple[Longs, Longs], options: BuildOptions
) -> Candidates:
    """Combine candidates of both kinds, in one or both directions according to the options."""
    if options.mode == "paper":
        nothing = np.empty(0, dtype=np.int64)
        return candidates.merge(len(table), near, (nothing, nothing), both_ways=False)
    explaining = candidates.explaining_pairs(found, table.vectors, options.explains)
    return candidates.merge(len(table), near, explaining, both_ways=True)


def judge_pairs(pairs: Candidates, judge: GainJudge, progress: Progress) -> Edges:
    """Judge candidates; returns them as edges with gain and level (eq. 3)."""
    parts = [np.empty(0)]
    progress.start(JUDGING, len(pairs), "pairs")
    for part in judge.judge(pairs.base, pairs.other):
        parts.append(part)
        progress.advance(JUDGING, len(part))
    progress.finish(JUDGING)
    gains, judges = np.concatenate(parts), np.full(len(pairs), judge.name)
    unjudged = np.isnan(gains)
    if isinstance(judge, LlmJudge) and unjudged.any():
        left = pairs.take(unjudged)
        gains[unjudged] = np.concatenate(list(judge.twin.judge(left.base, left.other)))
        judges = np.where(unjudged, judge.twin.name, judge.name)
    return Edges(pairs.base, pairs.other, gains, quantise(gains), pairs.kind, judges)


def note_replies(stores: CorpusStores, judge: GainJudge) -> None:
    """Add notes on the faults in the replies of a model."""
    if not isinstance(judge, LlmJudge):
        return
    if judge.dropped:
        stores.note(f"{judge.dropped:,} judgements of passages that the model was not asked about were dropped")
    if judge.unusable:
        stores.note(f"{judge.unusable:,} pairs had no usable reply of the model: they were judged {judge.twin.name}")


def report(wanted: Edges, judged: int, changed: tuple[int, int]) -> GainBuildReport:
    """Return the report of a build or an update."""
    levels = np.bincount(wanted.level, minlength=len(LEVELS)).tolist()
    written, deleted = changed
    return GainBuildReport(written, len(wanted), judged, deleted, dict(zip(LEVELS, levels, strict=True)))
