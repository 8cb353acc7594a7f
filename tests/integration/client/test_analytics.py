"""Every statement for analysts finds what a small corpus was built to contain."""

from __future__ import annotations

import asyncio
import csv
import io
import json
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import neo4j
import pytest
from typer.testing import CliRunner, Result

import analytics_world
from environments import own_home
from tetragraph import Settings, Tetragraph, queries
from tetragraph.cli import app
from tetragraph.client.analytics import Analytics, pack
from tetragraph.client.asynchronous import AsyncAnalytics
from tetragraph.errors import InvalidInput, UnknownCorpus
from tetragraph.stores.graph import Graph

Run = Callable[..., Result]
HARBOUR = analytics_world.TEXTS["c1"]
EXPECTED: dict[str, tuple[dict[str, Any], list[tuple[Any, ...]]]] = {
    "find_coverage": (
        {},
        [
            ("gain above redundant", 3, 7, 3 / 7),
            ("sessions", 4, 7, 4 / 7),
            ("entities", 6, 7, 6 / 7),
            ("facts", 6, 7, 6 / 7),
            ("themes", 6, 7, 6 / 7),
        ],
    ),
    "find_least_covered_documents": (
        {"limit": 3},
        [
            ("d5", "Document d5", 1, 0.0, 0.0, 0.0, 0.0, 0.0),
            ("d2", "Document d2", 2, 1.0, 0.0, 1.0, 1.0, 0.75),
            ("d1", "Document d1", 2, 1.0, 0.5, 1.0, 1.0, 0.875),
        ],
    ),
    "find_chunks_without_entities": ({}, [("c7", "Chunk c7", 12, "Tide sleeps.")]),
    "find_chunks_without_facts": ({}, [("c7", "Chunk c7", 12, "Tide sleeps.")]),
    "find_chunks_without_gain": (
        {},
        [
            ("c2", "Chunk c2", 37, 3, 0.05),
            ("c3", "Chunk c3", 29, 2, 0.04),
            ("c4", "Chunk c4", 24, 3, 0.06),
            ("c7", "Chunk c7", 12, 0, 0.0),
        ],
    ),
    "find_largest_themes": ({}, [("t1", "theme t1", 1, 3, 0.4), ("t2", "theme t2", 1, 3, 0.4)]),
    "find_most_named_entities": (
        {"limit": 3},
        [("e1", "Harbour", "PLACE", 3, 0, 3), ("e2", "Kron", "PERSON", 2, 1, 7), ("e3", "Reyer", "PERSON", 2, 0, 5)],
    ),
    "find_most_factual_entities": (
        {"limit": 3},
        [
            ("e2", "Kron", "PERSON", 7, 6, ["born", "teaches", "died", "has", "sleeps"]),
            ("e3", "Reyer", "PERSON", 5, 4, ["born", "teaches", "died"]),
            ("e1", "Harbour", "PLACE", 3, 2, ["has"]),
        ],
    ),
    "find_most_complementary_chunks": ({}, [("c6", "Chunk c6", 2, 1.6, 1)]),
    "find_most_stated_facts": ({"limit": 1}, [("r1", "fact r1", "born", 2, 0.9, ["d2", "d3"])]),
    "find_most_nary_facts": (
        {"limit": 1},
        [("r5", "fact r5", "has", 1, 3, [["object", "400 people"], ["subject", "Harbour"], ["topic", "Tide"]])],
    ),
    "find_copied_chunks": ({}, [("Tide sleeps.", 2, ["d4", "d5"], ["c6", "c7"])]),
    "find_near_duplicates": (
        {},
        [("c1", "Chunk c1", "c2", "Chunk c2", 0.95, 0.05), ("c5", "Chunk c5", "c6", "Chunk c6", 0.92, 0.7)],
    ),
    "find_redundant_documents": ({}, [("d1", "Document d1", "d2", "Document d2", 1, 0.5, 0.03)]),
    "find_chunks_adding_nothing": ({"edges": 2}, [("c1", "Chunk c1", 2, 0.05, 0.045)]),
    "find_entities_between_themes": (
        {"limit": 2},
        [("e2", "Kron", 2, 2, ["theme t1", "theme t2"]), ("e4", "Tide", 2, 2, ["theme t1", "theme t2"])],
    ),
    "find_chunks_between_themes": (
        {},
        [("c3", "Chunk c3", "theme t1", "theme t2", 0.8, 1.25), ("c4", "Chunk c4", "theme t2", "theme t1", 0.8, 1.25)],
    ),
    "find_theme_borders": ({}, [("t1", "theme t1", "t2", "theme t2", 1.0, 1, 0.4)]),
    "find_documents_joined_once": ({}, [("e4", "Tide", 2, "d1", "Document d1", "d4", "Document d4")]),
    "find_themes_sharing_entity": ({"name": "Kron"}, [("t2", "theme t2", 1, 3, 1, 3), ("t1", "theme t1", 1, 3, 1, 1)]),
    "find_conflicting_values": (
        {"support": 2},
        [("e2", "Kron", "born", 0.5, ["12 May 1856", "1860"], ["fact r1", "fact r2"])],
    ),
    "find_impossible_lives": (
        {},
        [
            ("e3", "Reyer", 1874, 1990, "fact r4", "fact s2"),
            ("e3", "Reyer", 1874, 1990, "fact s1", "fact s2"),
            ("e2", "Kron", 1860, 1850, "fact r2", "fact r3"),
            ("e2", "Kron", 1856, 1850, "fact r1", "fact r3"),
        ],
    ),
    "find_conflicting_numbers": (
        {},
        [("has", ["subject Harbour", "topic Tide"], ["400 people", "500 people"], ["fact r5", "fact r6"])],
    ),
    "find_reversed_facts": ({}, [("teaches", "object", "Kron", "Reyer", "fact r7", "fact r8")]),
    "find_shared_evidence": ({}, [("c1", "Chunk c1", 2, 1), ("c5", "Chunk c5", 1, 1)]),
    "find_entities_reached": ({}, [("e1", "Harbour", 2, 3), ("e2", "Kron", 1, 1)]),
    "find_insufficient_questions": ({}, [("s2", "Who taught?", "steps", 1, "thought p3")]),
    "find_documents_never_retrieved": (
        {},
        [("d2", "Document d2", 2, ["Harbour", "Kron"]), ("d5", "Document d5", 0, [])],
    ),
    "find_chunks_read_in_vain": ({}, [("c2", "Chunk c2", 3, 1), ("c6", "Chunk c6", 1, 3)]),
    "find_longest_searches": (
        {},
        [
            ("s1", "Who built it?", 2, 3, 2, "sufficient"),
            ("s4", "Who taught?", 1, 1, 1, "sufficient"),
            ("s3", "When?", 1, 1, 0, "sufficient"),
            ("s2", "Who taught?", 1, 3, 1, "steps"),
        ],
    ),
    "find_questions_alike": (
        {},
        [
            ("s1", "Who built it?", "s2", "Who taught?", 2, 0.5),
            ("s1", "Who built it?", "s3", "When?", 1, 1 / 3),
            ("s1", "Who built it?", "s4", "Who taught?", 1, 1 / 3),
            ("s2", "Who taught?", "s3", "When?", 1, 1 / 3),
        ],
    ),
    "find_sessions_by_day": ({}, [("2026-01-02", 3, 2, 2 / 3, 1.0), ("2026-01-01", 1, 1, 1.0, 2.0)]),
    "find_documents_by_metadata": ({}, [("1901", 2, 2, 46), ("1900", 2, 4, 144), ("", 1, 1, 12)]),
    "find_merges_by_generation": (
        {},
        [(2, 3, 2, 2.72 / 3, ["qualifier", "short form", "spelling"]), (1, 1, 1, 0.95, ["spelling"])],
    ),
    "get_drift": ({}, [(2, 1, 0.5, 0.4, 0.2, 0.25)]),
    "find_unsure_facts": (
        {"limit": 2},
        [("r9", "fact r9", "sleeps", 0.5, "c6", "Chunk c6"), ("r6", "fact r6", "has", 0.6, "c2", "Chunk c2")],
    ),
    "find_entities_without_type": ({}, [("e4", "Tide", 3, 2), ("e5", "400 people", 2, 0), ("e9", "500 people", 1, 0)]),
    "find_merge_reasons": (
        {},
        [
            ("spelling", 2, 1, 0.95, 0.96, "Kronn", "Kron"),
            ("qualifier", 1, 1, 0.9, 0.9, "Reyer Hall", "Reyer"),
            ("short form", 1, 1, 0.85, 0.85, "H. Kron", "Kron"),
        ],
    ),
    "find_merges_across_types": ({}, [("Reyer Hall", "PLACE", "Reyer", "PERSON", "qualifier", 0.9)]),
    "find_fact_types": ({"limit": 2}, [("born", 4, 0.825, 2.0, 1.25), ("has", 3, 2.2 / 3, 3.0, 1.0)]),
    "find_thin_facts": ({}, [("r9", "fact r9", "sleeps", 0.5, ["subject Kron", "topic Tide"])]),
    "find_unread_stretches": (
        {},
        [
            ("c1", "Chunk c1", 36, 18, HARBOUR[36:]),
            ("c7", "Chunk c7", 0, 12, "Tide sleeps."),
            ("c5", "Chunk c5", 24, 10, analytics_world.TEXTS["c5"][24:]),
        ],
    ),
    "find_entities_called": ({"name": "H. Kron"}, [("e2", "Kron", "PERSON", "short form", "d3")]),
}
"""For each statement of the folder: parameters, and the rows by hand."""
PYTHON = {"STRING": str, "INTEGER": int, "FLOAT": float}


