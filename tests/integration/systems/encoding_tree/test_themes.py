"""Results of the analysts' queries on a tree of height 3 over six chunks, computed by hand.

Theme A holds A1 (c1, c2) and A2 (c3); theme B holds B1 (c4, c5, c6). The affinities are those of ``AFFINITIES``. A
second corpus has the same ids and names and stronger affinities: nothing of it may be seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest

from tetragraph.errors import InvalidInput, NotBuilt, UnknownChunk, UnknownTheme
from tetragraph.stores.array_cache import ArrayCache
from tetragraph.stores.corpus import CorpusRecord, CorpusStores
from tetragraph.stores.graph import Graph
from tetragraph.stores.qdrant_edge import EdgeVectors
from tetragraph.systems.encoding_tree.overview import Theme, ThemeChunk, read_overview
from tetragraph.systems.encoding_tree.themes import (
    Affinity,
    CentralChunk,
    Neighbour,
    TellingEntity,
    ThemeBridge,
    read_affinity,
    read_theme,
)

TITLES = {"c1": "Quay", "c2": "Pier", "c3": "Easel", "c4": "Harbour", "c5": "Ode", "c6": "Verse"}
AFFINITIES = {
    ("c1", "c2"): 0.5,
    ("c1", "c3"): 0.25,
    ("c2", "c3"): 0.25,
    ("c2", "c5"): 0.25,
    ("c3", "c4"): 0.125,
    ("c4", "c5"): 0.5,
    ("c5", "c6"): 0.75,
}
MENTIONS = {
    "Harbour": {"c1": 2, "c2": 1},
    "Painter": {"c3": 1},
    "Poet": {"c5": 3, "c6": 1},
    "Town": dict.fromkeys(TITLES, 1),
}
DESCRIBES = {"Harbour": ["c1", "c4"], "Painter": ["c1"]}
MEASURES = {
    "A": (1, 3, 2.375, 0.375),
    "B": (1, 3, 2.875, 0.375),
    "A1": (2, 2, 1.75, 0.75),
    "A2": (2, 1, 0.625, 0.625),
    "B1": (2, 3, 2.875, 0.375),
}
PLACES = {"A1": ["c1", "c2"], "A2": ["c3"], "B1": ["c4", "c5", "c6"]}
ROOT = {
    "height": 3,
    "structural_entropy": 1.5,
    "one_dimensional_entropy": 2.5,
    "built_ratio": 0.5,
    "changed": 0.0,
    "tokens": 0,
    "settings": '{"height": 3}',
}
CREATE = """
CREATE (tree:EncodingTree {corpus: $corpus, id: $corpus}) SET tree += $root
FOREACH (row IN $chunks |
  CREATE (:Document {corpus: $corpus, id: row.id, title: row.title})-[:HAS_CHUNK {position: 0}]->
         (:Chunk {corpus: $corpus, id: row.id, title: row.title, text: '', position: 0, start: 0, end: 0, tokens: 1}))
