"""Searches in a stored tree: loading of the index, and generations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from tetragraph.errors import NotBuilt, StoreError
from tetragraph.progress import NoProgress
from tetragraph.stores.corpus import Change
from tetragraph.systems.encoding_tree import BuildOptions, TreeOptions, build, check_stores, load, search, update

World = Any
MakeWorld = Callable[[str], World]
TEXT = "Which ships lay in Halvik?"
DAMAGES = {
    "2 chunks are in none": "MATCH (c:Chunk {corpus: $corpus})<-[e:CONTAINS]-() WITH e ORDER BY c.id LIMIT 2 DELETE e",
    "its root is missing": "MATCH (tree:EncodingTree {corpus: $corpus}) DETACH DELETE tree",
}


@pytest.fixture(params=[2, 3], ids=["height 2", "height 3"])
def built(request: pytest.FixtureRequest, world: World) -> World:
    build(world.stores, world.table, NoProgress(), BuildOptions(neighbours=4, height=request.param))
    return world


def test_hits_say_why_they_are_there(built: World) -> None:
    found = search(built.stores, built.question(TEXT), 8)
    communities, homes = built.communities(), built.homes()
    assert [hit.rank for hit in found.hits] == list(range(1, 9))
    scores = [hit.score for hit in found.hits]
    assert scores == sorted(scores, reverse=True)
    for hit in found.hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score)
        assert (hit.path[0].source, hit.path[-1].target) == ("question", hit.chunk.id)
        if hit.path[-1].via == "CONTAINS":
            community = communities[hit.path[0].target]
            assert hit.path[-1].label == community["name"]
            assert hit.path[0].target in homes[hit.chunk.id] or community["level"] == 1
    assert "entities" in found.hits[0].parts
    assert found.graph["tokens"] == 0
    assert found.graph["height"] == built.root()["height"]


@pytest.mark.parametrize("mode", ["tetragraph", "paper"])
def test_the_topic_of_the_question_comes_first_and_all_are_found_with_a_large_k(built: World, mode: Any) -> None:
    hits = search(built.stores, built.question(TEXT, 8), 100, TreeOptions(mode=mode, communities=1)).hits
    assert sorted(hit.chunk.id for hit in hits) == sorted(built.chunks)
    assert {int(hit.chunk.id[1:]) // 2 % 4 for hit in hits[:6]} == {0}


def test_two_searches_and_two_loads_give_the_same_bytes(built: World) -> None:
    first, again, anew = (
        search(stores, built.question(TEXT), 9) for stores in (built.stores, built.stores, built.published(7))
    )
    assert repr(first) == repr(again) == repr(anew)


def test_only_allowed_chunks_are_found(built: World) -> None:
    hits = search(built.stores, built.question(TEXT), 5, allowed={"c001", "c007", "unknown"}).hits
    assert {hit.chunk.id for hit in hits} == {"c001", "c007"}
    assert search(built.stores, built.question(TEXT), 5, allowed=set()).hits == ()


def test_an_empty_corpus_answers_nothing(make_world: MakeWorld, world: World) -> None:
    empty = make_world("-empty")
    build(empty.stores, empty.table, NoProgress())
    assert search(empty.stores, world.question(TEXT), 3).hits == ()


def test_one_chunk_is_found(make_world: MakeWorld, small: BuildOptions) -> None:
    world = make_world("-one")
    world.add([0])
    build(world.stores, world.table, NoProgress(), small)
    assert {hit.chunk.id for hit in search(world.stores, world.question(TEXT), 3).hits} == {"c000", "c001"}


def test_while_documents_change_the_last_complete_tree_answers_and_says_so(built: World) -> None:
    before = search(built.published(4), built.question(TEXT), 50)
    (first, _) = new = built.add([20])
    stores = built.published(4, changing=True)
    assert search(stores, built.question(TEXT), 50) == before
    assert [note.partition(": ")[2] for note in stores.notes] == ["answered from generation 4, not 5"]
    update(built.stores, built.table, Change(added=new), NoProgress())
    after = search(built.published(5), built.question(TEXT), 50)
    assert first in {hit.chunk.id for hit in after.hits}


def test_while_documents_change_there_may_be_nothing_to_answer_from(built: World) -> None:
    with pytest.raises(NotBuilt, match="is being changed"):
        search(built.published(6, changing=True), built.question(TEXT), 5)


@pytest.mark.parametrize("words", DAMAGES)
def test_a_tree_that_is_not_whole_is_told_with_the_command_that_mends_it(built: World, words: str) -> None:
    check_stores(built.stores, sorted(built.chunks))
    built.run(DAMAGES[words])
    command = f"`tetragraph build tree -c {built.stores.name}` mends it"
    for look in (lambda: load(built.published(9)), lambda: check_stores(built.stores, sorted(built.chunks))):
        with pytest.raises(StoreError, match=words) as told:
            look()
        assert command in str(told.value)


def test_a_community_without_its_vector_is_told(built: World) -> None:
    built.stores.vectors.delete(built.stores.name, "communities", sorted(built.communities())[:1])
    with pytest.raises(StoreError, match="1 communities have no vector"):
        load(built.published(9))


def test_two_corpora_with_the_same_documents_do_not_meet(make_world: MakeWorld, small: BuildOptions) -> None:
    ours, theirs = make_world("-a"), make_world("-b")
    for world, documents in ((ours, range(8)), (theirs, range(4, 12))):
        world.add(documents)
        build(world.stores, world.table, NoProgress(), small)
    for world in (ours, theirs):
        hits = search(world.stores, ours.question(TEXT), 100).hits
        assert sorted(hit.chunk.id for hit in hits) == sorted(world.chunks)
        assert {hit.path[0].target for hit in hits} <= {*world.communities(), *world.chunks}
