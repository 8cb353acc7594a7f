"""Types of entities are determined once, on request."""

from __future__ import annotations

import neo4j
import pytest

from tetragraph import Document, Settings, Tetragraph

pytest.importorskip("spacy")

DOCUMENTS = [
    Document("a", "Marie Curie", "Marie Curie was born in Warsaw. She moved to Paris in 1891."),
    Document("b", "Warsaw", "Warsaw is the capital of Poland. Marie Curie was born there."),
]


def test_types_are_given_once_and_survive_the_next_ingest(
    server_settings: Settings, corpus_name: str, driver: neo4j.Driver
) -> None:
    with Tetragraph.connect(server_settings) as client:
        corpus = client.corpus(corpus_name)
        corpus.ingest(DOCUMENTS, build=())
        corpus.build("types")
        corpus.ingest([Document("c", "Poland", "Poland is a country in Europe. Its capital is Warsaw.")], build=())
    with driver.session() as session:
        rows = session.run(
            "MATCH (e:Entity {corpus: $corpus}) RETURN e.name AS name, e.type AS type", corpus=corpus_name
        ).data()
    types = {row["name"]: row["type"] for row in rows}
    assert types["Marie Curie"] == "PERSON"
    assert types["Warsaw"] == types["Poland"] == "PLACE"
    assert None not in types.values()