@pytest.fixture(scope="module")
def analytics(
    neo4j_server: Settings, graph: Graph, driver: neo4j.Driver, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Analytics]:
    """The statements on the world; another one like it lies beside it, and neither has a graph that was built."""
    name = f"analytics-{uuid.uuid4().hex[:12]}"
    for corpus in (name, f"{name}.b"):
        analytics_world.write(driver, corpus)
        made = {"embedder": "test", "dimension": 2, "settings": "{}", "schema_version": 1}
        graph.write("corpus/upsert_corpus", corpus=corpus, **made)
    settings = own_home(neo4j_server, tmp_path_factory.mktemp("analytics"))
    with Tetragraph.connect(settings) as client:
        yield client.corpus(name).analytics
    for corpus in (name, f"{name}.b"):
        analytics_world.remove(driver, corpus)


def test_every_statement_of_the_folder_is_tried() -> None:
    assert {f"analytics/{name}" for name in EXPECTED} == {one.file for one in pack() if one.file[:10] == "analytics/"}
    assert {one.group for one in pack()} == set(queries.GROUPS)


@pytest.mark.parametrize("name", EXPECTED)
def test_the_statement_tells_what_the_world_shows(analytics: Analytics, name: str) -> None:
    parameters, rows = EXPECTED[name]
    table = analytics.run(name, **parameters)
    assert [tuple(row) for row in table] == [table.columns] * len(rows)
    assert [_rounded(tuple(row.values())) for row in table] == [_rounded(row) for row in rows]
    declared = queries.get(f"analytics/{name}").returns
    for row in table:
        assert all(isinstance(value, PYTHON.get(declared[column], list)) for column, value in row.items())


