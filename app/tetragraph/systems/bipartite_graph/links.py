"""Links from the rows of one kind to those of another, as two arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from tetragraph.arrays import Rows


class Links:
    """Links from the rows of one kind to those of another.

    Attributes:
        bounds: ``(n + 1,)`` start of the links of each row, and the end of the last.
        items: Linked rows of the other kind, ascending within a row.
    """

    def __init__(self, bounds: Rows, items: Rows) -> None:
        self.bounds: Rows = bounds
        self.items: Rows = items

    def of(self, row: int) -> Rows:
        """Return the links of a row."""
        return self.items[self.bounds[row] : self.bounds[row + 1]]

    def range(self, row: int) -> Rows:
        """Return the indices in ``items`` of the links of a row."""
        return np.arange(self.bounds[row], self.bounds[row + 1])

    def counts(self) -> Rows:
        """Return the ``(n,)`` number of links of each row."""
        return np.diff(self.bounds)

    def places(self, rows: Rows) -> tuple[Rows, Rows]:
        """Return the indices in ``items`` of the links of some rows, and for each the index in ``rows``."""
        counts = self.bounds[rows + 1] - self.bounds[rows]
        source = np.repeat(np.arange(len(rows)), counts)
        first = np.cumsum(counts) - counts
        return np.arange(len(source)) - first[source] + self.bounds[rows][source], source

    def transpose(self, count: int) -> tuple[Links, Rows]:
        """Return the inverse links from the ``count`` rows of the other kind, with the index of each in ``items``."""
        rows = np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))
        order = np.argsort(self.items, kind="stable")
        bounds = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.items, minlength=count), out=bounds[1:])
        return Links(bounds, rows[order]), order

    @classmethod
    def of_groups(cls, groups: Iterable[Sequence[int]]) -> Links:
        """Build links from the group of linked rows of each row."""
        rows = list(groups)
        bounds = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(group) for group in rows], out=bounds[1:])
        return cls(bounds, np.fromiter(chain(*rows), np.int64, int(bounds[-1])))

    def arrays(self, name: str) -> dict[str, Rows]:
        """Return both arrays by name, for the array cache."""
        return {f"{name}.bounds": self.bounds, f"{name}.items": self.items}
