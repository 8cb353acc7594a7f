"""Faults between the stores: planted, found and repaired, with the result of a new build."""

from __future__ import annotations

import asyncio
import json
import uuid
from collections.abc import Callable, Iterator
from typing import Any

import neo4j
import pytest
from typer.testing import CliRunner

import anchored_world
import whole_world
from planted_faults import DELETING, KEEPING, PROJECT, Patient, Plant, leave_sessions_and_notes, names, told
from tetragraph import AsyncTetragraph, Document, Settings, Tetragraph, errors
from tetragraph.cli import app
from tetragraph.doctor.run_checks import abandoned_collections
from tetragraph.doctor.run_repairs import repair_database
from tetragraph.indexing.lease import Lease
from tetragraph.stores.vector_sets import set_name
from tetragraph.stores.vectors import KINDS

GRAPHS = ("bipartite", "gain", "tree")
Fingerprint = Callable[[Tetragraph, str], dict[str, list[Any]]]


@pytest.fixture(scope="module")
def patient(anchored_settings: Settings, driver: neo4j.Driver, anchored: str) -> Iterator[Patient]:
    with Tetragraph.connect(anchored_settings) as client:
        yield Patient(client, driver, anchored)


@pytest.fixture(scope="module")
def afresh(patient: Patient, fingerprint: Fingerprint) -> dict[str, list[Any]]:
    """What a corpus of the same documents looks like that nobody harmed."""
    corpus = patient.client.corpus(f"afresh-{uuid.uuid4().hex[:12]}")
    corpus.ingest(anchored_world.documents(), build=GRAPHS)
    found = fingerprint(patient.client, corpus.name)
    corpus.drop()
    return found


def test_lost_and_changed_chunks_are_found_and_restored_by_the_next_ingest(
    patient: Patient, corpus_name: str, fingerprint: Fingerprint
) -> None:
    documents = anchored_world.documents()
    corpus = patient.client.corpus(corpus_name)
    corpus.ingest(documents)
    before = fingerprint(patient.client, corpus_name)
    mine = Patient(patient.client, patient.driver, corpus_name)
    mine.run(
        "MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.id LIMIT 2 DETACH DELETE c",
        "MATCH (c:Chunk {corpus: $corpus}) WITH c ORDER BY c.id DESC LIMIT 1 SET c.text = 'Another text.'",
    )
    assert {("missing chunks", ""), ("wrong hashes", "")} <= mine.look()
    report = patient.client.doctor(repair=True, delete=True, corpus=corpus_name)
    assert told(report.faults) == {("missing chunks", "")}
    assert len(corpus.ingest(documents).changed) == 3
    assert mine.look() == set()
    assert fingerprint(patient.client, corpus_name) == before
    corpus.drop()


def test_lost_names_and_participants_are_found_and_made_again(
    patient: Patient, corpus_name: str, world: list[Document], fingerprint: Fingerprint
) -> None:
    corpus = patient.client.corpus(corpus_name)
    documents = {document.id: document for document in (*world, *whole_world.documents())}
    corpus.ingest(documents.values(), build=["bipartite"])
    before = fingerprint(patient.client, corpus_name)
    mine = Patient(patient.client, patient.driver, corpus_name)
    mine.run(
        "MATCH (a:Alias {corpus: $corpus}) DETACH DELETE a",
        "MATCH (r:Relation {corpus: $corpus})<-[part:PARTICIPATES_IN]-(e) "
        "WHERE COUNT { (r)<-[:PARTICIPATES_IN]-() } > 2 AND COUNT { (e)--() } > 1 "
        "WITH part ORDER BY r.id, e.id LIMIT 1 DELETE part",
    )
    (finding,) = patient.client.doctor(corpus=corpus_name).faults
    assert "1 participants of facts fewer than were published" in finding.detail
    assert "merged names fewer than were published" in finding.detail
    assert patient.client.doctor(repair=True, delete=True, corpus=corpus_name).ok
    assert fingerprint(patient.client, corpus_name) == before
    corpus.drop()


