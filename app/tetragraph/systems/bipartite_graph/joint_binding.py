"""Sub-queries answered together: a beam search over the facts that answer them and the bindings.

Source:
    BiG-RAG, section 4.3.3, algorithm 5 and its sequential execution.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from tetragraph.algorithms.chained_search import BeamOptions, Bridge, Link, StepAnswers, search_chain
from tetragraph.algorithms.evidence_walk import top
from tetragraph.arrays import Flags, Floats
from tetragraph.language.questions.variables import SubQuery
from tetragraph.systems.bipartite_graph.dual_path import FactQuestion, FactSimilarities, find_names
from tetragraph.systems.bipartite_graph.options import BINDING
from tetragraph.systems.bipartite_graph.traversal import Reached, find_followed
from tetragraph.systems.bipartite_graph.view import FactView

_BEAM = BeamOptions()
_TRIED = 2 * _BEAM.passages
"""Number of facts found for a step: those that a hypothesis tries, and as many that it may already contain."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Answer of one sub-query.

    Attributes:
        facts: Row of a fact to the probability that it answers the sub-query.
        bound: Row of an entity to the probability that it is the answer; empty if no later sub-query needs it.
    """

    facts: Mapping[int, float] = field(default_factory=dict)
    bound: Mapping[int, float] = field(default_factory=dict)


def bind_jointly(
    index: FactView,
    queries: Sequence[SubQuery],
    compared: Sequence[FactSimilarities],
    allowed: Flags,
    hub: int,
) -> tuple[Answer, ...]:
    """Answer the sub-queries of a question in order, weighted by the most probable hypotheses.

    Facts in which a bound entity takes part are preferred, and the text of a sub-query is unchanged. So several
    bindings are followed at the cost of one.

    Args:
        index: Index of the corpus.
        queries: Two or more sub-queries.
        compared: Similarities of each, with expected types in place of variables (:func:`filled` without bindings).
        allowed: ``(n,)`` chunks that may be found.
        hub: See ``BipartiteOptions.hub``.

    Returns:
        An answer for each; empty if no facts answer all of them.

    Source:
        Algorithm 5 of BiG-RAG. Deviation: the paper executes one binding after the other, which
        :func:`tetragraph.systems.bipartite_graph.sequential_binding.bind_sequentially` implements.
    """
    places = {query.variable: place for place, query in enumerate(queries)}
    needed = {variable for query in queries for variable in query.depends_on}
    links = []
    for query, text in zip(queries, compared, strict=True):
        step = _Step(index, query, text, allowed, hub)
        refers = tuple(places[variable] for variable in query.depends_on)
        links.append(Link(refers, step.find, step.offer if query.variable in needed else None))
    return tuple(_answer(chained) for chained in search_chain(links, _BEAM))


def _answer(chained: StepAnswers) -> Answer:
    return Answer(dict(chained.passages), dict(chained.bridges))


class _Step:
    """A sub-query with its similarity to every fact."""

    def __init__(self, index: FactView, query: SubQuery, compared: FactSimilarities, allowed: Flags, hub: int) -> None:
        self._index = index
        self._query = query
        self._hub = hub
        names = find_names(index, query.text).entities
        self._named = frozenset(names.tolist())
        self._asked = FactQuestion(index, compared, names, chunk=BINDING.chunk, names=BINDING.names, allowed=allowed)
        rows = top(self._asked.scores, _TRIED)
        self._best = rows[np.isfinite(self._asked.scores[rows])]
        self._found: dict[tuple[Bridge, ...], tuple[list[int], list[float]]] = {}

    def find(self, bridges: tuple[Bridge, ...]) -> tuple[list[int], list[float]]:
        """Find the best facts and their scores, best first; those with the bound entities are preferred."""
        if bridges not in self._found:
            self._found[bridges] = self._find(bridges)
        return self._found[bridges]

    def _find(self, bridges: tuple[Bridge, ...]) -> tuple[list[int], list[float]]:
        bound = [entity for entity in bridges if entity is not None]
        rows = self._best
        places = [find_followed(self._asked, entity, self._hub) for entity in bound]
        if bound:
            rows = np.union1d(rows, np.concatenate([self._index.facts.items[some] for some in places]))
        scores = self._asked.scores[rows] - BINDING.stranger * len(bound)
        for some in places:
            at = np.searchsorted(rows, self._index.facts.items[some])
            scores[at] += BINDING.stranger + BINDING.about * self._index.is_about[some]
        order = np.lexsort((rows, -scores))[:_TRIED]
        return rows[order].tolist(), scores[order].tolist()

    def offer(self, row: int, bridges: tuple[Bridge, ...]) -> Sequence[tuple[Bridge, float]]:
        """Return the participants of a fact that may be the answer, with the logarithms of their probabilities."""
        entities = [e for e in self._index.members.of(row).tolist() if e not in self._named and e not in bridges]
        if not entities:
            return [(None, 0.0)]
        scores = np.array([self._likely(entity) for entity in entities])
        logs = scores - scores.max()
        logs -= np.log(np.exp(logs).sum())
        best = np.argsort(-scores, kind="stable")[: BINDING.bindings].tolist()
        return [(entities[place], float(logs[place])) for place in best]

    def _likely(self, entity: int) -> float:
        """Logarithm of the probability that an entity is the answer, up to a constant."""
        index, expected = self._index, self._query.expected
        likely = BINDING.telling * float(np.log(index.information[entity]))
        if index.is_unnamed[entity]:
            likely -= BINDING.unnamed
        kind = index.entity_types[entity]
        if expected.types and kind:
            likely += BINDING.expected if expected.admits(kind) else -BINDING.expected
        return likely


def chunk_probability(asked: FactQuestion, answers: Sequence[Answer]) -> Floats:
    """Compute ``(n,)`` ``min(1, sum over sub-queries)`` of the probability that a chunk states the answer."""
    total = np.zeros(len(asked.index.table))
    for answer in answers:
        for row, probability in answer.facts.items():
            total[asked.home[row]] += probability
    likely: Floats = np.minimum(total, 1.0)
    return likely


def fact_probability(answers: Sequence[Answer]) -> dict[int, float]:
    """Compute by row of a fact ``min(1, sum over sub-queries)`` of the probability that it answers one."""
    total: defaultdict[int, float] = defaultdict(float)
    for answer in answers:
        for row, probability in answer.facts.items():
            total[row] += probability
    return {row: min(1.0, probability) for row, probability in total.items()}


def ways(index: FactView, queries: Sequence[SubQuery], answers: Sequence[Answer]) -> dict[int, Reached]:
    """Return the paths to the facts that answer sub-queries, by row of the fact; scores are probabilities."""
    places = {query.variable: place for place, query in enumerate(queries)}
    found: dict[int, Reached] = {}
    for query, answer in zip(queries, answers, strict=bool(answers)):
        needed = [answers[places[variable]] for variable in query.depends_on]
        for row, probability in sorted(answer.facts.items()):
            if row not in found:
                found[row] = _way(index, row, probability, needed, found)
    return found


def _way(
    index: FactView, row: int, probability: float, needed: Sequence[Answer], found: Mapping[int, Reached]
) -> Reached:
    """Path to a fact over its most probable bound entity, from the most probable fact that contains it."""
    members = set(index.members.of(row).tolist())
    for earlier in needed:
        for entity in sorted(members & earlier.bound.keys(), key=lambda one: (-earlier.bound[one], one)):
            for before in sorted(earlier.facts, key=lambda fact: (-earlier.facts[fact], fact)):
                way = found[before]
                if entity in index.members.of(before) and row not in way.facts:
                    return Reached(probability, (*way.facts, row), (*way.entities, entity))
    return Reached(probability, (row,))
