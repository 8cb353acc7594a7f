"""Contents of a build, and repair of deviations by a build."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from tetragraph.algorithms.consolidation import consolidate
from tetragraph.algorithms.structural_entropy import one_dimensional_entropy, structural_entropy, weighted_graph
from tetragraph.progress import NoProgress
from tetragraph.systems.encoding_tree import BuildOptions, TreeBuildReport, build, stored

World = Any
MakeWorld = Callable[[str], World]
HIGH = BuildOptions(neighbours=4, height=3)


def built(world: World, options: BuildOptions) -> TreeBuildReport:
    return build(world.stores, world.table, NoProgress(), options)


def stored_levels(world: World) -> tuple[Any, list[list[str]]]:
    """The tree that Neo4j has: for each level the number of each chunk's community, and their ids."""
    above = {child: parent for kind, parent, child in world.contains() if kind == "Community-Community"}
    paths = []
    for chunk in sorted(world.chunks):
        (home,) = world.homes()[chunk]
        path = [home]
        while path[0] in above:
            path.insert(0, above[path[0]])
        paths.append(path)
    names = [sorted({path[level] for path in paths}) for level in range(len(paths[0]))]
    return np.array([[level.index(path[row]) for path in paths] for row, level in enumerate(names)]), names


def stored_graph(world: World) -> Any:
    rows = {chunk: row for row, chunk in enumerate(sorted(world.chunks))}
    pairs = [(rows[one], rows[other], edge["weight"]) for (one, other), edge in world.affinities().items()]
    first, second, weights = (np.array(column) for column in zip(*pairs, strict=True))
    return weighted_graph(first, second, weights, len(rows))


def test_a_build_writes_what_the_schema_says(world: World, small: BuildOptions) -> None:
    report = built(world, small)
    root, communities, affinities = world.root(), world.communities(), world.affinities()
    assert root is not None
    assert json.loads(root.pop("settings")) == asdict(small)
    assert root.pop("built_ratio") == pytest.approx(root["structural_entropy"] / root["one_dimensional_entropy"])
    assert root == {
        "height": 2,
        "structural_entropy": report.structural_entropy,
        "one_dimensional_entropy": report.one_dimensional_entropy,
        "changed": 0.0,
        "tokens": 0,
    }
    assert 1 < len(communities) < 10
    for community in communities.values():
        assert set(community) == {"id", "name", "level", "size", "volume", "cut", "entropy"}
        assert community["name"]
        assert 0 <= community["cut"] <= community["volume"]
    assert (report.affinities, report.communities) == (len(affinities), (len(communities),))
    for (one, other), edge in affinities.items():
        assert one < other
        assert set(edge) == {"semantic", "logical", "distance", "weight"}
        parts = 0.45 * edge["semantic"] + 0.45 * edge["logical"] + 0.1 * edge["distance"]
        assert edge["weight"] == pytest.approx(parts, abs=1e-6)
    assert Counter(kind for kind, _, _ in world.contains()) == {
        "EncodingTree-Community": len(communities),
        "Community-Chunk": 32,
    }
    assert report.rebuilt


