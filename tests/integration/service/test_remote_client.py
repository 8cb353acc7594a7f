"""The client of a service returns what the local client returns, and raises the same errors."""

from __future__ import annotations

import asyncio
import inspect
import uuid
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

import small_world
from running_service import remote_client, running_service
from tetragraph import AsyncTetragraph, Corpus, Document, Evidence, Gold, GoldQuestion, Session, Tetragraph
from tetragraph.answering.sessions import Sessions
from tetragraph.client.analytics import Analytics
from tetragraph.client.entities import Entities
from tetragraph.client.remote.corpus import RemoteCorpus
from tetragraph.client.remote.inspection import RemoteAnalytics, RemoteEntities
from tetragraph.client.remote.sessions import RemoteSession, RemoteSessions
from tetragraph.client.remote.tetragraph import RemoteTetragraph
from tetragraph.errors import (
    AccessDenied,
    InvalidInput,
    NotServed,
    ServiceUnavailable,
    UnknownCorpus,
    UnknownDocument,
    UnknownEntity,
    UnknownFilter,
    UnknownMethod,
    UnknownSession,
    UnknownTheme,
)
from tetragraph.model.display import to_plain

QUESTIONS = [GoldQuestion("1", "Low Tide", (Gold("low-tide"),))]
QUESTION = "Who founded the academy whose second director was Mina Holt?"
PAIRS: tuple[tuple[type[Any], type[Any]], ...] = (
    (Tetragraph, RemoteTetragraph),
    (Corpus, RemoteCorpus),
    (Session, RemoteSession),
    (Sessions, RemoteSessions),
    (Entities, RemoteEntities),
    (Analytics, RemoteAnalytics),
)
SHARED = {"connect", "verify_backup"}
"""Methods that both clients have in common."""


@pytest.fixture
def corpora(opened: Tetragraph, remote: Tetragraph, world: str) -> tuple[Corpus, Corpus]:
    """The same corpus of the local client, and of the client of the service."""
    return opened.corpus(world), remote.corpus(world)


@pytest.fixture
def changed(opened: Tetragraph, remote: Tetragraph) -> Iterator[Corpus]:
    """A corpus of the service that does not exist yet, and is dropped after the test."""
    name = f"changed-{uuid.uuid4().hex[:12]}"
    yield remote.corpus(name)
    if any(one.name == name for one in opened.corpora()):
        opened.corpus(name).drop()


@pytest.mark.parametrize(("local", "remote_class"), PAIRS)
def test_every_public_method_is_implemented_with_the_same_arguments(local: type[Any], remote_class: type[Any]) -> None:
    for name in {name for name in dir(local) if not name.startswith("_")} - SHARED:
        own, theirs = getattr(remote_class, name), getattr(local, name)
        assert own is not theirs, name
        if inspect.isroutine(theirs):
            assert inspect.signature(own) == inspect.signature(theirs), name


READS: dict[str, Callable[[Corpus], Any]] = {
    "search": lambda corpus: corpus.search(QUESTION, k=3),
    "search by another method": lambda corpus: corpus.search(QUESTION, method="gain", restart=0.3),
    "search with filters": lambda corpus: corpus.search(QUESTION, filters={"year": {"gte": 1903, "lt": 1906}}),
    "facts": lambda corpus: corpus.facts(QUESTION, k=3),
    "ask": lambda corpus: corpus.ask(QUESTION),
    "documents": lambda corpus: corpus.documents(after="halvik", limit=2),
    "document": lambda corpus: corpus.document("halvik"),
    "chunks": lambda corpus: corpus.chunks([hit.chunk.id for hit in corpus.search("Halvik", k=2)]),
    "counts": lambda corpus: corpus.counts(),
    "tree": lambda corpus: corpus.tree(with_chunks=True),
    "theme": lambda corpus: corpus.theme(corpus.tree().themes[0].id, limit=2),
    "affinity": lambda corpus: corpus.affinity(*(hit.chunk.id for hit in corpus.search("Halvik", k=2))),
    "entity": lambda corpus: corpus.entities.get("Mina Holt"),
    "facts of an entity": lambda corpus: corpus.entities.facts("Mina Holt", 2),
    "paths": lambda corpus: corpus.entities.between("Tomas Reyer", "Mina Holt", hops=3),
    "merged names": lambda corpus: corpus.entities.merged(),
    "roles": lambda corpus: corpus.entities.by_role("subject", 3),
    "statements": lambda corpus: corpus.analytics.list(),
    "statement": lambda corpus: corpus.analytics.run("find_most_named_entities", limit=3),
    "estimate": lambda corpus: corpus.estimate("gain"),
    "explanation": lambda corpus: corpus.explain(corpus.search(QUESTION), 1),
    "subgraph": lambda corpus: corpus.subgraph(corpus.search(QUESTION, k=2)),
}


