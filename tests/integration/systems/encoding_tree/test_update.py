"""Updates of the tree after changes of documents, and recovery from interruptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import pytest

from tetragraph.algorithms import neighbour_lists
from tetragraph.progress import NoProgress
from tetragraph.stores.corpus import Change
from tetragraph.systems.base import BuildContext
from tetragraph.systems.encoding_tree import (
    BuildOptions,
    TreeBuildReport,
    affinity_edges,
    build,
    find_drift,
    stored,
    update,
)
from tetragraph.systems.encoding_tree.system import EncodingTree

World = Any
MakeWorld = Callable[[str], World]
HIGH = BuildOptions(neighbours=4, height=3)


def built(world: World, options: BuildOptions) -> TreeBuildReport:
    return build(world.stores, world.table, NoProgress(), options)


def updated(world: World, added: Iterable[str] = (), removed: Iterable[str] = ()) -> TreeBuildReport:
    return update(world.stores, world.table, Change(tuple(added), tuple(removed)), NoProgress())


def assert_like_a_fresh_build(world: World, fresh: World, options: BuildOptions) -> None:
    """The same affinities, a tree about as good, and both stores of one mind."""
    report = built(fresh, options)
    assert world.affinities() == fresh.affinities()
    root = world.root()
    assert root["one_dimensional_entropy"] == pytest.approx(report.one_dimensional_entropy)
    assert root["structural_entropy"] <= 1.03 * report.structural_entropy
    assert_whole(world)


def assert_whole(world: World) -> None:
    homes, communities = world.homes(), world.communities()
    assert {chunk: len(found) for chunk, found in homes.items()} == dict.fromkeys(world.chunks, 1)
    sizes: dict[str, int] = {}
    for (home,) in homes.values():
        sizes[home] = sizes.get(home, 0) + 1
    lowest = {name: one["size"] for name, one in communities.items() if name in sizes}
    assert lowest == sizes
    height = max(one["level"] for one in communities.values()) + 1
    assert world.root()["height"] == height
    assert all((one["level"] == height - 1) == (name in sizes) for name, one in communities.items())
    assert set(world.points()) == set(communities)
    roots = [child for kind, _, child in world.contains() if kind == "EncodingTree-Community"]
    assert roots == sorted(name for name, one in communities.items() if one["level"] == 1)


@pytest.mark.parametrize("height", [2, 3])
@pytest.mark.parametrize("added", [[13], [0, 5], range(2, 14)], ids=["one", "two", "nearly all"])
def test_documents_that_come_end_in_a_tree_as_good_as_a_fresh_one(
    make_world: MakeWorld, added: Iterable[int], height: int
) -> None:
    options = BuildOptions(neighbours=4, height=height)
    grown, fresh = make_world("-grown"), make_world("-fresh")
    grown.add([number for number in range(14) if number not in added])
    built(grown, options)
    report = updated(grown, grown.add(list(added)))
    assert not report.rebuilt
    fresh.add(range(14))
    assert_like_a_fresh_build(grown, fresh, options)


@pytest.mark.parametrize("height", [2, 3])
def test_documents_that_go_end_in_a_tree_as_good_as_a_fresh_one(
    world: World, make_world: MakeWorld, height: int
) -> None:
    options = BuildOptions(neighbours=4, height=height)
    built(world, options)
    updated(world, removed=world.remove([1, 6, 7]))
    fresh = make_world("-fresh")
    fresh.add([number for number in range(16) if number not in {1, 6, 7}])
    assert_like_a_fresh_build(world, fresh, options)


def test_a_chunk_that_lost_a_neighbour_has_another_also_where_it_is_the_neighbour_of_enough(
    world: World, make_world: MakeWorld
) -> None:
    """Without document 1 every chunk is still near three others, and one of them not near all of its nearest three."""
    options = BuildOptions(neighbours=3)
    built(world, options)
    updated(world, removed=world.remove([1]))
    fresh = make_world("-fresh")
    fresh.add([0, *range(2, 16)])
    assert_like_a_fresh_build(world, fresh, options)


def test_documents_that_come_and_go_at_once(world: World, make_world: MakeWorld, small: BuildOptions) -> None:
    built(world, small)
    removed = world.remove([2, 3])
    updated(world, world.add([20, 21]), removed)
    fresh = make_world("-fresh")
    fresh.add([*(number for number in range(16) if number not in {2, 3}), 20, 21])
    assert_like_a_fresh_build(world, fresh, small)


def test_documents_that_come_one_by_one_end_in_a_tree_as_good_as_a_fresh_one(
    make_world: MakeWorld, small: BuildOptions
) -> None:
    grown, fresh = make_world("-grown"), make_world("-fresh")
    grown.add(range(8))
    built(grown, small)
    for number in range(8, 16, 2):
        updated(grown, grown.add([number, number + 1]))
    fresh.add(range(16))
    assert_like_a_fresh_build(grown, fresh, small)


def test_what_comes_and_goes_again_leaves_no_trace(world: World, small: BuildOptions) -> None:
    built(world, small)
    before = world.state()
    updated(world, world.add([20]))
    assert world.state() != before
    updated(world, removed=world.remove([20]))
    after = world.state()
    for found in (before, after):
        del found["root"]["changed"]
    assert after == before


def test_communities_that_nothing_came_near_keep_their_ids(world: World, small: BuildOptions) -> None:
    built(world, small)
    before = {chunk: homes[0] for chunk, homes in world.homes().items()}
    new = world.add([16])  # of the topic of documents 0, 4, 8 and 12
    updated(world, new)
    after = {chunk: homes[0] for chunk, homes in world.homes().items()}
    topic = {chunk for chunk in world.chunks if int(chunk[1:]) // 2 % 4 == 0}
    assert {chunk: after[chunk] for chunk in before if chunk not in topic} == {
        chunk: home for chunk, home in before.items() if chunk not in topic
    }
    assert after[new[0]] in {before[chunk] for chunk in topic if chunk in before}


def test_all_documents_may_go_and_others_come(world: World, make_world: MakeWorld, small: BuildOptions) -> None:
    built(world, small)
    updated(world, removed=world.remove(range(16)))
    assert (world.communities(), world.points(), world.affinities()) == ({}, {}, {})
    updated(world, world.add(range(16, 24)))
    fresh = make_world("-fresh")
    fresh.add(range(16, 24))
    assert_like_a_fresh_build(world, fresh, small)


def test_every_chunk_may_be_replaced_at_once(world: World, make_world: MakeWorld, small: BuildOptions) -> None:
    built(world, small)
    removed = world.remove(range(16))
    updated(world, world.add(range(16, 24)), removed)
    fresh = make_world("-fresh")
    fresh.add(range(16, 24))
    assert_like_a_fresh_build(world, fresh, small)


def test_an_update_keeps_to_the_options_of_the_build(world: World, make_world: MakeWorld) -> None:
    options = BuildOptions(neighbours=3, semantic=0.7, logical=0.2, frequency_cap=5, window=1, height=3)
    built(world, options)
    settings = world.root()["settings"]
    updated(world, world.add([17]))
    fresh = make_world("-fresh")
    fresh.add([*range(16), 17])
    assert_like_a_fresh_build(world, fresh, options)
    assert world.root()["settings"] == settings


def test_without_a_tree_an_update_is_a_build(world: World) -> None:
    assert updated(world, sorted(world.chunks)).rebuilt
    assert_whole(world)


def test_the_drift_is_how_much_less_the_tree_tells_than_when_it_was_made(world: World, small: BuildOptions) -> None:
    assert find_drift(world.stores) == 0.0
    built(world, small)
    assert find_drift(world.stores) == pytest.approx(0.0, abs=1e-12)
    root = world.root()
    world.run("MATCH (t:EncodingTree {corpus: $corpus}) SET t.structural_entropy = 1.1 * t.structural_entropy")
    assert find_drift(world.stores) == pytest.approx(0.1)
    ratio = root["structural_entropy"] / root["one_dimensional_entropy"]
    updated(world, world.add([16, 17]))
    now = world.root()
    assert now["built_ratio"] == pytest.approx(ratio)
    left = now["structural_entropy"] / now["one_dimensional_entropy"]
    assert find_drift(world.stores) == pytest.approx(left / ratio - 1)
    built(world, small)
    assert find_drift(world.stores) == pytest.approx(0.0, abs=1e-12)


class _Killed(BaseException):
    """Stands for the end of the process."""


def cut_off(monkeypatch: pytest.MonkeyPatch, store: Any, method: str, after: int, words: str = "") -> None:
    """The process ends at a store's call: the ``after``-th, from 0, of those that begin with the words, if any."""
    original, calls = getattr(store, method), iter(range(after))

    def call(*given: Any, **named: Any) -> Any:
        if (not words or given[0] == words) and next(calls, None) is None:
            raise _Killed
        return original(*given, **named)

    monkeypatch.setattr(store, method, call)


