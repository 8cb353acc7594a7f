"""Small backups with rows of chunks."""

from __future__ import annotations

from pathlib import Path

from tetragraph.archive.file_format import Base, Manifest, SavedCorpus
from tetragraph.archive.reading import BackupReader
from tetragraph.archive.writing import BackupWriter, complete_or_absent
from tetragraph.stores import migrations

CORPUS = SavedCorpus("world", "2026-01-01T00:00:00Z", "bge-small", 4, "{}", 5, 3, (), (), "")


def write_backup(path: Path, *, since: Path | None = None, schema: int = 0, rows: int = 1) -> Path:
    """Write a backup, which is incremental if it has the path of a base; the schema is this version's by default."""
    base = None
    if since:
        with BackupReader.open(since) as reader:
            base = Base(since.name, reader.sha256)
    with complete_or_absent(path) as file:
        writer = BackupWriter(file, base)
        for row in range(rows):
            writer.write("nodes/Chunk", {"id": f"c{row}", "properties": {}})
        writer.finish(Manifest("0.1.0", schema or migrations.schema_version(), CORPUS, None, {}))
    return path
