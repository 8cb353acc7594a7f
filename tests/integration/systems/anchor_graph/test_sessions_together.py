"""Concurrent sessions of one corpus, of two corpora, and of a corpus that is changed."""

from __future__ import annotations

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from tetragraph import Tetragraph
from tetragraph.errors import SessionTaken, UnknownSession
from tetragraph.export import corpus_graph
from tetragraph.model.anchors import AnchorStep
from tetragraph.settings import Settings
from tetragraph.stores.graph import Graph
from tetragraph.systems.anchor_graph.session_store import SessionStore

World = Any
MakeWorld = Callable[[str], World]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
AT_ONCE = 50


def run(world: World, store: SessionStore, mark: str, question: str = "Who?") -> str:
    """A whole session, whose steps bear a mark."""
    session: str = world.create(store, question).id
    for step in world.steps(question, mark):
        store.write_step(session, step)
    store.end(session, "sufficient", f"answer{mark}")
    return session


def answered(steps: tuple[AnchorStep, ...], answer: str) -> tuple[AnchorStep, ...]:
    """Steps with what was answered behind the last of them."""
    return (*steps[:-1], replace(steps[-1], answer=answer))


@pytest.mark.parametrize(
    "shared", [pytest.param(True, marks=pytest.mark.slow), False], ids=["one store", "a store each"]
)
def test_fifty_sessions_of_one_question_at_once_are_neither_mixed_nor_lost(world: World, shared: bool) -> None:
    one = world.store()

    def work(number: int) -> str:
        return run(world, one if shared else world.store(), f" {number}")

    with ThreadPoolExecutor(AT_ONCE) as pool:
        sessions = list(pool.map(work, range(AT_ONCE)))
    assert len(set(sessions)) == AT_ONCE
    for number, session in enumerate(sessions):
        record, steps = one.load(session)
        assert steps == answered(world.steps("Who?", f" {number}"), f"answer {number}")
        assert (record.status, record.answer) == ("ended", f"answer {number}")
    assert world.count() == {"Session": AT_ONCE, "Step": 3 * AT_ONCE, "Anchor": 3 * AT_ONCE}


def test_of_many_that_take_a_session_at_once_one_owns_it(world: World) -> None:
    store = world.store()
    session = world.create(store).id
    first, second, _ = world.steps()
    store.write_step(session, first)

    def work(number: int) -> AnchorStep | None:
        mine = world.store()
        step: AnchorStep = replace(second, thought=f"by {number}")
        try:
            mine.take(session)
            mine.write_step(session, step)
            mine.end(session, "steps", f"by {number}")
        except SessionTaken:
            return None
        return step

    with ThreadPoolExecutor(8) as pool:
        done = [step for step in pool.map(work, range(8)) if step]
    record, steps = store.load(session)
    assert steps[0] == first
    assert steps[1] in [replace(step, answer=record.answer) for step in done]
    assert record.answer == steps[1].thought
    assert record.status == "ended"


def test_sessions_of_another_corpus_are_unknown(make_world: MakeWorld) -> None:
    ours, theirs = make_world(""), make_world(".b")
    session = run(ours, ours.store(), "")
    before = ours.state(session)
    other = theirs.store()
    for method in (other.get, other.load, other.take, other.delete, other.resolve):
        with pytest.raises(UnknownSession):
            method(session)
    assert other.find(10) == ()
    assert run(theirs, other, "") != session
    assert other.prune(datetime(9999, 1, 1, tzinfo=UTC)) == 0
    assert ours.state(session) == before


def test_chunks_and_entities_that_the_corpus_lost_are_missing_and_counted(world: World) -> None:
    store = world.store()
    session = world.create(store).id
    one, two, three = world.steps()
    for step in (one, two):
        store.write_step(session, step)
    world.graph.write("ingest/delete_lost_chunks", corpus=world.corpus, rows=[{"id": "d1", "chunk_ids": []}])
    world.graph.write("ingest/delete_documents", corpus=world.corpus, ids=["d1"])
    world.graph.write("entities/delete_entities", corpus=world.corpus, rows=[{"id": "e1"}])
    _, steps = store.load(session)
    lost = "passages of this step that were deleted from the corpus: 1"
    assert [[hit.chunk.id for hit in step.hits] for step in steps] == [["c2"], ["c4", "c3"]]
    assert [step.notes for step in steps] == [(*one.notes, lost), (lost,)]
    tower = steps[1].graph.by_key["tower"]
    assert (tower.chunks, tower.entity, tower.attributes) == (("c2", "c3"), "", ("a building", "high", "żółty"))
    store.write_step(session, replace(three, graph=steps[1].graph))
    assert store.load(session)[1][:2] == steps


