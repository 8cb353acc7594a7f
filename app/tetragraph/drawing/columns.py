"""Positions of nodes on paths: one column for each step, from left to right."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise
from statistics import fmean

from tetragraph.drawing.layout import Places

COLUMN, ROW = 1.9, 0.56
"""Distances between columns, and between the nodes of a column, in units of the layout."""


def place_paths(paths: Sequence[Sequence[str]]) -> Places:
    """Compute the position of each key: its column is its smallest place in a path.

    Within a column, nodes are ordered by the mean height of those before them, so that few lines cross; ties keep the
    order of the paths.

    >>> place_paths([("question", "a", "b"), ("question", "c")])
    {'question': (0.0, 0.0), 'a': (1.9, 0.28), 'b': (3.8, 0.0), 'c': (1.9, -0.28)}
    """
    column: dict[str, int] = {}
    before: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        for number, key in enumerate(path):
            column[key] = min(number, column.get(key, number))
        for one, other in pairwise(path):
            before[other].append(one)
    row: dict[str, float] = {}
    for number in range(max(column.values(), default=-1) + 1):
        keys = [key for key in column if column[key] == number]
        keys.sort(key=lambda key: fmean([row[one] for one in before[key] if one in row] or [0.0]))
        row.update({key: place - (len(keys) - 1) / 2 for place, key in enumerate(keys)})
    return {key: (round(COLUMN * column[key], 3), round(0.0 - ROW * row[key], 3)) for key in column}
