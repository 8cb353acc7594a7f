"""Build and search options of the information-gain graph, with the rules for their values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tetragraph.algorithms.quantise import LEVELS, MIDDLES
from tetragraph.errors import InvalidInput
from tetragraph.language.llm_steps.gain import WAYS, Way
from tetragraph.validation import check_integer, check_list, check_one_of

Engine = Literal["gds", "memory"]
Mode = Literal["tetragraph", "paper"]
Walk = Literal["pagerank", "greedy"]
Rerank = Literal["none", "llm"]
Judge = Literal["token_free", "llm", "levels", "score", "binary", "same"]


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How the graph is made.

    Attributes:
        neighbours: Nearest chunks of each (top-n of the paper, eq. 1).
        explains: At most so many chunks that describe what a chunk only mentions; 0 for none.
        mode: ``paper`` leaves ``explains`` out and judges a pair only from a chunk to its neighbour, and an update
            only links new chunks to others. ``tetragraph`` judges each pair in both directions, and an update leaves
            the edges that a fresh build would have.
        judge: Who says how much a chunk adds to another: ``token_free``, from names, words and vectors; or the
            language model, asked for one of four ``levels`` (the paper's own way, which ``llm`` stands for), for a
            ``score`` from 0 to 1, for 0 or 1 (``binary``), or whether both say the ``same``, of which the probability
            counts: the way for small models.
        batch: Candidates of a chunk that the model judges in one call; of no effect on ``token_free`` and ``same``.
    """

    neighbours: int = 5
    explains: int = 10
    mode: Mode = "tetragraph"
    judge: Judge = "token_free"
    batch: int = 5

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: one breaks its rule.
        """
        check_one_of("mode", self.mode, get_args(Mode))
        check_integer("neighbours", self.neighbours, 1)
        check_integer("explains", self.explains, 0)
        check_one_of("judge", self.judge, get_args(Judge))
        check_integer("batch", self.batch, 1)
        if self.judge == "llm":
            object.__setattr__(self, "judge", "levels")

    @property
    def way(self) -> Way | None:
        """How the language model is asked; None where it is not."""
        return next((way for way in WAYS if way == self.judge), None)


@dataclass(frozen=True, slots=True)
class GainOptions:
    """How the graph is searched.

    Attributes:
        engine: ``gds`` ranks in Neo4j and holds nothing in this process; ``memory`` ranks in this process, on arrays
            of the same generation.
        mode: ``paper`` takes no names of the question as seeds, and walks along ``nearest`` edges alone.
        restart: Probability of returning to the seeds. Eq. (6) of the paper calls it α; its appendix B.5 uses α for
            the opposite, the probability of going on. At the default both readings agree.
        seeds: Chunks most similar to the question that the walk starts from (top-h of the paper, eq. 5).
        question_names: Share of the seeds that goes to chunks describing what the question names, 0 to 1.
        level_weights: Weight of an edge by its level, from redundant to novel; 0 closes the edge.
        tolerance: Largest L1 change between two iterations (ε of eq. 7). The paper says 1e-6; at 1e-4 a third fewer
            iterations rank the first ten the same.
        walk: ``greedy`` goes on to the largest gain in each turn, in place of the walk by ``pagerank``; ``restart`` and
            ``tolerance`` mean nothing then.
        rerank: ``llm`` has a language model put the ``pool`` most similar chunks in order; the first ``seeds`` of them
            are seeds.
        pool: How many chunks it is shown, never fewer than ``seeds``.
    """

    engine: Engine = "gds"
    mode: Mode = "tetragraph"
    restart: float = 0.5
    seeds: int = 5
    question_names: float = 0.7
    level_weights: tuple[float, ...] = MIDDLES
    tolerance: float = 1e-4
    walk: Walk = "pagerank"
    rerank: Rerank = "none"
    pool: int = 20

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: one breaks its rule.
        """
        check_one_of("engine", self.engine, get_args(Engine))
        check_one_of("mode", self.mode, get_args(Mode))
        check_one_of("walk", self.walk, get_args(Walk))
        check_one_of("rerank", self.rerank, get_args(Rerank))
        check_integer("seeds", self.seeds, 1)
        check_integer("pool", self.pool, 1)
        if not 0 < self.restart <= 1:
            raise InvalidInput(f"restart must be above 0 and at most 1, got {self.restart!r}")
        if not 0 <= self.question_names <= 1:
            raise InvalidInput(f"question_names must be a share between 0 and 1, got {self.question_names!r}")
        if not 0 < self.tolerance < 1:
            raise InvalidInput(f"tolerance must be above 0 and below 1, got {self.tolerance!r}")
        check_list("level_weights", self.level_weights, (int, float), f"{len(LEVELS)} numbers")
        weights = self.level_weights
        if len(weights) != len(LEVELS) or not all(0 <= weight <= 1 for weight in weights) or not any(weights):
            raise InvalidInput(
                f"level_weights must be {len(LEVELS)} numbers between 0 and 1, for {', '.join(LEVELS)}, "
                f"at least one above 0, got {weights!r}"
            )


SEARCH_DEFAULTS = GainOptions()