def test_the_limit_cuts_the_rows(analytics: Analytics) -> None:
    limited = [one.name for one in pack() if one.name in EXPECTED and "limit" in {name.name for name in one.parameters}]
    assert len(limited) > 1
    for name in limited:
        parameters, rows = EXPECTED[name]
        found = analytics.run(name, **(parameters | {"limit": 1}))
        assert [_rounded(tuple(row.values())) for row in found] == [_rounded(rows[0])]


def test_a_parameter_changes_the_rows(analytics: Analytics) -> None:
    assert [row["first"] for row in analytics.run("find_near_duplicates", similarity=0.94)] == ["c1"]
    assert len(analytics.run("analytics/find_near_duplicates", similarity=0)) == 5
    assert len(analytics.run("find_conflicting_values", support=3)) == 0
    assert len(analytics.run("find_impossible_lives", years=116)) == 2
    assert len(analytics.run("find_redundant_documents", below=0.045)) == 1
    assert len(analytics.run("find_redundant_documents", below=0.035)) == 0
    assert len(analytics.run("find_redundant_documents", overlap=0.6)) == 0
    assert len(analytics.run("find_chunks_adding_nothing", edges=3)) == 0


def test_what_the_corpus_lacks_is_said_beside_the_rows(analytics: Analytics, driver: neo4j.Driver) -> None:
    corpus = analytics._corpus
    gain, tree, facts = (
        f"the corpus has no {lacking}: `tetragraph build {graph} -c {corpus}` builds them"
        for lacking, graph in (("gain edges", "gain"), ("themes", "tree"), ("facts", "bipartite"))
    )
    assert analytics.run("find_coverage").notes == (facts, gain, tree)
    assert analytics.run("find_sessions_by_day").notes == ()
    with driver.session() as session:
        session.run("MATCH (s:IngestState {corpus: $c}) SET s.graphs = ['gain', 'tree']", c=corpus).consume()
    assert analytics.run("find_near_duplicates").notes == ()
    assert analytics.run("find_fact_types").notes == (facts,)