MOMENTS = {
    "before the first affinity": ("graph", "write", 0, "encoding_tree/link_affinities"),
    "between affinities": ("graph", "write", 2, "encoding_tree/link_affinities"),
    "before affinities go": ("graph", "write", 0, "encoding_tree/delete_affinities"),
    "between affinities that go": ("graph", "write", 1, "encoding_tree/delete_affinities"),
    "before the tree": ("graph", "write_all", 0, ""),
    "before vectors come": ("vectors", "upsert", 0, ""),
    "before vectors go": ("vectors", "delete", 0, ""),
}


@pytest.mark.parametrize("gone", [[], [3, 9]], ids=["some came", "some came and some went"])
@pytest.mark.parametrize("moment", MOMENTS)
def test_an_update_that_was_cut_off_is_finished_by_the_next(
    make_world: MakeWorld, small: BuildOptions, monkeypatch: pytest.MonkeyPatch, moment: str, gone: list[int]
) -> None:
    disturbed, undisturbed = make_world("-disturbed"), make_world("-undisturbed")
    changes = []
    for world in (disturbed, undisturbed):
        world.add([number for number in range(16) if number not in {0, 5, 10}])
        built(world, small)
        changes.append({"removed": world.remove(gone), "added": world.add([0, 5, 10, 16])})
    updated(undisturbed, **changes[1])
    store, method, after, words = MOMENTS[moment]
    with monkeypatch.context() as patch:
        patch.setattr(affinity_edges, "_BATCH", 2)
        cut_off(patch, getattr(disturbed.stores, store), method, after, words)
        with pytest.raises(_Killed):
            updated(disturbed, **changes[0])
    updated(disturbed, **changes[0])
    assert disturbed.state() == undisturbed.state()


