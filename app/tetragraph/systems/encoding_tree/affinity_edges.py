"""The AFFINITY relationships of a corpus: reading them, and writing what is different."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.encoding_tree.affinity import Affinities

STAGE = "affinities"
_PAGE = 2_000
_BATCH = 500
"""Chunks of one transaction, each with all its pairs that changed."""
_VALUES = ("semantic", "logical", "distance", "weight")


def read(stores: CorpusStores, rows: Mapping[str, int]) -> Affinities:
    """The affinities in the graph now.

    Args:
        stores: The corpus.
        rows: Chunk id to row; pairs of other chunks are left out.
    """
    ends: tuple[list[int], list[int]] = ([], [])
    values: tuple[list[float], ...] = ([], [], [], [])
    for record in _records(stores):
        first = rows.get(record["first"], -1)
        places = [place for place, other in enumerate(record["others"]) if first >= 0 and other in rows]
        ends[0].extend([first] * len(places))
        ends[1].extend(rows[record["others"][place]] for place in places)
        for column, name in zip(values, _VALUES, strict=True):
            column.extend(record[name][place] for place in places)
    first_rows, second_rows = (np.array(end, dtype=np.int64) for end in ends)
    semantic, logical, distance, weight = (np.array(column, dtype=np.float64) for column in values)
    found = Affinities(first_rows, second_rows, semantic, logical, distance, weight)
    return found.take(np.lexsort((found.second, found.first)))


def write_difference(
    stores: CorpusStores, ids: Sequence[str], stored: Affinities, wanted: Affinities, progress: Progress
) -> tuple[int, int]:
    """Bring the graph from ``stored`` to ``wanted``: new and changed pairs first, then those that have to go.

    Args:
        stores: The corpus.
        ids: Chunk ids by row.
        stored: The pairs in the graph.
        wanted: The pairs that shall be there.
        progress: Told of every chunk whose pairs are written.

    Returns:
        How many pairs were written and deleted.
    """
    written = wanted.take(~_is_among(wanted, stored, len(ids)))
    gone = stored.take(~np.isin(stored.keys(len(ids)), wanted.keys(len(ids))))
    steps = (
        ("encoding_tree/link_affinities", list(_link_rows(ids, written))),
        ("encoding_tree/delete_affinities", list(_delete_rows(ids, gone))),
    )
    progress.start(STAGE, sum(len(rows) for _, rows in steps), "chunks")
    for query, rows in steps:
        for done in stores.graph.write_rows(query, rows, batch=_BATCH, corpus=stores.name):
            progress.advance(STAGE, done)
    progress.finish(STAGE)
    return len(written), len(gone)


def _is_among(wanted: Affinities, stored: Affinities, size: int) -> NDArray[np.bool_]:
    """Which pairs are stored just as they are wanted."""
    keys, known = wanted.keys(size), stored.keys(size)
    if not len(known):
        return np.zeros(len(keys), dtype=bool)
    place = np.minimum(np.searchsorted(known, keys), len(known) - 1)
    same: NDArray[np.bool_] = known[place] == keys
    for name in _VALUES:
        same &= getattr(stored, name)[place] == getattr(wanted, name)
    return same


def _link_rows(ids: Sequence[str], pairs: Affinities) -> Iterator[dict[str, Any]]:
    for first, part in _by_first(pairs):
        columns = (part.second.tolist(), *(getattr(part, name).tolist() for name in _VALUES))
        yield {"first": ids[first], "pairs": [[ids[other], *values] for other, *values in zip(*columns, strict=True)]}


def _delete_rows(ids: Sequence[str], pairs: Affinities) -> Iterator[dict[str, Any]]:
    for first, part in _by_first(pairs):
        yield {"first": ids[first], "others": [ids[other] for other in part.second.tolist()]}


def _by_first(pairs: Affinities) -> Iterator[tuple[int, Affinities]]:
    starts = np.flatnonzero(np.r_[True, pairs.first[1:] != pairs.first[:-1]][: len(pairs)])
    for start, end in pairwise([*starts.tolist(), len(pairs)]):
        yield int(pairs.first[start]), pairs.take(np.arange(start, end))


def _records(stores: CorpusStores) -> Iterator[dict[str, Any]]:
    after = ""
    while page := stores.graph.read("encoding_tree/find_affinities", corpus=stores.name, after=after, limit=_PAGE):
        yield from page
        after = page[-1]["first"]