@pytest.mark.parametrize("name", READS)
def test_results_are_those_of_the_local_client(corpora: tuple[Corpus, Corpus], name: str) -> None:
    local, far = (READS[name](corpus) for corpus in corpora)
    assert type(far) is type(local)
    assert to_plain(_without_times(far)) == to_plain(_without_times(local))


def test_options_and_decisions_are_those_of_the_local_client(corpora: tuple[Corpus, Corpus]) -> None:
    for name in ("search by another method", "facts"):
        local, far = (READS[name](corpus) for corpus in corpora)
        assert (far.manifest["options"], far.trace) == (local.manifest["options"], local.trace)


def _without_times(result: Any) -> Any:
    plain = to_plain(result)
    if isinstance(plain, dict):
        plain.get("manifest", {}).pop("seconds", None)
    return plain


ERRORS: dict[str, tuple[type[Exception], Callable[[Corpus], Any]]] = {
    "empty question": (InvalidInput, lambda corpus: corpus.search("")),
    "blank question": (InvalidInput, lambda corpus: corpus.search(" ")),
    "k": (InvalidInput, lambda corpus: corpus.search("x", k=0)),
    "option": (InvalidInput, lambda corpus: corpus.search("x", nonsense=1)),
    "method": (UnknownMethod, lambda corpus: corpus.search("x", method="nonsense")),
    "method of a stream": (UnknownMethod, lambda corpus: corpus.ask_stream("x", method="nonsense")),
    "filter": (UnknownFilter, lambda corpus: corpus.search("x", filters={"nonsense": 1})),
    "theme": (UnknownTheme, lambda corpus: corpus.theme("zz")),
    "entity": (UnknownEntity, lambda corpus: corpus.entities.get("Zzyzx Qqq")),
    "session": (UnknownSession, lambda corpus: corpus.session("zz")),
    "document": (UnknownDocument, lambda corpus: corpus.delete("no such document")),
    "graph": (InvalidInput, lambda corpus: corpus.build("nonsense")),
    "statement": (InvalidInput, lambda corpus: corpus.analytics.run("nonsense")),
    "rank": (InvalidInput, lambda corpus: corpus.explain(corpus.search("Halvik", k=1), 2)),
    "fork": (InvalidInput, lambda corpus: corpus.anchor("Halvik").session.fork(1)),
    "graphs as a text": (InvalidInput, lambda corpus: corpus.ingest([], build="gain")),
    "methods as a text": (InvalidInput, lambda corpus: corpus.evaluate(QUESTIONS, "dense")),
    "role": (InvalidInput, lambda corpus: corpus.entities.by_role("")),
    "time to live": (InvalidInput, lambda corpus: corpus.anchor("Halvik", ttl=timedelta(0))),
}


@pytest.mark.parametrize("name", ERRORS)
def test_errors_are_those_of_the_local_client(corpora: tuple[Corpus, Corpus], name: str) -> None:
    expected, call = ERRORS[name]
    for corpus in corpora:
        with pytest.raises(expected):
            call(corpus)


def test_an_unknown_corpus_a_wrong_key_and_a_lost_service_have_their_errors(
    address: str, remote: Tetragraph, world: str
) -> None:
    with pytest.raises(UnknownCorpus) as told:
        remote.corpus("no-such-corpus").search("x")
    assert world not in str(told.value)
    with Tetragraph.connect(address, api_key="tg_0") as client, pytest.raises(AccessDenied):
        client.corpora()
    with Tetragraph.connect("http://127.0.0.1:9") as client, pytest.raises(ServiceUnavailable):
        client.corpus("x").ask_stream("y")
    for wrong in ("127.0.0.1:1", "ftp://x"):
        with pytest.raises(InvalidInput):
            Tetragraph.connect(wrong)
    with pytest.raises(InvalidInput, match="address"):
        Tetragraph.connect(api_key="x")


