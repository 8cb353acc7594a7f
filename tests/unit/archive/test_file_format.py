"""The file of a backup: every damage is recognised, and nothing is lost on the way."""

from __future__ import annotations

import hashlib
import io
import json
import re
import tarfile
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from file_limit import largest_file
from tetragraph import queries
from tetragraph.archive import file_format
from tetragraph.archive.contents import read_point
from tetragraph.archive.file_format import Base, Manifest, SavedCorpus
from tetragraph.archive.fingerprint import FingerprintSum
from tetragraph.archive.reading import BackupReader, verify_backup
from tetragraph.archive.writing import BackupWriter, complete_or_absent
from tetragraph.errors import InvalidInput, StoreError, StoreUnavailable, UnusableBackup
from tetragraph.stores import migrations
from tetragraph.stores.portable_values import from_json, to_json

ROWS: list[dict[str, Any]] = [
    {"id": f"c{number}", "properties": {"text": f"Halvik {number}", "facts": b"\x00\xff", "gain": float("inf")}}
    for number in range(5)
]
CORPUS = SavedCorpus("world", "2026-01-01T00:00:00Z", "bge-small", 4, "{}", 5, 3, ("year",), ("gain",), "")


def write(path: Path, rows: list[dict[str, Any]] = ROWS, schema: int | None = None) -> Manifest:
    newest = migrations.schema_version() if schema is None else schema
    with complete_or_absent(path) as file:
        writer = BackupWriter(file)
        for row in rows:
            writer.write("nodes/Chunk", row)
        writer.write("links/Chunk-NEXT-Chunk", {"start": "c0", "end": "c1", "properties": {"position": 1}})
        return writer.finish(Manifest("0.1.0", newest, CORPUS, {"chunks": (4, True)}, {}))


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    write(tmp_path / "a.tetragraph")
    return tmp_path / "a.tetragraph"


def test_rows_come_back_as_they_were_in_parts_of_a_bounded_length(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tetragraph.archive.writing.PART_ROWS", 2)
    written = write(tmp_path / "a.tetragraph")
    with BackupReader.open(tmp_path / "a.tetragraph") as reader:
        assert reader.manifest == written
        parts = [part for part in reader.manifest.parts if part.section == "nodes/Chunk"]
        assert [part.rows for part in parts] == [2, 2, 1]
        assert [row for part in parts for row in reader.rows(part)] == ROWS
    assert written.rows == {"nodes/Chunk": 5, "links/Chunk-NEXT-Chunk": 1}


def test_the_file_is_for_its_owner_alone_and_other_programs_can_read_it(backup: Path) -> None:
    assert backup.stat().st_mode & 0o777 == 0o600
    with tarfile.open(backup) as tar:
        assert tar.getnames()[0] == "FORMAT"
        assert tar.getnames()[-2:] == ["manifest.json", "manifest.sha256"]


def test_no_flipped_bit_and_no_cut_passes(backup: Path) -> None:
    content = backup.read_bytes()
    with tarfile.open(backup) as tar:
        places = [entry.offset_data + entry.size // 2 for entry in tar] + [entry.offset for entry in tar]
    for place in places:
        backup.write_bytes(content[:place] + bytes([content[place] ^ 4]) + content[place + 1 :])
        with pytest.raises(UnusableBackup):
            verify_backup(backup)
    for length in range(0, places[-1], 512):
        backup.write_bytes(content[:length])
        with pytest.raises(UnusableBackup):
            verify_backup(backup)


def test_a_part_that_the_manifest_lacks_is_damage(backup: Path) -> None:
    with tarfile.open(backup, "a") as tar:
        tar.addfile(tarfile.TarInfo("nodes/Chunk.000002.jsonl.gz"), io.BytesIO())
    with pytest.raises(UnusableBackup, match="not those of its manifest"):
        verify_backup(backup)


def test_newer_files_are_refused_with_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "schema.tetragraph", schema=migrations.schema_version() + 1)
    with pytest.raises(UnusableBackup, match=r"restore it with that version, or a later one"):
        verify_backup(tmp_path / "schema.tetragraph")
    monkeypatch.setattr("tetragraph.archive.writing.FULL_VERSION", file_format.VERSION + 1)
    write(tmp_path / "format.tetragraph")
    with pytest.raises(UnusableBackup, match="reads backups up to format 2, this one has format 3"):
        verify_backup(tmp_path / "format.tetragraph")


def test_what_is_no_backup_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="must be a file that can be read"):
        verify_backup(tmp_path / "none")
    (tmp_path / "text").write_text("a" * 2000, encoding="utf-8")
    with pytest.raises(UnusableBackup, match="no backup of tetragraph"):
        verify_backup(tmp_path / "text")