def test_lost_links_between_chunks_are_found_and_made_again(
    patient: Patient, corpus_name: str, fingerprint: Fingerprint
) -> None:
    corpus = patient.client.corpus(corpus_name)
    sentences = [f"The harbour of the town of Halvik was visited by {number} ships." for number in range(30)]
    corpus.ingest([Document("harbour", "Harbour", " ".join(sentences))], chunk_tokens=64)
    before = fingerprint(patient.client, corpus_name)
    mine = Patient(patient.client, patient.driver, corpus_name)
    mine.run("MATCH (:Chunk {corpus: $corpus})-[next:NEXT]->() WITH next LIMIT 2 DELETE next")
    assert mine.look() == {("missing links", "")}
    assert patient.client.doctor(repair=True, corpus=corpus_name).ok
    assert fingerprint(patient.client, corpus_name) == before
    corpus.drop()


def test_lost_documents_are_found_and_restored_by_the_next_ingest(
    patient: Patient, corpus_name: str, fingerprint: Fingerprint
) -> None:
    documents = anchored_world.documents()
    corpus = patient.client.corpus(corpus_name)
    corpus.ingest(documents, build=["gain"])
    before = fingerprint(patient.client, corpus_name)
    mine = Patient(patient.client, patient.driver, corpus_name)
    mine.run(
        "MATCH (d:Document {corpus: $corpus})-[:HAS_CHUNK]->(c) WITH d, collect(c) AS chunks ORDER BY d.id LIMIT 1 "
        "FOREACH (chunk IN chunks | DETACH DELETE chunk) DETACH DELETE d"
    )
    assert ("missing documents", "") in mine.look()
    corpus.ingest(documents)
    assert mine.look() == set()
    assert fingerprint(patient.client, corpus_name) == before
    corpus.drop()


def test_a_loss_in_a_graph_is_noted_by_an_ingest_and_still_found_after_it(patient: Patient, corpus_name: str) -> None:
    first, *others = anchored_world.documents()
    corpus = patient.client.corpus(corpus_name)
    corpus.ingest(others, build=["gain"])
    mine = Patient(patient.client, patient.driver, corpus_name)
    mine.run("MATCH (:Chunk {corpus: $corpus})-[e:INFO_GAIN]->() WITH e LIMIT 1 DELETE e")
    (note,) = corpus.ingest([first]).notes
    assert note.startswith("the information-gain graph was changed by something else than tetragraph (1 gain edges")
    assert mine.look() == {("incomplete graph", "gain")}
    assert corpus.build("gain").notes == ()
    assert mine.look() == set()
    corpus.drop()


def test_a_damaged_cache_is_found_and_computed_again(patient: Patient) -> None:
    stores = patient.client.connection.stores(patient.corpus)
    patient.client.corpus(patient.corpus).search("Who?")
    folder = patient.client.connection.settings.cache / "arrays"
    file = next(folder.glob(f"*/{stores.record.key}/chunks/*/arrays"))
    file.write_bytes(file.read_bytes()[:-5])
    assert patient.look() == {("damaged cache", "")}
    assert patient.client.doctor(repair=True, corpus=patient.corpus).ok


