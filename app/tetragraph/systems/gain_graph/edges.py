"""The INFO_GAIN edges of a corpus: reading them, and writing what is different."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from tetragraph.algorithms.quantise import LEVELS
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.edge_diff import by_first, unchanged_pairs
from tetragraph.systems.gain_graph.candidates import KINDS

Rows: TypeAlias = NDArray[np.int64]
STAGE = "gain edges"
_PAGE = 2_000
_BATCH = 1_000
"""Chunks of one transaction, each with all its edges that changed."""
_VALUES = ("gain", "level", "kind", "judge")


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges in order of base and other; chunks are meant by their rows.

    Attributes:
        base: ``(m,)`` where each edge begins: what is known.
        other: ``(m,)`` where it ends: what adds to it.
        gain: ``(m,)`` in 0 to 1.
        level: ``(m,)`` int8 places in ``LEVELS``.
        kind: ``(m,)`` int8 places in ``KINDS``.
        judge: ``(m,)`` who judged.
    """

    base: Rows
    other: Rows
    gain: NDArray[np.float64]
    level: NDArray[np.int8]
    kind: NDArray[np.int8]
    judge: NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.base)

    def keys(self, size: int) -> Rows:
        """``(m,)`` one number for each edge, ascending, in a corpus of ``size`` chunks."""
        keys: Rows = self.base * size + self.other
        return keys

    def take(self, chosen: NDArray[Any]) -> Edges:
        """Some of the edges, by places or by a mask."""
        return Edges(*(getattr(self, name)[chosen] for name in Edges.__dataclass_fields__))


def read(stores: CorpusStores, rows: Mapping[str, int]) -> Edges:
    """The edges in the graph now.

    Args:
        stores: The corpus.
        rows: Chunk id to row; edges of other chunks are left out.
    """
    columns: tuple[list[Any], ...] = ([], [], [], [], [], [])
    levels, kinds = ({name: place for place, name in enumerate(names)} for names in (LEVELS, KINDS))
    for record in stores.graph.pages("gain_graph/find_edges", corpus=stores.name, limit=_PAGE, by="source"):
        source = rows.get(record["source"], -1)
        values = zip(*(record[name] for name in ("targets", "gains", "levels", "candidates", "judges")), strict=True)
        for target, gain, level, kind, judge in values:
            if source >= 0 and target in rows:
                found = (source, rows[target], gain, levels[level], kinds[kind], judge)
                for column, value in zip(columns, found, strict=True):
                    column.append(value)
    types = (np.int64, np.int64, np.float64, np.int8, np.int8, np.str_)
    edges = Edges(*(np.array(column, dtype=kind) for column, kind in zip(columns, types, strict=True)))
    return edges.take(np.lexsort((edges.other, edges.base)))


def write_difference(
    stores: CorpusStores, ids: Sequence[str], stored: Edges, wanted: Edges, progress: Progress
) -> tuple[int, int]:
    """Bring the graph from ``stored`` to ``wanted``: new and changed edges first, then those that have to go.

    Args:
        stores: The corpus.
        ids: Chunk ids by row.
        stored: The edges in the graph.
        wanted: The edges that shall be there.
        progress: Told of every chunk whose edges are written.

    Returns:
        How many edges were written and deleted.
    """
    written = wanted.take(~unchanged_pairs(wanted, stored, len(ids), _VALUES))
    gone = stored.take(~np.isin(stored.keys(len(ids)), wanted.keys(len(ids))))
    progress.start(STAGE, len({*written.base.tolist()}) + len({*gone.base.tolist()}), "chunks")
    for judge in sorted({*written.judge.tolist()}):
        rows = _link_rows(ids, written.take(written.judge == judge))
        for done in stores.graph.write_rows(
            "gain_graph/link_chunks", rows, batch=_BATCH, corpus=stores.name, judge=judge
        ):
            progress.advance(STAGE, done)
    rows = _delete_rows(ids, gone)
    for done in stores.graph.write_rows("gain_graph/delete_edges", rows, batch=_BATCH, corpus=stores.name):
        progress.advance(STAGE, done)
    progress.finish(STAGE)
    return len(written), len(gone)


def _link_rows(ids: Sequence[str], edges: Edges) -> Iterator[dict[str, Any]]:
    for source, places in by_first(edges.base):
        part = edges.take(places)
        values = zip(part.other.tolist(), part.gain.tolist(), part.level.tolist(), part.kind.tolist(), strict=True)
        found = [[ids[target], gain, LEVELS[level], KINDS[kind]] for target, gain, level, kind in values]
        yield {"source": ids[source], "edges": found}


def _delete_rows(ids: Sequence[str], edges: Edges) -> Iterator[dict[str, Any]]:
    for source, places in by_first(edges.base):
        yield {"source": ids[source], "targets": [ids[target] for target in edges.other[places].tolist()]}
