"""Sessions on real stores: resumed after a kill, taken over, concurrent, continued, forked, exported, expired."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import neo4j
import networkx as nx
import pytest

import anchored_world
import scripted_anchors
from anchored_world import ANSWER, QUESTION, as_loaded
from environments import user_environment
from scripted_faults import Fault
from scripted_llm import ScriptedLlm
from tetragraph import Corpus, Settings, Tetragraph, errors
from tetragraph.answering.sessions import AnchorRun, Session
from tetragraph.model.usage import Budget

OTHER = "Who is the teacher of the sister of the mayor of Old Port?"
ASKED: dict[str, Any] = {"reasoner": "llm", "documents": 1, "generate": True}
NEVER = Fault("never answers", wait_s=600)
TIMES = ("id", "started", "expires", "owner", "series")
CHILD = """
import json, os, signal, sys
from tetragraph import Tetragraph, errors
corpus, question, options, act, at = sys.argv[1:]
with Tetragraph.connect() as client:
    run = client.corpus(corpus).anchor(question, **json.loads(options))
    print(run.session.id, flush=True)
    try:
        for step in run:
            if step.number == int(at) and act == "die":
                os.kill(os.getpid(), signal.SIGKILL)
            if step.number == int(at) and act == "wait":
                print("waits", flush=True)
                sys.stdin.readline()
        print(run.answer.text)
    except errors.SessionTaken as error:
        print(f"SessionTaken: {error}")
"""
CROWD = """
import json, sys
from concurrent.futures import ThreadPoolExecutor
from tetragraph import Tetragraph
corpus, questions, options = sys.argv[1], json.loads(sys.argv[2]), json.loads(sys.argv[3])
with Tetragraph.connect() as client, ThreadPoolExecutor(len(questions)) as pool:
    asked = lambda question: client.corpus(corpus).ask(question, method="anchor", **options).session
    print(json.dumps(list(pool.map(asked, questions))))
