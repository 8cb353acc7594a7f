"""Rules for every registered retriever when it searches."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from typing import Any

import neo4j
import pytest

from running_service import asked_from
from tetragraph import Corpus, Document, Evidence, Settings, Tetragraph, errors
from tetragraph.model.subgraphs import LinkKey, NodeKey
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS, find_build_target, find_retriever

QUESTION = "Who founded the school where the second director was Mina Holt?"
QUESTIONS = (QUESTION, "Which poet was the mayor of Old Port?", "harbour")
K = 5
IN_CHILD = """
import json, sys
from tetragraph import Settings, Tetragraph
with Tetragraph.connect(Settings()) as client:
    corpus = client.corpus(sys.argv[1])
    for line in sys.stdin:
        method, question = json.loads(line)
        found = corpus.search(question, k=int(sys.argv[2]), method=method)
        print(json.dumps([[hit.chunk.id, hit.score.hex()] for hit in found]), flush=True)
"""
Scores = list[list[str]]
FROM_STORES = ("dense", "keyword", "fused")
"""Methods that ask the stores, which hold the documents as they are; ``fused`` asks the other two by default."""

pytestmark = pytest.mark.parametrize("method", RETRIEVERS)


def scores(evidence: Evidence) -> Scores:
    """Ids and scores to the last bit."""
    return [[hit.chunk.id, hit.score.hex()] for hit in evidence]


@pytest.fixture(scope="module", params=("local", "remote"))
def asked(request: pytest.FixtureRequest, opened: Tetragraph, searched: Corpus) -> Iterator[Corpus]:
    """The world, searched in this process and through a service: results must be the same objects."""
    with asked_from(request.param, opened, searched) as corpus:
        yield corpus


@pytest.fixture(scope="module")
def found_by_a_child(asked: Corpus, conformance_settings: Settings) -> Mapping[tuple[str, str], Scores]:
    """Ids and scores that another process finds, by method and question."""
    pairs = [(method, question) for method in RETRIEVERS for question in QUESTIONS]
    settings = conformance_settings
    environment = {
        **os.environ,
        "NEO4J_URI": str(settings.neo4j_uri),
        "NEO4J_USERNAME": settings.neo4j_user,
        "NEO4J_PASSWORD": settings.neo4j_password.get_secret_value(),
        "TETRAGRAPH_HOME": str(settings.home),
        "TETRAGRAPH_CACHE": str(settings.cache),
    }
    done = subprocess.run(
        [sys.executable, "-c", IN_CHILD, asked.name, str(K)],
        input="\n".join(map(json.dumps, pairs)),
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(zip(pairs, map(json.loads, done.stdout.splitlines()), strict=True))


def test_the_same_search_gives_the_same_evidence(asked: Corpus, method: str) -> None:
    for question in QUESTIONS:
        first, second = (asked.search(question, k=K, method=method) for _ in range(2))
        assert first == second
        assert scores(first) == scores(second)


def test_another_process_finds_the_same(
    asked: Corpus, found_by_a_child: Mapping[tuple[str, str], Scores], method: str
) -> None:
    for question in QUESTIONS:
        assert scores(asked.search(question, k=K, method=method)) == found_by_a_child[method, question]


def test_ranks_scores_and_parts_agree(asked: Corpus, method: str) -> None:
    for question in QUESTIONS:
        found = asked.search(question, k=K, method=method)
        assert [hit.rank for hit in found] == list(range(1, len(found) + 1))
        assert [hit.score for hit in found] == sorted((hit.score for hit in found), reverse=True)
        for hit in found:
            assert sum(hit.parts.values()) == pytest.approx(hit.score, abs=1e-9)


def test_a_question_in_a_polite_frame_is_searched_for_like_the_one_inside(searched: Corpus, method: str) -> None:
    framed, plain = (searched.search(f"{frame}who governs Old Port?", method=method) for frame in ("Do you know ", ""))
    assert scores(framed) == scores(plain)
    assert len(framed)


def test_a_title_in_emphasis_is_searched_for_like_a_quoted_one(searched: Corpus, method: str) -> None:
    emphasised, quoted = (searched.search(f"Who governs {mark}Old Port{mark}?", method=method) for mark in '_"')
    assert scores(emphasised) == scores(quoted)
    assert len(emphasised)


def test_of_copies_with_equal_scores_the_first_by_id_is_the_hit(make_corpus: Callable[[], Corpus], method: str) -> None:
    corpus = make_corpus()
    text = "The lighthouse of Norrby was built by Asta Lund."
    corpus.ingest([Document(f"d{number}", "Norrby", text) for number in range(4)], build=needed(method))
    (hit,) = corpus.search("Who built the lighthouse of Norrby?", k=4, method=method)
    copies = [copy.chunk for copy in hit.also_in]
    assert len(copies) == 3
    assert [hit.chunk.id, *copies] == sorted([hit.chunk.id, *copies])


def test_every_part_has_a_meaning(asked: Corpus, method: str) -> None:
    retriever = find_retriever(method)
    for question in QUESTIONS:
        for hit in asked.search(question, k=12, method=method):
            assert all(retriever.part_meaning(part).strip() for part in hit.parts)


def test_more_hits_than_there_are_chunks_gives_each_chunk_once(
    asked: Corpus, world: list[Document], method: str
) -> None:
    ids = [hit.chunk.id for hit in asked.search(QUESTION, k=1000, method=method)]
    assert len(ids) == len({*ids})
    assert len(ids) == len(world) or method == "keyword"  # chunks that share no word with the question are no hits


def test_a_filter_keeps_other_documents_out_of_the_search(asked: Corpus, method: str) -> None:
    *_, last = asked.search(QUESTION, k=12, method=method)
    year = last.chunk.metadata["year"]
    found = asked.search(QUESTION, k=1, method=method, filters={"year": year})
    assert [hit.chunk.id for hit in found] == [last.chunk.id]


def test_an_unknown_filter_is_refused_with_the_known_keys(asked: Corpus, method: str) -> None:
    with pytest.raises(errors.UnknownFilter, match=r"got 'colour'; those of '.+' are: kind, year"):
        asked.search(QUESTION, method=method, filters={"colour": "red"})


def test_an_empty_corpus_gives_no_hit(make_corpus: Callable[[], Corpus], world: list[Document], method: str) -> None:
    corpus = make_corpus()
    corpus.ingest(world[:2], build=needed(method))
    corpus.delete(*(one.id for one in world[:2]))
    assert len(corpus.search(QUESTION, method=method)) == 0


@pytest.mark.parametrize("question", ["Xyzzy qwrtzp?", "?!", "12345", "ß" * 500])
def test_a_question_without_a_known_word_is_no_error(asked: Corpus, method: str, question: str) -> None:
    assert len(asked.search(question, k=K, method=method)) <= K


def test_a_missing_graph_is_named_with_the_command_that_builds_it(
    make_corpus: Callable[[], Corpus], world: list[Document], method: str
) -> None:
    corpus, required = make_corpus(), find_retriever(method).requires
    corpus.ingest(world[:3], build=())
    if not required:
        assert len(corpus.search("Halvik", method=method)) > 0
        return
    title = find_build_target(required).title
    with pytest.raises(errors.NotBuilt, match=f"has no complete {title}: `tetragraph build {required} -c"):
        corpus.search("Halvik", method=method)


def test_another_corpus_with_the_same_documents_changes_no_hit(
    opened: Tetragraph, asked: Corpus, twin: Callable[[], Corpus], method: str
) -> None:
    before = asked.search(QUESTION, k=12, method=method)
    other = twin()
    after = asked.search(QUESTION, k=12, method=method)
    assert [hit.chunk for hit in after] == [hit.chunk for hit in before]
    if not uses_keyword(method):  # the statistics of the full-text index span the database
        assert scores(after) == scores(before)
    assert {hit.chunk.metadata["kind"] for hit in other.search(QUESTION, k=12, method=method)} == {"twin"}


def test_eight_threads_find_what_one_finds(asked: Corpus, method: str) -> None:
    alone = [scores(asked.search(question, k=K, method=method)) for question in QUESTIONS]
    with ThreadPoolExecutor(8) as pool:
        started = [pool.submit(asked.search, question, k=K, method=method) for question in QUESTIONS * 8]
        together = [scores(one.result()) for one in started]
    assert together == alone * 8


def test_every_hit_is_explained_by_what_is_in_the_graph(asked: Corpus, driver: neo4j.Driver, method: str) -> None:
    found = asked.search(QUESTION, k=K, method=method)
    for hit in found:
        explanation = asked.explain(found, hit)
        assert sum(part.value for part in explanation.parts) == pytest.approx(hit.score, abs=1e-9)
        assert explanation.notes == ()
        nodes, links = drawn(driver, explanation.cypher)
        assert nodes == {*explanation.subgraph.nodes}
        assert links == {*explanation.subgraph.links}


def test_while_a_change_is_unpublished_the_last_generation_answers(
    opened: Tetragraph, make_corpus: Callable[[], Corpus], world: list[Document], method: str
) -> None:
    corpus = make_corpus()
    corpus.ingest(world, build=needed(method))
    before = corpus.search(QUESTION, k=K, method=method)
    opened.connection.graph.write("ingest/upsert_generation", corpus=corpus.name, metadata_keys=["kind", "year"])
    after = corpus.search(QUESTION, k=K, method=method)
    assert scores(after) == scores(before)
    if method not in FROM_STORES:
        assert any("completes it: answered from generation" in note for note in after.notes)


def test_the_manifest_repeats_the_search(asked: Corpus, method: str) -> None:
    first = asked.search(QUESTION, k=3, method=method, filters={"year": {"gte": 1902}})
    manifest: Mapping[str, Any] = json.loads(json.dumps(first.manifest))
    options: dict[str, Any] = {
        name: tuple(value) if isinstance(value, list) else value for name, value in manifest["options"].items()
    }
    again = asked.search(QUESTION, k=manifest["k"], method=manifest["method"], filters=manifest["filters"], **options)
    assert again == first
    every = asdict(find_retriever(method).search_options()).keys()
    assert manifest["options"].keys() == every - {"as_of", "superseded"}  # those of versions where they were given


def needed(method: str) -> tuple[str, ...]:
    """What a corpus must have for a method."""
    required = find_retriever(method).requires
    return (required,) if required else ()


def uses_keyword(method: str) -> bool:
    """Whether scores depend on Neo4j's full-text index."""
    return method == "keyword"