FOREACH (name IN $names | CREATE (:Entity {corpus: $corpus, id: toLower(name), name: name}))
FOREACH (row IN $themes | CREATE (theme:Community {corpus: $corpus, id: row.id}) SET theme += row.properties)
"""
LINK = {
    "AFFINITY": """
        UNWIND $rows AS row
        MATCH (a:Chunk {corpus: $corpus, id: row[0]}), (b:Chunk {corpus: $corpus, id: row[1]})
        CREATE (a)-[:AFFINITY {weight: row[2], semantic: row[2] * 2, logical: 0.0, distance: 0.0}]->(b)""",
    "MENTIONS": """
        UNWIND $rows AS row
        MATCH (a:Chunk {corpus: $corpus, id: row[0]}), (b:Entity {corpus: $corpus, name: row[1]})
        CREATE (a)-[:MENTIONS {count: row[2]}]->(b)""",
    "DESCRIBES": """
        UNWIND $rows AS row
        MATCH (a:Chunk {corpus: $corpus, id: row[0]}), (b:Entity {corpus: $corpus, name: row[1]})
        CREATE (a)-[:DESCRIBES]->(b)""",
    "CONTAINS": """
        UNWIND $rows AS row
        MATCH (a:Community|EncodingTree {corpus: $corpus, id: row[0]})
        MATCH (b:Community|Chunk {corpus: $corpus, id: row[1]})
        CREATE (a)-[:CONTAINS]->(b)""",
}


def write(driver: neo4j.Driver, corpus: str, factor: float) -> None:
    """The whole world as a corpus, its affinities multiplied."""
    themes = [
        {
            "id": name,
            "properties": {
                "name": f"theme {name}",
                "entropy": 0.25,
                **dict(zip(("level", "size", "volume", "cut"), values, strict=True)),
            },
        }
        for name, values in MEASURES.items()
    ]
    rows: dict[str, list[tuple[Any, ...]]] = {
        "AFFINITY": [(*pair, weight * factor) for pair, weight in AFFINITIES.items()],
        "MENTIONS": [(chunk, name, count) for name, held in MENTIONS.items() for chunk, count in held.items()],
        "DESCRIBES": [(chunk, name) for name, chunks in DESCRIBES.items() for chunk in chunks],
        "CONTAINS": [
            *((corpus, "A"), (corpus, "B"), ("A", "A1"), ("A", "A2"), ("B", "B1")),
            *((theme, chunk) for theme, chunks in PLACES.items() for chunk in chunks),
        ],
    }
    chunks = [{"id": chunk, "title": title} for chunk, title in TITLES.items()]
    with driver.session() as session:
        session.run(CREATE, corpus=corpus, root=ROOT, chunks=chunks, names=list(MENTIONS), themes=themes).consume()
        for kind, query in LINK.items():
            session.run(query, corpus=corpus, rows=[list(row) for row in rows[kind]]).consume()


@pytest.fixture
def stores(graph: Graph, driver: neo4j.Driver, corpus_name: str, tmp_path: Path) -> Iterator[CorpusStores]:
    vectors = EdgeVectors(tmp_path / "qdrant", 1.0)
    write(driver, corpus_name, 1.0)
    write(driver, f"{corpus_name}.b", 4.0)
    record = CorpusRecord(corpus_name, "now", "test", 2, {}, 1, 1, "test")
    yield CorpusStores(record, graph, vectors, ArrayCache(tmp_path / "arrays"))
    vectors.close()


def test_the_largest_themes_come_first_and_equals_by_id(stores: CorpusStores) -> None:
    rows = stores.graph.read("analytics/find_largest_themes", corpus=stores.name, limit=4)
    assert [(row["id"], row["level"], row["size"]) for row in rows] == [
        ("A", 1, 3),
        ("B", 1, 3),
        ("B1", 2, 3),
        ("A1", 2, 2),
    ]
    assert rows[0]["outside"] == 0.375 / 2.375
    assert rows[0]["name"] == "theme A"


def test_themes_that_name_an_entity_say_in_how_many_chunks_and_how_often(stores: CorpusStores) -> None:
    rows = stores.graph.read("analytics/find_themes_sharing_entity", corpus=stores.name, name="Harbour", limit=10)
    assert [(row["id"], row["chunks"], row["times"]) for row in rows] == [
        ("A", 2, 4),
        ("A1", 2, 4),
        ("B", 1, 1),
        ("B1", 1, 1),
    ]
    assert stores.graph.read("analytics/find_themes_sharing_entity", corpus=stores.name, name="harbour", limit=10) == []


def test_central_chunks_are_those_whose_affinity_stays(stores: CorpusStores) -> None:
    assert read_theme(stores, "A").chunks == (
        CentralChunk("c1", "Quay", 0.75, 1.0),
        CentralChunk("c2", "Pier", 0.75, 0.75),
        CentralChunk("c3", "Easel", 0.5, 0.8),
    )
    inner = read_theme(stores, "A1").chunks
    assert inner == (CentralChunk("c1", "Quay", 0.5, 0.5 / 0.75), CentralChunk("c2", "Pier", 0.5, 0.5))


def test_a_chunk_without_affinities_is_the_least_central(stores: CorpusStores, driver: neo4j.Driver) -> None:
    driver.execute_query("MATCH (:Chunk {corpus: $corpus, id: 'c6'})-[a:AFFINITY]-() DELETE a", corpus=stores.name)
    assert read_theme(stores, "B").chunks[-1] == CentralChunk("c6", "Verse", 0.0, 0.0)


def test_telling_entities_are_common_here_and_rare_elsewhere(stores: CorpusStores) -> None:
    assert read_theme(stores, "A").entities == (
        TellingEntity("painter", "Painter", 2, 2, round(2 / 3 * math.log(2), 9)),
        TellingEntity("harbour", "Harbour", 2, 3, round(2 / 3 * math.log(4 / 3), 9)),
        TellingEntity("town", "Town", 3, 6, 0.0),
    )


def test_neighbours_share_names_and_are_joined_by_bridges(stores: CorpusStores) -> None:
    (neighbour,) = read_theme(stores, "A").neighbours
    assert neighbour == Neighbour(
        id="B",
        name="theme B",
        size=3,
        weight=0.375,
        pairs=2,
        shared=("Town", "Harbour"),
        bridges=(
            ThemeBridge(ThemeChunk("c2", "Pier"), ThemeChunk("c5", "Ode"), 0.25),
            ThemeBridge(ThemeChunk("c3", "Easel"), ThemeChunk("c4", "Harbour"), 0.125),
        ),
    )
    inner = read_theme(stores, "A1").neighbours
    assert [(one.id, one.weight, one.pairs) for one in inner] == [("A2", 0.5, 2), ("B1", 0.25, 1)]


def test_what_is_shared_counts_by_both_themes_and_by_how_little_others_name_it(stores: CorpusStores) -> None:
    rows = stores.graph.read("themes/find_shared_entities", corpus=stores.name, first="B", second="A", limit=10)
    assert [(row["name"], row["in_first"], row["in_second"], row["strength"]) for row in rows] == [
        ("Town", 3, 3, 3 * 6 / 6),
        ("Harbour", 1, 2, 1 * 3 / 3),
    ]
    rows = stores.graph.read("themes/find_shared_entities", corpus=stores.name, first="A1", second="A2", limit=10)
    assert [(row["name"], row["strength"]) for row in rows] == [("Painter", 1 * 2 / 2), ("Town", 1 * 3 / 6)]


def test_a_theme_shows_what_it_holds_and_no_more_than_asked(stores: CorpusStores) -> None:
    report = read_theme(stores, "A", limit=1)
    assert [child.id for child in report.theme.children] == ["A1", "A2"]
    assert (len(report.chunks), len(report.entities), len(report.neighbours)) == (1, 1, 1)


def test_a_theme_can_be_named_by_how_its_id_begins(stores: CorpusStores, driver: neo4j.Driver) -> None:
    query = "MATCH (theme:Community {corpus: $corpus, id: 'A2'}) SET theme.id = 'C2'"
    driver.execute_query(query, corpus=stores.name)
    assert read_theme(stores, "C").theme.id == "C2"


@pytest.mark.parametrize(("begins", "why"), [("", "5 themes begin"), ("Z", "none begins")])
def test_a_beginning_of_no_id_or_of_several_is_told(stores: CorpusStores, begins: str, why: str) -> None:
    with pytest.raises(UnknownTheme, match=why):
        read_theme(stores, begins)


def test_a_limit_below_one_is_refused(stores: CorpusStores) -> None:
    with pytest.raises(InvalidInput, match="limit must be an integer of at least 1, got 0"):
        read_theme(stores, "A", limit=0)


def test_why_two_chunks_are_near_is_told_in_either_order(stores: CorpusStores) -> None:
    expected = Affinity(semantic=1.0, logical=0.0, distance=0.0, weight=0.5, entities=("Harbour", "Town"))
    assert read_affinity(stores, "c1", "c2") == expected
    assert read_affinity(stores, "c2", "c1") == expected
    assert read_affinity(stores, "c1", "c6") is None


def test_an_affinity_of_what_is_not_there_is_an_error(stores: CorpusStores, driver: neo4j.Driver) -> None:
    with pytest.raises(UnknownChunk, match="no chunk 'c9'"):
        read_affinity(stores, "c1", "c9")
    driver.execute_query("MATCH (tree:EncodingTree {corpus: $corpus}) DETACH DELETE tree", corpus=stores.name)
    with pytest.raises(NotBuilt, match="tetragraph build tree -c"):
        read_affinity(stores, "c1", "c6")


def test_the_overview_nests_themes_and_orders_them_by_size_then_id(stores: CorpusStores) -> None:
    overview = read_overview(stores, with_chunks=True)
    assert [theme.id for theme in overview.walk()] == ["A", "A1", "A2", "B", "B1"]
    assert overview.themes[0].children[1] == Theme(
        "A2", "theme A2", 2, 1, 0.625, 0.625, 0.25, (), (ThemeChunk("c3", "Easel", "c3"),)
    )
    assert (overview.height, overview.chunks, overview.tokens, overview.settings) == (3, 6, 0, {"height": 3})
    assert overview.drift == pytest.approx(1.5 / 2.5 / 0.5 - 1)
