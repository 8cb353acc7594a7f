"""The walk by Graph Data Science compared with the walk in this process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from scipy import sparse

from tetragraph.algorithms.evidence_walk import EntityGraph, Step, Transition, WalkOptions, similarity_seeds, walk
from tetragraph.algorithms.neighbourhood import Neighbourhood
from tetragraph.arrays import Floats
from tetragraph.errors import QueryFailed
from tetragraph.stores import gds
from tetragraph.stores.array_cache import ArrayCache
from tetragraph.stores.corpus import CorpusRecord, CorpusStores
from tetragraph.stores.graph import Graph
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.systems.evidence_walk import gds_engine


@pytest.fixture
def stores(graph: Graph, corpus_name: str, tmp_path: Path) -> CorpusStores:
    record = CorpusRecord(corpus_name, "now", "test", 4, {}, 1, 1, graph.server().database)
    return CorpusStores(record, graph, EdgeVectors(tmp_path / "qdrant", 1.0), ArrayCache(tmp_path / "arrays"))


def projections(stores: CorpusStores) -> list[str]:
    rows = stores.graph.read("gds/find_projections", prefix=stores.record.key)
    return [row["name"] for row in rows]


def question(seed: int, options: WalkOptions) -> tuple[Transition, Floats]:
    """A walk in a part of a random graph, in which some passages have no entity and some entities no passage."""
    rng = np.random.default_rng(seed)
    mentions = sparse.csr_array((rng.random((30, 14)) < 0.15).astype(np.float64))
    titles = sparse.csr_array((rng.random((30, 14)) < 0.05).astype(np.float64))
    whole = EntityGraph(mentions, mentions.T.tocsr(), titles, titles.T.tocsr())
    here = Neighbourhood.between(whole, np.arange(0, 30, 1 + seed % 2), np.arange(1, 14), np.array([4, 8]))
    relevance = rng.random(len(here.rows))
    base = 0.9 * similarity_seeds(relevance, options)
    bonds = 0.5 + rng.random(here.mentions.nnz)
    return Transition.build(here, relevance, [0, 3], options, bonds), base


def masses(steps: list[Step]) -> Floats:
    return np.array([[step.before, step.after] for step in steps])


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("options", [WalkOptions(), WalkOptions(steps=4, restart=0.5), WalkOptions(restart=1.0)])
def test_the_server_and_this_process_walk_alike(stores: CorpusStores, seed: int, options: WalkOptions) -> None:
    transition, base = question(seed, options)
    expected = walk(transition, base)
    found = gds_engine.walk(stores, transition, base)
    assert len(found) == options.steps
    assert masses(found) == pytest.approx(masses(expected), abs=1e-9)
    assert found[-1].given == pytest.approx(expected[-1].given, abs=1e-9)
    assert found[-1].returned == pytest.approx(expected[-1].returned, abs=1e-9)


def test_a_walk_without_seeds_stands_still(stores: CorpusStores) -> None:
    transition, base = question(1, WalkOptions())
    assert not masses(gds_engine.walk(stores, transition, 0 * base)).any()


def test_a_walk_leaves_no_projection(stores: CorpusStores) -> None:
    gds_engine.walk(stores, *question(1, WalkOptions()))
    assert projections(stores) == []


def test_a_failure_leaves_no_projection(stores: CorpusStores) -> None:
    damping_above_one = question(1, WalkOptions(restart=-1.0))
    with pytest.raises(QueryFailed):
        gds_engine.walk(stores, *damping_above_one)
    assert projections(stores) == []


def test_walks_at_the_same_time_do_not_meet(stores: CorpusStores) -> None:
    questions = [question(seed, WalkOptions()) for seed in range(8)]
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda asked: gds_engine.walk(stores, *asked), questions))
    for steps, (transition, base) in zip(found, questions, strict=True):
        assert masses(steps) == pytest.approx(masses(walk(transition, base)), abs=1e-9)
    assert projections(stores) == []


def test_what_a_killed_process_left_goes_with_the_corpus(stores: CorpusStores) -> None:
    stores.graph.read("gds/project_rows", graph=f"{stores.record.key}-walk-left", rows=[[0, 1, 1.0]])
    gds.drop_all(stores.graph, stores.record.key)
    assert projections(stores) == []