def test_a_failure_leaves_what_was_there(backup: Path) -> None:
    before = backup.read_bytes()
    with pytest.raises(UnusableBackup), complete_or_absent(backup):
        raise UnusableBackup("stopped")
    assert backup.read_bytes() == before
    assert [file.name for file in backup.parent.iterdir()] == [backup.name]


def test_a_disk_without_space_is_told_with_the_remedy(backup: Path) -> None:
    before = backup.read_bytes()
    with (
        largest_file(10),
        pytest.raises(StoreError, match=rf"in {backup.parent}: File too large; raise the limit of file sizes"),
        complete_or_absent(backup) as file,
    ):
        file.write(bytes(20))
    assert backup.read_bytes() == before
    assert [file.name for file in backup.parent.iterdir()] == [backup.name]


def test_the_fingerprint_depends_on_no_order_and_no_generation() -> None:
    def of(rows: list[dict[str, Any]]) -> dict[str, str]:
        total = FingerprintSum()
        for row in rows:
            total.add("nodes/Alias", row)
        return total.sections

    later = [{**row, "properties": {**row["properties"], "generation": 9}} for row in ROWS]
    assert of(ROWS) == of(ROWS[::-1]) == of(later)
    assert of(ROWS) != of(ROWS[:4]) != of([*ROWS[:4], ROWS[0]])


def test_vectors_come_back_bit_by_bit() -> None:
    from tetragraph.archive.contents import _vector_row
    from tetragraph.stores.vectors import Point

    own = np.array([0.1, -0.2, 3e-8, 1], dtype=np.float32)
    sentences = np.array([[0.5, 0.25, 0, 1], [1, 2, 3, 4]], dtype=np.float16).astype(np.float32)
    point = Point("c0", own, "0" * 64, {"year": 1902}, sentences)
    found = read_point(from_json(to_json(_vector_row("entities", point))))
    assert replace(found, vector=own, sentences=sentences) == point
    np.testing.assert_array_equal(found.vector, own)
    np.testing.assert_array_equal(found.sentences, sentences)


def test_a_restore_writes_every_label_and_type_that_a_backup_reads() -> None:
    reading = "".join(queries.get(name).text for name in ("export/find_nodes", "archive/find_internal"))
    labels = {*re.findall(r"RETURN '(\w+)' AS label", reading)} - {"Corpus"}
    writing = queries.get("archive/upsert_nodes").text
    assert {*re.findall(r"row.label = '(\w+)'\] \|\n  MERGE \(node:\1 ", writing)} == labels
    ends = re.findall(
        r"MATCH \(source:(\w+)\)\n.*-\[:(\w+)\]->\(:(\w+)\) }", queries.get("export/find_relationships").text
    )
    links = re.findall(
        r"WHERE kind = '(\w+)-(\w+)-(\w+)'\nUNWIND .*\n"
        r"MATCH \(source:\1 .*\nUNWIND .*\nMATCH \(target:\3 .*\nMERGE \(source\)-\[link:\2\b",
        queries.get("archive/link_nodes").text,
    )
    assert sorted(links) == sorted(ends)


def write_since(path: Path, rows: list[dict[str, Any]], base: Path) -> Manifest:
    """An incremental backup of rows."""
    with BackupReader.open(base) as reader, complete_or_absent(path) as file:
        hashes = [part.sha256 for part in reader.manifest.parts]
        writer = BackupWriter(file, Base(base.name, reader.sha256), hashes)
        for row in rows:
            writer.write("nodes/Chunk", row)
        return writer.finish(Manifest("0.1.0", migrations.schema_version(), CORPUS, None, {}))


def test_a_changed_row_changes_few_parts_of_an_incremental_backup(tmp_path: Path) -> None:
    many = [{"id": f"c{number:05d}", "properties": {"text": f"Halvik {number}"}} for number in range(6000)]
    write(tmp_path / "a.tetragraph", many)
    changed = [*many[:1000], {"id": "c00999x", "properties": {"text": "new"}}, *many[1001:]]
    first = write_since(tmp_path / "b.tetragraph", changed, tmp_path / "a.tetragraph")
    assert first.base is not None
    assert len(first.parts) - len(first.base.parts) <= 2
    assert (tmp_path / "b.tetragraph").stat().st_size < (tmp_path / "a.tetragraph").stat().st_size / 2
    second = write_since(tmp_path / "c.tetragraph", changed, tmp_path / "b.tetragraph")
    assert second.base is not None
    assert len(second.base.parts) == len(second.parts)
    for name in ("b", "c"):
        report = verify_backup(tmp_path / f"{name}.tetragraph")
        assert report.fingerprint == verify_backup(tmp_path / "b.tetragraph").fingerprint
        with BackupReader.open(tmp_path / f"{name}.tetragraph") as reader:
            assert [row for part in reader.manifest.parts for row in reader.rows(part)] == changed


