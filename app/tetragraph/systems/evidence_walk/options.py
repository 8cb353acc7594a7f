"""What can be set for a search by evidence walk."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Literal, TypeAlias, get_args

from tetragraph.algorithms.chained_search import BeamOptions
from tetragraph.algorithms.coverage_selection import SelectionOptions
from tetragraph.algorithms.evidence_walk import WalkOptions
from tetragraph.errors import InvalidInput
from tetragraph.systems.question_decomposition import Decomposition

POOL = 30
"""Passages among which the picks are chosen."""
CHAINED_POOL = 100
"""The same where a chain of sub-questions takes part."""
POOL_WALK = 4 / 3
"""Weight of the walk when the pool is drawn, relative to its weight in the score."""
FLOOR = 1e-7
"""Walk mass that counts as none, so that its logarithm exists."""
CHAIN_FLOOR = 1e-3
"""Probability that counts as none when a passage answers a sub-question."""
COMPARED = 1000
"""Passages whose sentences are compared with a question."""
COMPARED_STEPS = 300
"""Passages whose sentences are compared with a sub-question."""
LOCAL_FROM = 20_000
"""Chunks from which on ``scope="auto"`` searches a part of the corpus."""
Chain: TypeAlias = Literal["match", "embed", "off"]
Scope: TypeAlias = Literal["auto", "whole", "local"]
Engine: TypeAlias = Literal["memory", "gds"]


@dataclass(frozen=True, slots=True)
class ChainOptions:
    """Constants of a chained search, chosen on training questions.

    Attributes:
        beam: Of the search.
        bridges: Entities that a passage offers for an answer.
        bridge_sharpness: Weight of the closeness of an entity's sentence beside the logarithm of its idf.
        titled: Added where a passage's title names the entity put in.
        stranger: Taken off where a passage does not name it at all.
        share: Weight of the logarithm of the probability that a passage answers any step.
        hop: Weight of a step that a passage answers and no earlier pick does.
    """

    beam: BeamOptions
    bridges: int
    share: float
    hop: float
    bridge_sharpness: float = 15.0
    titled: float = 0.1
    stranger: float = 0.15


CHAINS: Mapping[str, ChainOptions] = {
    "match": ChainOptions(BeamOptions(width=40, passages=5), bridges=4, share=0.1, hop=1.0),
    "embed": ChainOptions(BeamOptions(width=8, passages=3), bridges=4, share=0.2, hop=2.5),
}
"""Constants of each way to put an answer into the next sub-question."""


@dataclass(frozen=True, slots=True)
class EvidenceOptions:
    """Options of ``method="evidence"``; the defaults were chosen on training questions of three benchmarks.

    Attributes:
        keyword: Weight of BM25 beside the similarity in ``z``; BM25 is divided by its highest value.
        title_weight: Weight of a passage that an entity titles, relative to one that mentions it.
        sharpness: How strongly mass prefers passages similar to the question.
        entity_share: Share of the seeds that entities of the question get, 0 to 1.
        restart: Share of the seeds in every step, above 0, at most 1.
        steps: Number of steps; 2 reach the second hop.
        walk: Weight of the logarithm of the walk's mass in the score.
        coverage: Weight of the question's terms that no earlier pick holds.
        link: Added when an earlier pick mentions the passage's title.
        hop: Factor on the weight of a sub-question that no earlier pick answers.
        sentences: Whether single sentences are compared with the question, where the corpus keeps their vectors.
        residual: Whether mass is drawn by what the question says beside the names in it, too; one more embedding.
        chain: How a question of several steps is searched: ``"match"`` finds the answer of one step among the words
            of the passages for the next; ``"embed"`` puts it into the sub-question and embeds that, about ten more
            embeddings a question; ``"off"`` asks the question as a whole only.
        decomposition: Who takes the question apart for the chain: ``"parser"`` costs nothing, ``"llm"`` asks the
            language model, once; where its steps are no chain, the parser's are taken, and a note says so.
        scope: ``"whole"`` compares the question with every passage; ``"local"`` only with the part of the corpus
            that the walk can reach, which costs the same however large the corpus is; ``"auto"`` is whole in a
            small corpus and local in a large one.
        engine: Where the walk is made: ``"memory"`` in this process, ``"gds"`` in Neo4j, where it can be watched;
            to the same result, and slower.
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
    sentences: bool = True
    residual: bool = True
    chain: Chain = "match"
    decomposition: Decomposition = "parser"
    scope: Scope = "auto"
    engine: Engine = "memory"

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            InvalidInput: an option is out of its range.
        """
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type == "float" and not value >= 0:
                raise InvalidInput(f"{field.name} must be 0 or more, got {value!r}")
            if field.type == "bool" and not isinstance(value, bool):
                raise InvalidInput(f"{field.name} must be true or false, got {value!r}")
        for name, values in (
            ("chain", Chain),
            ("decomposition", Decomposition),
            ("scope", Scope),
            ("engine", Engine),
        ):
            if getattr(self, name) not in get_args(values):
                listing = ", ".join(get_args(values))
                raise InvalidInput(f"{name} must be one of {listing}, got {getattr(self, name)!r}")
        if self.chain == "off" and self.decomposition == "llm":
            raise InvalidInput(
                "decomposition by a language model needs a chain, got chain='off': nothing is taken apart"
            )
        if self.entity_share > 1:
            raise InvalidInput(f"entity_share must be between 0 and 1, got {self.entity_share!r}")
        if not 0 < self.restart <= 1:
            raise InvalidInput(f"restart must be above 0 and at most 1, got {self.restart!r}")
        if not isinstance(self.steps, int) or self.steps < 1:
            raise InvalidInput(f"steps must be an integer of at least 1, got {self.steps!r}")

    @property
    def walk_options(self) -> WalkOptions:
        """The part that the walk takes."""
        return WalkOptions(
            entity_share=self.entity_share,
            title_weight=self.title_weight,
            sharpness=self.sharpness,
            restart=self.restart,
            steps=self.steps,
        )

    @property
    def selection_options(self) -> SelectionOptions:
        """The part that the selection takes."""
        hop = 0.0 if self.chain == "off" else self.hop * CHAINS[self.chain].hop
        return SelectionOptions(coverage=self.coverage, link=self.link, hop=hop)
