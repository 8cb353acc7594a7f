"""Search options of a search in several steps."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from tetragraph.errors import InvalidInput
from tetragraph.systems.engines import Engine
from tetragraph.systems.rerank_options import RerankOptions
from tetragraph.validation import check_integer, check_one_of

DEPTH = 20
"""Least number of chunks that a step retrieves; more if more hits are wanted, as the rankings are merged."""
AUTO: Final = "auto"
"""Value of ``retriever`` that the mode replaces."""
POLICY_RETRIEVER: Final = "evidence"
"""The only retriever between whose variants a policy chooses."""
ReasonerName = Literal["token_free", "llm"]
Mode = Literal["tetragraph", "paper"]
AnswerSource = Literal["both", "passages", "graph"]
IndexForm = Literal["graph", "text"]


@dataclass(frozen=True, slots=True)
class AnchorOptions(RerankOptions):
    """Options of ``method="anchor"``; the numbers are those of GraphAnchor, section 4.

    Attributes:
        retriever: Search method of every step (``Retriever`` of equation 1); any but ``anchor``. ``auto``, the
            default, is ``dense`` in mode ``paper``, else ``evidence``.
        steps: Limit of searches (``T``), at least 1.
        updates: Limit of extensions of the first graph, 0 or more; later steps are judged with the unchanged graph.
        documents: Number of chunks of a step that are read into the graph, at least 1.
        reasoner: Reasoner that updates the graph, judges and writes the next query: ``token_free`` needs no language
            model, ``llm`` asks one.
        graph: Whether there is a graph; without one the chunks alone are judged (the ablation of the paper).
        graph_tokens: Limit of estimated tokens of the graph in a request, at least 50.
        graph_anchors: Limit of anchors of the graph in a request, at least 2.
        mode: ``paper`` searches with the retriever of the paper, and ranks and answers from the chunks that are read.
        answer_from: What the language model answers from: ``both`` passages and index, ``passages`` alone, or the
            index alone, ``graph`` (two ablations of the paper). An extractive answer is always from passages.
        read_only: Whether a step retrieves only the chunks that it reads into the graph, so that ranking and answer
            have no others; by default true in mode ``paper``, else false.
        index: Form of the index: a ``graph``, or a ``text`` that the language model rewrites in each step (the
            ablation of the paper with a text index).
        policy: A trained policy that chooses the queries, how each is searched for, and the end: ``NAME`` is its
            promoted version, ``NAME@VERSION`` a certain one; empty for the rule of the reasoner.
        engine: Where names and facts are read, and where each step searches: ``memory`` on arrays of the corpus in this
            process; ``stores`` in Neo4j and Qdrant, without any array, with a retriever that can; ``auto`` leaves the
            retriever its own default, and reads names and facts in memory where arrays are at hand or the corpus is
            small.
        rerank: Model that scores the best hits of each step once more, by the query of the step.
    """

    retriever: str = AUTO
    steps: int = 4
    updates: int = 3
    documents: int = 5
    reasoner: ReasonerName = "token_free"
    graph: bool = True
    graph_tokens: int = 1000
    graph_anchors: int = 60
    mode: Mode = "tetragraph"
    answer_from: AnswerSource = "both"
    read_only: bool | None = None
    index: IndexForm = "graph"
    policy: str = ""
    engine: Engine = "auto"

    def __post_init__(self) -> None:
        """Check the ranges.

        Raises:
            InvalidInput: an option is out of its range.
        """
        RerankOptions.__post_init__(self)
        if not isinstance(self.retriever, str) or not self.retriever:
            raise InvalidInput(f"retriever must be the name of a search method, got {self.retriever!r}")
        check_one_of("mode", self.mode, get_args(Mode))
        if self.retriever == AUTO:
            object.__setattr__(self, "retriever", "dense" if self.mode == "paper" else "evidence")
        if self.read_only is None:
            object.__setattr__(self, "read_only", self.mode == "paper")
        check_integer("steps", self.steps, 1)
        check_integer("updates", self.updates, 0)
        check_integer("documents", self.documents, 1)
        check_integer("graph_tokens", self.graph_tokens, 50)
        check_integer("graph_anchors", self.graph_anchors, 2)
        check_one_of("reasoner", self.reasoner, get_args(ReasonerName))
        for name in ("graph", "read_only"):
            if not isinstance(getattr(self, name), bool):
                raise InvalidInput(f"{name} must be true or false, got {getattr(self, name)!r}")
        check_one_of("answer_from", self.answer_from, get_args(AnswerSource))
        check_one_of("index", self.index, get_args(IndexForm))
        check_one_of("engine", self.engine, get_args(Engine))
        if self.answer_from == "graph" and not self.graph:
            raise InvalidInput("answer_from graph needs graph, got false: there is none to answer from")
        if self.index == "text" and not (self.graph and self.reasoner == "llm"):
            raise InvalidInput(
                f"index text is written by a language model: reasoner must be llm and graph true, got "
                f"{self.reasoner!r} and {self.graph!r}"
            )

        if not isinstance(self.policy, str):
            raise InvalidInput(f"policy must be the name of a policy, got {self.policy!r}")
        needed = {"retriever": POLICY_RETRIEVER, "reasoner": "token_free", "graph": True, "mode": "tetragraph"}
        wrong = [name for name, value in needed.items() if getattr(self, name) != value]
        if self.policy and wrong:
            raise InvalidInput(
                f"a policy chooses between searches of its own and needs {wrong[0]} {needed[wrong[0]]!r}, got "
                f"{getattr(self, wrong[0])!r}: leave {wrong[0]} or the policy out"
            )

    @property
    def depth(self) -> int:
        """Least number of chunks that a step retrieves."""
        return self.documents if self.read_only else max(self.documents, DEPTH)
