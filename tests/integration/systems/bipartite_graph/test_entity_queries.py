"""Results of the analysts' queries on five facts, computed by hand.

A second corpus has the same ids and other words: nothing of it may be seen.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import numpy as np
import pytest

from tetragraph import queries
from tetragraph.arrays import Vectors
from tetragraph.errors import InvalidInput, UnknownEntity
from tetragraph.language.lexicon.names import normalise_name
from tetragraph.model import FactParticipant, FactStatement, content_id
from tetragraph.stores.array_cache import ArrayCache
from tetragraph.stores.corpus import CorpusRecord, CorpusStores
from tetragraph.stores.graph import Graph
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.stores.vectors import Point
from tetragraph.systems.bipartite_graph.construction import alias_id
from tetragraph.systems.bipartite_graph.entity_lookup import Alias, find_entity
from tetragraph.systems.bipartite_graph.entity_queries import (
    KnownFact,
    MergedName,
    RolePlayer,
    Way,
    read_facts,
    read_merged,
    read_role,
    read_ways,
)

GUIDE = Path(__file__).parents[4] / "docs" / "bipartite-graph.md"
TYPES = {"Kron": "PERSON", "Reyer": "PERSON", "Holt": "PERSON", "Port": "PLACE", "Academy": "ORG", "Halvik": None}
Statements = list[tuple[str, int, int]]
FACTS: dict[str, tuple[str, dict[str, str], Statements]] = {
    "f1": ("studied", {"Kron": "subject", "Reyer": "object", "Port": "place"}, [("c1", 0, 9), ("c2", 3, 7)]),
    "f2": ("founded", {"Reyer": "subject", "Academy": "object"}, [("c2", 8, 20)]),
    "f3": ("directed", {"Holt": "subject", "Academy": "object"}, [("c3", 0, 5)]),
    "f4": ("lived in", {"Holt": "subject", "Port": "place"}, [("c3", 6, 9)]),
    "f5": ("lived in", {"Reyer": "subject", "Port": "place"}, [("c1", 10, 19)]),
}
MERGES = [
    ("T. Reyer", "Reyer", "spelling", 0.95, ""),
    ("Tomas Reyer", "Reyer", "fuller name", 0.97, ""),
    ("T. R.", "Reyer", "short form", 0.9, "d1"),
    ("T. R.", "Holt", "short form", 0.9, "d2"),
    ("Mina", "Holt", "short form", 0.85, "d3"),
]
CREATE = """
FOREACH (name IN $chunks | CREATE (:Chunk {corpus: $corpus, id: name, title: name, text: 'Kron studied in Port'}))
FOREACH (row IN $entities | CREATE (entity:Entity {corpus: $corpus, id: row.id, confidence: 0.5})
                            SET entity.name = row.name, entity.type = row.type)
FOREACH (row IN $aliases | CREATE (:Alias {corpus: $corpus, id: row.id, name: row.name, type: ''}))
CREATE (:Entity {corpus: $corpus, id: $unstated, name: 'Tomas Reyer', df: 3})
WITH 1 AS done
UNWIND $facts AS row
CREATE (fact:Relation {corpus: $corpus, id: row.id, type: row.type, description: row.description, confidence: 0.5,
                       weight: size(row.statements)})
