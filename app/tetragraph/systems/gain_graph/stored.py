"""The information-gain graph in Neo4j: its edges, its stored options, and the mark of an unfinished build."""

from __future__ import annotations

import json
from array import array
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
"""Number of chunks in a transaction, each with all its changed edges."""
_VALUES = ("gain", "level", "kind", "judge")
_KEY = "gain"
"""Key of the stored options in the settings of the corpus; absent if the graph was only built with the defaults."""
_UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Edges:
    """Edges between rows of chunks, in order of base and other.

    Attributes:
        base: ``(m,)`` start of each edge: row of the known chunk.
        other: ``(m,)`` end of each edge: row of the chunk that adds to it.
        gain: ``(m,)`` information gain, 0 to 1.
        level: ``(m,)`` int8 indices into ``LEVELS``.
        kind: ``(m,)`` int8 indices into ``KINDS``.
        judge: ``(m,)`` name of the judge.
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
        """``(m,)`` a unique number for each edge, ascending, in a corpus of ``size`` chunks."""
        keys: Rows = self.base * size + self.other
        return keys

    def take(self, chosen: Array) -> Edges:
        """Select edges by indices or by a mask."""
        return Edges(*(getattr(self, name)[chosen] for name in Edges.__dataclass_fields__))


def read(stores: CorpusStores, rows: Mapping[str, int]) -> Edges:
    """Read the edges in the graph.

    Args:
        stores: Stores of the corpus.
        rows: Chunk id to row; edges of other chunks are left out.
    """
    columns = tuple(array(code) for code in "qqdbbi")
    levels, kinds = ({name: place for place, name in enumerate(names)} for names in (LEVELS, KINDS))
    judges: dict[str, int] = {}
    for record in stores.graph.pages("gain_graph/find_edges", corpus=stores.name, limit=_PAGE, by="source"):
        source = rows.get(record["source"], -1)
        values = zip(*(record[name] for name in ("targets", "gains", "levels", "candidates", "judges")), strict=True)
        for target, gain, level, kind, judge in values:
            if source >= 0 and target in rows:
                number = judges.setdefault(judge, len(judges))
                found = (source, rows[target], gain, levels[level], kinds[kind], number)
                for column, value in zip(columns, found, strict=True):
                    column.append(value)
    of_judge = np.array(list(judges), dtype=np.str_)[np.array(columns[-1])]
    edges = Edges(*(*map(np.array, columns[:-1]), of_judge))
    return edges.take(np.lexsort((edges.other, edges.base)))


def write_difference(
    stores: CorpusStores, ids: Sequence[str], stored: Edges, wanted: Edges, progress: Progress
) -> tuple[int, int]:
    """Change the graph from ``stored`` to ``wanted``: first new and changed edges, then deletions.

    Args:
        stores: Stores of the corpus.
        ids: Chunk ids by row.
        stored: Edges in the graph.
        wanted: Edges after the change.
        progress: Receives the number of chunks whose edges are written.

    Returns:
        Numbers of written and of deleted edges.
    """
    is_written = ~unchanged_pairs(wanted, stored, len(ids), _VALUES)
    written = np.flatnonzero(is_written)
    gone = np.flatnonzero(~np.isin(stored.keys(len(ids)), wanted.keys(len(ids))))
    progress.start(STAGE, len(np.unique(wanted.base[written])) + len(np.unique(stored.base[gone])), "chunks")
    for judge in np.unique(wanted.judge[written]).tolist():
        rows = _link_rows(ids, wanted, np.flatnonzero(is_written & (wanted.judge == judge)))
        for done in stores.graph.write_rows(
            "gain_graph/link_chunks", rows, batch=_BATCH, corpus=stores.name, judge=judge
        ):
            progress.advance(STAGE, done)
    rows = _delete_rows(ids, stored, gone)
    for done in stores.graph.write_rows("gain_graph/delete_edges", rows, batch=_BATCH, corpus=stores.name):
        progress.advance(STAGE, done)
    progress.finish(STAGE)
    return len(written), len(gone)


def _link_rows(ids: Sequence[str], edges: Edges, chosen: Rows) -> Iterator[dict[str, Any]]:
    for source, places in by_first(edges.base[chosen]):
        part = edges.take(chosen[places])
        values = zip(part.other.tolist(), part.gain.tolist(), part.level.tolist(), part.kind.tolist(), strict=True)
        found = [[ids[target], gain, LEVELS[level], KINDS[kind]] for target, gain, level, kind in values]
        yield {"source": ids[source], "edges": found}


def _delete_rows(ids: Sequence[str], edges: Edges, chosen: Rows) -> Iterator[dict[str, Any]]:
    for source, places in by_first(edges.base[chosen]):
        yield {"source": ids[source], "targets": [ids[target] for target in edges.other[chosen[places]].tolist()]}


def options_of(record: CorpusRecord) -> BuildOptions:
    """Return the stored options; the defaults if there is no graph."""
    return BuildOptions(**{name: value for name, value in _stored_values(record).items() if name != _UNFINISHED})


def is_unfinished(record: CorpusRecord) -> bool:
    """Whether a build with changed options was interrupted while writing, which leaves a mixture of edges."""
    return _UNFINISHED in _stored_values(record)


@contextmanager
def rebuilding(stores: CorpusStores, options: BuildOptions) -> Iterator[None]:
    """Store the options of a build while its edges are written, for later updates.

    The options are stored before the first edge and marked as unfinished, so that the next change of any kind completes
    an interrupted build.
    """
    record = stores.record
    is_as_before = options == options_of(record) and not is_unfinished(record)
    if not is_as_before:
        _store_values(stores, asdict(options) | {_UNFINISHED: True})
    yield
    if not is_as_before:
        _store_values(stores, asdict(options))


def _stored_values(record: CorpusRecord) -> dict[str, Any]:
    return dict(record.settings.get(_KEY, {}))


def _store_values(stores: CorpusStores, values: dict[str, Any]) -> None:
    row = stores.graph.read("corpus/get_corpus", corpus=stores.name)[0]
    settings = json.loads(row["settings"]) | {_KEY: values}
    stores.graph.write("corpus/upsert_settings", corpus=stores.name, settings=json.dumps(settings, sort_keys=True))
