"""Personalised PageRank on the gain graph through our query file and through the package ``graphdatascience``.

``python -m benchmarks.gds_client`` queries the local Neo4j, which must have the sample corpus (``tetragraph demo``).
Both sides use the same projection and take turns, so that the load of the machine affects both.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from typing import NamedTuple

import neo4j
from graphdatascience import Graph, GraphDataScience

from benchmarks import measure
from tetragraph import Settings, Tetragraph, samples
from tetragraph.algorithms.personalized_pagerank import iterations_needed
from tetragraph.stores import local
from tetragraph.systems.gain_graph.gds_engine import GdsEngine
from tetragraph.systems.gain_graph.options import SEARCH_DEFAULTS, GainOptions

CORPUS = "demo"
LIMIT = 20
ROUNDS = 5
FIND_NODES = """
UNWIND $ids AS id MATCH (chunk:Chunk {corpus: $corpus, id: id})
RETURN chunk.id AS chunk, id(chunk) AS node
"""
FIND_CHUNKS = "UNWIND $nodes AS node RETURN node AS nodeId, gds.util.asNode(node).id AS chunk"


class Scores(NamedTuple):
    """Chunks, best first, ties in order of id, and their probabilities in the walk."""

    ids: tuple[str, ...]
    scores: tuple[float, ...]


@contextmanager
def open_client(uri: str, user: str, password: str) -> Iterator[GraphDataScience]:
    """A client over Bolt, with a driver that suppresses deprecation notices, such as for the function ``id``."""
    with neo4j.GraphDatabase.driver(uri, auth=(user, password), notifications_min_severity="OFF") as driver:
        yield GraphDataScience(driver, database="neo4j", arrow=False, show_progress=False)


def rank(
    client: GraphDataScience,
    projection: Graph,
    corpus: str,
    seeds: Mapping[str, float],
    limit: int,
    options: GainOptions = SEARCH_DEFAULTS,
) -> Scores:
    """The scores of ``gain_graph/stream_ranks``, computed with the client's methods.

    The client identifies source nodes by internal numbers of the server and returns the scores of all chunks as a data
    frame, so ids are looked up before and after.
    """
    looked_up = client.run_cypher(FIND_NODES, {"ids": list(seeds), "corpus": corpus}, mode="READ")
    nodes = zip(looked_up["node"].tolist(), looked_up["chunk"].tolist(), strict=True)
    found = client.page_rank.stream(
        projection,
        source_nodes=[(node, seeds[chunk]) for node, chunk in nodes],
        damping_factor=1 - options.restart,
        max_iterations=1 + iterations_needed(options.restart, options.tolerance),
        tolerance=0.0,
        concurrency=1,
        relationship_weight_property="weight",
        log_progress=False,
    )
    best = found[found["score"] > 0].nlargest(limit, "score", keep="all")
    named = best.merge(client.run_cypher(FIND_CHUNKS, {"nodes": best["nodeId"].tolist()}, mode="READ"), on="nodeId")
    named["score"] = (named["score"] / found["score"].sum()).round(12)
    named = named.sort_values(["score", "chunk"], ascending=[False, True]).head(limit)
    return Scores(tuple(named["chunk"]), tuple(named["score"]))


def main() -> None:
    """Print the milliseconds of both sides, and the median of their ratio."""
    settings = Settings()
    server = local.start(settings)
    login = (server.uri, server.user, server.password)
    ours, theirs = [], []
    with Tetragraph.connect(settings) as tetragraph, open_client(*login) as client:
        corpus = tetragraph.corpus(CORPUS)
        found = [corpus.search(sample.question, method="dense", k=5) for sample in samples.questions()]
        seeds = [{hit.chunk.id: 0.2 for hit in evidence.hits} for evidence in found]
        stores = tetragraph.connection.stores(CORPUS)
        engine = GdsEngine(stores, SEARCH_DEFAULTS)
        engine.rank(seeds[0], LIMIT, None)
        projections = stores.graph.read("gds/find_projections", prefix=f"{stores.record.key}-gain-")
        projection = client.graph.get(projections[-1]["name"])
        for start in seeds * ROUNDS:
            began = time.perf_counter()
            expected = engine.rank(start, LIMIT, None)
            between = time.perf_counter()
            assert rank(client, projection, CORPUS, start, LIMIT).ids == expected.ids
            theirs.append(1000 * (time.perf_counter() - between))
            ours.append(1000 * (between - began))
    print("query file      ", measure.percentiles(ours))
    print("graphdatascience", measure.percentiles(theirs))
    print(f"times as long    {median(their / our for our, their in zip(ours, theirs, strict=True)):.1f}")


if __name__ == "__main__":
    main()
