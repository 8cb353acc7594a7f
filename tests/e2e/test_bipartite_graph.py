"""The bipartite graph from documents to facts: settings, and changing corpora."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import neo4j
import pytest

from command_line import run_here
from tetragraph import Document, Tetragraph, errors

pytest.importorskip("spacy")

Fingerprint = Callable[[Tetragraph, str], dict[str, list[Any]]]


def rows(driver: neo4j.Driver, corpus: str, query: str) -> list[dict[str, Any]]:
    return [row.data() for row in driver.execute_query(query, corpus=corpus).records]


@pytest.fixture
def triples(world: list[Document], tmp_path: Path) -> Path:
    """A file of recorded triples, one for each document but the last."""
    file = tmp_path / "triples.jsonl"
    found = [{"passage_id": one.id, "triples": [[one.title, "is told of by", one.text.split()[-1]]]} for one in world]
    file.write_text("".join(json.dumps(row) + "\n" for row in found[:-1]), encoding="utf-8")
    return file


def test_building_again_writes_nothing_new(
    client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Fingerprint
) -> None:
    corpus = client.corpus(corpus_name)
    first = corpus.ingest(world, build=("bipartite",))
    before = fingerprint(client, corpus_name)
    assert first.counts["relations"] == len(before["relations"]) > len(world)
    assert len(before["entities"]) > len(world)
    corpus.build("bipartite")
    assert fingerprint(client, corpus_name) == before
    assert corpus.ingest(world, build=("bipartite",)).written is False


def test_documents_that_come_and_go_end_in_the_graph_of_those_that_stay(
    client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Fingerprint
) -> None:
    parts, whole = client.corpus(corpus_name), client.corpus(f"{corpus_name}.b")
    whole.ingest(world[:-1], build=("bipartite", "types"))
    for some in (world[:5], world[5:9], world[9:]):
        parts.ingest(some, build=("bipartite", "types"))
    parts.delete(world[-1].id)
    try:
        assert fingerprint(client, parts.name) == fingerprint(client, whole.name)
    finally:
        whole.drop()


def test_every_entity_has_one_type_whichever_is_built_first(
    client: Tetragraph, corpus_name: str, world: list[Document], driver: neo4j.Driver
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world, build=("types",))
    corpus.build("bipartite")
    query = "MATCH (e:Entity {corpus: $corpus}) RETURN e.id AS id, e.type AS type ORDER BY id"
    found = rows(driver, corpus_name, query)
    assert None not in [row["type"] for row in found]
    corpus.build("types")
    assert rows(driver, corpus_name, query) == found


def test_a_dropped_corpus_leaves_nothing(
    client: Tetragraph, corpus_name: str, world: list[Document], driver: neo4j.Driver, fingerprint: Fingerprint
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world[:6], build=("bipartite",))
    corpus.drop()
    assert rows(driver, corpus_name, "MATCH (n {corpus: $corpus}) RETURN labels(n) AS labels") == []
    assert not any(any(found) for found in fingerprint(client, corpus_name).values())


def test_recorded_facts_are_built_from_the_command_line_and_kept_to(
    environment: Mapping[str, str],
    corpus_name: str,
    world_file: Path,
    triples: Path,
    client: Tetragraph,
    world: list[Document],
) -> None:
    def run(*arguments: str) -> dict[str, Any]:
        done = run_here(*arguments, "--corpus", corpus_name, "--json", environment=environment, folder=triples.parent)
        found: dict[str, Any] = json.loads(done.stdout)
        return found

    run("ingest", str(world_file), "--build", "none")
    report = run("build", "bipartite", "-o", f"extractor={triples.name}")
    assert report["counts"]["relations"] == len(world) - 1
    assert report["notes"] == [f"1 of {len(world)} chunks are not in {triples}: no facts are known of them"]
    corpus = client.corpus(corpus_name)
    triples.unlink()
    assert corpus.delete(world[0].id).counts["relations"] == len(world) - 2
    with pytest.raises(errors.InvalidInput, match="recorded facts must be a readable file"):
        corpus.ingest(world[:1])
    assert corpus.build("bipartite", extractor="dependency").counts["relations"] > len(world)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"deep": 3}, "the build of bipartite has no option 'deep'; its options are: extractor, threshold"),
        ({"threshold": 2}, "threshold must be above 0 and at most 1, got 2"),
        (
            {"extractor": "nowhere.jsonl"},
            "recorded facts must be a readable file of JSON lines, and .*nowhere.jsonl is",
        ),
        ({"if_drifted": True}, "what is built if it drifted must be the tree, got 'bipartite'"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_written(
    client: Tetragraph,
    corpus_name: str,
    world: list[Document],
    fingerprint: Fingerprint,
    options: dict[str, Any],
    words: str,
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world[:4], build=())
    before = fingerprint(client, corpus_name)
    with pytest.raises(errors.InvalidInput, match=words):
        corpus.build("bipartite", **options)
    assert fingerprint(client, corpus_name) == before