STEPS = [
    ("encoding_tree/upsert_communities", 1),
    ("encoding_tree/delete_places_of_chunks", 1),
    ("encoding_tree/link_chunks", 1),
    ("encoding_tree/delete_communities", 0),
    ("encoding_tree/upsert_tree", 0),
]


@pytest.mark.parametrize(("step", "after"), STEPS)
def test_a_large_change_that_was_cut_off_is_seen_and_finished_with_the_same_settings(
    world: World, make_world: MakeWorld, monkeypatch: pytest.MonkeyPatch, step: str, after: int
) -> None:
    built(world, HIGH)
    change = {"removed": world.remove([3, 9]), "added": world.add(range(16, 22))}
    monkeypatch.setattr(stored, "_AT_ONCE", 5)
    monkeypatch.setattr(stored, "_BATCH", 1)
    with monkeypatch.context() as patch:
        cut_off(patch, world.stores.graph, "write", after, step)
        with pytest.raises(_Killed):
            updated(world, **change)
    assert stored.read(world.stores).root is None
    assert updated(world, **change).rebuilt
    fresh = make_world("-fresh")
    fresh.add(sorted({int(chunk[1:]) // 2 for chunk in world.chunks}))
    built(fresh, HIGH)
    assert world.state() == fresh.state()


@pytest.mark.parametrize("step", ["encoding_tree/link_chunks", "encoding_tree/link_communities"])
def test_a_large_build_that_was_cut_off_is_finished_by_the_next(
    world: World, small: BuildOptions, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    built(world, HIGH)
    expected = world.state()
    built(world, small)
    monkeypatch.setattr(stored, "_AT_ONCE", 5)
    monkeypatch.setattr(stored, "_BATCH", 1)
    with monkeypatch.context() as patch:
        cut_off(patch, world.stores.graph, "write", 1, step)
        with pytest.raises(_Killed):
            built(world, HIGH)
    assert stored.read(world.stores).root is None
    embedder: Any = None  # names and vectors of communities need none
    context = BuildContext(world.stores, world.table, embedder, NoProgress())
    assert EncodingTree().update(context, Change()) is not None
    assert world.state() == expected
    assert EncodingTree().update(context, Change()) is None


DAMAGES = {
    "the root is missing": "MATCH (t:EncodingTree {corpus: $corpus}) DETACH DELETE t",
    "a chunk in two communities": """
        MATCH (c:Chunk {corpus: $corpus, id: 'c000'})<-[:CONTAINS]-(home), (k:Community {corpus: $corpus, level: 1})
        WHERE k <> home WITH c, k ORDER BY k.id LIMIT 1 CREATE (k)-[:CONTAINS]->(c)""",
    "a chunk in none": "MATCH (:Chunk {corpus: $corpus, id: 'c001'})<-[e:CONTAINS]-() DELETE e",
    "half of the affinities are missing": """
        MATCH (a:Chunk {corpus: $corpus})-[e:AFFINITY]->(b) WITH e ORDER BY a.id, b.id LIMIT 40 DELETE e""",
    "a community is missing": "MATCH (c:Community {corpus: $corpus}) WITH c ORDER BY c.id LIMIT 1 DETACH DELETE c",
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_an_update_mends_what_is_not_whole(
    world: World, make_world: MakeWorld, small: BuildOptions, damage: str
) -> None:
    built(world, small)
    world.run(DAMAGES[damage])
    world.stores.vectors.delete(world.stores.name, "communities", sorted(world.communities())[-1:])
    updated(world, world.add([16]))
    fresh = make_world("-fresh")
    fresh.add(range(17))
    assert_like_a_fresh_build(world, fresh, BuildOptions() if damage == "the root is missing" else small)


def test_an_update_mends_a_community_that_hangs_nowhere(world: World, make_world: MakeWorld) -> None:
    built(world, HIGH)
    world.run("MATCH (:Community {corpus: $corpus})-[e:CONTAINS]->(c:Community) WITH e ORDER BY c.id LIMIT 1 DELETE e")
    assert updated(world, world.add([16])).rebuilt
    fresh = make_world("-fresh")
    fresh.add(range(17))
    assert_like_a_fresh_build(world, fresh, HIGH)


def test_a_large_corpus_is_searched_in_lists_and_the_result_says_so(
    world: World, small: BuildOptions, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = len(world.chunks)
    built(world, replace(small, exact_up_to=size))
    exact = world.affinities()
    assert world.stores.notes == []
    monkeypatch.setattr(neighbour_lists, "NEAREST_LISTS", 1)
    built(world, replace(small, exact_up_to=size - 1))
    assert world.affinities() != exact
    assert f"more than {size - 1} chunks (exact_up_to)" in world.stores.notes[0]
    world.stores.notes.clear()
    updated(world, added=world.add([size]))
    assert f"more than {size - 1} chunks (exact_up_to)" in world.stores.notes[0]
    assert_whole(world)
