"""Build and search options of the bipartite graph, with the rules for their values."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, get_args

from tetragraph.errors import InvalidInput
from tetragraph.language.questions.complexity import Level
from tetragraph.systems.question_decomposition import Decomposition
from tetragraph.validation import check_integer, check_one_of

DEPENDENCY = "dependency"
"""The extractor that asks no model of language: the parser's."""
LLM = "llm"
"""The one that asks the language model of the settings."""
MOST_GLEANINGS = 3


@dataclass(frozen=True, slots=True)
class BuildOptions:
    """How the graph is made.

    Attributes:
        extractor: ``dependency`` finds facts with a parser, ``llm`` asks the language model for them. Anything else is
            the path of a file of recorded triples
            (see :class:`tetragraph.language.facts.recorded.RecordedExtractor`), whose facts are taken instead; it is
            made absolute, as later builds look there, too.
        gleanings: How often the language model is asked for the facts that it left out, 0 to 3; of no effect on other
            extractors.
        threshold: Names whose embeddings are at least this alike, and which no guard keeps apart, are one entity;
            above 0, at most 1.
    """

    extractor: str = DEPENDENCY
    threshold: float = 0.90
    gleanings: int = 1

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: one breaks its rule.
        """
        if not isinstance(self.extractor, str) or not self.extractor:
            raise InvalidInput(
                f"extractor must be {DEPENDENCY!r}, {LLM!r} or the path of a file of recorded triples, "
                f"got {self.extractor!r}"
            )
        if self.extractor not in (DEPENDENCY, LLM):
            object.__setattr__(self, "extractor", str(Path(self.extractor).expanduser().absolute()))
        threshold = self.threshold
        is_number = isinstance(threshold, int | float) and not isinstance(threshold, bool) and math.isfinite(threshold)
        if not is_number or not 0 < threshold <= 1:
            raise InvalidInput(f"threshold must be above 0 and at most 1, got {threshold!r}")
        check_integer("gleanings", self.gleanings, 0)
        if self.gleanings > MOST_GLEANINGS:
            raise InvalidInput(f"gleanings must be at most {MOST_GLEANINGS}, got {self.gleanings!r}")


Ranking = Literal["similarity", "paper"]
QueryEntities = Literal["names", "llm"]


@dataclass(frozen=True, slots=True)
class Bounds:
    """How far a traversal goes.

    Attributes:
        hops: Entities crossed at the most.
        facts: Facts after which it stops (``target_count``).
    """

    hops: int
    facts: int


PAPER_BOUNDS: Final[dict[Level, Bounds]] = {
    "simple": Bounds(3, 5),
    "moderate": Bounds(10, 15),
    "complex": Bounds(5, 10),
}
"""BiG-RAG, section 4.3.1; the last is that of a sub-query (section 4.3.3)."""
BOUNDS: Final = Bounds(1, 1000)
"""Further hops bring in more that is merely similar than what answers: one is best on the train questions."""
COMPARED: Final = 100
"""Facts of the relation path, and of the entity path, that take part in the ranking."""


@dataclass(frozen=True, slots=True)
class Weights:
    """Weights of the parts of a fact's score when facts are ranked by similarity; chosen on training questions.

    Attributes:
        chunk: Share of the cosine of the fact's chunk beside that of the fact itself.
        names: Added for each name of the question that takes part, by how telling it is.
        carried: Share of what a start has beyond its own cosine that its continuations keep.
        about: Added where the chunk of a continuation is about the entity that was crossed.
        unnamed: Taken off where that entity is a concept, a date or the like.
        telling: Weight of the logarithm of how informative the entity is.
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
"""Names of one fact count up to this sum."""


@dataclass(frozen=True, slots=True)
class BindingWeights:
    """Constants of the search for a chain of sub-queries, chosen on train questions.

    Attributes:
        chunk: Share of the chunk's cosine, as in :class:`Weights`.
        names: As there.
        about: As there, for the entity that was bound.
        stranger: Taken off for each bound entity that does not take part.
        bindings: Participants that a fact offers.
        telling: Weight of the logarithm of how informative an offered participant is.
        unnamed: Taken off the logarithm of its probability where it is no name.
        expected: Added to it where its type is the expected one, taken off where it is another.
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
class BipartiteOptions:
    """How the bipartite graph is searched.

    Attributes:
        ranking: ``similarity`` ranks facts, and pairs of facts that share an entity, by how much of the question they
            say together. ``paper`` traverses and ranks by degree and weight, as algorithm 4 has it.
        entities: How many entities the entity path takes (``k_E``).
        relations: How many facts the relation path takes (``k_R``), and how many the fusion leaves to start from.
        hops: Entities crossed at the most; by default 1, in ``paper`` by the question's complexity.
        facts: Facts after which a traversal stops; by default 1000, in ``paper`` by the question's complexity.
        hub: Number of facts of an entity above which only the most similar are followed.
        decompose: Whether a complex question is taken apart, and its sub-queries are answered one after the other.
        decomposition: Who takes it apart: ``parser`` costs nothing, ``llm`` asks the language model, once; where its
            steps are no chain, the parser's are taken, and a note says so.
        query_entities: Who says what the question names: ``names`` looks for names of the graph in its words, ``llm``
            asks the language model, as the paper does, once. Names in sub-queries are looked for in any case.
        time_limit: Seconds after which no further hop is made; the result then says so. None for no limit: only then
            is the same question answered the same on every machine.
    """

    ranking: Ranking = "similarity"
    entities: int = 10
    relations: int = 10
    hops: int | None = None
    facts: int | None = None
    hub: int = 200
    decompose: bool = True
    decomposition: Decomposition = "parser"
    query_entities: QueryEntities = "names"
    time_limit: float | None = None

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: one breaks its rule.
        """
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
        is_number = isinstance(limit, int | float) and not isinstance(limit, bool) and math.isfinite(limit)
        if limit is not None and not (is_number and limit > 0):
            raise InvalidInput(f"time_limit must be a number of seconds above 0, got {limit!r}")

    def bounds(self, level: Level) -> Bounds:
        """How far the traversal of a question, or of one of its sub-queries, goes."""
        default = PAPER_BOUNDS[level] if self.ranking == "paper" else BOUNDS
        return Bounds(
            default.hops if self.hops is None else self.hops, default.facts if self.facts is None else self.facts
        )


SEARCH_DEFAULTS: Final = BipartiteOptions()
