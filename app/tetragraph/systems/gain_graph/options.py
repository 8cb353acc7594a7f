"""Build and search options of the information-gain graph, with the rules for their values."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import ClassVar, Final, Literal, get_args

from tetragraph.algorithms.neighbour_search import EXACT_UP_TO
from tetragraph.algorithms.quantise import LEVELS, MIDDLES
from tetragraph.errors import InvalidInput
from tetragraph.language.llm_steps.gain import WAYS, Way
from tetragraph.systems.rerank_options import RerankOptions
from tetragraph.validation import check_integer, check_list, check_one_of

Engine = Literal["gds", "memory", "stores"]
Mode = Literal["tetragraph", "paper"]
Walk = Literal["pagerank", "greedy"]
Rerank = Literal["none", "llm", "cross-encoder", "late-interaction"]
EdgeWeights = Literal["levels", "gain", "similarity"]
Judge = Literal["token_free", "llm", "levels", "score", "binary", "same"]
LEAST_RESTART: Final = 0.01
"""Smallest probability of returning to the seeds: with less, the walk takes more than a thousand iterations."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Build options of the information-gain graph.

    Attributes:
        neighbours: Number of nearest neighbours of a chunk (top-n of the paper, eq. 1).
        explains: Largest number of chunks that describe entities which a chunk only mentions; 0 for none.
        mode: ``paper`` omits ``explains`` and judges a pair only from a chunk to its neighbour, and an update
            only links new chunks to others. ``tetragraph`` judges each pair in both directions, and an update yields
            the edges of a new build.
        judge: ``token_free`` judges by names, words and vectors. The other values ask the language model: for one of
            four ``levels`` (as in the paper; ``llm`` is a synonym), for a ``score`` from 0 to 1, for 0 or 1
            (``binary``), or whether both chunks have the ``same`` content, of which the probability is used: for small
            models.
        batch: Number of candidates of a chunk in one request; ignored by ``token_free`` and ``same``.
        exact_up_to: Largest number of chunks that are compared all with all. Of more, each is compared with those in
            the lists nearest to it, which misses some neighbours.
    """

    neighbours: int = 5
    explains: int = 10
    mode: Mode = "tetragraph"
    judge: Judge = "token_free"
    batch: int = 5
    exact_up_to: int = EXACT_UP_TO

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        check_one_of("mode", self.mode, get_args(Mode))
        check_integer("neighbours", self.neighbours, 1)
        check_integer("explains", self.explains, 0)
        check_one_of("judge", self.judge, get_args(Judge))
        check_integer("batch", self.batch, 1)
        check_integer("exact_up_to", self.exact_up_to, 0)
        if self.judge == "llm":
            object.__setattr__(self, "judge", "levels")

    @property
    def way(self) -> Way | None:
        """Kind of judgement requested from the language model; None without one."""
        return next((way for way in WAYS if way == self.judge), None)


@dataclass(frozen=True, slots=True)
class GainOptions(RerankOptions):
    """Search options of the information-gain graph.

    Attributes:
        engine: ``gds`` ranks in Neo4j, on a projection of the graph; ``memory`` ranks in this process, on arrays of
            the same generation; ``stores`` ranks in this process on the edges around the seeds, which it reads from
            Neo4j, at a cost that does not grow with the corpus.
        mode: ``paper`` uses only similar chunks as seeds, and only edges from a chunk to its nearest neighbours
            (algorithm 1). On a graph built in both directions it ranks in this process.
        restart: Probability of returning to the seeds, .01 to 1. Eq. (6) of the paper names it α; its appendix B.5
            uses α for the opposite, the probability of continuing, which its tables vary: their α is 1 - ``restart``.
            At .5 both are equal.
        seeds: Number of most similar chunks that are seeds (top-h of the paper, eq. 5).
        question_names: Share of the seeds for chunks that describe entities named in the question, 0 to 1.
        weights: Weight of an edge: by ``levels``; the judged ``gain`` itself, where 0 disables the edge; or the
            ``similarity`` of both chunks (0 where it is negative). The last two rank in this process.
        level_weights: Weight of an edge by its level, from redundant to novel; 0 disables edges of a level. Used by
            ``weights="levels"``.
        tolerance: Largest L1 change between two iterations (ε of eq. 7), below ``restart``; 1e-6 in the paper, 1e-4
            ranks the first ten the same with a third fewer iterations.
        walk: ``greedy`` always continues with the largest gain, instead of the walk by ``pagerank``; it ignores
            ``restart`` and ``tolerance``.
        rerank: ``llm`` has a language model rank the ``pool`` most similar chunks; the first ``seeds`` of them
            are seeds. ``cross-encoder`` and ``late-interaction`` score the best hits with a model.
        pool: Number of chunks that it ranks, never fewer than ``seeds``.
    """

    engine: Engine = "gds"
    mode: Mode = "tetragraph"
    restart: float = 0.5
    seeds: int = 5
    question_names: float = 0.7
    weights: EdgeWeights = "levels"
    level_weights: tuple[float, ...] = MIDDLES
    tolerance: float = 1e-4
    walk: Walk = "pagerank"
    rerank_values: ClassVar[tuple[str, ...]] = get_args(Rerank)

    rerank: Rerank = field(default="none", kw_only=True)  # type: ignore[assignment]  # a reranking of its own, too
    pool: int = 20

    def __post_init__(self) -> None:
        """Check every value, and keep a list of weights as a tuple.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        RerankOptions.__post_init__(self)
        check_one_of("engine", self.engine, get_args(Engine))
        check_one_of("mode", self.mode, get_args(Mode))
        check_one_of("walk", self.walk, get_args(Walk))
        check_one_of("weights", self.weights, get_args(EdgeWeights))
        check_integer("seeds", self.seeds, 1)
        check_integer("pool", self.pool, 1)
        if not LEAST_RESTART <= self.restart <= 1:
            raise InvalidInput(f"restart must be at least {LEAST_RESTART} and at most 1, got {self.restart!r}")
        if not 0 <= self.question_names <= 1:
            raise InvalidInput(f"question_names must be a share between 0 and 1, got {self.question_names!r}")
        if not 0 < self.tolerance < 1:
            raise InvalidInput(f"tolerance must be above 0 and below 1, got {self.tolerance!r}")
        if self.tolerance >= self.restart:
            raise InvalidInput(
                f"tolerance must be below restart ({self.restart!r}), as the walk would end before its first step, got "
                f"{self.tolerance!r}"
            )
        check_list("level_weights", self.level_weights, (int, float), f"{len(LEVELS)} numbers")
        weights = self.level_weights
        if len(weights) != len(LEVELS) or not all(0 <= weight <= 1 for weight in weights) or not any(weights):
            raise InvalidInput(
                f"level_weights must be {len(LEVELS)} numbers between 0 and 1, for {', '.join(LEVELS)}, "
                f"at least one above 0, got {weights!r}"
            )
        object.__setattr__(self, "level_weights", tuple(weights))


SEARCH_DEFAULTS = GainOptions()