@pytest.mark.parametrize(
    ("query", "parameters"),
    [
        ("entities/delete_entities", {"rows": [{"id": "e1"}]}),
        ("bipartite_graph/delete_participants", {"rows": [{"id": "e1"}]}),
        ("bipartite_graph/delete_apart", {"alias": "a1", "entity": "e1"}),
    ],
)
def test_an_entity_that_only_sessions_know_goes_when_the_corpus_has_it_no_more(
    world: World, query: str, parameters: dict[str, Any]
) -> None:
    run(world, world.store(), "")
    world.run(
        "MATCH (e:Entity {corpus: $corpus, id: 'e1'}) REMOVE e.df "
        "CREATE (:Alias {corpus: $corpus, id: 'a1'})-[:KEPT_APART]->(e)"
    )
    if query != "bipartite_graph/delete_apart":
        world.graph.write(query, corpus=world.corpus, **parameters)
        assert world.run("MATCH (e:Entity {corpus: $corpus, id: 'e1'}) RETURN e.id") != []
        world.run("MATCH (a:Alias {corpus: $corpus}) DETACH DELETE a")
    world.graph.write(query, corpus=world.corpus, **parameters)
    assert world.run("MATCH (e:Entity {corpus: $corpus, id: 'e1'}) RETURN e.id") == []


def test_a_dropped_corpus_takes_its_sessions_along_and_no_other(
    make_world: MakeWorld, server_settings: Settings
) -> None:
    ours, theirs = make_world(""), make_world(".b")
    kept = run(theirs, theirs.store(), "")
    run(ours, ours.store(), "")
    assert ours.graph.read("corpus/count_corpus", corpus=ours.corpus)[0]["sessions"] == 1
    with Tetragraph.connect(server_settings) as client:
        client.corpus(ours.corpus).drop()
    assert ours.count() == {"Session": 0, "Step": 0, "Anchor": 0}
    assert theirs.store().load(kept)[1] == answered(theirs.steps("Who?"), "answer")


@pytest.mark.parametrize("written", ["nodes", "links"])
def test_an_export_leaves_out_sessions_that_begin_meanwhile(
    make_world: MakeWorld,
    server_settings: Settings,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    written: str,
) -> None:
    world = make_world("")
    kept = run(world, world.store(), "")
    read = getattr(corpus_graph, written)

    def ask_and_read(*arguments: Any) -> Any:
        run(world, world.store(), " meanwhile", "Where?")
        yield from read(*arguments)

    monkeypatch.setattr(corpus_graph, written, ask_and_read)
    with Tetragraph.connect(server_settings) as client:
        client.corpus(world.corpus).export(tmp_path / "graph.jsonl")
    rows = [json.loads(line) for line in (tmp_path / "graph.jsonl").read_bytes().splitlines()]
    nodes = {(row["label"], row["id"]) for row in rows if row["kind"] == "node"}
    ends = {(end["label"], end["id"]) for row in rows if row["kind"] != "node" for end in (row["start"], row["end"])}
    assert ends <= nodes
    assert [name for label, name in nodes if label == "Session"] == [kept]
    assert {("Step", "HAS_STEP")} <= {(row["end"]["label"], row["type"]) for row in rows if row["kind"] != "node"}


def test_people_can_ask_what_questions_keep_reaching(graph: Graph, world: World) -> None:
    store = world.store()
    run(world, store, "", "Who?")
    run(world, store, " x", "Where?")
    run(world, store, "", "Where?")
    lone = world.create(store, "Why?", now=NOW.replace(hour=13)).id
    first = world.steps("Why?")[0]
    store.write_step(lone, replace(first, hits=world.hits("c7")))
    store.end(lone, "budget", "")
    ended = world.create(store, "Never?").id
    store.end(ended, "deadline", "")
    rows = graph.read("analytics/find_entities_reached", corpus=world.corpus, limit=9)
    assert [tuple(row.values()) for row in rows] == [("e1", "Entity 1", 3, 4), ("e2", "Entity 2", 2, 3)]
    rows = graph.read("analytics/find_shared_evidence", corpus=world.corpus, limit=2)
    assert [tuple(row.values()) for row in rows] == [("c2", "Title 2", 2, 1), ("c4", "Title 4", 2, 1)]
    rows = graph.read("analytics/find_shared_evidence", corpus=world.corpus, limit=9)
    assert [row["id"] for row in rows] == ["c2", "c4", "c1", "c3"]
    rows = graph.read("analytics/find_insufficient_questions", corpus=world.corpus, limit=9)
    assert [tuple(row.values()) for row in rows] == [
        (lone, "Why?", "budget", 1, "not yet"),
        (ended, "Never?", "deadline", 0, None),
    ]
