"""Build and search options of the bipartite graph, with the rules for their values."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from tetragraph.errors import InvalidInput
from tetragraph.language.questions.complexity import Level
from tetragraph.systems.engines import Engine
from tetragraph.systems.question_decomposition import Decomposition
from tetragraph.systems.rerank_options import RerankOptions
from tetragraph.validation import check_integer, check_one_of, is_number

DEPENDENCY = "dependency"
"""Extractor that uses the parser and no language model."""
LLM = "llm"
"""Extractor that uses the configured language model."""
MOST_GLEANINGS = 3
PAPER_CONFIDENCE: Final = 0.5
"""Confidence thresholds of the paper: 50 of 100 for entities, 5 of 10 for relations (BiG-RAG, table E.1)."""
Mode = Literal["tetragraph", "paper"]


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """Build options of the bipartite graph.

    Attributes:
        extractor: ``dependency`` finds facts with a parser, ``llm`` with a language model. Any other value is the path
            of a file of recorded triples (see
            :class:`tetragraph.language.facts.recorded.RecordedExtractor`), whose facts are used instead; it is
            made absolute, as later builds read the same file.
        gleanings: Number of further requests per chunk for facts that the language model omitted, 0 to 3; ignored by
            other extractors.
        threshold: Similarity of the embeddings of two names from which they are merged, unless a guard forbids it;
            above 0, at most 1.
        mode: ``paper`` applies the confidence thresholds of the paper, ``tetragraph`` none.
        min_entity_confidence: Participants with a lower confidence are left out of their facts, 0 to 1; by default .5
            in mode ``paper``, else 0.
        min_relation_confidence: Facts with a lower confidence are left out, 0 to 1; by default .5 in mode ``paper``,
            else 0. Stored extractions keep what is left out, so that another threshold extracts nothing again.
    """

    extractor: str = DEPENDENCY
    threshold: float = 0.90
    gleanings: int = 1
    mode: Mode = "tetragraph"
    min_entity_confidence: float | None = None
    min_relation_confidence: float | None = None

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        if not isinstance(self.extractor, str) or not self.extractor:
            raise InvalidInput(
                f"extractor must be {DEPENDENCY!r}, {LLM!r} or the path of a file of recorded triples, "
                f"got {self.extractor!r}"
            )
        if self.extractor not in (DEPENDENCY, LLM):
            object.__setattr__(self, "extractor", str(Path(self.extractor).expanduser().absolute()))
        if not is_number(self.threshold) or not 0 < self.threshold <= 1:
            raise InvalidInput(f"threshold must be above 0 and at most 1, got {self.threshold!r}")
        check_integer("gleanings", self.gleanings, 0, MOST_GLEANINGS)
        check_one_of("mode", self.mode, get_args(Mode))
        for name in ("min_entity_confidence", "min_relation_confidence"):
            value = getattr(self, name)
            if value is not None and not (is_number(value) and 0 <= value <= 1):
                raise InvalidInput(f"{name} must be a number between 0 and 1, got {value!r}")

    @property
    def thresholds(self) -> tuple[float, float]:
        """Smallest confidence of a participant and of a fact: the given ones, else those of the mode."""
        default = PAPER_CONFIDENCE if self.mode == "paper" else 0.0
        entity, relation = self.min_entity_confidence, self.min_relation_confidence
        return default if entity is None else entity, default if relation is None else relation


Ranking = Literal["similarity", "paper"]
Paths = Literal["both", "entities", "relations"]
QueryEntities = Literal["names", "llm"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """Bounds of a traversal.

    Attributes:
        hops: Largest number of entities crossed.
        facts: Number of facts after which it stops (``target_count``).
    """

    hops: int
    facts: int


PAPER_BOUNDS: Final[dict[Level, Bounds]] = {
    "simple": Bounds(3, 5),
    "moderate": Bounds(10, 15),
    "complex": Bounds(5, 10),
}
"""BiG-RAG, section 4.3.1; the last entry is for sub-queries (section 4.3.3)."""
BOUNDS: Final = Bounds(1, 1000)
"""Further hops add more similar facts than answers: one hop is best on the training questions."""
COMPARED: Final = 100
"""Number of facts of the relation path, and of the entity path, that are ranked."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the parts of a fact's score when facts are ranked by similarity; chosen on training questions.

    Attributes:
        chunk: Share of the cosine of the fact's chunk; the cosine of the fact has the rest.
        names: Bonus for each name of the question that takes part, times its information.
        carried: Share of the bonuses of a start that its continuations keep.
        about: Bonus if the chunk of a continuation is about the entity that was crossed.
        unnamed: Penalty if that entity is a concept, a date or the like.
        telling: Weight of the logarithm of the information of the entity.
        passage: Share of the chunk's own cosine in the chunk's score; its best fact has the rest.
        step: Weight of the probability that the chunk answers a sub-query.
    """

    chunk: float = 0.4
    names: float = 0.1
    carried: float = 0.5
    about: float = 0.12
    unnamed: float = 0.1
    telling: float = 0.05
    passage: float = 0.4
    step: float = 0.2


WEIGHTS: Final = Weights()
NAMES_AT_MOST: Final = 1.5
"""Upper bound of the sum over the names of one fact."""


@dataclass(frozen=True, slots=True)
class BindingWeights:
    """Constants of the search for a chain of sub-queries, chosen on training questions.

    Attributes:
        chunk: Share of the chunk's cosine, as in :class:`Weights`.
        names: Weight of names, as in :class:`Weights`.
        about: Bonus as in :class:`Weights`, for the entity that was bound.
        stranger: Penalty for each bound entity that does not take part.
        bindings: Number of candidate participants of a fact.
        telling: Weight of the logarithm of the information of a candidate.
        unnamed: Penalty on the logarithm of its probability if it is not a name.
        expected: Bonus on the same logarithm for the expected type, and penalty for another type.
    """

    chunk: float = 0.3
    names: float = 0.05
    about: float = 0.05
    stranger: float = 0.2
    bindings: int = 5
    telling: float = 0.5
    unnamed: float = 1.0
    expected: float = 1.0


BINDING: Final = BindingWeights()


@dataclass(frozen=True, slots=True)
class BipartiteOptions(RerankOptions):
    """Search options of the bipartite graph.

    Attributes:
        ranking: ``similarity`` ranks facts, and pairs of facts that share an entity, by their joint similarity to the
            question. ``paper`` traverses and ranks by degree and weight, as in algorithm 4. By default ``paper`` in
            mode ``paper``, else ``similarity``.
        entities: Number of entities of the entity path (``k_E``).
        relations: Number of facts of the relation path (``k_R``), and of fused facts to start from.
        hops: Largest number of entities crossed; by default 1, in ``paper`` by the question's complexity.
        facts: Facts after which a traversal stops; by default 1000, in ``paper`` by the question's complexity.
        hub: Number of facts of an entity above which only the most similar are followed.
        decompose: Whether a complex question is decomposed, and its sub-queries are answered one after the other.
        decomposition: ``parser`` decomposes without a language model, ``llm`` with one request; if its steps are not a
            chain, those of the parser are used, and a note reports it.
        query_entities: ``names`` finds the entities of the question by the names of the graph, ``llm`` with one
            request to the language model, as in the paper. Names in sub-queries are always found by the graph.
        time_limit: Seconds after which no further hop is made, which a note reports. None for no limit: only then is
            the answer to a question the same on every machine.
        mode: ``paper`` ranks as the paper does; a note reports a graph that was built in another mode.
        paths: Retrieval paths that find the facts to start from: ``both``, fused, or one of them alone (the paper's
            ablation). Sub-queries of ``ranking="similarity"`` are bound without these paths.
        engine: Where the search is computed: ``"memory"`` on arrays of the corpus in this process; ``"stores"`` from
            what the question needs, read from Neo4j and Qdrant; ``"auto"`` in memory where the arrays are at hand or
            the corpus is small, otherwise in the stores.
    """

    ranking: Ranking | None = None
    entities: int = 10
    relations: int = 10
    hops: int | None = None
    facts: int | None = None
    hub: int = 200
    decompose: bool = True
    decomposition: Decomposition = "parser"
    query_entities: QueryEntities = "names"
    time_limit: float | None = None
    mode: Mode = "tetragraph"
    paths: Paths = "both"
    engine: Engine = "auto"

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        RerankOptions.__post_init__(self)
        check_one_of("mode", self.mode, get_args(Mode))
        check_one_of("paths", self.paths, get_args(Paths))
        check_one_of("engine", self.engine, get_args(Engine))
        if self.ranking is None:
            object.__setattr__(self, "ranking", "paper" if self.mode == "paper" else "similarity")
        check_one_of("ranking", self.ranking, get_args(Ranking))
        check_one_of("decomposition", self.decomposition, get_args(Decomposition))
        check_one_of("query_entities", self.query_entities, get_args(QueryEntities))
        for name in ("entities", "relations", "hub"):
            check_integer(name, getattr(self, name), 1)
        if self.hops is not None:
            check_integer("hops", self.hops, 0)
        if self.facts is not None:
            check_integer("facts", self.facts, 1)
        limit = self.time_limit
        if not isinstance(self.decompose, bool):
            raise InvalidInput(f"decompose must be true or false, got {self.decompose!r}")
        if self.decomposition == "llm" and not self.decompose:
            raise InvalidInput("decomposition by a language model needs decompose, got false: nothing is taken apart")
        if limit is not None and not (is_number(limit) and limit > 0):
            raise InvalidInput(f"time_limit must be a number of seconds above 0, got {limit!r}")

    def bounds(self, level: Level) -> Bounds:
        """Bounds of the traversal of a question, or of one of its sub-queries."""
        default = PAPER_BOUNDS[level] if self.ranking == "paper" else BOUNDS
        return Bounds(
            default.hops if self.hops is None else self.hops, default.facts if self.facts is None else self.facts
        )


SEARCH_DEFAULTS: Final = BipartiteOptions()
