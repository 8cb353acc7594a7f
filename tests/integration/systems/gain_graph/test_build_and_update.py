"""The graph in Neo4j: contents of a build, and updates that lead to the same edges."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from tetragraph.algorithms import neighbour_lists
from tetragraph.progress import NoProgress
from tetragraph.stores.corpus import Change
from tetragraph.systems.gain_graph import BuildOptions, GainBuildReport, build, update

World = Any
SMALL = BuildOptions(neighbours=3, explains=2)
PAPER = BuildOptions(neighbours=3, mode="paper")


def built(world: World, options: BuildOptions = SMALL) -> GainBuildReport:
    return build(world.stores, world.table, NoProgress(), options)


def candidates(world: World) -> dict[tuple[str, str], object]:
    return {pair: edge["candidate"] for pair, edge in world.edges().items()}


def test_a_build_judges_each_pair_in_both_directions(world: World) -> None:
    report = built(world)
    edges = world.edges()
    assert report.written == report.edges == report.judged == len(edges) > 14 * 3
    assert {(target, source) for source, target in edges} == set(edges)
    assert {edge["candidate"] for edge in edges.values()} == {"nearest", "explains"}
    assert {edge["judge"] for edge in edges.values()} == {"token_free"}
    assert sum(report.levels.values()) == len(edges)


def test_a_second_build_writes_nothing(world: World) -> None:
    built(world)
    before = world.edges()
    report = built(world)
    assert (report.written, report.deleted) == (0, 0)
    assert world.edges() == before


def test_a_build_mends_what_is_not_as_it_should_be(world: World) -> None:
    built(world)
    before = world.edges()
    damage = """
    MATCH (a:Chunk {corpus: $corpus})-[e:INFO_GAIN]->(b:Chunk)
    WITH a, b, e ORDER BY a.id, b.id LIMIT 3
    SET e.level = 'novel', e.gain = 0.999
    """
    stray = """
    MATCH (a:Chunk {corpus: $corpus, id: 'c000'})
    CREATE (a)-[:INFO_GAIN {gain: 0.1, level: 'minor', candidate: 'nearest', judge: 'x'}]->(a)
    """
    with world.driver.session() as session:
        session.run(damage, corpus=world.stores.name).consume()
        session.run(stray, corpus=world.stores.name).consume()
    report = built(world)
    assert (report.written, report.deleted) == (3, 1)
    assert world.edges() == before


def test_two_corpora_with_the_same_chunks_get_the_same_edges_and_none_between(
    make_world: Callable[[str], World],
) -> None:
    worlds = [make_world("-a"), make_world("-b")]
    for world in worlds:
        world.add(range(10))
        built(world)
    assert worlds[0].edges() == worlds[1].edges()


@pytest.mark.parametrize("added", [range(10, 14), [0, 3, 13], range(1, 14)])
def test_adding_chunks_gives_the_edges_of_a_fresh_build(make_world: Callable[[str], World], added: range) -> None:
    grown, fresh = make_world("-grown"), make_world("-fresh")
    grown.add([number for number in range(14) if number not in added])
    built(grown)
    ids = grown.add(added)
    report = update(grown.stores, grown.table, Change(added=ids), NoProgress(), SMALL)
    fresh.add(range(14))
    built(fresh)
    assert candidates(grown) == candidates(fresh)
    assert report.judged < report.edges or len(ids) > 10


def test_removing_chunks_gives_the_edges_of_a_fresh_build(world: World, make_world: Callable[[str], World]) -> None:
    built(world)
    removed = world.remove([0, 4, 9])
    added = world.add([20])
    update(world.stores, world.table, Change(added, removed), NoProgress(), SMALL)
    fresh = make_world("-fresh")
    fresh.add([*(number for number in range(14) if number not in {0, 4, 9}), 20])
    built(fresh)
    assert candidates(world) == candidates(fresh)


def test_an_update_keeps_the_judgements_of_pairs_that_stay(world: World) -> None:
    built(world)
    before = world.edges()
    update(world.stores, world.table, Change(added=world.add(range(14, 18))), NoProgress(), SMALL)
    after = world.edges()
    stayed = set(before) & set(after)
    assert stayed
    assert all(before[pair]["gain"] == after[pair]["gain"] for pair in stayed)


def test_an_interrupted_update_is_finished_by_the_next(world: World, make_world: Callable[[str], World]) -> None:
    built(world)
    ids = world.add(range(14, 20))
    update(world.stores, world.table, Change(added=ids), NoProgress(), SMALL)
    with world.driver.session() as session:
        lost = "MATCH (:Chunk {corpus: $corpus, id: 'c015'})-[e:INFO_GAIN]-() DELETE e"
        session.run(lost, corpus=world.stores.name).consume()
    update(world.stores, world.table, Change(added=ids), NoProgress(), SMALL)
    fresh = make_world("-fresh")
    fresh.add(range(20))
    built(fresh)
    assert candidates(world) == candidates(fresh)


def test_algorithm_3_of_the_paper_only_links_new_chunks_to_their_neighbours(world: World) -> None:
    built(world, PAPER)
    before = world.edges()
    assert len(before) == 14 * 3
    (new,) = world.add([30])
    update(world.stores, world.table, Change(added=(new,)), NoProgress(), PAPER)
    after = world.edges()
    assert {pair: edge for pair, edge in after.items() if pair[0] != new} == before
    assert len([pair for pair in after if pair[0] == new]) == 3
    assert {edge["candidate"] for edge in after.values()} == {"nearest"}


def test_a_large_corpus_is_searched_in_lists_and_the_result_says_so(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(neighbour_lists, "NEAREST_LISTS", 1)
    built(world, replace(SMALL, exact_up_to=14))
    exact = candidates(world)
    assert world.stores.notes == []
    in_lists = replace(SMALL, exact_up_to=13)
    built(world, in_lists)
    assert candidates(world) != exact
    [note] = world.stores.notes
    assert "more than 13 chunks (exact_up_to): each was compared with the chunks of the" in note
    assert "of 14 lists" in note
    world.stores.notes.clear()
    update(world.stores, world.table, Change(added=world.add([14])), NoProgress(), in_lists)
    assert world.stores.notes


def test_an_empty_corpus_has_an_empty_graph(make_world: Callable[[str], World]) -> None:
    world = make_world("-empty")
    assert built(world).edges == 0
