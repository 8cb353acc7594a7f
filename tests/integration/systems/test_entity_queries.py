"""Pages of entities without a type, and corpora that no ingest has published."""

from __future__ import annotations

import neo4j

from tetragraph.stores.graph import Graph

CREATE = """
UNWIND range(0, 5) AS number
CREATE (entity:Entity {corpus: $corpus, id: 'e' + number, name: 'Halvik ' + number})
WITH entity, number WHERE number % 3 = 2
CREATE (:Chunk {corpus: $corpus, id: 'c' + number, text: 'Halvik is a town.'})-[:MENTIONS]->(entity)
"""


def test_a_page_of_untyped_entities_is_full_whatever_the_unmentioned_ones(
    graph: Graph, driver: neo4j.Driver, corpus_name: str
) -> None:
    with driver.session() as session:
        session.run(CREATE, corpus=corpus_name).consume()
    page = graph.read("entities/find_untyped_entities", corpus=corpus_name, after="", limit=2)
    assert [(row["id"], row["text"]) for row in page] == [("e2", "Halvik is a town."), ("e5", "Halvik is a town.")]


def test_a_corpus_without_the_state_of_an_ingest_is_not_published(
    graph: Graph, driver: neo4j.Driver, corpus_name: str
) -> None:
    with driver.session() as session:
        session.run(
            "CREATE (:Corpus {corpus: $corpus, id: $corpus, name: $corpus, generation: 0})", corpus=corpus_name
        ).consume()
        (row,) = [row for row in graph.read("corpus/find_corpora") if row["name"] == corpus_name]
        session.run("MATCH (corpus:Corpus {name: $corpus}) DELETE corpus", corpus=corpus_name).consume()
    assert (row["generation"], row["is_published"]) == (0, False)
