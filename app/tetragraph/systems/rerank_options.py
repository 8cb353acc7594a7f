"""Options that every search method has: reranking, and the largest number of hits of one document."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

from tetragraph.language.rerankers import RERANKERS, Reranker, load_reranker
from tetragraph.validation import check_integer, check_not_negative, check_one_of

Rerank = Literal["none", "cross-encoder", "late-interaction"]


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankOptions:
    """Options of the reranking, and the limit of hits of one document.

    Attributes:
        rerank: Model that scores the best hits once more: ``cross-encoder`` reads question and chunk together,
            ``late-interaction`` compares their words; ``none`` keeps the order of the method.
        rerank_pool: Number of hits that the model scores, at least 1; ``k`` if that is more.
        rerank_weight: Weight of the model's score relative to that of the method, 0 or more, when both are scaled to
            the same spread.
        per_document: Largest number of hits of one document; 0 for no limit.
    """

    rerank_values: ClassVar[tuple[str, ...]] = get_args(Rerank)

    rerank: Rerank = "none"
    rerank_pool: int = 20
    rerank_weight: float = 0.25
    per_document: int = 0

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        check_one_of("rerank", self.rerank, self.rerank_values)
        check_integer("rerank_pool", self.rerank_pool, 1)
        check_not_negative("rerank_weight", self.rerank_weight)
        check_integer("per_document", self.per_document, 0)

    @property
    def reranker(self) -> Reranker | None:
        """The model; None without one, and where ``rerank`` is a step of the method itself.

        Raises:
            MissingDependency: the model is not installed.
        """
        return None if self.rerank not in RERANKERS else load_reranker(self.rerank)
