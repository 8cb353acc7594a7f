"""What can be set of a fused search."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, get_args

from tetragraph.errors import InvalidInput
from tetragraph.systems.fused.search import Fusion
from tetragraph.validation import check_integer, check_one_of

BEST: Final = {"evidence": 3.0, "bipartite": 1.0}
"""Of all subsets and weights that were tried on the development questions the best, by a little over ``evidence``."""
PLAIN: Final = {"dense": 1.0, "keyword": 1.0}
"""What every corpus can be asked with."""


@dataclass(frozen=True, slots=True)
class FusedOptions:
    """Options of ``fused``.

    Attributes:
        of: The methods whose rankings are fused, each with its own defaults. By default ``evidence`` and ``bipartite``,
            3 to 1, where the corpus has a bipartite graph, else ``dense`` and ``keyword``; the result says which.
        weights: One for each of them; all alike when left out.
        fusion: ``scores`` adds their scores, each method's brought to 0 to 1; ``ranks`` is reciprocal rank fusion.
        depth: How many hits of each are looked at; at least ``k``.
    """

    of: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    fusion: Fusion = "scores"
    depth: int = 100

    def __post_init__(self) -> None:
        """Check what can be checked without a corpus."""
        if self.of and (len(self.of) < 2 or "fused" in self.of or len({*self.of}) < len(self.of)):
            raise InvalidInput(f"of must name two or more different methods other than fused, got {self.of!r}")
        are_numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in self.weights)
        if self.weights and (len(self.weights) != len(self.of) or not are_numbers or not min(self.weights) > 0):
            raise InvalidInput(
                f"weights must be numbers above 0, one for each method that `of` names, got {self.weights!r} for "
                f"{self.of!r}"
            )
        check_one_of("fusion", self.fusion, get_args(Fusion))
        check_integer("depth", self.depth, 1)

    def methods(self, graphs: Collection[str]) -> dict[str, float]:
        """The methods with their weights, on a corpus that has these graphs."""
        if not self.of:
            return BEST if "bipartite" in graphs else PLAIN
        return dict(zip(self.of, self.weights or [1.0] * len(self.of), strict=True))