def test_a_healthy_corpus_has_no_finding_and_is_not_written_to(
    patient: Patient, fingerprint: Fingerprint, afresh: dict[str, list[Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was written")

    for owner, methods in (
        (patient.client.connection.graph, ("write_all", "_run_in_steps", "run_schema")),
        (patient.client.connection.vectors, ("upsert", "delete", "drop", "ensure")),
    ):
        for name in methods:
            monkeypatch.setattr(owner, name, refuse)
    report = patient.client.doctor(repair=True, delete=True, corpus=patient.corpus)
    assert [finding.name for finding in report.findings] == [f"corpus {patient.corpus}"]
    assert report.findings[0].detail.startswith("12 chunks, each with its vector; generation ")
    assert report.ok
    assert fingerprint(patient.client, patient.corpus) == afresh


@pytest.mark.parametrize("plants", KEEPING, ids=names)
def test_what_lacks_is_found_and_made_without_a_yes(
    patient: Patient, fingerprint: Fingerprint, afresh: dict[str, list[Any]], plants: tuple[Plant, ...]
) -> None:
    expected = set().union(*(plant(patient) for plant in plants))
    assert patient.look() == expected
    report = patient.client.doctor(repair=True, corpus=patient.corpus)
    assert report.faults == ()
    assert expected <= told(report.repaired)
    assert fingerprint(patient.client, patient.corpus) == afresh


@pytest.mark.parametrize("plants", DELETING, ids=names)
def test_what_does_not_belong_is_found_and_goes_with_a_yes_alone(
    patient: Patient, fingerprint: Fingerprint, afresh: dict[str, list[Any]], plants: tuple[Plant, ...]
) -> None:
    expected = set().union(*(plant(patient) for plant in plants))
    ill = fingerprint(patient.client, patient.corpus)
    assert patient.look() == expected
    report = patient.client.doctor(repair=True, corpus=patient.corpus)
    assert told(report.faults) == expected
    assert {finding.state for finding in report.faults} == {"needs --yes"}
    assert fingerprint(patient.client, patient.corpus) == ill
    report = patient.client.doctor(repair=True, delete=True, corpus=patient.corpus)
    assert report.faults == ()
    assert expected <= told(report.repaired)
    assert fingerprint(patient.client, patient.corpus) == afresh


def test_a_corpus_that_is_being_changed_is_left_alone(patient: Patient) -> None:
    patient.lose("relations")
    with Lease(patient.client.connection.graph, patient.corpus) as lease:
        lease.hold()
        (finding,) = patient.client.doctor(corpus=patient.corpus).findings
        assert (finding.kind, finding.ok) == ("busy", True)
        with pytest.raises(errors.CorpusBusy):
            patient.client.doctor(repair=True, corpus=patient.corpus)
    assert patient.look() == {("missing vectors", "relations")}
    assert patient.client.doctor(repair=True, corpus=patient.corpus).ok


def test_what_belongs_to_no_corpus_is_found_and_goes(patient: Patient) -> None:
    connection = patient.client.connection
    connection.vectors.ensure("gone", "entities", 8)
    name = "0123456789abcdef-gain-000000000001-0123abcd"
    patient.run(PROJECT, name=name)
    kinds = {"abandoned collections", "stale projections"}
    found = {finding.kind: finding for finding in patient.client.doctor().faults if finding.kind in kinds}
    assert found.keys() == kinds
    assert "of corpora that it does not have: gone" in found["abandoned collections"].detail
    assert found["abandoned collections"].deletes
    repair_database(connection, None, kinds)
    assert not kinds & {finding.kind for finding in patient.client.doctor().faults}
    assert connection.vectors.collections() == [(patient.corpus, kind) for kind in sorted(KINDS)]


def test_a_corpus_that_is_made_during_the_checks_is_not_abandoned(
    patient: Patient, corpus_name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make_meanwhile(corpus: str, number: int) -> str:
        """The name of a set, after the corpora were read."""
        if not patient.client.connection.find_stores(corpus_name):
            patient.client.corpus(corpus_name).ingest(anchored_world.documents()[:1], build=())
        return set_name(corpus, number)

    monkeypatch.setattr("tetragraph.doctor.run_checks.set_name", make_meanwhile)
    assert abandoned_collections(patient.client.connection) == []
    assert corpus_name in {name for name, _ in patient.client.connection.vectors.collections()}
    patient.client.corpus(corpus_name).drop()


def test_the_doctor_refuses_what_says_two_things(patient: Patient) -> None:
    with pytest.raises(errors.InvalidInput, match="got it without repair"):
        patient.client.doctor(delete=True)
    with pytest.raises(errors.UnknownCorpus):
        asyncio.run(AsyncTetragraph(patient.client).doctor(corpus="nobody"))


def test_the_command_says_what_it_did_and_what_needs_a_yes(
    patient: Patient, anchored_settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    def run(*words: str) -> tuple[int, str]:
        done = CliRunner().invoke(app, ["doctor", "-c", patient.corpus, *words])
        return done.exit_code, done.output

    patient.client.connection.vectors.close()
    for name, value in (
        ("NEO4J_URI", anchored_settings.neo4j_uri),
        ("NEO4J_USERNAME", anchored_settings.neo4j_user),
        ("NEO4J_PASSWORD", anchored_settings.neo4j_password.get_secret_value()),
        ("TETRAGRAPH_HOME", anchored_settings.home),
        ("TETRAGRAPH_CACHE", anchored_settings.cache),
    ):
        monkeypatch.setenv(name, str(value))
    patient.lose("entities")
    leave_sessions_and_notes(patient)
    patient.client.connection.vectors.close()
    code, text = run()
    assert code == 4
    assert (text.count("FIX  "), text.count("YES? ")) == (1, 2)
    assert "`tetragraph doctor --repair` repairs 1 of these and deletes nothing" in text
    code, text = run("--repair", "--json")
    states = {row["kind"]: (row["state"], row["deletes"]) for row in json.loads(text)}
    assert states == {
        "expired sessions": ("needs --yes", True),
        "finished notes": ("needs --yes", True),
        "missing vectors": ("repaired", False),
    }
    assert code == 4
    code, text = run("--repair", "--yes")
    assert (code, text.count("DONE ")) == (0, 2)
    assert run("--yes")[0] == 1


class _Killed(BaseException):
    """Stands for the end of the process."""


@pytest.mark.parametrize("stage", ["ingest/upsert_generation", "ingest/upsert_published"])
def test_a_repair_that_was_killed_is_finished_by_the_next(
    patient: Patient, fingerprint: Fingerprint, afresh: dict[str, list[Any]], stage: str
) -> None:
    patient.lose("chunks", 5)
    patient.replace("relations", vector=True)
    graph = patient.client.connection.graph
    write = graph.write

    def cut(name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        if name == stage:
            raise _Killed
        return write(name, **parameters)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph, "write", cut)
        with pytest.raises(_Killed):
            patient.client.doctor(repair=True, corpus=patient.corpus)
    assert patient.look()
    assert patient.client.doctor(repair=True, corpus=patient.corpus).ok
    assert fingerprint(patient.client, patient.corpus) == afresh


def test_an_interrupted_ingest_and_a_document_that_somebody_deleted_are_followed_up(
    patient: Patient, fingerprint: Fingerprint, corpus_name: str
) -> None:
    client, documents = patient.client, anchored_world.documents()[:7]
    ill, twin = client.corpus(corpus_name), client.corpus(f"{corpus_name}.b")
    for corpus in (ill, twin):
        corpus.ingest(documents[:6], build=("gain", "tree"))
    twin.ingest(documents)
    graph = client.connection.graph
    write = graph.write

    def cut(name: str, /, **parameters: Any) -> list[dict[str, Any]]:
        if name == "ingest/upsert_vectors_written":
            raise _Killed
        return write(name, **parameters)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(graph, "write", cut)
        with pytest.raises(_Killed):
            ill.ingest(documents)
    (finding,) = client.doctor(corpus=ill.name).faults
    assert finding.kind == "interrupted change"
    assert finding.detail.startswith("a change was interrupted: 1 documents came or went, vectors of 1 are not written")
    assert client.doctor(repair=True, corpus=ill.name).ok
    assert fingerprint(client, ill.name) == fingerprint(client, twin.name)

    twin.delete(documents[2].id)
    delete = "MATCH (d:Document {corpus: $corpus, id: $id}) DETACH DELETE d"
    patient.driver.execute_query(delete, corpus=ill.name, id=documents[2].id)
    assert ("orphaned nodes", "chunks") in told(client.doctor(corpus=ill.name).faults)
    assert not client.doctor(repair=True, corpus=ill.name).ok
    assert client.doctor(repair=True, delete=True, corpus=ill.name).ok
    assert fingerprint(client, ill.name) == fingerprint(client, twin.name)

    patient.driver.execute_query("MATCH (d:Document {corpus: $corpus}) DETACH DELETE d", corpus=ill.name)
    (finding,) = client.doctor(repair=True, delete=True, corpus=ill.name).faults
    assert (finding.kind, finding.state, finding.repair) == ("half dropped", "not here", "")
    assert f"`tetragraph delete {ill.name}` finishes that" in finding.detail
