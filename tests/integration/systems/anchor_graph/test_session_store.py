"""A session in Neo4j equals what was written to it, and has one writer at a time."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from tetragraph.errors import InvalidInput, SessionTaken, UnknownCorpus, UnknownSession
from tetragraph.model.anchors import AnchorGraph, AnchorStep
from tetragraph.systems.anchor_graph.session_store import SessionStore

World = Any
MakeWorld = Callable[[str], World]
NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def write(store: SessionStore, session: str, steps: Sequence[AnchorStep]) -> None:
    for step in steps:
        store.write_step(session, step)


def test_steps_are_read_as_they_were_written_each_with_the_graph_of_its_time(world: World) -> None:
    store = world.store()
    made = world.create(store)
    for number, step in enumerate(world.steps(), start=1):
        store.write_step(made.id, step)
        record, steps = world.store().load(made.id)
        assert (record, steps) == (replace(made, steps=number), world.steps()[:number])
    assert world.run("MATCH (s:Session {corpus: $corpus}) RETURN s.generation AS at") == [{"at": 7}]


def test_the_graph_is_what_the_public_schema_says(world: World) -> None:
    store = world.store()
    session = world.create(store).id
    write(store, session, world.steps())
    found = world.run(
        "MATCH (:Session {corpus: $corpus})-[:HAS_STEP]->(step:Step)-[added:ADDED]->(anchor:Anchor) "
        "RETURN step.number AS step, anchor.key AS anchor, added.attributes AS given, anchor.attributes AS all, "
        "COLLECT { MATCH (anchor)-[r:ANCHORED]->(to) RETURN r.phrase + ' ' + to.key AS x ORDER BY x } AS anchored, "
        "COLLECT { MATCH (anchor)-[:REFERS_TO]->(e:Entity) RETURN e.id } AS refers, "
        "COLLECT { MATCH (anchor)-[r:SEEN_IN]->(c:Chunk) RETURN c.id + ' ' + r.step AS x ORDER BY x } AS seen "
        "ORDER BY step, anchor"
    )
    tower = {"anchor": "tower", "all": ["a building", "high", "żółty"], "refers": ["e1"]}
    tower |= {"anchored": ["built by maker", "stands in a town"], "seen": ["c1 1", "c2 1", "c3 2"]}
    maker = {"step": 1, "anchor": "maker", "given": [], "all": [], "refers": [], "seen": ["c1 1"]}
    town = {"step": 2, "anchor": "a town", "given": ["in a valley"], "all": ["in a valley"], "refers": ["e2"]}
    assert found == [
        maker | {"anchored": ["born in a town"]},
        tower | {"step": 1, "given": ["a building", "high"]},
        town | {"anchored": [], "seen": ["c3 2", "c4 2"]},
        tower | {"step": 2, "given": ["żółty"]},
    ]


def test_a_session_tells_its_settings_and_is_named_by_them(world: World) -> None:
    store = world.store()
    made = world.create(store, ttl=timedelta(days=1))
    assert (made.status, made.stopped, made.steps, made.answer, made.forked_from) == ("running", None, 0, "", "")
    assert (made.options, made.filters, made.k) == (
        {"steps": 4, "graph": True},
        {"year": [1901, 1902], "title": "Title 1"},
        10,
    )
    assert (made.started, made.expires) == ("2026-03-01T12:00:00.000Z", "2026-03-02T12:00:00.000Z")
    again, other = world.create(store), world.create(store, k=11)
    assert len({made.id, again.id, other.id}) == 3
    for session in (made, again, other):
        store.delete(session.id)
    assert [world.create(world.store()).id for _ in range(2)] == [made.id, again.id]


def test_an_ended_session_is_nobodys_and_shows_its_answer_at_its_last_step(world: World) -> None:
    store = world.store()
    session = world.create(store).id
    write(store, session, world.steps()[:2])
    ended = store.end(session, "steps", "the Vistula")
    assert (ended.status, ended.stopped, ended.answer) == ("ended", "steps", "the Vistula")
    assert store.get(session) == ended
    answers = "MATCH (s:Step {corpus: $corpus}) RETURN s.answer AS answer ORDER BY s.number"
    assert [row["answer"] for row in world.run(answers)] == [None, "the Vistula"]
    (node,) = world.run("MATCH (s:Session {corpus: $corpus}) RETURN s {.*} AS s")
    assert not {"owner", "locked"} & node["s"].keys()


def test_a_step_behind_which_the_search_went_on_has_no_answer_any_more(world: World) -> None:
    store = world.store()
    session = world.create(store).id
    write(store, session, world.steps()[:2])
    store.end(session, "deadline", "the Elbe")
    store.take(session)
    store.write_step(session, world.steps()[2])
    store.end(session, "sufficient", "the Vistula")
    assert [step.answer for step in store.load(session)[1]] == ["", "", "the Vistula"]


def test_a_question_that_is_asked_again_later_keeps_its_earlier_answer(world: World) -> None:
    store = world.store()
    session = world.create(store, "Who?").id
    first, second, third = world.steps("Who?")
    write(store, session, (first, second))
    store.end(session, "sufficient", "Germany")
    store.begin(session, "When?")
    store.write_step(session, replace(third, question="When?"))
    store.end(session, "sufficient", "April 26, 1987")
    store.begin(session, "Who?")
    again = [replace(third, number=number) for number in (4, 5)]
    write(store, session, again)
    store.end(session, "sufficient", "Poland")
    answers = ["", "Germany", "April 26, 1987", "", "Poland"]
    assert [step.answer for step in store.load(session)[1]] == answers
    fork = store.fork(session, 5, ttl=None, now=NOW).id
    assert [step.answer for step in store.load(fork)[1]] == [*answers[:4], ""]


def test_a_session_without_answer_or_steps_can_end(world: World) -> None:
    store = world.store()
    ended = store.end(world.create(store).id, "budget", "")
    assert (ended.status, ended.stopped, ended.answer) == ("ended", "budget", "")


def test_a_follow_up_question_goes_on_with_the_graph(world: World) -> None:
    store = world.store()
    session = world.create(store).id
    steps = world.steps()
    write(store, session, steps)
    store.end(session, "sufficient", "the Vistula")
    begun = store.begin(session, "And how long is it?")
    assert (begun.question, begun.status, begun.stopped, begun.answer) == ("And how long is it?", "running", None, "")
    follow = replace(steps[0], number=4, question="And how long is it?", graph=steps[-1].graph)
    store.write_step(session, follow)
    assert store.load(session)[1] == (*steps[:2], replace(steps[2], answer="the Vistula"), follow)


@pytest.mark.parametrize("run", ["begin", "begin again"])
def test_a_follow_up_question_is_refused_while_the_session_runs(world: World, run: str) -> None:
    store = world.store()
    session = world.create(store).id
    if run == "begin again":
        store.end(session, "steps", "")
        store.begin(session, "Why?")
    with pytest.raises(SessionTaken, match="pid"):
        world.store().begin(session, "Who?")
    assert store.get(session).question != "Who?"
    write(store, session, world.steps()[:1])


def test_the_newest_taker_writes_and_the_other_is_told_and_changes_nothing(world: World) -> None:
    first, second = world.store(), world.store()
    session = world.create(first).id
    one, two, three = world.steps()
    first.write_step(session, one)
    second.take(session)
    before = world.state(session)
    refused: Callable[[], object]
    for refused in (
        lambda: first.write_step(session, two),
        lambda: first.write_step(session, one),
        lambda: first.end(session, "steps", "x"),
        lambda: world.store().write_step(session, two),
        lambda: world.store().end(session, "steps", "x"),
    ):
        with pytest.raises(SessionTaken, match="nothing was written"):
            refused()
    assert world.state(session) == before
    write(second, session, (two, three))
    second.end(session, "sufficient", "x")
    ended = world.state(session)
    with pytest.raises(SessionTaken, match="ended"):
        first.end(session, "steps", "y")
    assert world.state(session) == ended
    assert second.load(session)[1] == (one, two, replace(three, answer="x"))


def test_whoever_takes_a_session_goes_on_to_the_state_of_an_undisturbed_one(world: World) -> None:
    states = []
    for is_broken_off in (False, True):
        store = world.store()
        session = world.create(store).id
        for step in world.steps():
            store.write_step(session, step)
            if is_broken_off:
                store.write_step(session, step)
                store = world.store()
                store.take(session)
        store.end(session, "sufficient", "x")
        states.append(world.state(session))
        store.delete(session)
    assert states[0] == states[1] != []


def test_a_step_that_is_made_again_is_replaced_with_all_that_it_added(world: World) -> None:
    store = world.store()
    session = world.create(store).id
    one, two, three = world.steps()
    write(store, session, (one, two))
    written = world.state(session)
    unjudged = replace(three, number=2, judgement=None, graph=one.graph, notes=("the step was not judged",))
    store.write_step(session, unjudged)
    assert store.load(session)[1] == (one, unjudged)
    assert world.count() == {"Session": 1, "Step": 2, "Anchor": 2}
    store.write_step(session, two)
    assert world.state(session) == written
    assert store.load(session)[1] == (one, two)


def test_only_the_last_step_or_the_next_can_be_written(world: World) -> None:
    store = world.store()
    session = world.create(store).id
    one, two, three = world.steps()
    for wrong in (two, replace(one, number=0)):
        with pytest.raises(InvalidInput, match="which has 0"):
            store.write_step(session, wrong)
    write(store, session, (one, two, three))
    with pytest.raises(InvalidInput, match="got step 2"):
        store.write_step(session, two)


@pytest.mark.parametrize("lost", ["anchor", "attribute", "relation"])
def test_a_graph_that_lost_something_is_refused(world: World, lost: str) -> None:
    store = world.store()
    session = world.create(store).id
    one, two, _ = world.steps()
    write(store, session, (one,))
    graph = two.graph
    less = {
        "anchor": AnchorGraph(graph.anchors[:1], ()),
        "attribute": replace(graph, anchors=(replace(graph.anchors[0], attributes=("high",)), *graph.anchors[1:])),
        "relation": replace(graph, relations=graph.relations[1:]),
    }[lost]
    with pytest.raises(InvalidInput, match="must begin with that of the step before"):
        store.write_step(session, replace(two, graph=less))
    assert store.load(session)[1] == (one,)


def test_a_fork_has_copies_of_the_first_steps_and_goes_on_alone(world: World) -> None:
    store = world.store()
    origin = world.create(store).id
    steps = world.steps()
    write(store, origin, steps)
    before = world.state(origin)
    fork = store.fork(origin, 2, ttl=None, now=NOW, query="Which hill?", retriever="dense", options={"steps": 9})
    assert (fork.forked_from, fork.forked_at, fork.steps, fork.status) == (origin, 2, 2, "running")
    assert (fork.retriever, fork.options, fork.reasoner, fork.k) == ("dense", {"steps": 9}, "token_free", 10)
    copied = (steps[0], replace(steps[1], next_query="Which hill?"))
    assert store.load(fork.id)[1] == copied
    other = replace(steps[2], query="Which hill?", hits=world.hits("c8"))
    store.write_step(fork.id, other)
    assert store.load(fork.id)[1] == (*copied, other)
    assert world.state(origin) == before
    assert (
        store.fork(origin, 2, ttl=None, now=NOW, query="Which hill?", retriever="dense", options={"steps": 9}).id
        != fork.id
    )
    store.delete(origin)
    assert store.get(fork.id).forked_from == ""
    assert store.load(fork.id)[1] == (*copied, other)


def test_a_fork_at_a_sufficient_step_can_ask_on(world: World) -> None:
    store = world.store()
    origin = world.create(store).id
    write(store, origin, world.steps())
    same, on = (store.fork(origin, 3, ttl=None, now=NOW, query=query).id for query in ("", "Which hill?"))
    assert store.load(same)[1] == world.steps()
    assert store.load(on)[1][-1] == replace(world.steps()[-1], judgement="insufficient", next_query="Which hill?")


def test_a_fork_has_the_answers_of_earlier_questions_and_none_to_the_one_it_asks_again(world: World) -> None:
    store = world.store()
    origin = world.create(store).id
    steps = world.steps()
    write(store, origin, steps)
    store.end(origin, "sufficient", "the Vistula")
    store.begin(origin, "And how long is it?")
    follow = replace(steps[0], number=4, question="And how long is it?", graph=steps[-1].graph)
    store.write_step(origin, follow)
    store.end(origin, "sufficient", "1,047 km")
    fork = store.fork(origin, 4, ttl=None, now=NOW).id
    answered = (*steps[:2], replace(steps[2], answer="the Vistula"))
    assert store.load(fork)[1] == (*answered, follow)
    store.end(fork, "steps", "long")
    assert store.load(fork)[1] == (*answered, replace(follow, answer="long"))
    assert store.load(store.fork(origin, 3, ttl=None, now=NOW).id)[1] == steps


@pytest.mark.parametrize("at", [0, 4, -1, True])
def test_a_fork_begins_behind_a_step_that_there_is(world: World, at: int) -> None:
    store = world.store()
    session = world.create(store).id
    write(store, session, world.steps())
    with pytest.raises(InvalidInput, match="3 steps"):
        store.fork(session, at, ttl=None, now=NOW)


def test_sessions_are_listed_newest_first_and_found_by_how_their_ids_begin(world: World) -> None:
    store = world.store()
    made = [world.create(store, f"Question {i}?", now=NOW + timedelta(milliseconds=i)) for i in range(4)]
    assert store.find(3) == tuple(reversed(made[1:]))
    assert store.resolve(made[0].id) == made[0].id
    assert store.resolve(made[0].id[:15]) == made[0].id
    with pytest.raises(UnknownSession, match="several begin"):
        store.resolve("")
    with pytest.raises(UnknownSession, match="none begins"):
        store.resolve("no such")


def test_what_expired_is_pruned_and_nothing_else(world: World) -> None:
    store = world.store()
    forever = world.create(store)
    kept = world.create(store, ttl=timedelta(hours=2))
    gone = [world.create(store, f"Question {i}?", ttl=timedelta(hours=1)) for i in range(22)]
    for session in (forever, kept, *gone):
        store.write_step(session.id, world.steps()[0])
    assert store.prune(NOW + timedelta(minutes=59)) == 0
    assert store.prune(NOW + timedelta(hours=1)) == 22
    assert {record.id for record in store.find(100)} == {forever.id, kept.id}
    assert world.count() == {"Session": 2, "Step": 2, "Anchor": 4}
    assert store.load(kept.id)[1] == world.steps()[:1]


def test_an_unknown_session_is_told_by_every_method(world: World) -> None:
    store = world.store()
    gone = world.create(store).id
    store.delete(gone)
    method: Callable[[], object]
    for method in (
        lambda: store.get(gone),
        lambda: store.load(gone),
        lambda: store.take(gone),
        lambda: store.begin(gone, "Why?"),
        lambda: store.write_step(gone, world.steps()[0]),
        lambda: store.end(gone, "steps", ""),
        lambda: store.fork(gone, 1, ttl=None, now=NOW),
        lambda: store.delete(gone),
    ):
        with pytest.raises(UnknownSession, match=gone):
            method()
    assert world.count() == {"Session": 0, "Step": 0, "Anchor": 0}


def test_a_corpus_that_is_gone_gets_no_session(world: World) -> None:
    world.run("MATCH (c:Corpus {corpus: $corpus}) DELETE c")
    with pytest.raises(UnknownCorpus, match="dropped"):
        world.create(world.store())
    assert world.count()["Session"] == 0


def test_what_json_cannot_say_is_refused(world: World) -> None:
    with pytest.raises(InvalidInput, match="to be stored with a session"):
        world.create(world.store(), options={"steps": float("nan")})
    with pytest.raises(InvalidInput, match="must have its zone"):
        world.create(world.store(), now=datetime(2026, 3, 1))  # what is refused
