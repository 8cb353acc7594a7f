"""The schema is applied once, checked, and never applied to another history."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import neo4j
import pytest

from tetragraph.errors import MigrationError
from tetragraph.stores import migrations
from tetragraph.stores.graph import Graph
from tetragraph.stores.migrations import Migration

UseFiles = Callable[[Sequence[Migration]], None]


@pytest.fixture
def with_files(monkeypatch: pytest.MonkeyPatch) -> UseFiles:
    return lambda files: monkeypatch.setattr(migrations, "load", lambda: tuple(files))


def test_a_second_run_finds_nothing_to_do(graph: Graph) -> None:
    assert migrations.apply(graph) == []
    migrations.validate(graph)


def test_many_at_once_are_harmless(graph: Graph, driver: neo4j.Driver) -> None:
    try:
        driver.execute_query("DROP CONSTRAINT pending_document_id IF EXISTS")
        driver.execute_query("MATCH (m:SchemaMigration) DELETE m")
        with ThreadPoolExecutor(6) as pool:
            list(pool.map(lambda _: migrations.apply(graph), range(6)))
    finally:
        migrations.apply(graph)
    assert [row["version"] for row in graph.read("server/find_migrations")] == list(
        range(1, migrations.schema_version() + 1)
    )


def test_a_file_that_was_changed_after_being_applied_is_refused(graph: Graph, with_files: UseFiles) -> None:
    first, *rest = migrations.load()
    with_files([Migration(first.version, first.name, "0" * 64, first.statements), *rest])
    for run in (migrations.apply, migrations.validate):
        with pytest.raises(MigrationError, match="was the file changed after being applied"):
            run(graph)


def test_a_database_newer_than_the_code_is_refused(graph: Graph, with_files: UseFiles) -> None:
    with_files(migrations.load()[:-1])
    with pytest.raises(MigrationError, match="update tetragraph"):
        migrations.apply(graph)


def test_a_missing_file_is_told_by_validate(graph: Graph, with_files: UseFiles) -> None:
    files = migrations.load()
    with_files([*files, Migration(len(files) + 1, "more", "0" * 64, ())])
    with pytest.raises(MigrationError, match="tetragraph schema apply"):
        migrations.validate(graph)


def test_a_missing_or_different_index_is_told_by_validate(graph: Graph, tmp_path: Path) -> None:
    text = (
        "CREATE INDEX no_such_index IF NOT EXISTS FOR (n:Entity) ON (n.corpus, n.df);\n"
        "CREATE INDEX entity_name IF NOT EXISTS FOR (n:Entity) ON (n.name);"
    )
    (tmp_path / "V0001__x.cypher").write_text(text, encoding="utf-8")
    expected = migrations.expected_indexes(migrations.read_folder(tmp_path))
    with pytest.raises(MigrationError, match=r"entity_name is another index.*no_such_index is missing"):
        migrations._check_indexes(expected, graph.read("server/find_indexes"))


def test_what_a_database_lacks_is_told_apart_by_what_can_be_made(graph: Graph, with_files: UseFiles) -> None:
    assert not migrations.find_gaps(graph)
    first, *rest = migrations.load()
    made = (
        "CREATE INDEX no_such_index IF NOT EXISTS FOR (n:Entity) ON (n.corpus, n.df)",
        "CREATE INDEX entity_name IF NOT EXISTS FOR (n:Entity) ON (n.name)",
    )
    changed = Migration(first.version, first.name, first.sha256, (*first.statements, *made))
    with_files([changed, *rest, Migration(len(rest) + 2, "more", "0" * 64, ())])
    gaps = migrations.find_gaps(graph)
    assert gaps.unapplied == (f"V{len(rest) + 2:04d}__more",)
    assert gaps.missing == ("no_such_index",)
    assert [text.split(",")[0] for text in gaps.other] == ["entity_name is another index"]
