"""From documents to facts and entities, in Python and in the terminal, with merges undone and repeated."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import neo4j
import pytest

from tetragraph import AsyncTetragraph, Document, FactEvidence, Tetragraph, errors
from tetragraph.client.corpus import Corpus
from tetragraph.indexing.lease import Lease
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import content_id
from tetragraph.systems.bipartite_graph import name_separation

State = dict[str, Any]
UNION, SHORT = "Sund Union of Fishing Towns", "SUFT"
TEXTS = {
    "Halvik": f"Halvik is a town. The {UNION} ({SHORT}) was founded in Halvik by Orla Brandt.",
    "Old Port": f"Old Port is the seat of {SHORT}. Mina Holt lived in Old Port.",
    "Orla Brandt": "Orla Brandt married Mina Holt. Brandt built a harbour.",
}
TRIPLES = {
    "Halvik": [
        [UNION, "was founded in", "Halvik"],
        [UNION, "abbreviated", SHORT],
        ["Orla Brandt", "founded", UNION],
    ],
    "Old Port": [[SHORT, "has its seat in", "Old Port"], ["Mina Holt", "lived in", "Old Port"]],
    "Orla Brandt": [["Orla Brandt", "married", "Mina Holt"], ["Brandt", "built", "harbour"]],
}
SEAT = "SUFT has its seat in Old Port"
QUESTION = "Where has the union that Orla Brandt founded its seat?"


@pytest.fixture
def documents() -> list[Document]:
    return [Document(title, title, text, "", {"pages": len(text)}) for title, text in TEXTS.items()]


@pytest.fixture
def triples(tmp_path: Path) -> Path:
    file = tmp_path / "triples.jsonl"
    rows = [{"passage_id": title, "triples": found} for title, found in TRIPLES.items()]
    file.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return file


@pytest.fixture
def corpus(client: Tetragraph, corpus_name: str, documents: list[Document], triples: Path) -> Corpus:
    """The documents, with the bipartite graph of the recorded triples."""
    corpus = client.corpus(corpus_name)
    corpus.ingest(documents, build=())
    corpus.build("bipartite", extractor=str(triples))
    return corpus


@pytest.fixture
def state(client: Tetragraph, driver: neo4j.Driver, corpus_name: str) -> Callable[[], State]:
    """All that the bipartite graph is in both stores."""

    def take() -> State:
        with driver.session() as session:
            nodes = session.run(
                "MATCH (n {corpus: $corpus}) WHERE n:Relation OR n:Entity OR n:Alias OR n:Extraction "
                "RETURN labels(n) AS labels, properties(n) AS n ORDER BY labels, n.id",
                corpus=corpus_name,
            ).data()
            links = session.run(
                "MATCH (a {corpus: $corpus})-[r:PARTICIPATES_IN|STATED_IN|ALIAS_OF]->(b) "
                "RETURN a.id AS a, type(r) AS type, r {.*, generation: 0} AS r, b.id AS b "
                "ORDER BY a, type, b, r.document",
                corpus=corpus_name,
            ).data()
        stored = client.connection.vectors
        hashes = {kind: stored.hashes(corpus_name, kind) for kind in ("relations", "entities")}
        return {"nodes": nodes, "links": links, "hashes": hashes}

    return take


def relations_about(corpus: Corpus, entity: str) -> set[str]:
    return {fact.description for fact in corpus.entities.facts(entity)}


def test_facts_are_found_with_the_way_to_them_and_where_they_are_stated(corpus: Corpus) -> None:
    found = corpus.facts(QUESTION, k=3)
    assert isinstance(found, FactEvidence)
    assert [fact.rank for fact in found] == [1, 2, 3]
    assert [fact.score for fact in found] == sorted((fact.score for fact in found), reverse=True)
    assert SEAT in {fact.description for fact in corpus.facts(QUESTION, k=10)}
    chunks = {hit.chunk.id: hit.chunk for hit in corpus.search(QUESTION, method="bipartite")}
    for fact in found:
        assert fact.path[0].source == "question"
        assert fact.path[-1].target == fact.relation
        assert all(one.start < one.end <= len(chunks[one.chunk].text) for one in fact.statements)
    assert found.manifest["method"] == "bipartite"
    assert found.manifest["k"] == 3
    assert found.manifest["options"]["hub"] == 200
    assert found.manifest["graph"]["relations"] == 6
    assert found.trace["complexity"]["level"] in {"simple", "moderate", "complex"}
    assert found == corpus.facts(QUESTION, k=3)


def test_facts_that_only_other_documents_state_take_no_part(corpus: Corpus) -> None:
    found = corpus.facts(QUESTION, k=10, filters={"pages": len(TEXTS["Old Port"])})
    assert {fact.description for fact in found} == {SEAT, "Mina Holt lived in Old Port"}


def test_hits_carry_their_facts_and_the_trace_of_the_search(corpus: Corpus) -> None:
    evidence = corpus.search(QUESTION, method="bipartite")
    assert any(SEAT in {fact.description for fact in hit.facts} for hit in evidence)
    assert evidence.trace == corpus.facts(QUESTION).trace
    assert corpus.search(QUESTION, method="dense").trace == {}


@pytest.mark.parametrize(
    ("arguments", "error", "words"),
    [
        ({"question": " "}, errors.InvalidInput, "must have words"),
        ({"k": 0}, errors.InvalidInput, "k must be an integer from 1 to 1,000,000, got 0"),
        ({"hub": 0}, errors.InvalidInput, "hub must be"),
        ({"restart": 0.5}, errors.InvalidInput, "method 'bipartite' has no option 'restart'"),
        ({"filters": {"colour": "red"}}, errors.UnknownFilter, "pages"),
    ],
)
def test_bad_input_is_told_with_its_rule(
    corpus: Corpus, arguments: dict[str, Any], error: type[Exception], words: str
) -> None:
    with pytest.raises(error, match=words):
        corpus.facts(**{"question": QUESTION, **arguments})


def test_a_corpus_without_facts_says_what_makes_them(
    client: Tetragraph, corpus_name: str, documents: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(documents, build=())
    for ask in (lambda: corpus.facts(QUESTION), lambda: corpus.entities.split(UNION, SHORT)):
        with pytest.raises(errors.NotBuilt, match=f"tetragraph build bipartite -c {corpus_name}"):
            ask()


def test_an_entity_is_known_by_id_name_and_alias(corpus: Corpus) -> None:
    entity = content_id(normalise_name(UNION))
    by_name = corpus.entities.get(UNION.upper())
    assert by_name == corpus.entities.get(entity) == corpus.entities.get("suft")
    assert (by_name.id, by_name.name, by_name.facts) == (entity, UNION, 3)
    (alias,) = by_name.aliases
    assert (alias.alias, alias.reason, alias.document) == (SHORT, "acronym", "")
    with pytest.raises(errors.UnknownEntity, match=f"no entity of the id or the name 'Union of Towns'.*'{UNION}'"):
        corpus.entities.get("Union of Towns")
    with pytest.raises(errors.InvalidInput, match=r"by words, got '\.\.\.'"):
        corpus.entities.get("...")


def test_facts_join_entities_over_others(corpus: Corpus) -> None:
    ways = corpus.entities.between("Halvik", SHORT)
    assert [way.descriptions for way in ways if way.hops == 1] == [(f"{UNION} was founded in Halvik",)]
    (way,) = corpus.entities.between("Halvik", "Orla Brandt")
    assert way.names == (UNION,)
    assert corpus.entities.between("Halvik", "Orla Brandt", hops=1) == ()
    with pytest.raises(errors.InvalidInput, match="must be two entities"):
        corpus.entities.between(UNION, SHORT)


def test_a_split_makes_the_alias_an_entity_and_a_join_takes_that_back(
    corpus: Corpus, state: Callable[[], State]
) -> None:
    before = state()
    extracted = [node for node in before["nodes"] if node["labels"] == ["Extraction"]]
    generation = corpus.ingest([]).generation

    report = corpus.entities.split(UNION, SHORT)
    assert report.written
    assert report.generation > generation
    own = corpus.entities.get(SHORT)
    assert (own.id, own.name, own.aliases) == (content_id("suft"), SHORT, ())
    assert corpus.entities.get(UNION).kept_apart == (SHORT,)
    assert relations_about(corpus, SHORT) == {SEAT, f"{UNION} abbreviated {SHORT}"}
    assert SEAT not in relations_about(corpus, UNION)
    after = state()
    assert own.id in after["hashes"]["entities"]
    assert [node for node in after["nodes"] if node["labels"] == ["Extraction"]] == extracted
    assert SHORT in {one.name for fact in corpus.facts(QUESTION) for one in fact.participants}

    assert corpus.entities.join(UNION, SHORT).generation > report.generation
    assert state() == before
    assert corpus.entities.get(SHORT).name == UNION


def test_a_split_outlives_documents_updates_and_rebuilds(
    corpus: Corpus, documents: list[Document], state: Callable[[], State]
) -> None:
    corpus.entities.split(UNION, SHORT)
    after = state()
    corpus.build("bipartite")
    assert state() == after
    corpus.delete("Halvik", "Old Port")
    with pytest.raises(errors.UnknownEntity):
        corpus.entities.get(SHORT)
    corpus.ingest(documents)
    assert state() == after
    assert corpus.entities.get(UNION).kept_apart == (SHORT,)
    with pytest.raises(errors.InvalidInput, match=f"must have been merged into it, got '{SHORT}'"):
        corpus.entities.split(UNION, SHORT)


def test_names_that_are_kept_apart_stay_known_until_they_are_joined(
    corpus: Corpus, documents: list[Document], state: Callable[[], State]
) -> None:
    def names() -> set[str]:
        return {node["n"]["name"] for node in state()["nodes"] if "name" in node["n"]}

    corpus.entities.split(UNION, SHORT)
    corpus.delete("Halvik", "Old Port")
    assert {UNION, SHORT} <= names()
    assert corpus.entities.get(UNION).facts == 0
    corpus.entities.join(UNION, SHORT)
    assert not {UNION, SHORT} & names()
    corpus.ingest(documents, build=())
    assert corpus.entities.get(SHORT).name == UNION


def test_what_was_never_merged_or_split_is_told_with_what_was(corpus: Corpus, state: Callable[[], State]) -> None:
    before, generation = state(), corpus.ingest([]).generation
    with pytest.raises(errors.InvalidInput, match=f"got 'Halvik'; merged were: '{SHORT}'"):
        corpus.entities.split(UNION, "Halvik")
    with pytest.raises(errors.InvalidInput, match="got 'SUFT'; split were: none"):
        corpus.entities.join(UNION, SHORT)
    with pytest.raises(errors.UnknownEntity):
        corpus.entities.split("Nobody", SHORT)
    assert state() == before
    assert corpus.ingest([]).generation == generation


def test_a_split_waits_for_nobody_who_changes_the_corpus(
    client: Tetragraph, corpus: Corpus, state: Callable[[], State]
) -> None:
    before = state()
    with Lease(client.connection.graph, corpus.name) as lease:
        lease.hold()
        with pytest.raises(errors.CorpusBusy):
            corpus.entities.split(UNION, SHORT)
    assert state() == before
    assert corpus.entities.get(UNION).kept_apart == ()


def test_a_split_that_was_killed_is_finished_by_the_next_ingest(
    client: Tetragraph, corpus: Corpus, documents: list[Document], state: Callable[[], State]
) -> None:
    before = corpus.facts(QUESTION)
    name_separation.forbid_merge(client.connection.stores(corpus.name), corpus.entities.get(UNION), SHORT)
    meanwhile = corpus.facts(QUESTION)
    assert meanwhile.facts == before.facts
    assert "a change of the corpus was interrupted, and the next ingest completes it" in meanwhile.notes[0]
    assert corpus.ingest(documents, build=()).written
    assert corpus.entities.get(SHORT).name == SHORT
    assert corpus.facts(QUESTION).notes == ()
    finished = state()
    corpus.build("bipartite")
    assert state() == finished


def test_the_asynchronous_client_gives_the_same(client: Tetragraph, corpus: Corpus) -> None:
    other = AsyncTetragraph(client).corpus(corpus.name)

    async def told() -> list[object]:
        entities = other.entities
        return [
            await other.facts(QUESTION, k=2),
            await entities.get(UNION),
            await entities.facts(UNION, limit=2),
            await entities.between("Halvik", "Orla Brandt"),
            await entities.merged(),
            await entities.by_role("subject"),
            (await entities.split(UNION, SHORT)).written,
            (await entities.join(UNION, SHORT)).written,
        ]

    entities = corpus.entities
    expected = [
        corpus.facts(QUESTION, k=2),
        entities.get(UNION),
        entities.facts(UNION, limit=2),
        entities.between("Halvik", "Orla Brandt"),
        entities.merged(),
        entities.by_role("subject"),
        True,
        True,
    ]
    assert asyncio.run(told()) == expected
