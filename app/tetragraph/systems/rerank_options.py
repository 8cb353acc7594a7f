"""Options that every search method has: reranking, the largest number of hits of one document, and its versions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Final, Literal, get_args

from tetragraph.language.rerankers import RERANKERS, Reranker, load_reranker
from tetragraph.model.display import to_plain
from tetragraph.model.validity import read_day
from tetragraph.validation import check_integer, check_not_negative, check_one_of

Rerank = Literal["none", "cross-encoder", "late-interaction"]
Superseded = Literal["below", "hide", "keep"]
_OF_VERSIONS: Final = ("as_of", "superseded")


@dataclass(frozen=True, slots=True, kw_only=True)
class RerankOptions:
    """Options of the reranking, the limit of hits of one document, and its versions.

    Attributes:
        rerank: Model that scores the best hits once more: ``cross-encoder`` reads question and chunk together,
            ``late-interaction`` compares their words; ``none`` keeps the order of the method.
        rerank_pool: Number of hits that the model scores, at least 1; ``k`` if that is more.
        rerank_weight: Weight of the model's score relative to that of the method, 0 or more, when both are scaled to
            the same spread.
        per_document: Largest number of hits of one document; 0 for no limit.
        as_of: Day, ``2024-05-31`` or a ``datetime.date``: only documents that were valid then are searched, by their
            ``valid_from``, ``valid_to`` and ``supersedes``. Empty for all documents.
        superseded: Passages of documents that another one supersedes: ``below`` the passages of that one, ``hide``
            leaves them out, ``keep`` ranks them like all others.
    """

    rerank_values: ClassVar[tuple[str, ...]] = get_args(Rerank)

    rerank: Rerank = "none"
    rerank_pool: int = 20
    rerank_weight: float = 0.25
    per_document: int = 0
    as_of: str = ""
    superseded: Superseded = "below"

    def __post_init__(self) -> None:
        """Check every value.

        Raises:
            InvalidInput: a value breaks its rule.
        """
        check_one_of("rerank", self.rerank, self.rerank_values)
        check_integer("rerank_pool", self.rerank_pool, 1)
        check_not_negative("rerank_weight", self.rerank_weight)
        check_integer("per_document", self.per_document, 0)
        if self.as_of != "":
            object.__setattr__(self, "as_of", read_day("as_of", self.as_of))
        check_one_of("superseded", self.superseded, get_args(Superseded))

    @property
    def reranker(self) -> Reranker | None:
        """The model; None without one, and where ``rerank`` is a step of the method itself.

        Raises:
            MissingDependency: the model is not installed.
        """
        return None if self.rerank not in RERANKERS else load_reranker(self.rerank)


def describe_options(options: Any) -> dict[str, Any]:
    """Search options by name, as values of JSON, which manifests and sessions have; those of versions only if given."""
    found: dict[str, Any] = to_plain(options)
    if isinstance(options, RerankOptions):
        defaults = {name: RerankOptions.__dataclass_fields__[name].default for name in _OF_VERSIONS}
        return {name: value for name, value in found.items() if defaults.get(name, ...) != value}
    return found