def test_what_a_service_does_not_offer_has_an_error_of_its_own(remote: Tetragraph, world: str) -> None:
    corpus = remote.corpus(world)
    for call in (
        lambda: corpus.cypher("RETURN 1"),
        lambda: corpus.find_gone("."),
        lambda: remote.doctor(),
        lambda: remote.check_upgrade(),
        lambda: asyncio.run(AsyncTetragraph(remote).check_upgrade()),
        lambda: remote.policies,
        lambda: remote.connection.graph,
        lambda: corpus.ingest([], prune=True),
    ):
        with pytest.raises(NotServed):
            call()


def test_documents_are_ingested_changed_and_deleted(changed: Corpus, tmp_path: Path) -> None:
    class Seen:
        def __init__(self) -> None:
            self.stages: list[str] = []

        def start(self, stage: str, total: int | None, unit: str) -> None:
            self.stages.append(stage)

        def advance(self, stage: str, amount: int = 1) -> None:
            assert amount > 0

        def finish(self, stage: str) -> None:
            assert stage in self.stages

    seen = Seen()
    report = changed.ingest(small_world.documents()[:3], progress=seen)
    assert sorted(report.added) == ["elva-kron", "halvik", "tomas-reyer"]
    assert "documents" in seen.stages
    again = changed.ingest([Document("halvik", "Halvik", "Halvik is a town of 900 people.")], build=())
    assert (again.changed, again.unchanged) == (("halvik",), 0)
    (tmp_path / "note.md").write_text("# Note\n\nOrla Brandt built the harbour.", encoding="utf-8")
    (tmp_path / "image.xyz").write_bytes(b"x")
    added = changed.ingest(tmp_path)
    assert added.added == (f"{tmp_path.name}/note.md",)
    assert [one.source for one in added.skipped] == [f"{tmp_path.name}/image.xyz"]
    assert changed.delete("halvik", "elva-kron").counts["documents"] == 2
    assert changed.build("gain").written
    file = tmp_path / "graph.jsonl"
    assert changed.export(file).nodes["Document"] == 2
    assert len(file.read_bytes().splitlines()) > 2
    changed.drop()
    with pytest.raises(UnknownCorpus):
        changed.counts()


def test_a_file_does_not_replace_the_document_of_another_file(changed: Corpus, tmp_path: Path) -> None:
    for folder, text in (("first", "Orla Brandt built the harbour."), ("second", "Jens Arild built the mill.")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "rows.csv").write_text(f"id,text\n1,{text}\n", encoding="utf-8")
    assert changed.ingest(tmp_path / "first", build=()).added == ("1",)
    refused = changed.ingest(tmp_path / "second", build=())
    assert (refused.changed, refused.skipped[0].source) == ((), "second/rows.csv:2")
    assert refused.skipped[0].reason.startswith(
        "the corpus has '1' from first/rows.csv:2, and second/rows.csv:2 would replace it: give this one another id"
    )
    (tmp_path / "first" / "rows.csv").write_text("id,text\n1,Orla Brandt sold the harbour.\n", encoding="utf-8")
    assert changed.ingest(tmp_path / "first", build=()).changed == ("1",)
    assert changed.ingest([Document("1", "One", "A text of the caller.")], build=()).changed == ("1",)


def test_a_deletion_of_no_documents_changes_nothing(changed: Corpus) -> None:
    with pytest.raises(UnknownCorpus):
        changed.delete()
    changed.ingest(small_world.documents()[:1], build=())
    report = changed.delete()
    assert (report.deleted, report.counts["documents"]) == ((), 1)


def test_a_document_that_no_store_can_hold_is_skipped(changed: Corpus) -> None:
    given = [Document("a", "A", "Orla Brandt.", metadata={"x": float("nan")}), Document("b", "B", "Jens Arild.")]
    report = changed.ingest(given, build=())
    assert report.added == ("b",)
    assert [(one.source, one.reason) for one in report.skipped] == [("a", "a number must be finite, got nan for 'x'")]