"""
Begin = Callable[..., subprocess.Popen[str]]
State = Callable[[str], list[str]]
Connect = Callable[[], Corpus]


@pytest.fixture
def llm(scripted_llm: Callable[..., ScriptedLlm]) -> ScriptedLlm:
    """A model that searches in several steps by rules."""
    return scripted_llm(scripted_anchors.reasoning)


@pytest.fixture
def connect(llm: ScriptedLlm, anchored_settings: Settings, anchored: str, tmp_path: Path) -> Iterator[Connect]:
    """Opens the corpus as another process does that has never heard the model: each time with a file of replies."""
    opened: list[Tetragraph] = []

    def connect() -> Corpus:
        settings = llm.settings(anchored_settings, llm_cache=tmp_path / f"{len(opened)}.sqlite")
        opened.append(Tetragraph.connect(settings))
        return opened[-1].corpus(anchored)

    yield connect
    for client in opened:
        client.close()


@pytest.fixture
def corpus(anchored_settings: Settings, anchored: str) -> Iterator[Corpus]:
    """The corpus without a model."""
    with Tetragraph.connect(anchored_settings) as client:
        yield client.corpus(anchored)


@pytest.fixture
def begin(llm: ScriptedLlm, anchored_settings: Settings, tmp_path: Path) -> Iterator[Begin]:
    """Starts a program in a process of its own, which has a model and a file of replies of its own."""
    begun: list[subprocess.Popen[str]] = []

    def start(program: str, *arguments: str) -> subprocess.Popen[str]:
        environment = _environment(anchored_settings, llm, tmp_path / f"child-{len(begun)}.sqlite")
        process = subprocess.Popen(
            [sys.executable, "-c", program, *arguments],
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        begun.append(process)
        return process

    yield start
    for process in begun:
        process.kill()
        process.communicate()


def _environment(settings: Settings, llm: ScriptedLlm, replies: Path) -> Mapping[str, str]:
    return user_environment(
        settings,
        TETRAGRAPH_LLM=llm.model,
        TETRAGRAPH_LLM_BASE_URL=llm.base_url,
        TETRAGRAPH_LLM_API_KEY="a-key-of-tests",
        TETRAGRAPH_LLM_CACHE=str(replies),
    )


@pytest.fixture
def state(driver: neo4j.Driver, anchored: str) -> State:
    """All that a session is in Neo4j, but for its name and times: nodes, relationships and their properties."""
    query = (
        "MATCH (s:Session {corpus: $corpus, id: $session}) "
        "CALL (s) { MATCH (s)-[:HAS_STEP|ADDED*0..2]->(n) RETURN DISTINCT n } OPTIONAL MATCH (n)-[r]->(m) "
        "RETURN labels(n) AS n, properties(n) AS properties, type(r) AS type, properties(r) AS r, "
        "labels(m) AS to, CASE WHEN m:Chunk OR m:Entity THEN m.id ELSE coalesce(m.key, toString(m.number)) END AS m"
    )

    def take(session: str) -> list[str]:
        rows = driver.execute_query(query, corpus=anchored, session=session).records
        return sorted(repr({**row, "properties": _timeless(row["properties"])}) for row in rows)

    return take


def _timeless(properties: Mapping[str, Any]) -> dict[str, Any]:
    kept = {key: value for key, value in sorted(properties.items()) if key not in TIMES}
    if kept.get("usage"):
        kept["usage"] = {key: value for key, value in json.loads(kept["usage"]).items() if key != "seconds"}
    return kept


def timeless(session: Session) -> dict[str, Any]:
    """The export of a session without its name, its times, and how long a model took."""
    tree: dict[str, Any] = json.loads(session.export())
    tree["session"] = {key: value for key, value in tree["session"].items() if key not in TIMES}
    for step in tree["steps"]:
        del step["usage"]["seconds"]
    return tree


def killed(begin: Begin, llm: ScriptedLlm, corpus: str, when: str, at: int) -> str:
    """Id of the session of a process that was killed behind a step, or while the model was asked for another time."""
    process = begin(CHILD, corpus, QUESTION, json.dumps(ASKED), "die" if when == "behind step" else "", str(at))
    session = process.stdout.readline().strip() if process.stdout else ""
    if when == "in call":
        before = llm.calls
        llm.faults = lambda call: NEVER if call.number == at else None
        while llm.calls <= at and process.poll() is None:
            process.poll()
        assert before <= llm.calls
        process.send_signal(signal.SIGKILL)
    _, error = process.communicate(timeout=300)
    assert process.returncode == -signal.SIGKILL, error
    llm.faults = lambda call: None
    return session


@pytest.mark.parametrize(
    ("when", "at"),
    [
        ("behind step", 2),
        *(pytest.param("behind step", at, marks=pytest.mark.slow) for at in (1, 3)),
        *(pytest.param("in call", at, marks=pytest.mark.slow) for at in range(4)),
    ],
)
def test_a_session_whose_process_was_killed_is_resumed_to_the_end_of_an_undisturbed_one(
    connect: Connect, begin: Begin, llm: ScriptedLlm, anchored: str, state: State, when: str, at: int
) -> None:
    identity = killed(begin, llm, anchored, when, at)
    session = connect().session(identity)
    assert session.record.status == "running"
    steps_kept = session.steps
    assert len(steps_kept) == at
    run = session.resume()
    assert [step.number for step in run] == list(range(at + 1, 4))
    assert session.steps[:at] == steps_kept[:at] or at == 3
    calls = dict(llm.calls_by_content)
    assert sorted(calls.values()) == ([1, 1, 1, 2] if when == "in call" else [1, 1, 1, 1])
    undisturbed = connect().anchor(QUESTION, **ASKED)
    answer = undisturbed.answer
    assert (answer.text, run.answer.text, run.stopped) == (ANSWER, ANSWER, "sufficient")
    assert run.answer.citations == answer.citations
    assert state(session.id) == state(undisturbed.session.id)
    assert timeless(session) == timeless(undisturbed.session)
    assert len(state(session.id)) > 20


def test_of_two_processes_that_go_on_with_a_session_the_newer_wins_and_the_other_is_told(
    connect: Connect, begin: Begin, anchored: str, state: State
) -> None:
    process = begin(CHILD, anchored, QUESTION, json.dumps(ASKED), "wait", "1")
    assert process.stdout is not None
    identity = process.stdout.readline().strip()
    assert process.stdout.readline().strip() == "waits"
    session = connect().session(identity)
    with pytest.raises(errors.SessionTaken, match=f"pid {process.pid}"):
        session.ask("Who is the mayor of Old Port?")
    run = session.resume()
    assert next(run).number == 2
    half = state(identity)
    out, error = process.communicate("go on\n", timeout=300)
    assert process.returncode == 0, error
    rule = f"SessionTaken: one process at a time writes to a session: session {identity} of corpus {anchored!r}"
    assert out.startswith(f"{rule} is continued by {socket.gethostname()} pid {os.getpid()}; nothing was written: ")
    assert state(identity) == half
    assert run.answer.text == ANSWER
    undisturbed = connect().anchor(QUESTION, **ASKED)
    assert undisturbed.answer.text == ANSWER
    assert state(identity) == state(undisturbed.session.id)


@pytest.mark.slow
def test_fifty_sessions_at_once_are_neither_mixed_nor_lost(
    corpus: Corpus, begin: Begin, anchored: str, state: State
) -> None:
    options: dict[str, Any] = {"documents": 1, "generate": False}
    questions = (QUESTION, OTHER, "Who is the mayor of Old Port?", "When was the composer of Low Tide born?", "Who?")
    alone = [corpus.ask(question, method="anchor", **options).session for question in questions]
    crowds = [begin(CROWD, anchored, json.dumps(questions * 2), json.dumps(options)) for _ in range(2)]
    with ThreadPoolExecutor(30) as pool:
        asked = list(pool.map(lambda one: corpus.ask(one, method="anchor", **options).session, questions * 6))
    for crowd in crowds:
        out, error = crowd.communicate(timeout=500)
        assert crowd.returncode == 0, error
        asked += json.loads(out)
    assert len(set(asked)) == 50
    expected = [state(session) for session in alone]
    assert len({repr(one) for one in expected}) == len(questions)
    for place, session in enumerate(asked):
        assert state(session) == expected[place % len(questions)]
    assert set(asked) < {record.id for record in corpus.sessions.newest(1000)}


def test_a_session_gives_back_the_steps_that_it_gave_on(connect: Connect) -> None:
    corpus = connect()
    run = corpus.anchor(QUESTION, **ASKED)
    steps = list(run)
    session = corpus.session(run.session.id[:12])
    assert session.id == run.session.id
    assert session.steps == (*map(as_loaded, steps[:-1]), as_loaded(steps[-1], ANSWER))
    assert session.graph == steps[-1].graph
    record = session.record
    assert (record.question, record.status, record.stopped, record.steps) == (QUESTION, "ended", "sufficient", 3)
    assert (record.answer, record.retriever, record.k, record.filters) == (ANSWER, "evidence", 5, {})
    assert record.options["documents"] == 1
    assert corpus.sessions.newest(1) == [record]


def test_an_ended_session_is_only_answered_again(connect: Connect, llm: ScriptedLlm, state: State) -> None:
    run = connect().anchor(QUESTION, **ASKED)
    answer = run.answer
    before, calls = state(run.session.id), llm.calls
    again = connect().session(run.session.id).resume()
    assert list(again) == []
    assert (again.answer.text, again.answer.citations) == (answer.text, answer.citations)
    assert state(run.session.id) == before
    assert llm.calls == calls + 1


@pytest.mark.parametrize("budget", [Budget(tokens=2400), Budget(deadline_s=1e-6)])
def test_a_session_that_ended_for_want_of_budget_or_time_searches_on(
    connect: Connect, budget: Budget, state: State
) -> None:
    run = connect().anchor(QUESTION, **ASKED, budget=budget)
    assert run.stopped == ("budget" if budget.tokens else "deadline")
    assert run.session.steps[-1].judgement is None
    resumed = connect().session(run.session.id).resume()
    assert (resumed.answer.text, resumed.stopped) == (ANSWER, "sufficient")
    undisturbed = connect().anchor(QUESTION, **ASKED)
    assert undisturbed.answer.text == ANSWER
    assert state(run.session.id) == state(undisturbed.session.id)


def test_a_follow_up_question_starts_from_the_graph_and_is_searched_with_what_it_names(corpus: Corpus) -> None:
    run = corpus.anchor("Who is the mayor of Old Port?", documents=1)
    assert run.answer.text == "Elva Kron"
    first = run.session.steps
    follow = run.session.ask("Who is the teacher of the sister of Elva Kron?")
    steps = list(follow)
    assert steps[0].query == "Who is the teacher of the sister of Elva Kron?"
    assert [step.number for step in steps] == list(range(2, 2 + len(steps)))
    before = first[-1].graph
    assert steps[0].graph.by_key.keys() > before.by_key.keys()
    assert steps[0].graph.relations[: len(before.relations)] == before.relations
    assert run.session.steps == (*first, *map(as_loaded, steps[:-1]), as_loaded(steps[-1], follow.answer.text))
    assert follow.answer.question == run.session.record.question == steps[0].question
    assert "Solveig Dahl" in [hit.chunk.title for hit in follow.answer.evidence][:3]
    assert follow.answer.session == run.session.id


def test_a_follow_up_question_that_names_nothing_is_searched_with_the_answer_before_it(
    connect: Connect, corpus: Corpus
) -> None:
    run = connect().anchor(QUESTION, **{**ASKED, "reasoner": "token_free"})
    assert run.answer.text == ANSWER
    follow = connect().session(run.session.id).ask("When was he born?")
    assert next(follow).query == f"When was he born? {ANSWER}"
    assert next(iter(follow.session.steps[-1].hits)).chunk.title == "Jens Arild"
    assert follow.answer.question == "When was he born?"
    assert follow.answer.evidence.question == f"When was he born? {ANSWER}"
    unanswered = corpus.anchor("Who is the mayor of Old Port?", filters={"year": 1})
    assert unanswered.answer.text == ""
    assert next(unanswered.session.ask("When was she born?")).query == (
        "When was she born? Who is the mayor of Old Port?"
    )


def test_a_follow_up_that_is_resumed_goes_on_with_its_own_question(connect: Connect, state: State) -> None:
    sessions = []
    for broken in (True, False):
        run = connect().anchor("Who is the mayor of Halvik?", **ASKED)
        assert run.answer.text == "Orla Brandt"
        follow = connect().session(run.session.id).ask(QUESTION)
        if broken:
            assert next(follow).number == 2
            follow = connect().session(run.session.id).resume()
        assert follow.answer.text == ANSWER
        sessions.append(state(run.session.id))
    assert sessions[0] == sessions[1]


def test_sessions_see_nothing_of_each_other(corpus: Corpus, anchored_settings: Settings) -> None:
    run = corpus.anchor(QUESTION, documents=1)
    steps = list(run)
    again = corpus.anchor(QUESTION, documents=1)
    assert again.session.graph.anchors == ()
    assert list(again) == steps
    with Tetragraph.connect(anchored_settings) as client:
        other = client.corpus(f"{corpus.name}.b")
        other.ingest(anchored_world.documents()[:3], build=())
        try:
            with pytest.raises(errors.UnknownSession):
                other.session(run.session.id)
            assert other.sessions.newest() == []
            assert other.ask(QUESTION, method="anchor").session != run.session.id
            assert len(other.sessions.newest()) == 1
        finally:
            other.drop()
    assert run.session.steps == (*map(as_loaded, steps[:-1]), as_loaded(steps[-1], run.answer.text))


def test_a_fork_goes_another_way_from_a_step_and_leaves_its_origin_alone(corpus: Corpus) -> None:
    run = corpus.anchor(QUESTION, documents=1)
    origin = run.session
    assert run.answer.text
    before = origin.export()
    query = origin.fork(1, query="Who is the teacher of Solveig Dahl?")
    steps = list(query)
    assert (steps[0].number, steps[0].query) == (2, "Who is the teacher of Solveig Dahl?")
    assert steps[0].hits[0].chunk.title == "Solveig Dahl"
    first = query.session.steps[0]
    assert first == replace(origin.steps[0], next_query="Who is the teacher of Solveig Dahl?")
    assert (query.session.record.forked_from, query.session.record.forked_at) == (origin.id, 1)
    retriever = origin.fork(2, retriever="keyword")
    assert [step.retriever for step in retriever] == ["keyword"]
    assert [step.retriever for step in retriever.session.steps] == ["evidence", "evidence", "keyword"]
    assert retriever.session.record.retriever == retriever.session.record.options["retriever"] == "keyword"
    assert retriever.answer.session == retriever.session.id
    assert origin.export() == before
    origin.delete()
    assert [step.number for step in retriever.session.steps] == [1, 2, 3]


@pytest.mark.parametrize(
    ("at", "arguments", "error", "words"),
    [
        (1, {}, errors.InvalidInput, "a fork must differ from its session"),
        (9, {"query": "Who?"}, errors.InvalidInput, "got 9"),
        (0, {"query": "Who?"}, errors.InvalidInput, "got 0"),
        (1, {"retriever": "magic"}, errors.UnknownMethod, "got 'magic'"),
        (1, {"retriever": "anchor"}, errors.InvalidInput, "another method, got 'anchor'"),
        (1, {"query": "Who?", "ttl": timedelta(0)}, errors.InvalidInput, "ttl must be a time above 0"),
    ],
)
def test_a_fork_that_breaks_a_rule_is_refused_before_anything_is_written(
    corpus: Corpus, at: int, arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    run = corpus.anchor("Who is the mayor of Old Port?", documents=1)
    assert run.answer.text
    before = corpus.sessions.newest(1000)
    with pytest.raises(error, match=words):
        run.session.fork(at, **arguments)
    assert corpus.sessions.newest(1000) == before


def test_a_session_is_exported_for_programs_and_for_people(corpus: Corpus) -> None:
    run = corpus.anchor(QUESTION, documents=1)
    steps, session = list(run), run.session
    tree = json.loads(session.export())
    assert (tree["session"]["id"], tree["session"]["answer"]) == (session.id, run.answer.text)
    assert [step["query"] for step in tree["steps"]] == [step.query for step in steps]
    assert [hit["chunk"] for hit in tree["steps"][0]["hits"]] == [hit.chunk.id for hit in steps[0].hits]
    graph = nx.read_graphml(BytesIO(session.export("graphml").encode()), force_multigraph=True)
    assert sorted(label for _, label in graph.nodes(data="label")) == sorted(one.name for one in session.graph.anchors)
    assert graph.number_of_edges() == len(session.graph.relations) > 0
    page = session.export("html")
    assert QUESTION in page
    for form in ("json", "graphml", "html"):
        assert session.export(form) == corpus.session(session.id).export(form)
    with pytest.raises(errors.InvalidInput, match="json, graphml, html, got 'pdf'"):
        session.export("pdf")


def test_sessions_expire_and_others_stay(corpus: Corpus) -> None:
    lasting = corpus.anchor("Who is the mayor of Old Port?", documents=1)
    short = corpus.anchor("Who is the mayor of Old Port?", documents=1, ttl=timedelta(microseconds=1))
    assert lasting.answer.text == short.answer.text
    record = lasting.session.record
    lasts = datetime.fromisoformat(record.expires) - datetime.fromisoformat(record.started)
    assert lasts == timedelta(days=30)
    assert corpus.sessions.prune() == 1
    assert corpus.sessions.prune() == 0
    with pytest.raises(errors.UnknownSession, match="it may have expired"):
        _ = short.session.steps
    with pytest.raises(errors.UnknownSession):
        corpus.session(short.session.id)
    assert lasting.session.steps
    with pytest.raises(errors.InvalidInput, match="ttl must be a time above 0"):
        corpus.anchor(QUESTION, ttl=timedelta(0))


def test_a_setting_keeps_sessions_for_ever(anchored_settings: Settings, anchored: str) -> None:
    with Tetragraph.connect(anchored_settings.model_copy(update={"session_days": 0})) as client:
        assert client.corpus(anchored).anchor("Who is the mayor of Old Port?").session.record.expires == ""


def test_sessions_outlive_what_happens_to_documents_and_end_with_the_corpus(
    client: Tetragraph, corpus_name: str, driver: neo4j.Driver
) -> None:
    corpus, documents = client.corpus(corpus_name), anchored_world.documents()
    corpus.ingest(documents, build=())
    run = corpus.anchor(QUESTION, documents=1)
    assert run.answer.text
    session, steps = run.session, run.session.steps
    corpus.ingest(documents, build=("gain",))
    assert session.steps == steps
    corpus.ingest([*documents[:-1], replace(documents[-1], text="Low Tide is a film.")])
    corpus.delete("ida-brandt")
    lost = session.steps
    assert [step.graph.by_key.keys() for step in lost] == [step.graph.by_key.keys() for step in steps]
    assert {len(step.hits) - len(less.hits) for step, less in zip(steps, lost, strict=True)} == {2}
    for less in lost:
        assert less.notes[-1] == "passages of this step that were deleted from the corpus: 2"
        assert "Ida Brandt" not in [hit.chunk.title for hit in less.hits]
    assert "Ida Brandt" not in [passage["title"] for passage in json.loads(session.export())["passages"]]
    follow = session.ask("Who is the mayor of Old Port?")
    assert next(follow).number == len(steps) + 1
    assert follow.answer.text == "Elva Kron"
    assert session.resume().answer.text == "Elva Kron"
    corpus.drop()
    with pytest.raises(errors.UnknownCorpus):
        corpus.session(session.id)
    left = "MATCH (n {corpus: $corpus}) RETURN count(n) AS n"
    assert [row["n"] for row in driver.execute_query(left, corpus=corpus_name).records] == [0]


def test_a_deleted_session_is_unknown_to_all_that_held_it(corpus: Corpus) -> None:
    run: AnchorRun = corpus.anchor(QUESTION, documents=1)
    next(run)
    corpus.session(run.session.id).delete()
    for refused in (
        lambda: list(run),
        lambda: run.session.record,
        lambda: run.session.resume(),
        lambda: run.session.ask("Who?"),
        lambda: run.session.export(),
        lambda: run.session.delete(),
        lambda: corpus.session(run.session.id),
        lambda: corpus.session(""),
    ):
        with pytest.raises(errors.UnknownSession):
            refused()
