"""Search options of a fused search."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, get_args

from tetragraph.errors import InvalidInput
from tetragraph.systems.fused.search import Fusion
from tetragraph.systems.rerank_options import RerankOptions
from tetragraph.validation import check_integer, check_list, check_one_of, is_number

BEST: Final = {"evidence": 3.0, "bipartite": 1.0}
"""Best of all tried methods and weights on the development questions, slightly better than ``evidence`` alone."""
PLAIN: Final = {"dense": 1.0, "keyword": 1.0}
"""Methods that are available on every corpus."""


@dataclass(frozen=True, slots=True)
class FusedOptions(RerankOptions):
    """Options of ``method="fused"``.

    Attributes:
        of: Methods whose rankings are fused, each with its default options. By default ``evidence`` and ``bipartite``,
            3 to 1, if the corpus has a bipartite graph, otherwise ``dense`` and ``keyword``; then a note of the result
            says so, and its trace names them.
        weights: Weight of each method in ``of``, above 0; equal when left out.
        fusion: ``scores`` adds the scores of each method, scaled to 0 to 1; ``ranks`` is reciprocal rank fusion.
        depth: Number of hits of each method that are fused, at least 1; ``k`` if that is more.
    """

    of: tuple[str, ...] = ()
    weights: tuple[float, ...] = ()
    fusion: Fusion = "scores"
    depth: int = 100

    def __post_init__(self) -> None:
        """Check the values as far as possible without a corpus, and keep lists as tuples.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        RerankOptions.__post_init__(self)
        check_list("of", self.of, str, "names of methods, like ['dense', 'keyword']")
        check_list("weights", self.weights, (int, float), "numbers, like [3, 1]")
        if self.of and (len(self.of) < 2 or "fused" in self.of or len({*self.of}) < len(self.of)):
            raise InvalidInput(f"of must name two or more different methods other than fused, got {self.of!r}")
        are_above_0 = all(is_number(one) and one > 0 for one in self.weights)
        if self.weights and (len(self.weights) != len(self.of) or not are_above_0):
            raise InvalidInput(
                f"weights must be numbers above 0, one for each method that `of` names, got {self.weights!r} for "
                f"{self.of!r}"
            )
        check_one_of("fusion", self.fusion, get_args(Fusion))
        check_integer("depth", self.depth, 1)
        object.__setattr__(self, "of", tuple(self.of))
        object.__setattr__(self, "weights", tuple(self.weights))

    def methods(self, is_available: Callable[[str], bool]) -> dict[str, float]:
        """The methods with their weights.

        Args:
            is_available: Whether the corpus has the graph that a method requires.
        """
        if not self.of:
            return BEST if all(map(is_available, BEST)) else PLAIN
        return dict(zip(self.of, self.weights or [1.0] * len(self.of), strict=True))
