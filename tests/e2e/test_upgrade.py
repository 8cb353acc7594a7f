"""The check before an upgrade reports what is to be migrated, ingested or built, and changes nothing."""

from __future__ import annotations

import json
import shutil
import tarfile
import uuid
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import neo4j
import pytest

from command_line import Cli
from environments import own_home
from tetragraph import Document, Settings, Tetragraph, UpgradeReport, errors
from tetragraph.archive import file_format
from tetragraph.stores import migrations
from tetragraph.stores.graph import Graph
from tetragraph.stores.migrations import Migration

OLD = Path(__file__).parents[1] / "data" / "backups" / "schema-6.tetragraph"
UseFiles = Callable[[Sequence[Migration]], None]


@pytest.fixture
def with_files(monkeypatch: pytest.MonkeyPatch) -> UseFiles:
    return lambda files: monkeypatch.setattr(migrations, "load", lambda: tuple(files))


@pytest.fixture(scope="module")
def stores(neo4j_server: Settings, graph: Graph, tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return own_home(neo4j_server, tmp_path_factory.mktemp("upgraded"))


@pytest.fixture(scope="module")
def corpus(stores: Settings) -> Iterator[str]:
    name = f"upgraded-{uuid.uuid4().hex[:12]}"
    with Tetragraph.connect(stores) as client:
        client.corpus(name).ingest([Document("a", "Halvik", "Halvik is a town by the sea.")], build=())
        yield name
        client.corpus(name).drop()


def step(report: UpgradeReport, subject: str) -> tuple[bool, str, str]:
    (found,) = (one for one in report.steps if one.subject == subject)
    return found.is_current, found.detail, found.action


def test_nothing_is_to_be_done_for_this_version(stores: Settings, corpus: str) -> None:
    report = Tetragraph.check_upgrade(stores, backups=[OLD])
    newest = migrations.schema_version()
    assert (report.schema, report.backup_format) == (newest, file_format.VERSION)
    assert step(report, "schema") == (True, f"version {newest}", "")
    assert step(report, f"corpus {corpus}")[0]
    assert step(report, f"backup {OLD}")[0]
    assert "schema 6, which a restore brings" in step(report, f"backup {OLD}")[1]


def test_a_corpus_whose_first_ingest_wrote_nothing_is_ingested_again_or_deleted(
    stores: Settings, corpus_name: str
) -> None:
    note = Document("a", "Halvik", "Halvik is a town by the sea.")
    with Tetragraph.connect(stores) as client:
        graph = client.connection.graph
        write = graph.write

        def cut(name: str, /, **parameters: Any) -> list[dict[str, Any]]:
            rows = write(name, **parameters)
            if name == "corpus/upsert_corpus":
                raise KeyboardInterrupt
            return rows

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(graph, "write", cut)
            with pytest.raises(KeyboardInterrupt):
                client.corpus(corpus_name).ingest([note], build=())
        remedy = f"run that ingest again, or `tetragraph delete {corpus_name}`"
        assert step(Tetragraph.check_upgrade(stores), f"corpus {corpus_name}")[2] == remedy
        (found,) = client.doctor(repair=True, corpus=corpus_name).faults
        assert (found.kind, found.state) == ("interrupted change", "not here")
        assert f"`tetragraph delete {corpus_name}`" in found.detail
        client.corpus(corpus_name).ingest([note], build=())
        assert client.doctor(corpus=corpus_name).ok


def test_a_pending_migration_is_reported_and_not_applied(
    stores: Settings, graph: Graph, corpus: str, with_files: UseFiles
) -> None:
    files = migrations.load()
    with_files([*files, Migration(len(files) + 1, "more", "0" * 64, ())])
    report = Tetragraph.check_upgrade(stores)
    is_current, detail, action = step(report, "schema")
    assert (is_current, report.is_current) == (False, False)
    assert detail == f"version {len(files)}; to be applied: V{len(files) + 1:04d}__more"
    assert "next connection" in action
    assert len(graph.read("server/find_migrations")) == len(files)


def test_a_newer_database_is_refused(stores: Settings, corpus: str, with_files: UseFiles) -> None:
    with_files(migrations.load()[:-1])
    with pytest.raises(errors.MigrationError, match=r"the database has schema version .* update tetragraph"):
        Tetragraph.check_upgrade(stores)


def test_a_corpus_of_an_earlier_version_needs_an_ingest(stores: Settings, corpus: str, driver: neo4j.Driver) -> None:
    where = "MATCH (c:Corpus {corpus: $corpus}) "
    try:
        driver.execute_query(where + "SET c.kept = c.chunks REMOVE c.chunks", corpus=corpus)
        is_current, detail, action = step(Tetragraph.check_upgrade(stores), f"corpus {corpus}")
        assert not is_current
        assert "without the numbers of its terms" in detail
        assert f"`tetragraph ingest SOURCE -c {corpus}`" in action
        driver.execute_query(where + "SET c.generation = c.generation + 1, c.embedder = 'unheard-of'", corpus=corpus)
        is_current, detail, action = step(Tetragraph.check_upgrade(stores), f"corpus {corpus}")
        assert "was interrupted" in detail
        assert "'unheard-of' cannot be used here" in detail
    finally:
        driver.execute_query(
            where + "SET c.chunks = c.kept, c.generation = 1, c.embedder = 'bge-small' REMOVE c.kept", corpus=corpus
        )


def test_a_backup_of_a_newer_format_is_named(stores: Settings, corpus: str, tmp_path: Path) -> None:
    newer = tmp_path / "newer.tetragraph"
    with tarfile.open(OLD) as old, tarfile.open(newer, "w", format=tarfile.USTAR_FORMAT) as new:
        for entry in old:
            content = old.extractfile(entry)
            if entry.name == file_format.FORMAT:
                (tmp_path / "FORMAT").write_text("tetragraph-backup 99\n", encoding="ascii")
                new.add(tmp_path / "FORMAT", file_format.FORMAT)
            else:
                new.addfile(entry, content)
    is_current, detail, _ = step(Tetragraph.check_upgrade(stores, backups=[newer]), f"backup {newer}")
    assert not is_current
    assert "reads backups up to format 2, this one has format 99" in detail


def test_the_command_tells_by_its_exit_code(cli: Cli, tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.tetragraph"
    shutil.copyfile(OLD, damaged)
    damaged.write_bytes(damaged.read_bytes()[:3000])
    shown = cli("upgrade", "--check", "--backup", damaged, "--json")
    assert shown.returncode == 4
    tree = json.loads(shown.stdout)
    assert tree["is_current"] is False
    assert [one["is_current"] for one in tree["steps"] if one["subject"].startswith("backup")] == [False]
    assert f"schema: version {migrations.schema_version()}" in cli("upgrade", "--check", "--backup", OLD).stdout
