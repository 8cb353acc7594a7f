"""Which rows of one kind each row of another is joined with, as two arrays."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import chain

import numpy as np

from tetragraph.arrays import Rows


class Links:
    """Which rows of one kind each row of another is joined with.

    Attributes:
        bounds: ``(n + 1,)`` where each row's begin.
        items: Rows of the other kind; those of one row ascend.
    """

    def __init__(self, bounds: Rows, items: Rows) -> None:
        self.bounds: Rows = bounds
        self.items: Rows = items

    def of(self, row: int) -> Rows:
        """Those of one row."""
        return self.items[self.bounds[row] : self.bounds[row + 1]]

    def places(self, rows: Rows) -> tuple[Rows, Rows]:
        """The places in ``items`` of what some rows are joined with, and for each of them the place in ``rows``."""
        counts = self.bounds[rows + 1] - self.bounds[rows]
        source = np.repeat(np.arange(len(rows)), counts)
        first = np.cumsum(counts) - counts
        return np.arange(len(source)) - first[source] + self.bounds[rows][source], source

    def transposed(self, count: int) -> tuple[Links, Rows]:
        """The same joints seen from the ``count`` rows of the other kind, and the place of each here."""
        rows = np.repeat(np.arange(len(self.bounds) - 1), np.diff(self.bounds))
        order = np.argsort(self.items, kind="stable")
        bounds = np.zeros(count + 1, dtype=np.int64)
        np.cumsum(np.bincount(self.items, minlength=count), out=bounds[1:])
        return Links(bounds, rows[order]), order

    @classmethod
    def of_groups(cls, groups: Iterable[Sequence[int]]) -> Links:
        """From what each row is joined with."""
        rows = list(groups)
        bounds = np.zeros(len(rows) + 1, dtype=np.int64)
        np.cumsum([len(group) for group in rows], out=bounds[1:])
        return cls(bounds, np.fromiter(chain(*rows), np.int64, int(bounds[-1])))

    def arrays(self, name: str) -> dict[str, Rows]:
        """Both arrays, named for the array cache."""
        return {f"{name}.bounds": self.bounds, f"{name}.items": self.items}