@pytest.fixture(scope="module")
def twin(opened: Tetragraph, world: list[Document]) -> Any:
    """Makes, once, a corpus of the same texts."""
    made: list[Corpus] = []

    def make() -> Corpus:
        if not made:
            corpus = opened.corpus("conformance-twin")
            documents = [
                Document(one.id, one.title, one.text, one.source, {**one.metadata, "kind": "twin"}) for one in world
            ]
            corpus.ingest(documents, build=tuple(BUILD_TARGETS))
            made.append(corpus)
        return made[0]

    yield make
    for corpus in made:
        corpus.drop()


def drawn(driver: neo4j.Driver, statement: str) -> tuple[set[NodeKey], set[LinkKey]]:
    """The nodes and relationships that a statement shows in Browser."""

    def key(node: Any) -> NodeKey:
        (label,) = node.labels
        return NodeKey(label, node["id"])

    nodes: set[NodeKey] = set()
    links: set[LinkKey] = set()
    for row in driver.execute_query(statement).records:
        nodes |= {key(node) for node in row["shown"].nodes}
        links |= {LinkKey(one.type, key(one.start_node), key(one.end_node)) for one in row["shown"].relationships}
    return nodes, links


def test_at_most_so_many_hits_of_a_document_in_the_order_of_the_method(asked: Corpus, method: str) -> None:
    everything = asked.search(QUESTION, k=50, method=method)
    for most in (1, 2):
        found = asked.search(QUESTION, k=3, method=method, per_document=most)
        seen: dict[str, int] = {}
        expected = []
        for hit in everything:
            seen[hit.chunk.document_id] = seen.get(hit.chunk.document_id, 0) + 1
            if seen[hit.chunk.document_id] <= most:
                expected.append(hit.chunk.id)
        assert [hit.chunk.id for hit in found] == expected[:3]
        assert [hit.rank for hit in found] == list(range(1, len(found) + 1))


def test_a_negative_limit_of_hits_is_refused(asked: Corpus, method: str) -> None:
    with pytest.raises(errors.InvalidInput, match="per_document must be an integer of at least 0, got -1"):
        asked.search(QUESTION, method=method, per_document=-1)
