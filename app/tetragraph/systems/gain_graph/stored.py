"""The information-gain graph in Neo4j: its edges, its stored options, and the mark of an unfinished build."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tetragraph.algorithms.quantise import LEVELS
from tetragraph.arrays import Array, Floats, Rows
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusRecord, CorpusStores
from tetragraph.systems.edge_diff import by_first, unchanged_pairs
from tetragraph.systems.gain_graph.candidates import KINDS
from tetragraph.systems.gain_graph.options import BuildOptions

STAGE = "gain edges"
_PAGE = 2_000
_BATCH = 1_000
"""Chunks of one transaction, each with all its edges that changed."""
_VALUES = ("gain", "level", "kind", "judge")
_KEY = "gain"
"""Key of the stored options in the settings of the corpus; absent if the graph was only built with the defaults."""
_UNFINISHED = "unfinished"


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
    gain: Floats
    level: NDArray[np.int8]
    kind: NDArray[np.int8]
    judge: NDArray[np.str_]

    def __len__(self) -> int:
        return len(self.base)

    def keys(self, size: int) -> Rows:
        """``(m,)`` one number for each edge, ascending, in a corpus of ``size`` chunks."""
        keys: Rows = self.base * size + self.other
        return keys

    def take(self, chosen: Array) -> Edges:
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


def options_of(record: CorpusRecord) -> BuildOptions:
    """The options that the graph was made with; the defaults where there is none."""
    return BuildOptions(**{name: value for name, value in _kept(record).items() if name != _UNFINISHED})


def is_unfinished(record: CorpusRecord) -> bool:
    """Whether a build with other options than before ended while its edges were written: some are old, some new."""
    return _UNFINISHED in _kept(record)


@contextmanager
def rebuilding(stores: CorpusStores, options: BuildOptions) -> Iterator[None]:
    """While the edges of a build are written; afterwards updates keep to its options.

    The options come before the first edge, marked as unfinished, so that a build that ends on the way is finished by
    the next change, whatever that is.
    """
    record = stores.record
    is_as_before = options == options_of(record) and not is_unfinished(record)
    if not is_as_before:
        _keep(stores, asdict(options) | {_UNFINISHED: True})
    yield
    if not is_as_before:
        _keep(stores, asdict(options))


def _kept(record: CorpusRecord) -> dict[str, Any]:
    return dict(record.settings.get(_KEY, {}))


def _keep(stores: CorpusStores, values: dict[str, Any]) -> None:
    row = stores.graph.read("corpus/get_corpus", corpus=stores.name)[0]
    settings = json.loads(row["settings"]) | {_KEY: values}
    stores.graph.write("corpus/upsert_settings", corpus=stores.name, settings=json.dumps(settings, sort_keys=True))
