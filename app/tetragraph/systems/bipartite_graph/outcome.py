"""Outcome of a search for facts: the ranked facts and the decisions that led to them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tetragraph.arrays import Flags, Floats, Rows
from tetragraph.language.questions.complexity import Complexity
from tetragraph.language.questions.variables import SubQuery, filled
from tetragraph.model import Bridge, ChainStep
from tetragraph.model.display import to_plain
from tetragraph.systems.bipartite_graph.hits import Ranked, ScoreContributions
from tetragraph.systems.bipartite_graph.joint_binding import Answer
from tetragraph.systems.bipartite_graph.retriever import Retrieval
from tetragraph.systems.bipartite_graph.view import FactView

_SHOWN = 3
"""Largest numbers of chunks, facts and bindings of a sub-query in a result."""


@dataclass(frozen=True, slots=True)
class FactSearchOutcome:
    """Findings and decisions of a search.

    Attributes:
        complexity: Complexity of the question.
        queries: Sub-queries; none if the question is answered as a whole.
        answers: Answers to the sub-queries; also empty if no facts answer all of them.
        retrievals: Retrievals for the question, or for each sub-query.
        ranked: The facts.
        parts: ``(n,)`` parts of the scores of the chunks, by name.
        contributions: Contributions of facts to the parts.
        allowed: ``(n,)`` chunks that may be found.
        prompted: Names and steps from a language model; empty without one.
        faults: Reasons why parts of its replies were not used.
    """

    complexity: Complexity
    queries: tuple[SubQuery, ...]
    answers: tuple[Answer, ...]
    retrievals: tuple[Retrieval, ...]
    ranked: Ranked
    parts: Mapping[str, Floats]
    contributions: ScoreContributions
    allowed: Flags
    prompted: Mapping[str, Any] = field(default_factory=dict)
    faults: tuple[str, ...] = ()

    def chain(self, index: FactView) -> tuple[ChainStep, ...]:
        """Return the sub-queries with their answers, for people."""
        places = {query.variable: number for number, query in enumerate(self.queries, start=1)}
        home = self.retrievals[0].asked.home
        return tuple(
            ChainStep(
                filled(query, {variable: f"#{place}" for variable, place in places.items()}),
                tuple(places[variable] for variable in query.depends_on),
                tuple(Bridge(index.entities[row], index.name(row), share) for row, share in _largest(answer.bound)),
                tuple((index.table.ids[row], share) for row, share in _largest(_by_chunk(home, answer))),
            )
            for query, answer in zip(self.queries, self.answers, strict=bool(self.answers))
        )

    def trace(self, index: FactView) -> dict[str, Any]:
        """Return the decisions; unless facts answer all sub-queries, these have neither facts nor bound entities."""
        answers = self.answers or (Answer(),) * len(self.queries)
        return {
            **({"llm": dict(self.prompted)} if self.prompted else {}),
            "complexity": to_plain(self.complexity),
            "retrievals": [retrieval.trace() for retrieval in self.retrievals],
            "sub_queries": [_trace_sub_query(index, *one) for one in zip(self.queries, answers, strict=True)],
        }


def _trace_sub_query(index: FactView, query: SubQuery, answer: Answer) -> dict[str, Any]:
    return {
        "text": query.text,
        "variable": query.variable,
        "depends_on": list(query.depends_on),
        "expected": list(query.expected.types),
        "facts": [{"relation": index.relations[row], "probability": share} for row, share in _largest(answer.facts)],
        "bound": [
            {"entity": index.entities[row], "name": index.name(row), "probability": share}
            for row, share in _largest(answer.bound)
        ],
    }


def _by_chunk(home: Rows, answer: Answer) -> Mapping[int, float]:
    found: dict[int, float] = {}
    for row, share in answer.facts.items():
        chunk = int(home[row])
        found[chunk] = found.get(chunk, 0.0) + share
    return found


def _largest(shares: Mapping[int, float]) -> list[tuple[int, float]]:
    return sorted(shares.items(), key=lambda item: (-item[1], item[0]))[:_SHOWN]