def test_rows_are_written_as_json_and_csv(analytics: Analytics) -> None:
    table = analytics.run("find_copied_chunks")
    assert json.loads(table.to_json()) == [dict(row) for row in table.rows]
    columns, values = csv.reader(io.StringIO(table.to_csv()))
    assert tuple(columns) == table.columns
    assert values == ["Tide sleeps.", "2", '["d4", "d5"]', '["c6", "c7"]']


def test_only_statements_of_the_pack_can_be_run(analytics: Analytics) -> None:
    with pytest.raises(InvalidInput, match=r"name must be the name of a statement, got 'corpus/delete_corpus'"):
        analytics.run("corpus/delete_corpus")


def test_a_corpus_that_is_not_there_is_said(analytics: Analytics) -> None:
    with pytest.raises(UnknownCorpus):
        Analytics(analytics._connection, "no-such-corpus").run("find_coverage")


def _rounded(row: tuple[Any, ...]) -> tuple[Any, ...]:
    return tuple(round(value, 9) if isinstance(value, float) else value for value in row)


@pytest.fixture
def cli(analytics: Analytics, neo4j_server: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Run:
    """``tetragraph cypher run`` on the world."""
    monkeypatch.setenv("TETRAGRAPH_HOME", str(tmp_path))
    monkeypatch.setenv("NEO4J_URI", str(neo4j_server.neo4j_uri))
    monkeypatch.setenv("NEO4J_USERNAME", neo4j_server.neo4j_user)
    monkeypatch.setenv("NEO4J_PASSWORD", neo4j_server.neo4j_password.get_secret_value())
    monkeypatch.setenv("COLUMNS", "100")
    command = ["cypher", "run", "-c", analytics._corpus]
    return lambda *arguments: CliRunner().invoke(app, [*command, *arguments], catch_exceptions=False)


def test_the_command_prints_a_table_and_what_is_lacking(cli: Run) -> None:
    done = cli("find_near_duplicates", "-p", "similarity=0.94", "-p", "limit=5")
    assert done.stdout.splitlines() == [
        "first  first_title  second  second_title  semantic  added",
        "c1     Chunk c1     c2      Chunk c2         0.950  0.050",
    ]
    assert cli("find_near_duplicates", "-p", "similarity=1.0").stdout == "no row\n"
    assert cli("find_copied_chunks").stdout.splitlines()[1].endswith(" c6; c7")
    assert "note: the corpus has no facts: `tetragraph build bipartite" in cli("find_fact_types").stderr


def test_the_command_writes_what_other_programs_read(cli: Run, analytics: Analytics, tmp_path: Path) -> None:
    table = analytics.run("find_coverage")
    assert cli("find_coverage", "--format", "csv").stdout == table.to_csv()
    assert cli("find_coverage", "--json").stdout == cli("find_coverage", "--format", "json").stdout == table.to_json()
    for name, text in (("a/rows.csv", table.to_csv()), ("rows.json", table.to_json()), ("rows", table.to_csv())):
        done = cli("find_coverage", "--out", str(tmp_path / name))
        assert (done.stdout, (tmp_path / name).read_text(encoding="utf-8")) == ("", text)
        assert f"{name}: 5 rows" in done.stderr


def test_the_asynchronous_twin_tells_the_same(analytics: Analytics) -> None:
    twin = AsyncAnalytics(analytics)
    assert twin.list() == analytics.list() == pack()
    assert asyncio.run(twin.run("find_roles")) == analytics.run("find_roles")