WITH fact, row
CALL (fact, row) {
  UNWIND row.parts AS part
  MATCH (entity:Entity {corpus: $corpus, id: part[0]})
  CREATE (entity)-[:PARTICIPATES_IN {role: part[1], confidence: 0.5}]->(fact)
}
CALL (fact, row) {
  UNWIND row.statements AS place
  MATCH (chunk:Chunk {corpus: $corpus, id: place[0]})
  CREATE (fact)-[:STATED_IN {start: place[1], end: place[2]}]->(chunk)
}
"""
MERGE = """
UNWIND $rows AS row
MATCH (alias:Alias {corpus: $corpus, id: row.alias}), (entity:Entity {corpus: $corpus, id: row.entity})
CREATE (alias)-[:ALIAS_OF {reason: row.reason, score: row.score, document: row.document, generation: 1}]->(entity)
"""


def node(name: str) -> str:
    return content_id(normalise_name(name))


def alias(name: str) -> str:
    return alias_id(normalise_name(name))


def write(driver: neo4j.Driver, corpus: str, suffix: str) -> None:
    """The whole world as a corpus, ``suffix`` behind all that is said."""
    facts = [
        {
            "id": name,
            "type": kind + suffix,
            "description": f"{' '.join(parts)} {kind}{suffix}",
            "parts": [[node(entity), role + suffix] for entity, role in parts.items()],
            "statements": [list(one) for one in statements],
        }
        for name, (kind, parts, statements) in FACTS.items()
    ]
    entities = [{"id": node(name), "name": name + suffix, "type": kind} for name, kind in TYPES.items()]
    merges = [
        {"alias": alias(name), "entity": node(entity), "reason": reason, "score": score, "document": document}
        for name, entity, reason, score, document in MERGES
    ]
    aliases = [{"id": alias(name), "name": name + suffix} for name in sorted({merge[0] for merge in MERGES})]
    with driver.session() as session:
        session.run(
            CREATE,
            corpus=corpus,
            chunks=["c1", "c2", "c3"],
            entities=entities,
            aliases=aliases,
            facts=facts,
            unstated=node("Tomas Reyer"),
        ).consume()
        session.run(MERGE, corpus=corpus, rows=merges).consume()


@pytest.fixture
def stores(graph: Graph, driver: neo4j.Driver, corpus_name: str, tmp_path: Path) -> Iterator[CorpusStores]:
    """The five facts, and a corpus beside with the same ids."""
    write(driver, corpus_name, "")
    write(driver, f"{corpus_name}.b", " elsewhere")
    vectors = EdgeVectors(tmp_path / "qdrant", 1.0)
    record = CorpusRecord(corpus_name, "now", "axes", len(TYPES), {}, 1, 1, graph.server().database)
    yield CorpusStores(record, graph, vectors, ArrayCache(tmp_path / "arrays"))
    vectors.close()


def axis(place: int) -> Vectors:
    vector: Vectors = np.eye(len(TYPES), dtype=np.float32)[place]
    return vector


def no_embedding(name: str) -> Vectors:
    raise AssertionError(f"{name} is known, and needs no vector")


def known(stores: CorpusStores, entity: str) -> str:
    return find_entity(stores, entity, no_embedding).name


def test_facts_about_an_entity_name_all_who_take_part_and_where_they_are_stated(stores: CorpusStores) -> None:
    facts = read_facts(stores, node("Reyer"), 10)
    assert [fact.relation for fact in facts] == ["f1", "f2", "f5"]
    parts = sorted(
        [
            FactParticipant(node("Kron"), "Kron", "PERSON", "subject"),
            FactParticipant(node("Reyer"), "Reyer", "PERSON", "object"),
            FactParticipant(node("Port"), "Port", "PLACE", "place"),
        ],
        key=lambda part: part.entity,
    )
    statements = (FactStatement("c1", 0, 9), FactStatement("c2", 3, 7))
    assert facts[0] == KnownFact("f1", "Kron Reyer Port studied", "studied", 0.5, 2, tuple(parts), statements)
    assert [fact.relation for fact in read_facts(stores, node("Reyer"), 2)] == ["f1", "f2"]


def test_ways_between_entities_are_the_shortest_and_go_round_nothing(stores: CorpusStores) -> None:
    kron, reyer, holt, port = (node(name) for name in ("Kron", "Reyer", "Holt", "Port"))
    direct = Way(1, ("f1",), ("Kron Reyer Port studied",), (), ())
    assert read_ways(stores, kron, reyer, 3, 10) == (direct,)  # over Port, f5 only leads back to who is in f1
    over_port = Way(2, ("f1", "f4"), ("Kron Reyer Port studied", "Holt Port lived in"), (port,), ("Port",))
    over_two = Way(
        3,
        ("f1", "f2", "f3"),
        ("Kron Reyer Port studied", "Reyer Academy founded", "Holt Academy directed"),
        (reyer, node("Academy")),
        ("Reyer", "Academy"),
    )
    assert read_ways(stores, kron, holt, 3, 10) == (over_port, over_two)
    assert read_ways(stores, kron, holt, 2, 10) == read_ways(stores, kron, holt, 3, 1) == (over_port,)
    assert read_ways(stores, kron, holt, 1, 10) == ()


def test_the_way_back_is_the_same_turned_round(stores: CorpusStores) -> None:
    there = read_ways(stores, node("Kron"), node("Holt"), 3, 10)
    back = read_ways(stores, node("Holt"), node("Kron"), 3, 10)
    assert [way.relations[::-1] for way in back] == [way.relations for way in there]


@pytest.mark.parametrize(("hub", "ways"), [(3, [["f1", "f4"], ["f1", "f2", "f3"]]), (2, []), (1, [])])
def test_no_way_leads_over_an_entity_of_too_many_facts(stores: CorpusStores, hub: int, ways: list[list[str]]) -> None:
    ends = {"first": node("Kron"), "second": node("Holt")}
    rows = stores.graph.read("facts/find_ways_between_entities", corpus=stores.name, **ends, hops=3, hub=hub, limit=10)
    assert [row["relations"] for row in rows] == ways


def test_merged_names_come_with_their_reason_the_least_sure_first(stores: CorpusStores) -> None:
    merged = read_merged(stores, 10)
    first = MergedName("Mina", node("Holt"), "Holt", "PERSON", "short form", 0.85, "d3")
    assert merged[0] == first
    assert [one.score for one in merged] == [0.85, 0.9, 0.9, 0.95, 0.97]
    assert read_merged(stores, 1) == (first,)


def test_the_most_nary_fact_is_that_with_most_participants(stores: CorpusStores) -> None:
    rows = stores.graph.read("analytics/find_most_nary_facts", corpus=stores.name, limit=2)
    assert [(row["relation"], row["arity"]) for row in rows] == [("f1", 3), ("f2", 2)]
    assert rows[0]["participants"] == [["object", "Reyer"], ["place", "Port"], ["subject", "Kron"]]
    assert (rows[0]["description"], rows[0]["type"], rows[0]["weight"]) == ("Kron Reyer Port studied", "studied", 2)


def test_entities_are_counted_by_their_role(stores: CorpusStores) -> None:
    assert read_role(stores, "subject", 2) == (
        RolePlayer(node("Holt"), "Holt", "PERSON", 2),
        RolePlayer(node("Reyer"), "Reyer", "PERSON", 2),
    )
    assert read_role(stores, "place", 10) == (RolePlayer(node("Port"), "Port", "PLACE", 3),)
    with pytest.raises(InvalidInput, match="one of subject, object, place, got 'hero'"):
        read_role(stores, "hero", 10)


def test_entities_are_found_by_what_they_are_called_and_by_what_was_merged(stores: CorpusStores) -> None:
    def called(name: str) -> list[tuple[Any, ...]]:
        rows = stores.graph.read("analytics/find_entities_called", corpus=stores.name, name=name)
        return [(row["name"], row["reason"], row["document"]) for row in rows]

    assert called("Reyer") == [("Reyer", "", "")]
    assert called("T. Reyer") == [("Reyer", "spelling", "")]
    assert sorted(called("T. R.")) == [("Holt", "short form", "d2"), ("Reyer", "short form", "d1")]
    assert called("Kron elsewhere") == []


def test_an_entity_is_meant_by_its_id_its_name_and_what_was_merged_into_it(stores: CorpusStores) -> None:
    assert known(stores, node("Port")) == known(stores, "PORT") == "Port"
    assert known(stores, "t reyer") == known(stores, "Tomas Reyer") == "Reyer"
    assert known(stores, node("Tomas Reyer")) == "Tomas Reyer"
    assert known(stores, "mina") == "Holt"
    with pytest.raises(UnknownEntity, match=rf"several entities.*Holt \({node('Holt')}\), Reyer"):
        known(stores, "T. R.")


def test_an_entity_tells_its_aliases(stores: CorpusStores) -> None:
    found = find_entity(stores, "Holt", no_embedding)
    assert (found.id, found.type, found.facts, found.kept_apart) == (node("Holt"), "PERSON", 2, ())
    assert found.aliases == (Alias("Mina", "short form", 0.85, "d3"), Alias("T. R.", "short form", 0.9, "d2"))
    assert find_entity(stores, "Halvik", no_embedding).type == ""


def test_an_unknown_entity_is_told_with_names_that_are_alike(stores: CorpusStores) -> None:
    stores.vectors.ensure(stores.name, "entities", len(TYPES))
    points = [Point(node(name), axis(place), "") for place, name in enumerate(TYPES)]
    stores.vectors.upsert(stores.name, "entities", points)
    with pytest.raises(UnknownEntity, match="id or the name 'Kronn'; names that are alike: 'Kron', "):
        find_entity(stores, "Kronn", lambda _: axis(0))


def test_the_questions_of_the_guide_can_be_asked_and_find_what_is_there(
    stores: CorpusStores, driver: neo4j.Driver
) -> None:
    paths, places, largest = re.findall(r"```cypher\n(.*?)```", GUIDE.read_text(encoding="utf-8"), re.DOTALL)
    named = {"'demo'": f"'{stores.name}'", "'Fist Power'": "'Kron'", "'Hong Kong'": "'Holt'"}
    for there, here in named.items():
        paths, places, largest = (text.replace(there, here) for text in (paths, places, largest))
    with driver.session() as session:
        (path,) = (row["shown"] for row in session.run(paths))
        assert [node.get("name", node["id"]) for node in path.nodes] == ["Kron", "f1", "Port", "f4", "Holt"]
        first = session.run(places).data()[0]
        assert session.run(largest).data()[0]["participants"] == 3
    assert (first["fact"], first["stated_in"], first["words"]) == ("Kron Reyer Port studied", 2, "Kron stud")


def test_the_guide_lists_every_query_of_the_folder() -> None:
    _, section = GUIDE.read_text(encoding="utf-8").split("\n## 8. Questions for Neo4j Browser\n")
    listed = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    files = set(queries.names())
    assert {name for name in files if name.startswith("facts/")} <= {f"facts/{name}" for name in listed}
    assert all({f"facts/{name}", f"analytics/{name}"} & files for name in listed)


@pytest.mark.parametrize("limit", [0, -1, True, 2.5])
def test_a_limit_is_a_positive_integer(stores: CorpusStores, limit: Any) -> None:
    with pytest.raises(InvalidInput, match="limit must be"):
        read_facts(stores, node("Reyer"), limit)


@pytest.mark.parametrize("hops", [0, 4, True, 1.5])
def test_hops_are_from_one_to_three(stores: CorpusStores, hops: Any) -> None:
    with pytest.raises(InvalidInput, match="hops must be an integer from 1 to 3"):
        read_ways(stores, node("Reyer"), node("Port"), hops, 10)
    with pytest.raises(InvalidInput, match="two entities"):
        read_ways(stores, node("Reyer"), node("Reyer"), 1, 10)
