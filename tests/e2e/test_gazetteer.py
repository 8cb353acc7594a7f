"""Known entities take part in linking, resolution and typing, are kept with the corpus, and can be replaced."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

import small_world
from command_line import Cli
from environments import own_home
from tetragraph import Corpus, Document, Settings, Tetragraph

Fingerprint = Callable[[Tetragraph, str], dict[str, list[Any]]]
CLOSED = Document("closure", "Closure", "The RA was closed by Inga Moe in 1950.", "world")
QUESTION = "Who closed the RA?"
FIRST = "name,type,aliases\nReyer Academy,SCHOOL,RA\nInga Moe,PERSON,\n"
SECOND = "name,type,aliases\nRoyal Archive,ARCHIVE,RA\n"
GRAPHS = ("bipartite", "gain", "tree", "types")


@pytest.fixture(scope="module")
def known_settings(neo4j_server: Settings, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return own_home(neo4j_server, tmp_path_factory.mktemp("known"))


@pytest.fixture(scope="module")
def client(known_settings: Settings) -> Iterator[Tetragraph]:
    with Tetragraph.connect(known_settings) as client:
        yield client


@pytest.fixture
def make(client: Tetragraph, tmp_path: Path) -> Iterator[Callable[[str], Corpus]]:
    """Makes corpora of the world with the gazetteer of a text; they are dropped afterwards."""
    made: list[Corpus] = []

    def make(text: str) -> Corpus:
        corpus = client.corpus(f"known-{uuid.uuid4().hex[:12]}")
        made.append(corpus)
        ingest(corpus, text, tmp_path)
        return corpus

    yield make
    for corpus in made:
        corpus.drop()


def ingest(corpus: Corpus, text: str, folder: Path) -> int:
    """Ingest the world with the gazetteer of a text, if any; returns the generation."""
    file = folder / "known.csv"
    file.write_text(text, encoding="utf-8")
    documents = [*small_world.documents(), CLOSED]
    return corpus.ingest(documents, build=GRAPHS, gazetteer=file if text else None).generation


def entities_of(driver: neo4j.Driver, corpus: Corpus) -> set[tuple[str, str | None]]:
    """Names and types of the entities that the text of the closure mentions."""
    rows = driver.execute_query(
        "MATCH (:Document {corpus: $corpus, id: 'closure'})-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS]->(e:Entity) "
        "RETURN e.name AS name, e.type AS type",
        corpus=corpus.name,
    ).records
    return {(row["name"], row["type"]) for row in rows}


def test_known_entities_are_linked_resolved_and_typed(
    client: Tetragraph, driver: neo4j.Driver, make: Callable[[str], Corpus]
) -> None:
    plain, corpus = make(""), make(FIRST)
    assert entities_of(driver, plain) == set()
    assert entities_of(driver, corpus) == {("Reyer Academy", "SCHOOL"), ("Inga Moe", "PERSON")}
    rows = driver.execute_query(
        "MATCH (a:Alias {corpus: $corpus})-[merge:ALIAS_OF]->(e:Entity) WHERE a.name = 'RA' "
        "RETURN e.name AS name, merge.reason AS reason",
        corpus=corpus.name,
    ).records
    assert [(row["name"], row["reason"]) for row in rows] == [("Reyer Academy", "gazetteer")]
    hashes = [one.search(QUESTION, k=1).manifest.get("gazetteer", "") for one in (plain, corpus)]
    assert [len(one) for one in hashes] == [0, 64]
    for method in ("evidence", "gain", "tree", "bipartite", "keyword"):
        found = corpus.search("Who founded the RA?", k=3, method=method)
        assert "reyer-academy" in {hit.chunk.document_id for hit in found} | {
            copy.document for hit in found for copy in hit.also_in
        }, method
    assert client.doctor(corpus=corpus.name).faults == ()


def test_another_gazetteer_replaces_it_as_in_a_new_corpus(
    client: Tetragraph, driver: neo4j.Driver, make: Callable[[str], Corpus], fingerprint: Fingerprint, tmp_path: Path
) -> None:
    corpus, new = make(FIRST), make(SECOND)
    before = ingest(corpus, "", tmp_path)
    assert ingest(corpus, FIRST, tmp_path) == before  # nothing is written
    assert ingest(corpus, SECOND, tmp_path) > before
    assert entities_of(driver, corpus) == entities_of(driver, new) == {("Royal Archive", "ARCHIVE")}
    assert fingerprint(client, corpus.name) == fingerprint(client, new.name)
    assert corpus.search(QUESTION).hits == new.search(QUESTION).hits
    assert client.doctor(corpus=corpus.name).faults == ()
    copied = f"{corpus.name}-b"
    corpus.copy(client.connection.settings, name=copied)
    try:
        assert client.corpus(copied).search(QUESTION).hits == corpus.search(QUESTION).hits
    finally:
        client.corpus(copied).drop()


def test_a_type_that_the_gazetteer_states_no_more_is_taken_away(
    client: Tetragraph, driver: neo4j.Driver, corpus_name: str, tmp_path: Path
) -> None:
    corpus, file = client.corpus(corpus_name), tmp_path / "known.csv"
    for text, expected in (("Inga Moe,PILOT\n", "PILOT"), ("Inga Moe,\n", None)):
        file.write_text(f"name,type\n{text}", encoding="utf-8")
        corpus.ingest([CLOSED], build=(), gazetteer=file)
        assert ("Inga Moe", expected) in entities_of(driver, corpus)


def test_a_faulty_file_is_refused_before_anything_is_written(cli: Cli, corpus_name: str, tmp_path: Path) -> None:
    (tmp_path / "text.txt").write_text("The RA was closed by Inga Moe.", encoding="utf-8")
    (tmp_path / "known.csv").write_text("name,alias\nReyer Academy,RA\n", encoding="utf-8")
    arguments = ("ingest", "text.txt", "-c", corpus_name, "--build", "none", "--gazetteer", "known.csv")
    refused = cli(*arguments)
    assert (refused.returncode, "columns name, type, aliases, got 'alias'" in refused.stderr) == (2, True)
    assert corpus_name not in cli("corpora").stdout
    (tmp_path / "known.csv").write_text("name,aliases\nReyer Academy,RA\n", encoding="utf-8")
    assert "1 entities" in cli(*arguments).stdout


def test_a_sync_gives_a_corpus_known_entities_and_keeps_them(
    cli: Cli, client: Tetragraph, driver: neo4j.Driver, corpus_name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "followed"
    folder.mkdir()
    (folder / "closure.md").write_text(f"# {CLOSED.title}\n\n{CLOSED.text}\n", encoding="utf-8")
    known = tmp_path / "known.csv"

    def names(*given: str | Path) -> set[str]:
        ended = cli("sync", folder, "-c", corpus_name, "--build", "none", *given)
        assert ended.returncode == 0, ended.stderr
        rows = driver.execute_query(
            "MATCH (:Document {corpus: $corpus})-[:HAS_CHUNK]->(:Chunk)-[:MENTIONS]->(e:Entity) RETURN e.name AS name",
            corpus=corpus_name,
        ).records
        return {row["name"] for row in rows}

    known.write_text(FIRST, encoding="utf-8")
    assert names("--gazetteer", known) == {"Reyer Academy", "Inga Moe"}
    assert names() == {"Reyer Academy", "Inga Moe"}
    known.write_text(SECOND, encoding="utf-8")
    assert names("--gazetteer", known) == {"Royal Archive"}
    known.write_text("name,alias\n", encoding="utf-8")
    assert cli("sync", folder, "-c", corpus_name, "--gazetteer", known).returncode == 2
