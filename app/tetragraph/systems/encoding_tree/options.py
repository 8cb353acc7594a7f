"""Build and search options of the encoding tree, with the rules for their values."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal, get_args

from tetragraph.algorithms.neighbour_search import EXACT_UP_TO
from tetragraph.errors import InvalidInput
from tetragraph.systems.engines import Engine
from tetragraph.systems.rerank_options import RerankOptions
from tetragraph.validation import check_integer, check_one_of, is_number

Mode = Literal["tetragraph", "paper"]
Expansion = Literal["first_hits", "self_query", "both", "none"]
Names = Literal["distinctive", "llm"]
HIGHEST: Final = 32
"""Largest height of a tree: each level takes time and nodes, and most of so many group nothing any more."""


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Build options of the affinity graph and its tree; the defaults are those of SeRAG's table 5.

    Attributes:
        neighbours: Number of nearest neighbours in the semantic layer (``k_sem``), and in the logical layer.
        semantic: Share of the semantic layer in the weight (λ1).
        logical: Share of the logical layer (λ2); the distance layer has the rest.
        sigma: Decay of the distance layer, in chunks (σ).
        window: Largest distance, in chunks, within a document that counts in the distance layer.
        frequency_cap: Largest number of chunks of an entity that links them: pairs grow with its square.
        height: Height of the tree, 2 to 32: 2 is one level of communities between root and chunks.
        names: Source of the names of communities: ``distinctive`` selects distinctive entities and words, ``llm`` uses
            the language model. An update names only communities whose chunks changed.
        exact_up_to: Largest number of chunks that are compared all with all. Of more, each is compared with those in
            the lists nearest to it, which misses some neighbours.
    """

    neighbours: int = 20
    semantic: float = 0.45
    logical: float = 0.45
    sigma: float = 5.0
    window: int = 10
    frequency_cap: int = 100
    height: int = 2
    names: Names = "distinctive"
    exact_up_to: int = EXACT_UP_TO

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        check_integer("neighbours", self.neighbours, 1)
        check_integer("window", self.window, 0)
        check_integer("frequency_cap", self.frequency_cap, 2)
        check_integer("height", self.height, 2, HIGHEST)
        check_integer("exact_up_to", self.exact_up_to, 0)
        check_one_of("names", self.names, get_args(Names))
        if not is_number(self.sigma) or self.sigma <= 0:
            raise InvalidInput(f"sigma must be a number above 0, got {self.sigma!r}")
        is_split = is_number(self.semantic) and is_number(self.logical)
        if not is_split or min(self.semantic, self.logical, self.distance) < 0:
            raise InvalidInput(
                f"semantic and logical must be shares that leave 0 or more to distance, got {self.semantic!r} and "
                f"{self.logical!r}"
            )

    @property
    def distance(self) -> float:
        """Share of the distance layer."""
        return round(1 - self.semantic - self.logical, 12)


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the parts of a chunk's score.

    Attributes:
        coarse: Weight of the community's part (γ_c), 0 to 1; the chunk's own part has the rest (γ_f).
        entities: Weight of the bonus for names of the question (eq. 13).
        title: Weight of a name in the chunk's title, relative to one in its text.
        expansion: Weight of entities added by the expansion of the question.
        is_scaled: Whether cosines are scaled to the embedder, and names are weighted by their information.
        is_gated: Whether only chunks of the selected communities are ranked.
    """

    coarse: float
    entities: float
    title: float
    expansion: float
    is_scaled: bool
    is_gated: bool


PAPER = Weights(coarse=0.4, entities=1.0, title=0.0, expansion=0.4, is_scaled=False, is_gated=True)
"""Weights of the paper, which does not expand questions by first hits: where this is asked for, as below."""
TETRAGRAPH = Weights(coarse=0.1, entities=0.1, title=0.5, expansion=0.4, is_scaled=True, is_gated=False)
"""Weights chosen on the training questions of the benchmarks."""


@dataclass(frozen=True, slots=True)
class TreeOptions(RerankOptions):
    """Search options of the encoding tree.

    Attributes:
        mode: ``paper`` scores by eq. (10) to (13) and ranks only chunks of the selected communities. ``tetragraph``
            ranks all chunks, scales cosines to the embedder, weights names by their information, and expands.
        communities: Number of communities selected on each level (``k_coarse``), among those inside the communities
            selected above; used with ``gate``.
        gate: Whether only chunks of the selected communities are ranked. By default in mode ``paper`` only. With
            ``coarse=0`` and no gate, the communities have no part in the ranking (table 2, "Single-Layer").
        coarse: Weight of the community's part (γ_c), 0 to 1; the chunk's own part has the rest (γ_f). By default .4
            in mode ``paper``, otherwise .1.
        expansion: Enhancement of the question: ``first_hits`` also searches for entities that the first hits mention
            and other chunks describe; ``self_query`` has the language model write a passage that could contain the
            answer, and compares with question and passage, as in the paper; ``both`` does both; ``none`` uses the
            question alone. By default ``none`` in mode ``paper``.
        threshold: Similarity of names above which an entity is matched (τ), above 0 to 1; equal names are always
            matched.
        engine: Where the search is computed: ``"memory"`` on arrays of the corpus in this process; ``"stores"`` from
            what the question needs, read from Neo4j and Qdrant; ``"auto"`` in memory where the arrays are at hand or
            the corpus is small, otherwise in the stores.
    """

    mode: Mode = "tetragraph"
    communities: int = 10
    gate: bool | None = None
    coarse: float | None = None
    expansion: Expansion | None = None
    threshold: float = 0.85
    engine: Engine = "auto"

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        RerankOptions.__post_init__(self)
        check_one_of("mode", self.mode, get_args(Mode))
        check_integer("communities", self.communities, 1)
        if self.gate is not None and not isinstance(self.gate, bool):
            raise InvalidInput(f"gate must be true or false, got {self.gate!r}")
        if self.expansion is not None:
            check_one_of("expansion", self.expansion, get_args(Expansion))
        if self.coarse is not None and not (is_number(self.coarse) and 0 <= self.coarse <= 1):
            raise InvalidInput(f"coarse must be a weight between 0 and 1, got {self.coarse!r}")
        check_one_of("engine", self.engine, get_args(Engine))
        if not (is_number(self.threshold) and 0 < self.threshold <= 1):
            raise InvalidInput(f"threshold must be above 0 and at most 1, got {self.threshold!r}")

    @property
    def weights(self) -> Weights:
        """Weights of the mode, with the coarse weight and the gate of the options."""
        weights = PAPER if self.mode == "paper" else TETRAGRAPH
        if self.gate is not None:
            weights = replace(weights, is_gated=self.gate)
        return weights if self.coarse is None else replace(weights, coarse=self.coarse)

    @property
    def enhancement(self) -> Expansion:
        """Expansion of the options, by default that of the mode."""
        return self.expansion or ("none" if self.mode == "paper" else "first_hits")


SEARCH_DEFAULTS = TreeOptions()
