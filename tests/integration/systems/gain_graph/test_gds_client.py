"""The package ``graphdatascience`` on the projections of searches."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from benchmarks.gds_client import open_client, rank
from graphdatascience import GraphDataScience

from tetragraph.progress import NoProgress
from tetragraph.settings import Settings
from tetragraph.systems.gain_graph import BuildOptions, GainOptions, build
from tetragraph.systems.gain_graph.gds_engine import GdsEngine

World = Any


@pytest.fixture
def client(neo4j_server: Settings) -> Iterator[GraphDataScience]:
    password = neo4j_server.neo4j_password.get_secret_value()
    with open_client(str(neo4j_server.neo4j_uri), neo4j_server.neo4j_user, password) as client:
        yield client


@pytest.mark.parametrize("restart", [0.2, 0.5])
def test_the_client_ranks_a_projection_of_ours_as_the_query_file_does(
    world: World, client: GraphDataScience, restart: float
) -> None:
    build(world.stores, world.table, NoProgress(), BuildOptions(neighbours=3, explains=2))
    options = GainOptions(restart=restart)
    seeds = {"c000": 0.5, "c003": 0.3, "c007": 0.2}
    expected = GdsEngine(world.stores, options).rank(seeds, 10, None)
    (row,) = world.stores.graph.read("gds/find_projections", prefix=world.stores.record.key)
    projection = client.graph.get(row["name"])
    found = rank(client, projection, world.stores.name, seeds, 10, options)
    assert projection.node_count() == len(world.chunks)
    assert len(found.ids) == 10
    assert found.ids == expected.ids
    assert found.scores == pytest.approx(expected.scores, abs=1e-12)
