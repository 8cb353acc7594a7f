"""Searches in Graph Data Science and in this process have the same result."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

import numpy as np
import pytest

from tetragraph.errors import InvalidInput, NotBuilt
from tetragraph.model import Hit
from tetragraph.progress import NoProgress
from tetragraph.stores import gds
from tetragraph.stores.corpus import CorpusStores
from tetragraph.systems.gain_graph import BuildOptions, GainOptions, build, search
from tetragraph.systems.gain_graph.gds_engine import GdsEngine
from tetragraph.systems.gain_graph.memory_engine import MemoryEngine

World = Any
TEXT = "Who lives on Dora Island with Emil?"


def projections(stores: CorpusStores) -> list[str]:
    return [row["name"] for row in stores.graph.read("gds/find_projections", prefix=stores.record.key)]


def assert_same(first: list[Hit], second: list[Hit]) -> None:
    assert [hit.chunk for hit in first] == [hit.chunk for hit in second]
    for one, other in zip(first, second, strict=True):
        assert one.score == pytest.approx(other.score, abs=1e-6)
        assert dict(one.parts) == pytest.approx(dict(other.parts), abs=1e-6)
        assert [(step.source, step.target, step.label) for step in one.path] == [
            (step.source, step.target, step.label) for step in other.path
        ]


def delete_chunk(world: World, chunk: str) -> None:
    """Delete a chunk in Neo4j; its vector stays, as after an ingest that was interrupted."""
    with world.driver.session() as session:
        session.run(
            "MATCH (chunk:Chunk {corpus: $corpus, id: $id}) DETACH DELETE chunk", corpus=world.stores.name, id=chunk
        ).consume()


@pytest.fixture
def built(world: World) -> World:
    build(world.stores, world.table, NoProgress(), BuildOptions(neighbours=3, explains=2))
    return world


def random_graph(world: World, seed: int) -> None:
    """Edges at random: some chunks without any, some edges of a weight that is 0 in the options below."""
    rng = np.random.default_rng(seed)
    ids = sorted(world.chunks)
    rows = [
        {"a": ids[a], "b": ids[b], "level": rng.choice(["redundant", "minor", "significant", "novel"]).item()}
        for a, b in {tuple(pair) for pair in rng.integers(0, len(ids), size=(30, 2)).tolist()}
        if a % 4 and a != b
    ]
    query = """
    UNWIND $rows AS row MATCH (a:Chunk {corpus: $corpus, id: row.a}), (b:Chunk {corpus: $corpus, id: row.b})
    CREATE (a)-[:INFO_GAIN {level: row.level, gain: 0.5, candidate: 'nearest', judge: 'chance'}]->(b)
    """
    with world.driver.session() as session:
        session.run(query, rows=rows, corpus=world.stores.name).consume()


@pytest.mark.parametrize("seed", range(6))
def test_the_twin_equals_graph_data_science_on_random_graphs_with_dangling_nodes(world: World, seed: int) -> None:
    random_graph(world, seed)
    rng = np.random.default_rng(seed)
    ids = sorted(world.chunks)
    stores = world.published(seed + 1)
    for restart in (0.15, 0.5, 0.85):
        shares = rng.dirichlet(np.ones(4))
        seeds = dict(zip(sorted(rng.choice(ids, 4, replace=False).tolist()), shares.tolist(), strict=True))
        options = GainOptions(restart=restart, tolerance=1e-13, level_weights=(0.0, 0.4, 0.7, 0.95))
        one = GdsEngine(stores, options).rank(seeds, 100, None)
        other = MemoryEngine.load(stores, options).rank(seeds, 100, None)
        assert dict(zip(one.ids, one.scores, strict=True)) == pytest.approx(
            dict(zip(other.ids, other.scores, strict=True)), abs=1e-9
        )
        assert one.seed_factor == pytest.approx(other.seed_factor, abs=1e-9)


@pytest.mark.parametrize(
    "options", [{}, {"mode": "paper"}, {"restart": 0.2, "seeds": 2}, {"level_weights": (0, 0, 0.5, 1)}]
)
@pytest.mark.parametrize("number", [0, 7])
def test_both_engines_give_the_same_hits(built: World, options: dict[str, Any], number: int) -> None:
    question = built.question(TEXT, number)
    found = [search(built.stores, question, 5, GainOptions(engine=engine, **options)) for engine in ("gds", "memory")]
    assert found[0]
    assert_same(*found)


@pytest.mark.parametrize("others", [{"engine": "memory"}, {"mode": "paper"}, {"weights": "gain"}])
def test_the_options_of_a_manifest_give_the_same_hits_again(built: World, others: dict[str, Any]) -> None:
    given = GainOptions(level_weights=(0, 0.5, 0.8, 1), **others)
    stored = json.loads(json.dumps(asdict(given)))
    first, again = (search(built.stores, built.question(TEXT), 5, one) for one in (given, GainOptions(**stored)))
    assert first
    assert again == first


def test_hits_say_why_they_are_there(built: World) -> None:
    hits = search(built.stores, built.question(TEXT), 5)
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    for hit in hits:
        assert sum(hit.parts.values()) == pytest.approx(hit.score)
        assert hit.path[0].via == "SEED"
        assert hit.path[-1].target == hit.chunk.id
        assert {step.via for step in hit.path[1:]} <= {"INFO_GAIN"}
    assert {hit.chunk.title for hit in hits if hit.parts["seed_named"] > 0} == {"Dora Island", "Emil"}


def test_two_searches_give_the_same_bytes(built: World) -> None:
    assert repr(search(built.stores, built.question(TEXT), 9)) == repr(search(built.stores, built.question(TEXT), 9))


@pytest.mark.parametrize("engine", ["gds", "memory"])
def test_only_allowed_chunks_are_found_and_scores_stay(built: World, engine: Any) -> None:
    options = GainOptions(engine=engine)
    everything = {hit.chunk.id: hit.score for hit in search(built.stores, built.question(TEXT), 50, options)}
    allowed = {"c001", "c007", "c009", "unknown"}
    hits = search(built.stores, built.question(TEXT), 2, options, allowed)
    best = sorted((id_ for id_ in allowed if id_ in everything), key=lambda id_: (-everything[id_], id_))[:2]
    assert [hit.chunk.id for hit in hits] == best
    assert [hit.score for hit in hits] == pytest.approx([everything[id_] for id_ in best])
    assert search(built.stores, built.question(TEXT), 2, options, set()) == []


@pytest.mark.parametrize("engine", ["gds", "memory"])
def test_k_above_the_corpus_gives_all_that_is_reached(built: World, engine: Any) -> None:
    hits = search(built.stores, built.question(TEXT), 100, GainOptions(engine=engine))
    assert 5 < len(hits) <= 14
    assert sum(hit.score for hit in hits) == pytest.approx(1)


@pytest.mark.parametrize("engine", ["gds", "memory"])
def test_an_empty_corpus_answers_nothing(make_world: Callable[[str], World], world: World, engine: Any) -> None:
    empty = make_world("-empty")
    assert search(empty.stores, world.question(TEXT), 3, GainOptions(engine=engine)) == []


def test_k_below_one_is_refused(built: World) -> None:
    with pytest.raises(InvalidInput, match="k must be at least 1, got 0"):
        search(built.stores, built.question(TEXT), 0)


def test_a_projection_is_made_once_and_again_after_it_was_lost(built: World) -> None:
    first = search(built.stores, built.question(TEXT), 5)
    names = projections(built.stores)
    search(built.stores, built.question("Anna?"), 5)
    assert projections(built.stores) == names
    assert len(names) == 1
    gds.drop_all(built.stores.graph, built.stores.record.key)
    assert search(built.stores, built.question(TEXT), 5) == first


def test_a_projection_of_a_small_graph_takes_little_of_the_heap(built: World) -> None:
    search(built.stores, built.question(TEXT), 5)
    with built.driver.session() as session:
        found = session.run("CALL gds.graph.list($name) YIELD sizeInBytes", name=projections(built.stores)[0]).single(
            strict=True
        )
    assert found["sizeInBytes"] < 12e6, "so that eight of them fit into the heap"


def test_each_generation_has_its_own_projection_and_old_ones_go(built: World) -> None:
    for generation in (3, 5, 8):
        search(built.published(generation), built.question(TEXT), 5)
    assert [name.split("-")[2] for name in projections(built.stores)] == ["000000000005", "000000000008"]


def test_of_all_corpora_the_projections_made_last_stay(
    built: World, make_world: Callable[[str], World], monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_world("-other")
    other.add(range(6))
    build(other.stores, other.table, NoProgress(), BuildOptions(neighbours=3, explains=2))
    search(other.stores, other.question(TEXT), 5)
    monkeypatch.setattr(gds, "MAX_PROJECTIONS", 1)
    expected = search(built.stores, built.question(TEXT), 5)
    assert len(projections(built.stores)) == 1
    assert projections(other.stores) == []
    monkeypatch.undo()
    search(other.stores, other.question(TEXT), 5)
    assert search(built.stores, built.question(TEXT), 5) == expected


def test_threads_that_project_at_once_all_get_their_answer(built: World) -> None:
    expected = search(built.stores, built.question(TEXT), 5, GainOptions(engine="memory"))
    gds.drop_all(built.stores.graph, built.stores.record.key)
    with ThreadPoolExecutor(4) as pool:
        found = list(pool.map(lambda _: search(built.published(1), built.question(TEXT), 5), range(4)))
    for hits in found:
        assert_same(hits, expected)


def test_a_projection_that_others_drop_again_and_again_is_made_again(
    built: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    graph, key = built.stores.graph, built.stores.record.key
    expected = search(built.stores, built.question(TEXT), 5, GainOptions(engine="memory"))
    read: Callable[..., list[dict[str, Any]]] = graph.read
    dropped: list[str] = []

    def drop_first(name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        if name == "gain_graph/stream_ranks" and len(dropped) < 3:
            dropped.append(name)
            gds.drop_all(graph, key)
        return read(name, **parameters)

    monkeypatch.setattr(graph, "read", drop_first)
    assert_same(search(built.published(1), built.question(TEXT), 5), expected)
    assert len(dropped) == 3


@pytest.mark.parametrize("engine", ["gds", "memory"])
def test_while_documents_change_the_last_complete_graph_answers_and_says_so(built: World, engine: Any) -> None:
    options = GainOptions(engine=engine)
    before = search(built.published(4), built.question(TEXT), 5, options)
    stores = built.published(4, changing=True)
    assert search(stores, built.question(TEXT), 5, options) == before
    assert {note.partition(": ")[2] for note in stores.notes} == {"answered from generation 4, not 5"}


@pytest.mark.parametrize("engine", ["gds", "memory"])
def test_chunks_that_came_and_went_meanwhile_are_not_found(built: World, engine: Any) -> None:
    options = GainOptions(engine=engine)
    question = built.question("Who lives on Dora Island with Emil? Ask Page 40!", 7)
    search(built.published(4), question, 5, options)
    (new,) = built.add([40])
    (gone,) = built.remove([9])
    found = {hit.chunk.id for hit in search(built.published(4, changing=True), question, 50, options)}
    assert new not in found
    assert len(found) > 5
    assert gone not in found or engine == "memory"


@pytest.mark.parametrize("walk", ["pagerank", "greedy"])
@pytest.mark.parametrize("engine", ["gds", "stores"])
def test_a_vector_whose_passage_is_gone_is_no_seed_and_noted(built: World, engine: Any, walk: Any) -> None:
    stores = built.published(4)
    question = built.question("who lives where?", 9)
    delete_chunk(built, "c009")
    hits = search(stores, question, 5, GainOptions(engine=engine, walk=walk))
    assert [hit.rank for hit in hits] == [1, 2, 3, 4, 5]
    assert "c009" not in {hit.chunk.id for hit in hits}
    assert [note.partition(":")[0] for note in stores.notes] == [
        "1 vectors belong to passages that are no longer there and were left out"
    ]
    built.stores.vectors.delete(built.stores.name, "chunks", ["c009"])
    options = GainOptions(engine=engine, walk=walk, seeds=GainOptions().seeds - 1)
    assert hits == search(built.published(5), question, 5, options)


@pytest.mark.parametrize("walk", ["pagerank", "greedy"])
@pytest.mark.parametrize("engine", ["gds", "stores"])
def test_a_passage_that_is_deleted_during_a_search_is_left_out_and_noted(
    built: World, engine: Any, walk: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    stores, options = built.published(4), GainOptions(engine=engine, walk=walk)
    expected = search(stores, built.question(TEXT), 5, options)
    read: Callable[..., list[dict[str, Any]]] = stores.graph.read

    def delete_first(name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        if name == "gain_graph/find_surroundings":
            delete_chunk(built, expected[1].chunk.id)
        return read(name, **parameters)

    monkeypatch.setattr(stores.graph, "read", delete_first)
    found = search(stores, built.question(TEXT), 5, options)
    assert [hit.chunk.id for hit in found] == [hit.chunk.id for hit in expected if hit.rank != 2]
    assert [hit.rank for hit in found] == [1, 2, 3, 4]
    assert len(stores.notes) == 1


@pytest.mark.parametrize("engine", ["gds", "memory"])
def test_while_documents_change_there_may_be_nothing_to_answer_from(built: World, engine: Any) -> None:
    with pytest.raises(NotBuilt, match="is being changed"):
        search(built.published(6, changing=True), built.question(TEXT), 5, GainOptions(engine=engine))


def test_without_graph_data_science_memory_answers_and_says_so(built: World, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gds, "is_available", lambda _: False)
    stores = built.published(1)
    assert search(stores, built.question(TEXT), 5)
    assert stores.notes == ["Neo4j lacks Graph Data Science: ranked in this process (engine memory)"]
