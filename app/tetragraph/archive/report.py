"""The result of writing, checking or restoring a backup."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from tetragraph.archive.file_format import Manifest
from tetragraph.archive.fingerprint import digest_of


@dataclass(frozen=True, slots=True)
class BackupReport:
    """A backup: what was written, checked or restored.

    Attributes:
        path: Path of the file.
        corpus: Name of the corpus.
        generation: Generation of the corpus in the backup.
        rows: Number of rows by section: nodes by label, relationships by type and ends, vectors by kind.
        size: Size of the file in bytes.
        fingerprint: Digest of the contents, the same for every copy of them under any name.
        notes: Warnings in words.
    """

    path: str
    corpus: str
    generation: int
    rows: Mapping[str, int]
    size: int
    fingerprint: str
    notes: tuple[str, ...] = ()

    @classmethod
    def of(cls, path: Path, manifest: Manifest, corpus: str = "", notes: tuple[str, ...] = ()) -> Self:
        """The report on the backup with a manifest; ``corpus`` is the name that it was restored under."""
        saved = manifest.corpus
        digest, size = digest_of(manifest.fingerprint), path.stat().st_size
        return cls(str(path), corpus or saved.name, saved.generation, manifest.rows, size, digest, notes)
