"""Search options of a search in several steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tetragraph.errors import InvalidInput
from tetragraph.validation import check_integer, check_one_of

DEPTH = 20
"""Least number of chunks that a step retrieves; more if more hits are wanted, as the rankings are merged."""
ReasonerName = Literal["token_free", "llm"]


@dataclass(frozen=True, slots=True)
class AnchorOptions:
    """Options of ``method="anchor"``; the defaults are those of GraphAnchor, section 4.

    Attributes:
        retriever: Search method of every step (``Retriever`` of equation 1); any but ``anchor``.
        steps: Limit of searches (``T``), at least 1.
        updates: Limit of extensions of the first graph, 0 or more; later steps are judged with the unchanged graph.
        documents: Number of chunks of a step that are read into the graph, at least 1.
        reasoner: Reasoner that updates the graph, judges and writes the next query: ``token_free`` needs no language
            model, ``llm`` asks one.
        graph: Whether there is a graph; without one the chunks alone are judged (the ablation of the paper).
        graph_tokens: Limit of estimated tokens of the graph in a request, at least 50.
        graph_anchors: Limit of anchors of the graph in a request, at least 2.
    """

    retriever: str = "evidence"
    steps: int = 4
    updates: int = 3
    documents: int = 5
    reasoner: ReasonerName = "token_free"
    graph: bool = True
    graph_tokens: int = 1000
    graph_anchors: int = 60

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            InvalidInput: an option is out of its range.
        """
        if not isinstance(self.retriever, str) or not self.retriever:
            raise InvalidInput(f"retriever must be the name of a search method, got {self.retriever!r}")
        check_integer("steps", self.steps, 1)
        check_integer("updates", self.updates, 0)
        check_integer("documents", self.documents, 1)
        check_integer("graph_tokens", self.graph_tokens, 50)
        check_integer("graph_anchors", self.graph_anchors, 2)
        check_one_of("reasoner", self.reasoner, get_args(ReasonerName))
        if not isinstance(self.graph, bool):
            raise InvalidInput(f"graph must be true or false, got {self.graph!r}")
