"""The encoding tree from documents to evidence: settings, drift, and changing corpora."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import neo4j
import pytest

from tetragraph import Document, Tetragraph, errors

Fingerprint = Callable[[Tetragraph, str], dict[str, list[Any]]]
QUESTION = "Who founded the school where the second director was Mina Holt?"


def rows(driver: neo4j.Driver, corpus: str, query: str) -> list[dict[str, Any]]:
    return [row.data() for row in driver.execute_query(query, corpus=corpus).records]


def root(driver: neo4j.Driver, corpus: str) -> dict[str, Any]:
    (row,) = rows(driver, corpus, "MATCH (tree:EncodingTree {corpus: $corpus}) RETURN properties(tree) AS tree")
    found: dict[str, Any] = row["tree"]
    return found


def test_building_again_writes_nothing_new(
    client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Fingerprint
) -> None:
    corpus = client.corpus(corpus_name)
    first = corpus.ingest(world, build=("tree",))
    before = fingerprint(client, corpus_name)
    assert first.counts["affinities"] > len(world)
    assert first.counts["communities"] == len(before["communities"]) > 1
    corpus.build("tree")
    assert fingerprint(client, corpus_name) == before
    assert corpus.ingest(world, build=("tree",)).written is False


def test_documents_that_come_later_have_the_same_affinities_and_each_a_theme(
    client: Tetragraph, corpus_name: str, world: list[Document], fingerprint: Fingerprint, driver: neo4j.Driver
) -> None:
    parts, whole = client.corpus(corpus_name), client.corpus(f"{corpus_name}.b")
    whole.ingest(world[:-1], build=("tree",))
    for some in (world[:5], world[5:9], world[9:]):
        parts.ingest(some, build=("tree",))
    parts.delete(world[-1].id)
    try:
        a, b = fingerprint(client, parts.name), fingerprint(client, whole.name)
        assert [row for row in a["links"] if "AFFINITY" in row] == [row for row in b["links"] if "AFFINITY" in row]
        homes = rows(
            driver,
            parts.name,
            "MATCH (chunk:Chunk {corpus: $corpus}) RETURN COUNT { (chunk)<-[:CONTAINS]-(:Community) } AS homes",
        )
        assert homes == [{"homes": 1}] * (len(world) - 1)
        ours, fresh = root(driver, parts.name), root(driver, whole.name)
        assert ours["structural_entropy"] <= 1.03 * fresh["structural_entropy"]
    finally:
        whole.drop()


def test_a_corpus_of_nothing_or_one_document_can_be_searched(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest([], build=("tree",))
    assert list(corpus.search(QUESTION, method="tree")) == []
    corpus.ingest(world[:1])
    assert [hit.chunk.document_id for hit in corpus.search(QUESTION, method="tree")] == [world[0].id]
    corpus.delete(world[0].id)
    assert list(corpus.search(QUESTION, method="tree")) == []


@pytest.mark.parametrize("text", ["what is it", "???", "Zzyzx Qwfp", "谁写了这本小说?", "Elva Kronn"])
def test_any_question_gets_an_answer_that_cost_no_token(
    client: Tetragraph, corpus_name: str, world: list[Document], text: str
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world[:6], build=("tree",))
    for mode in ("tetragraph", "paper"):
        evidence = corpus.search(text, method="tree", mode=mode)
        assert len(evidence) == 6
        assert evidence.manifest["graph"]["tokens"] == 0


def test_a_tree_keeps_the_settings_it_was_built_with(
    client: Tetragraph, corpus_name: str, world: list[Document], driver: neo4j.Driver
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world[:8], build=())
    corpus.build("tree", height=3, neighbours=2)
    corpus.ingest(world)
    tree = root(driver, corpus_name)
    assert tree["height"] == 3
    assert json.loads(tree["settings"])["neighbours"] == 2
    corpus.build("tree")
    assert root(driver, corpus_name)["settings"] == tree["settings"]
    assert len(corpus.search(QUESTION, method="tree", k=20)) == len(world)


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"what": "tree", "deep": 3}, "no option 'deep'; its options are: neighbours, semantic"),
        ({"what": "tree", "height": 1}, "height must be an integer of at least 2, got 1"),
        ({"what": "tree", "sigma": "five"}, "sigma must be a number above 0, got 'five'"),
        ({"what": "gain", "height": 3}, "the build of gain has no option 'height'"),
        ({"what": "types", "height": 3}, "must be one of bipartite, gain, tree, got 'types'"),
        ({"what": "gain", "if_drifted": True}, "must be the tree, got 'gain'"),
        (
            {"what": "tree", "if_drifted": True, "height": 3},
            "other options is rebuilt anyway, got if_drifted and height",
        ),
        ({"what": "forest"}, "what to build must be one of bipartite, gain, tree, types, got 'forest'"),
    ],
)
def test_settings_that_cannot_be_are_refused_before_anything_is_written(
    client: Tetragraph,
    corpus_name: str,
    world: list[Document],
    fingerprint: Fingerprint,
    arguments: dict[str, Any],
    words: str,
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world[:4], build=())
    before = fingerprint(client, corpus_name)
    with pytest.raises(errors.InvalidInput, match=words):
        corpus.build(**arguments)
    assert fingerprint(client, corpus_name) == before
    with pytest.raises(errors.NotBuilt):
        corpus.search(QUESTION, method="tree")


def test_a_tree_that_has_drifted_is_told_and_made_anew_when_asked(
    client: Tetragraph, corpus_name: str, world: list[Document], driver: neo4j.Driver
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world, build=("tree",))
    made = root(driver, corpus_name)
    still = corpus.build("tree", if_drifted=True)
    assert (still.written, still.notes) == (False, ())
    worse = "MATCH (tree:EncodingTree {corpus: $corpus}) SET tree.built_ratio = 0.9 * tree.built_ratio"
    rows(driver, corpus_name, worse)
    (note,) = corpus.ingest(world, build=("tree",)).notes
    assert "in the encoding tree by 11.1%" in note
    assert f"`tetragraph build tree -c {corpus_name} --if-drifted`" in note
    again = corpus.build("tree", if_drifted=True)
    assert (again.written, again.notes) == (True, ())
    assert root(driver, corpus_name) == made


def test_a_dropped_corpus_leaves_nothing_of_its_tree(
    client: Tetragraph, corpus_name: str, world: list[Document], driver: neo4j.Driver
) -> None:
    corpus, other = client.corpus(corpus_name), client.corpus(f"{corpus_name}.b")
    for one in (corpus, other):
        one.ingest(world[:6], build=("tree",))
    corpus.drop()
    vectors = client.connection.vectors
    try:
        left = "MATCH (node {corpus: $corpus}) RETURN labels(node) AS labels"
        assert rows(driver, corpus.name, left) == []
        assert vectors.count(corpus.name, "communities") == 0
        assert vectors.count(other.name, "communities") == other.counts()["communities"] > 0
        assert len(other.search(QUESTION, method="tree")) == 6
    finally:
        other.drop()
