"""Boosted decision trees: the sum of many small trees is the logarithm of the odds of a class.

Source:
    Friedman, Greedy function approximation: a gradient boosting machine (2001).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from tetragraph.arrays import Floats, Longs


@dataclass(frozen=True, slots=True)
class BoostedTrees:
    """Trees in one table of nodes; a node without branches is a leaf.

    Attributes:
        base: Logarithm of the odds without any tree.
        roots: ``(trees,)`` first node of each tree.
        features: ``(nodes,)`` feature that a node compares.
        thresholds: ``(nodes,)`` largest value of the feature that goes left.
        left: ``(nodes,)`` next node of these; 0 for a leaf.
        right: ``(nodes,)`` next node of the others; 0 for a leaf.
        values: ``(nodes,)`` what a leaf adds to the logarithm of the odds.
    """

    base: float
    roots: Longs
    features: Longs
    thresholds: Floats
    left: Longs
    right: Longs
    values: Floats

    def probabilities(self, described: Floats) -> Floats:
        """``(n,)`` probabilities of the class, for ``(n, features)`` numbers."""
        row = np.arange(len(described))[:, None]
        node = np.broadcast_to(self.roots, (len(described), len(self.roots)))
        while (is_inner := self.left[node] > 0).any():
            goes_left = described[row, self.features[node]] <= self.thresholds[node]
            node = np.where(is_inner, np.where(goes_left, self.left[node], self.right[node]), node)
        odds = self.base + self.values[node].sum(axis=1)
        found: Floats = 1 / (1 + np.exp(-odds))
        return found
