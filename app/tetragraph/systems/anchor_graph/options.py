"""What can be set of a search in several steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

from tetragraph.errors import InvalidInput
from tetragraph.validation import check_integer, check_one_of

DEPTH = 20
"""Passages that a step retrieves at the least; more where more are wanted, as rankings of all steps are joined."""
ReasonerName = Literal["token_free", "llm"]


@dataclass(frozen=True, slots=True)
class AnchorOptions:
    """How a question is searched for in several steps; the defaults are those of GraphAnchor, section 4.

    Attributes:
        retriever: The search method of every step (``Retriever`` of equation 1); any but ``anchor``.
        steps: How many searches at the most (``T``).
        updates: How often the first graph is extended at the most; later steps are judged by the graph as it is.
        documents: How many of a step's passages are read into the graph.
        reasoner: Who updates the graph, judges and asks on: ``token_free`` needs no model, ``llm`` asks one.
        graph: Whether there is a graph at all; without one passages alone are judged (the paper's ablation).
        graph_tokens: How long a graph may be that a model is shown, by estimate.
        graph_anchors: How many anchors it may have.
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
        """Check every value.

        Raises:
            InvalidInput: one breaks its rule.
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