def test_themes_are_found_and_called_by_their_words_and_names(world: World, small: BuildOptions) -> None:
    built(world, small)
    topics: dict[str, set[int]] = {}
    for chunk, homes in world.homes().items():
        topics.setdefault(homes[0], set()).add(int(chunk[1:]) // 2 % 4)
    assert all(len(of_one) == 1 for of_one in topics.values())
    for community, (topic,) in ((name, tuple(of_one)) for name, of_one in topics.items()):
        known = ("Halvik Port Brandt", "Kron Reyer Holt", "Arild Tide Brandt", "Dorn Ghent Weil")[topic].split()
        assert any(word in world.communities()[community]["name"] for word in known)


@pytest.mark.parametrize("height", [2, 3])
def test_what_is_stored_is_what_the_algorithms_say_of_what_is_stored(world: World, height: int) -> None:
    built(world, BuildOptions(neighbours=4, height=height))
    levels, names = stored_levels(world)
    graph, root, communities = stored_graph(world), world.root(), world.communities()
    assert len(levels) == height - 1
    assert root["structural_entropy"] == pytest.approx(structural_entropy(graph, levels), abs=1e-12)
    assert root["one_dimensional_entropy"] == pytest.approx(one_dimensional_entropy(graph), abs=1e-12)
    assert root["structural_entropy"] < root["one_dimensional_entropy"]
    for level, (labels, ids) in enumerate(zip(levels, names, strict=True), start=1):
        assert [communities[name]["level"] for name in ids] == [level] * len(ids)
        assert [communities[name]["size"] for name in ids] == np.bincount(labels).tolist()
        assert [communities[name]["volume"] for name in ids] == np.bincount(labels, graph.degrees).tolist()
    assert set(communities) == {name for ids in names for name in ids}
    expected = dict(
        zip(
            (name for ids in names for name in ids),
            np.concatenate(consolidate(graph, levels, world.table.vectors)).tolist(),
            strict=True,
        )
    )
    points = world.points()
    assert set(points) == set(expected)
    for name, vector in expected.items():
        assert points[name] == pytest.approx(vector, abs=1e-6)


def test_a_higher_tree_has_communities_in_communities(world: World) -> None:
    report = built(world, HIGH)
    kinds = Counter(kind for kind, _, _ in world.contains())
    assert len(report.communities) == 2
    assert kinds == {
        "EncodingTree-Community": report.communities[0],
        "Community-Community": report.communities[1],
        "Community-Chunk": 32,
    }
    flat = built(world, BuildOptions(neighbours=4))
    assert report.structural_entropy <= flat.structural_entropy + 1e-9


def test_another_height_leaves_nothing_of_the_tree_before(
    world: World, make_world: MakeWorld, small: BuildOptions
) -> None:
    fresh = make_world("-fresh")
    fresh.add(range(16))
    built(fresh, small)
    for options in (small, HIGH, small):
        built(world, options)
    assert world.state() == fresh.state()


@pytest.mark.parametrize("height", [2, 3])
def test_a_second_build_writes_nothing(world: World, height: int) -> None:
    options = BuildOptions(neighbours=4, height=height)
    first = built(world, options)
    before = world.state()
    again = built(world, options)
    assert first.written >= first.affinities + sum(first.communities)
    assert again.written == 0
    assert world.state() == before


DAMAGES = {
    "the root is missing": "MATCH (t:EncodingTree {corpus: $corpus}) DETACH DELETE t",
    "a chunk in two communities": """
        MATCH (c:Chunk {corpus: $corpus, id: 'c000'}), (k:Community {corpus: $corpus})
        WHERE NOT (k)-[:CONTAINS]->(:Community) AND NOT (k)-[:CONTAINS]->(c)
        WITH c, k ORDER BY k.id LIMIT 1 CREATE (k)-[:CONTAINS]->(c)""",
    "a chunk in none": "MATCH (:Chunk {corpus: $corpus, id: 'c001'})<-[e:CONTAINS]-() DELETE e",
    "half of the affinities are missing": """
        MATCH (a:Chunk {corpus: $corpus})-[e:AFFINITY]->(b) WITH e ORDER BY a.id, b.id LIMIT 40 DELETE e""",
    "affinities that are not so": """
        MATCH (a:Chunk {corpus: $corpus})-[e:AFFINITY]->(b) WITH a, b, e ORDER BY a.id, b.id LIMIT 3
        SET e.weight = 7.0 CREATE (b)-[:AFFINITY {semantic: 1.0, logical: 0.0, distance: 0.0, weight: 1.0}]->(a)""",
    "a community that is another": "MATCH (c:Community {corpus: $corpus}) WITH c ORDER BY c.id LIMIT 1 SET c.size = 99",
    "a community too many": "CREATE (:Community {corpus: $corpus, id: 'x', name: '', level: 1, size: 0})",
    "a community is missing": "MATCH (c:Community {corpus: $corpus}) WITH c ORDER BY c.id LIMIT 1 DETACH DELETE c",
    "a community without the one above": """
        MATCH (:Community {corpus: $corpus})-[e:CONTAINS]->(c:Community) WITH e ORDER BY c.id LIMIT 1 DELETE e""",
}


@pytest.mark.parametrize("height", [2, 3])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_build_mends_the_graph(world: World, damage: str, height: int) -> None:
    options = BuildOptions(neighbours=4, height=height)
    built(world, options)
    before = world.state()
    world.run(DAMAGES[damage])
    built(world, options)
    assert world.state() == before


def test_a_build_mends_the_vectors(world: World, small: BuildOptions) -> None:
    built(world, small)
    before = world.state()
    world.stores.vectors.delete(world.stores.name, "communities", sorted(world.communities())[:2])
    assert built(world, small).written == 2
    assert world.state() == before
    world.stores.vectors.drop(world.stores.name, "communities")
    built(world, small)
    assert world.state() == before


@pytest.mark.parametrize("documents", [0, 1])
def test_a_corpus_of_nothing_or_one_document_has_a_tree(make_world: MakeWorld, documents: int) -> None:
    world = make_world("-little")
    world.add(range(documents))
    for options in (BuildOptions(), HIGH):
        report = built(world, options)
        assert len(report.communities) == options.height - 1
        assert built(world, options).written == 0
        assert len(world.points()) == len(world.communities()) == sum(report.communities)
    assert world.root()["height"] == 3
    assert [len(homes) for homes in world.homes().values()] == [1] * 2 * documents


def test_a_chunk_alone_is_a_community(make_world: MakeWorld, small: BuildOptions) -> None:
    world = make_world("-one")
    world.add([3])
    world.run("MATCH (c:Chunk {corpus: $corpus, id: 'c007'}) DETACH DELETE c")
    del world.chunks["c007"], world.vectors["c007"]
    report = built(world, small)
    assert (report.affinities, report.communities, report.structural_entropy) == (0, (1,), 0.0)
    ((name, vector),) = world.points().items()
    assert vector == pytest.approx(world.vectors["c006"].tolist(), abs=1e-6)
    assert world.communities()[name]["size"] == 1


def test_two_corpora_with_the_same_documents_get_the_same_tree_and_nothing_between(
    make_world: MakeWorld, small: BuildOptions
) -> None:
    worlds = [make_world("-a"), make_world("-b")]
    for world in worlds:
        world.add(range(8))
        built(world, small)
    assert worlds[0].state() == worlds[1].state()
    strays = worlds[0].run(
        "MATCH (a {corpus: $corpus})-[e:CONTAINS|AFFINITY]-(b) WHERE b.corpus <> $corpus RETURN count(e) AS strays"
    )
    assert strays == [{"strays": 0}]
    worlds[0].run("MATCH (c:Community {corpus: $corpus}) DETACH DELETE c")
    assert len(worlds[1].communities()) > 0
    built(worlds[0], small)
    assert worlds[0].state() == worlds[1].state()


def test_a_build_too_large_for_one_transaction_gives_the_same(
    world: World, make_world: MakeWorld, small: BuildOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    fresh = make_world("-fresh")
    fresh.add(range(16))
    built(fresh, small)
    monkeypatch.setattr(stored, "_AT_ONCE", 5)
    monkeypatch.setattr(stored, "_BATCH", 3)
    built(world, small)
    assert world.state() == fresh.state()
    assert built(world, small).written == 0
