"""Results of writing, checking or restoring a backup, and of the check before an upgrade."""

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


@dataclass(frozen=True, slots=True)
class UpgradeStep:
    """A thing that was checked, and what becomes of it.

    Attributes:
        subject: What was checked: ``schema``, ``corpus NAME``, ``backup FILE``.
        is_current: Whether nothing is to be done.
        detail: What was found, in words.
        action: What is to be done, in words; empty if nothing is.
    """

    subject: str
    is_current: bool
    detail: str
    action: str = ""


@dataclass(frozen=True, slots=True)
class UpgradeReport:
    """Result of a check before, or after, a newer version is used.

    Attributes:
        version: This version.
        schema: Version of its schema.
        backup_format: Format of the backups that it writes; it reads this one and all before.
        steps: Everything that was checked.
    """

    version: str
    schema: int
    backup_format: int
    steps: tuple[UpgradeStep, ...]

    @property
    def is_current(self) -> bool:
        """Whether nothing is left to be done."""
        return all(step.is_current for step in self.steps)


@dataclass(frozen=True, slots=True)
class CopyReport:
    """A corpus that was copied into other stores.

    Attributes:
        corpus: Name of the corpus.
        copy: Name of the copy.
        generation: Generation that was copied.
        rows: Number of rows by section: nodes by label, relationships by type and ends, vectors by kind.
        fingerprint: Digest of the contents, the same for both.
        notes: Warnings in words.
    """

    corpus: str
    copy: str
    generation: int
    rows: Mapping[str, int]
    fingerprint: str
    notes: tuple[str, ...] = ()