def test_documents_that_no_request_can_hold_are_skipped_and_the_others_divided_among_requests(
    opened: Tetragraph, changed: Corpus
) -> None:
    town = "Halvik is a fishing town with a harbour. "
    given = [Document(f"d{number}", f"Town {number}", f"{town * 100}{number}") for number in range(3)]
    given.insert(1, Document("large", "Large", town * 300))
    given.insert(2, Document("accents", "Accents", "\u3042" * 4000, metadata={"note": "\u3042" * 100}))
    with running_service(opened, body_bytes=10_000) as address, remote_client(opened, address) as client:
        report = client.corpus(changed.name).ingest(given, build=())
    assert sorted(report.added) == ["d0", "d1", "d2"]
    assert [one.source for one in report.skipped] == ["large", "accents"]
    assert "bytes in a request to this service, this one has 12," in report.skipped[0].reason
    assert report.skipped[0].reason.endswith("or raise TETRAGRAPH_SERVE_BODY_MB of the service")


def test_answers_and_steps_arrive_in_pieces(corpora: tuple[Corpus, Corpus]) -> None:
    local, far = corpora
    stream = far.ask_stream(QUESTION)
    assert "".join(stream) == stream.answer.text == local.ask(QUESTION).text
    run = far.anchor(QUESTION, ttl=timedelta(days=1))
    steps = list(run)
    assert [step.number for step in steps] == list(range(1, len(steps) + 1))
    assert run.answer.question == QUESTION
    assert run.stopped == run.answer.evidence.trace["anchor"]["stopped"]
    session = local.session(run.session.id)
    assert session.record == far.session(run.session.id[:10]).record
    assert to_plain(run.session.steps) == to_plain(session.steps)
    assert run.session.graph.anchors == session.graph.anchors
    assert run.session.export("json") == session.export("json")
    assert run.session._repr_html_() == session._repr_html_()
    follow_up = run.session.ask("Where is Halvik?")
    assert follow_up.answer.question == "Where is Halvik?"
    fork = session.fork(1, query="Who was Mina Holt?")
    assert fork.answer
    assert far.session(fork.session.id).resume().stopped
    assert run.session.id in [record.id for record in far.sessions.newest()]
    assert far.sessions.prune() == 0
    run.session.delete()
    with pytest.raises(UnknownSession):
        local.session(run.session.id)


def test_an_evaluation_is_that_of_the_local_client(corpora: tuple[Corpus, Corpus], tmp_path: Path) -> None:
    questions = [
        GoldQuestion("1", QUESTION, (Gold("tomas-reyer"),)),
        GoldQuestion("2", "Low Tide", (Gold("low-tide"),)),
    ]
    local, far = (
        corpus.evaluate(questions, {"a": ("dense", {}), "b": ("keyword", {})}, ks=(1, 3)) for corpus in corpora
    )
    assert far.scores == local.scores
    assert far.questions == local.questions
    (tmp_path / "mine.txt").touch()
    for corpus in corpora:
        with pytest.raises(InvalidInput, match="which has files"):
            corpus.evaluate(questions, ["dense"], out=tmp_path)


def test_a_result_of_another_corpus_is_not_explained(remote: Tetragraph, corpora: tuple[Corpus, Corpus]) -> None:
    found: Evidence = corpora[0].search("Halvik", k=1)
    with pytest.raises(InvalidInput, match="must be of corpus 'another'"):
        remote.corpus("another").explain(found, 1)


def test_the_asyncio_client_works_with_a_service(remote: Tetragraph, world: str) -> None:
    async def use() -> tuple[int, str, list[int]]:
        corpus = AsyncTetragraph(remote).corpus(world)
        hits = await corpus.search(QUESTION, k=2)
        stream = corpus.ask_stream(QUESTION)
        text = "".join([piece async for piece in stream])
        run = await corpus.anchor(QUESTION)
        return len(hits), text, [step.number async for step in run]

    hits, text, steps = asyncio.run(use())
    assert hits == 2
    assert isinstance(text, str)
    assert steps[0] == 1
