"""Computes the walk of one question in Neo4j: projects its neighbourhood, ranks it with GDS, and drops it.

Each step of the walk is two steps of a PageRank on a graph of chunks and entities, since mass flows from a chunk to an
entity and on to a chunk::

    chunk --(1 - reverse_share) F(e|p)--> entity that gives  --P(p|e)--> chunk
    chunk --reverse_share / titles-->     entity that returns --ez / sum of ez--> chunk
    any node --remainder to 1--> a sink

The sink receives the mass that the walk drops; so the weights that leave a node add up to 1, and the server, which
divides by their sum, does not change them. With ``D`` for the ``P F + reverse`` of the walk, a damping of
``sqrt(1 - restart)`` for each half step makes the masses of the chunks after ``2 k`` half steps

    ``y_k = a (base + d D base + … + d^k D^k base)``   with   ``d = 1 - restart, a = 1 - sqrt(d)``,

whereas the walk begins with its whole base, so that

    ``x_k = restart (base + … + d^(k-1) D^(k-1) base) + d^k D^k base = (restart y_(k-1) + y_k - y_(k-1)) / a``.

Source:
    docs/evidence-walk.md, section 4 ("In Neo4j").
"""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np

from tetragraph.algorithms.evidence_walk import Step, Transition
from tetragraph.arrays import CSR, Floats, Longs
from tetragraph.stores import gds
from tetragraph.stores.corpus import CorpusStores

KIND = "walk"
_NEGLIGIBLE = 1e-12
Edges = tuple[Longs, Longs, Floats]
"""Sources, targets and weights."""


def walk(stores: CorpusStores, transition: Transition, base: Floats) -> list[Step]:
    """The steps of :func:`tetragraph.algorithms.evidence_walk.walk`, computed by the server.

    Args:
        stores: The stores of the corpus; several processes may compute walks at the same time.
        transition: Transition of the question on a neighbourhood: all of its edges are sent.
        base: ``(chunks,)`` seeds.

    Raises:
        QueryFailed: the server has no Graph Data Science, or refused.
    """
    seeds = [[row, float(base[row])] for row in np.flatnonzero(base).tolist()]
    if not seeds:
        return [_step(transition, base, base)] * transition.options.steps
    sources, targets, weights = _edges(transition)
    rows = [list(edge) for edge in zip(sources.tolist(), targets.tolist(), weights.tolist(), strict=True)]
    with gds.projected_rows(stores, KIND, rows) as graph:
        found = stores.graph.read(
            "gds/stream_walks",
            graph=graph,
            sources=seeds,
            damping=math.sqrt(1 - transition.options.restart),
            iterations=[2 * step + 1 for step in range(transition.options.steps + 1)],
            nodes=len(base),
        )
    sums = np.zeros((len(found), len(base)))
    for place, row in enumerate(found):
        sums[place, row["reached"]] = row["masses"]
    restart = transition.options.restart
    share = 1 - math.sqrt(1 - restart)
    masses = [base, *((restart * before + after - before) / share for before, after in pairwise(sums))]
    return [_step(transition, before, after) for before, after in pairwise(masses)]


def _step(transition: Transition, before: Floats, after: Floats) -> Step:
    return Step(before, transition.given(before), transition.returned(before), after)


def _edges(transition: Transition) -> Edges:
    """All edges; chunks are numbered first, then entities that give, entities that return, and the sink."""
    passages, entities = transition.graph.mentions.shape
    sink = passages + 2 * entities
    edges = [*_edges_to_entities(transition), *_edges_to_chunks(transition)]
    sources, targets, weights = (np.concatenate(parts) for parts in zip(*edges, strict=True))
    lost = 1 - np.bincount(sources, weights, minlength=sink)
    losing = np.flatnonzero(lost > _NEGLIGIBLE)
    return (
        np.concatenate([sources, losing]),
        np.concatenate([targets, np.full(len(losing), sink)]),
        np.concatenate([weights, lost[losing]]),
    )


def _edges_to_entities(transition: Transition) -> tuple[Edges, Edges]:
    """Edges from chunks to the entities that they mention, and to those in their titles."""
    graph, reverse = transition.graph, transition.options.reverse_share
    passages, entities = graph.mentions.shape
    row, entity = _pairs(graph.mentions)
    titled, title = _pairs(graph.titles)
    news = transition.bonds.data * transition.news[entity]
    return (
        (row, passages + entity, (1 - reverse) * news / transition.news_of[row]),
        (titled, passages + entities + title, reverse / graph.title_count[titled]),
    )


def _edges_to_chunks(transition: Transition) -> tuple[Edges, Edges, Edges]:
    """Edges from entities to the chunks that mention them, and to those with them in the title."""
    graph, pull = transition.graph, transition.pull
    passages, entities = graph.mentions.shape
    row, entity = _pairs(graph.mentions)
    titled, title = _pairs(graph.titles)
    to_title = transition.options.title_weight * pull[titled] / transition.entity_pull[title]
    returning = np.diff(graph.titled.indptr)[entity] > 0
    back, mentioning = entity[returning], row[returning]
    return (
        (passages + entity, row, pull[row] / transition.entity_pull[entity]),
        (passages + title, titled, to_title),
        (passages + entities + back, mentioning, pull[mentioning] / transition.mention_pull[back]),
    )


def _pairs(matrix: CSR) -> tuple[Longs, Longs]:
    """Rows and columns of the ones of a matrix."""
    rows = np.repeat(np.arange(matrix.shape[0]), np.diff(matrix.indptr))
    return rows, matrix.indices.astype(np.int64)
