"""The AFFINITY relationships of a corpus: reads them and writes differences."""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from tetragraph.algorithms.structural_entropy import WeightedGraph, weighted_graph
from tetragraph.arrays import Rows
from tetragraph.progress import Progress
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.edge_diff import by_first, unchanged_pairs
from tetragraph.systems.encoding_tree.affinity import Affinities

STAGE = "affinities"
_PAGE = 2_000
_BATCH = 500
"""Number of chunks in a transaction, each with all its changed pairs."""
_VALUES = ("semantic", "logical", "distance", "weight")


def read(stores: CorpusStores, rows: Mapping[str, int]) -> Affinities:
    """Read the affinities in the graph.

    Args:
        stores: Stores of the corpus.
        rows: Chunk id to row; pairs of other chunks are left out.
    """
    ends = (array("q"), array("q"))
    values = tuple(array("d") for _ in _VALUES)
    records = stores.graph.pages("encoding_tree/find_affinities", corpus=stores.name, limit=_PAGE, by="first")
    for record in records:
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


def read_graph(stores: CorpusStores, rows: Mapping[str, int]) -> WeightedGraph:
    """Read the weighted graph of the stored affinities; reading only the weights takes a third of the time.

    Args:
        stores: Stores of the corpus.
        rows: Id of each chunk to its row.
    """
    ends, found = (array("q"), array("q")), array("d")
    pages = stores.graph.pages("encoding_tree/find_weights", by="last", corpus=stores.name, limit=_PAGE)
    for page in pages:
        for first, others, weights in zip(page["firsts"], page["others"], page["weights"], strict=True):
            for other, weight in zip(others, weights, strict=True) if first in rows else ():
                if other in rows:
                    for column, end in zip(ends, (first, other), strict=True):
                        column.append(rows[end])
                    found.append(weight)
    first_rows, second_rows = (np.array(end, dtype=np.int64) for end in ends)
    order = np.lexsort((second_rows, first_rows))
    weights = np.array(found, dtype=np.float64)
    return weighted_graph(first_rows[order], second_rows[order], weights[order], len(rows))


def write_difference(
    stores: CorpusStores, ids: Sequence[str], stored: Affinities, wanted: Affinities, progress: Progress
) -> tuple[int, int]:
    """Change the graph from ``stored`` to ``wanted``: first new and changed pairs, then deletions.

    Args:
        stores: Stores of the corpus.
        ids: Chunk ids by row.
        stored: Pairs in the graph.
        wanted: Pairs after the change.
        progress: Receives the number of chunks whose pairs are written.

    Returns:
        Numbers of written and of deleted pairs.
    """
    written = np.flatnonzero(~unchanged_pairs(wanted, stored, len(ids), _VALUES))
    gone = np.flatnonzero(~np.isin(stored.keys(len(ids)), wanted.keys(len(ids))))
    steps = (
        ("encoding_tree/link_affinities", wanted.first[written], _link_rows(ids, wanted, written)),
        ("encoding_tree/delete_affinities", stored.first[gone], _delete_rows(ids, stored, gone)),
    )
    progress.start(STAGE, sum(len(np.unique(first)) for _, first, _ in steps), "chunks")
    for query, _, rows in steps:
        for done in stores.graph.write_rows(query, rows, batch=_BATCH, corpus=stores.name):
            progress.advance(STAGE, done)
    progress.finish(STAGE)
    return len(written), len(gone)


def _link_rows(ids: Sequence[str], pairs: Affinities, chosen: Rows) -> Iterator[dict[str, Any]]:
    for first, places in by_first(pairs.first[chosen]):
        part = pairs.take(chosen[places])
        columns = (part.second.tolist(), *(getattr(part, name).tolist() for name in _VALUES))
        yield {"first": ids[first], "pairs": [[ids[other], *values] for other, *values in zip(*columns, strict=True)]}


def _delete_rows(ids: Sequence[str], pairs: Affinities, chosen: Rows) -> Iterator[dict[str, Any]]:
    for first, places in by_first(pairs.first[chosen]):
        yield {"first": ids[first], "others": [ids[other] for other in pairs.second[chosen[places]].tolist()]}
