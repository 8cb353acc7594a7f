"""Search options of the evidence walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias, get_args

from tetragraph.algorithms.chained_search import BeamOptions
from tetragraph.algorithms.coverage_selection import SelectionOptions
from tetragraph.algorithms.evidence_walk import WalkOptions
from tetragraph.errors import InvalidInput
from tetragraph.systems.engines import Engine
from tetragraph.systems.question_decomposition import Decomposition
from tetragraph.systems.rerank_options import RerankOptions
from tetragraph.validation import check_boolean, check_integer, check_not_negative, check_one_of

POOL = 30
"""Number of chunks from which the selection picks."""
CHAINED_POOL = 100
"""Number of chunks from which the selection picks if there is a chain of sub-questions."""
POOL_WALK = 4 / 3
"""Weight of the walk in the choice of the pool, relative to its weight in the score."""
FLOOR = 1e-7
"""Mass of the walk that counts as none, so that its logarithm exists."""
DOCUMENT_WORDS = 0.6
"""Weight of the words that only other chunks of a document contain, relative to the relevance of these chunks."""
CHAIN_FLOOR = 1e-3
"""Probability of answering a sub-question that counts as none."""
COMPARED = 1000
"""Number of chunks whose sentences are compared with a question."""
COMPARED_STEPS = 300
"""Number of chunks whose sentences are compared with a sub-question."""
LOCAL_FROM = 20_000
"""Smallest number of chunks of a corpus of which ``scope="auto"`` searches a part."""
Chain: TypeAlias = Literal["match", "embed", "read", "off"]
Scope: TypeAlias = Literal["auto", "whole", "local"]


@dataclass(frozen=True, slots=True)
class ReaderWeights:
    """Weights of what a model reads in the chunks of a chain, chosen on half of the development questions of MuSiQue.

    Attributes:
        bridges: Number of entities of a chunk that are kept of those it offers.
        answer: Weight of the score of the likeliest answer in a chunk, in the logarithm of a hypothesis' weight.
        search: Weight of the logarithm of the probability of an entity in the search; that of what is read is 1.
    """

    bridges: int = 4
    answer: float = 0.3
    search: float = 0.3


@dataclass(frozen=True, slots=True)
class ChainOptions:
    """Constants of a chained search, chosen on training questions.

    Attributes:
        beam: Options of the beam search.
        bridges: Number of entities that a chunk offers as answers.
        share: Weight of the logarithm of the probability that a chunk answers any step.
        hop: Weight of a step that a chunk answers and no earlier pick does.
        bridge_sharpness: Weight of the similarity of the sentence of an entity, relative to the logarithm of its idf.
        titled: Bonus of a chunk whose title names the required entity.
        stranger: Penalty of a chunk that does not name the required entity.
        reader: Weights of what a model reads in the chunks; None if it reads none.
    """

    beam: BeamOptions
    bridges: int
    share: float
    hop: float
    bridge_sharpness: float = 15.0
    titled: float = 0.1
    stranger: float = 0.15
    reader: ReaderWeights | None = None


CHAINS: Mapping[str, ChainOptions] = {
    "match": ChainOptions(BeamOptions(width=40, passages=5), bridges=4, share=0.1, hop=1.0),
    "embed": ChainOptions(BeamOptions(width=8, passages=3), bridges=4, share=0.2, hop=2.5),
    "read": ChainOptions(BeamOptions(width=12, passages=5), bridges=16, share=0.4, hop=4.0, reader=ReaderWeights()),
}
"""Constants for each value of the option ``chain``."""


@dataclass(frozen=True, slots=True)
class EvidenceOptions(RerankOptions):
    """Options of ``method="evidence"``; the defaults were chosen on training questions of three benchmarks.

    Attributes:
        keyword: Weight of BM25 relative to the similarity in ``z``, 0 or more; BM25 is divided by its highest value. It
            counts more in the score of a question without names.
        title_weight: Weight of a chunk with an entity in its title, relative to one that mentions it; 0 or more.
        sharpness: Preference of the mass for chunks similar to the question, 0 or more.
        entity_share: Share of the seeds of the entities in the question, 0 to 1.
        restart: Share of the seeds in every step, above 0, at most 1.
        steps: Number of steps, at least 1; 2 reach the second hop.
        walk: Weight of the logarithm of the mass of the walk in the score, 0 or more; a tenth of it counts in a
            question without names.
        coverage: Weight of the terms of the question that no earlier pick contains, 0 or more.
        link: Bonus if an earlier pick mentions the title of the chunk, 0 or more.
        hop: Factor on the weight of a sub-question that no earlier pick answers, 0 or more.
        document: Weight of what the other chunks of its document add to the relevance of a chunk, 0 or more; half of
            it counts if names guide the search.
        support: Weight of the relevance of similar chunks in a question without names, 0 to 1.
        file_name: Weight of the share of the words of a file's name that the question has, where this name is the only
            title of a document; 0 or more.
        repeat: Taken off the score of a chunk for each better hit from the same document, 0 or more; less where that is
            a large part of the corpus.
        sentences: Whether single sentences are compared with the question, if the corpus stores their vectors.
        residual: Whether the words of the question besides its names also attract mass; costs one more embedding.
        chain: How a question of several steps is searched: ``"match"`` prefers, for the next step, chunks that name
            the answer of a step; ``"embed"`` inserts the answer into the sub-question and embeds it, about ten more
            embeddings a question; ``"read"`` does so, too, and a model reads the answers in the chunks, at many times
            the cost; ``"off"`` searches for the whole question only.
        decomposition: How the question is decomposed for the chain: ``"parser"`` costs nothing, ``"llm"`` asks the
            language model once; if its steps are no chain, those of the parser are used, with a note.
        scope: ``"whole"`` compares the question with every chunk; ``"local"`` only with the part of the corpus that
            the walk can reach, at a cost that does not grow with the corpus; ``"auto"`` is whole in a small corpus and
            local in a large one.
        engine: Where the search is computed: ``"memory"`` on arrays of the corpus in this process; ``"stores"`` from
            what Neo4j and Qdrant return for the question, without any array, always ``scope="local"``; ``"auto"`` in
            memory where arrays are at hand or the corpus is small.
    """

    keyword: float = 0.09
    title_weight: float = 20.0
    sharpness: float = 8.0
    entity_share: float = 0.5
    restart: float = 0.2
    steps: int = 2
    walk: float = 0.3
    coverage: float = 1.5
    link: float = 0.2
    hop: float = 1.0
    document: float = 1.0
    support: float = 0.7
    file_name: float = 0.15
    repeat: float = 0.15
    sentences: bool = True
    residual: bool = True
    chain: Chain = "match"
    decomposition: Decomposition = "parser"
    scope: Scope = "auto"
    engine: Engine = "auto"

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            InvalidInput: an option is out of its range.
        """
        RerankOptions.__post_init__(self)
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type == "float":
                check_not_negative(field.name, value)
            if field.type == "bool":
                check_boolean(field.name, value)
        check_one_of("chain", self.chain, get_args(Chain))
        check_one_of("decomposition", self.decomposition, get_args(Decomposition))
        check_one_of("scope", self.scope, get_args(Scope))
        check_one_of("engine", self.engine, get_args(Engine))
        if self.engine == "stores" and self.scope == "whole":
            raise InvalidInput("engine 'stores' searches a part of the corpus, got scope='whole': leave scope out")
        if self.chain == "off" and self.decomposition == "llm":
            raise InvalidInput(
                "decomposition by a language model needs a chain, got chain='off': nothing is taken apart"
            )
        for name in ("entity_share", "support"):
            if getattr(self, name) > 1:
                raise InvalidInput(f"{name} must be between 0 and 1, got {getattr(self, name)!r}")
        if not 0 < self.restart <= 1:
            raise InvalidInput(f"restart must be above 0 and at most 1, got {self.restart!r}")
        check_integer("steps", self.steps, 1)

    @property
    def walk_options(self) -> WalkOptions:
        """Options of the walk."""
        return WalkOptions(
            entity_share=self.entity_share,
            title_weight=self.title_weight,
            sharpness=self.sharpness,
            restart=self.restart,
            steps=self.steps,
        )

    @property
    def selection_options(self) -> SelectionOptions:
        """Options of the selection."""
        hop = 0.0 if self.chain == "off" else self.hop * CHAINS[self.chain].hop
        return SelectionOptions(coverage=self.coverage, link=self.link, hop=hop, repeat=self.repeat)