def test_an_incremental_backup_needs_its_base_as_it_was(tmp_path: Path) -> None:
    write(tmp_path / "a.tetragraph")
    write_since(tmp_path / "b.tetragraph", ROWS, tmp_path / "a.tetragraph")
    (tmp_path / "a.tetragraph").rename(tmp_path / "moved")
    with pytest.raises(UnusableBackup, match=r"needs its base 'a\.tetragraph' beside it"):
        verify_backup(tmp_path / "b.tetragraph")
    write(tmp_path / "a.tetragraph", ROWS[:2])
    with pytest.raises(UnusableBackup, match="is another backup than the base"):
        verify_backup(tmp_path / "b.tetragraph")


def write_chain(folder: Path, length: int) -> list[Path]:
    """Backups each of which is the base of the next one."""
    files = [folder / f"{number}.tetragraph" for number in range(length)]
    manifest = write(files[0])
    for base, path in pairwise(files):
        sha256 = hashlib.sha256(manifest.to_bytes()).hexdigest()
        with complete_or_absent(path) as file:
            writer = BackupWriter(file, Base(base.name, sha256), [part.sha256 for part in manifest.parts])
            for row in ROWS:
                writer.write("nodes/Chunk", row)
            manifest = writer.finish(Manifest("0.1.0", migrations.schema_version(), CORPUS, None, {}))
    return files


def test_a_chain_of_any_length_is_read(tmp_path: Path) -> None:
    files = write_chain(tmp_path, 220)
    with BackupReader.open(files[-1]) as reader:
        assert reader.files == files[::-1]
        assert [row for part in reader.manifest.parts for row in reader.rows(part)] == ROWS


def test_backups_that_are_bases_of_one_another_are_refused(tmp_path: Path) -> None:
    _, second, third = write_chain(tmp_path, 3)
    write_since(second, ROWS[:2], third)
    with pytest.raises(UnusableBackup, match=r"1\.tetragraph is another backup than the base"):
        verify_backup(third)


def test_a_damaged_part_names_the_file_that_has_it(tmp_path: Path) -> None:
    first, _, third = write_chain(tmp_path, 3)
    with tarfile.open(first) as tar:
        place = tar.getmember("nodes/Chunk.000001.jsonl.gz").offset_data
    content = bytearray(first.read_bytes())
    content[place] ^= 1
    first.write_bytes(content)
    with pytest.raises(UnusableBackup, match=r"2\.tetragraph: nodes/Chunk.* of 0\.tetragraph does not have the hash"):
        verify_backup(third)


def test_a_full_backup_has_the_first_format_and_an_incremental_one_the_second(tmp_path: Path) -> None:
    write(tmp_path / "a.tetragraph")
    write_since(tmp_path / "b.tetragraph", ROWS, tmp_path / "a.tetragraph")
    found = []
    for name in ("a", "b"):
        with tarfile.open(tmp_path / f"{name}.tetragraph") as tar:
            content = tar.extractfile(file_format.FORMAT)
            found.append(content.read().decode().strip() if content else "")
    assert found == ["tetragraph-backup 1", "tetragraph-backup 2"]


def test_earlier_versions_pass_over_furniture_and_files_without_it_are_read() -> None:
    plain = Manifest("0.1.0", 5, CORPUS, None, {})
    known = replace(plain, corpus=replace(CORPUS, furniture=("0123456789abcdef",)))
    without, beside = (json.loads(one.to_bytes()) for one in (plain, known))
    assert beside == {**without, "furniture": ["0123456789abcdef"]}
    for manifest in (plain, known):
        content = manifest.to_bytes()
        checksum = hashlib.sha256(content).hexdigest().encode()
        assert Manifest.from_bytes(content, checksum) == manifest


def test_a_store_that_fails_while_a_backup_is_read_is_no_fault_of_the_file(tmp_path: Path) -> None:
    path = tmp_path / "whole.tetragraph"
    write(path)
    with pytest.raises(StoreUnavailable, match=r"^Qdrant is away$"), BackupReader.open(path):
        raise StoreUnavailable("Qdrant is away")


def test_a_backup_removes_what_killed_ones_of_the_same_file_left(tmp_path: Path) -> None:
    left = (".b.tetragraph.7.part", ".b.tetragraph.7-0123abcd.part")
    others = (".c.tetragraph.7.part", ".b.tetragraph.7.8.part", "b.tetragraph.7.part", ".b.tetragraph.x.part")
    for name in (*left, *others):
        (tmp_path / name).touch()
    with complete_or_absent(tmp_path / "b.tetragraph") as first, complete_or_absent(tmp_path / "b.tetragraph") as file:
        assert len(list(tmp_path.iterdir())) == len(others) + 2, "that of a living process stays"
        first.write(b"earlier")
        file.write(b"later")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted((*others, "b.tetragraph"))
    assert (tmp_path / "b.tetragraph").read_bytes() == b"earlier"
