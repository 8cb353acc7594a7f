"""A small corpus of documents that name one another, and the fingerprint of a corpus in both stores."""

from __future__ import annotations

from typing import Any

import neo4j

from tetragraph import Document, Tetragraph
from tetragraph.stores.vectors import Kind

WORLD = {
    "Elva Kron": "Elva Kron was a Nordish painter. She was born in Halvik and studied under Tomas Reyer in Old Port.",
    "Halvik": "Halvik is a fishing town in the north of Sund County. Its harbour was built in 1874 by Orla Brandt.",
    "Tomas Reyer": "Tomas Reyer was a teacher and painter. He founded the Reyer Academy in Old Port in 1902.",
    "Reyer Academy": "The Reyer Academy is an art school. Its first director was Tomas Reyer, its second Mina Holt.",
    "Mina Holt": "Mina Holt was a sculptor married to the engineer Orla Brandt. She died in Sund County in 1941.",
    "Orla Brandt": "Orla Brandt was an engineer who built harbours. His daughter, Ida Brandt, became a surgeon.",
    "Sund County": "Sund County lies between two fjords. Its seat is Old Port and its largest town is Halvik.",
    "Old Port": "Old Port is the seat of Sund County. The poet Jens Arild was its mayor for eleven years.",
    "Ida Brandt": "Ida Brandt was a surgeon at the hospital of Old Port. She wrote a memoir called The Grey Harbour.",
    "Jens Arild": "Jens Arild was a poet and politician. His best known poem, Low Tide, is about Halvik.",
    "The Grey Harbour": "The Grey Harbour is a memoir by Ida Brandt about her childhood, published in 1958.",
    "Low Tide": "Low Tide is a poem of 1899 by Jens Arild, set to music by Mina Holt.",
}
GRAPHS = ("bipartite", "gain", "tree")
Fingerprint = dict[str, list[Any]]
KINDS: tuple[Kind, ...] = ("chunks", "communities", "relations", "entities")


def documents() -> list[Document]:
    """Twelve documents that name one another."""
    return [
        Document(title.lower().replace(" ", "-"), title, text, "world", {"year": 1900 + place, "kind": "page"})
        for place, (title, text) in enumerate(WORLD.items())
    ]


def fingerprint(driver: neo4j.Driver, client: Tetragraph, corpus: str) -> Fingerprint:
    """Contents of a corpus in both stores, except its name, its time and its generation."""
    found: Fingerprint = {}
    with driver.session() as session:
        nodes = session.run(
            "MATCH (n {corpus: $corpus}) WHERE NOT n:Corpus AND NOT n:IngestState "
            "RETURN labels(n) AS labels, properties(n) AS properties",
            corpus=corpus,
        )
        found["nodes"] = sorted(repr(_anonymous(row, corpus)) for row in nodes.data())
        links = session.run(
            "MATCH (a {corpus: $corpus})-[r]->(b {corpus: $corpus}) "
            "RETURN labels(a) AS start, nullif(a.id, $corpus) AS a, b.id AS b, "
            "type(r) AS type, properties(r) AS properties",
            corpus=corpus,
        )
        found["links"] = sorted(repr(_anonymous(row, corpus)) for row in links.data())
    vectors = client.connection.vectors
    found["hashes"] = [sorted(vectors.hashes(corpus, kind).items()) for kind in KINDS]
    found["vectors"], found["communities"], found["relations"], found["entities"] = (
        sorted(
            (name, [round(float(number), 4) for number in vector])
            for names, batch in vectors.scroll(corpus, kind)
            for name, vector in zip(names, batch, strict=True)
        )
        for kind in KINDS
    )
    found["sentences"] = sorted(
        (name, rows.round(4).tolist())
        for names, batch in vectors.scroll_sentences(corpus, "chunks")
        for name, rows in zip(names, batch, strict=True)
    )
    return found


def _anonymous(row: dict[str, Any], corpus: str) -> dict[str, Any]:
    """A row without the name of the corpus, which is also the id of its roots, and the generation of a merge."""
    row = dict(row)
    row["properties"] = {
        key: value for key, value in sorted(row["properties"].items()) if value != corpus and key != "generation"
    }
    return row
