"""What can be set of a fused search."""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from tetragraph.errors import InvalidInput
from tetragraph.systems.checks import check_one_of, check_whole
from tetragraph.systems.fused.search import Fusion


@dataclass(frozen=True, slots=True)
class FusedOptions:
    """Options of ``fused``.

    Attributes:
        of: The methods whose rankings are fused, each with its own defaults.
        weights: One for each of them; all alike when left out.
        fusion: ``scores`` adds their scores, each method's brought to 0 to 1; ``ranks`` is reciprocal rank fusion.
        depth: How many hits of each are looked at; at least ``k``.
    """

    of: tuple[str, ...] = ("dense", "keyword")
    weights: tuple[float, ...] = ()
    fusion: Fusion = "scores"
    depth: int = 100

    def __post_init__(self) -> None:
        """Check what can be checked without a corpus."""
        if len(self.of) < 2 or "fused" in self.of or len({*self.of}) < len(self.of):
            raise InvalidInput(f"of must name two or more different methods other than fused, got {self.of!r}")
        are_numbers = all(isinstance(one, int | float) and not isinstance(one, bool) for one in self.weights)
        if self.weights and (len(self.weights) != len(self.of) or not are_numbers or not min(self.weights) > 0):
            raise InvalidInput(
                f"weights must be {len(self.of)} numbers above 0, one for each method, got {self.weights!r}"
            )
        check_one_of("fusion", self.fusion, get_args(Fusion))
        check_whole("depth", self.depth, 1)
