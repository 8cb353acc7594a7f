"""The lock file: jars of the server with size and SHA-256, and their places in the cache."""

from __future__ import annotations

import hashlib
import re
from dataclasses import dataclass
from functools import cached_property
from importlib import resources
from pathlib import Path

from tetragraph.errors import LocalStoreError

_SHA256 = re.compile(r"[0-9a-f]{64}")
_FOLDERS = ("lib", "plugins")
_BROWSER = ("org.neo4j.client", "neo4j-browser")


@dataclass(frozen=True, slots=True)
class Jar:
    """One line of the lock file.

    Attributes:
        classifier: Part of the file name that distinguishes builds for different platforms; mostly empty.
        size: Size in bytes.
        folder: Folder of the distribution, ``lib`` or ``plugins``.
    """

    group: str
    artifact: str
    classifier: str
    version: str
    size: int
    sha256: str
    folder: str

    @property
    def name(self) -> str:
        """File name, in a Maven repository and in the distribution."""
        return "-".join(part for part in (self.artifact, self.version, self.classifier) if part) + ".jar"

    @property
    def path(self) -> str:
        """Path below the root of a Maven repository, with slashes."""
        return f"{self.group.replace('.', '/')}/{self.artifact}/{self.version}/{self.name}"


@dataclass(frozen=True)
class Lock:
    """All jars of one server.

    Attributes:
        id: First 12 hexadecimal digits of the file's SHA-256, which name the folder of the distribution.
    """

    id: str
    jars: tuple[Jar, ...]

    def find(self, group: str, artifact: str) -> Jar:
        """The jar of one artifact.

        Raises:
            LocalStoreError: the lock does not contain it.
        """
        for jar in self.jars:
            if (jar.group, jar.artifact) == (group, artifact):
                return jar
        raise LocalStoreError(f"the lock file must name {group}:{artifact}, it does not: make it anew with relock.py")

    @property
    def neo4j(self) -> str:
        """Version of Neo4j."""
        return self.find("org.neo4j", "neo4j").version

    @property
    def gds(self) -> str:
        """Version of Graph Data Science."""
        return self.find("org.neo4j.gds", "proc").version

    @property
    def browser_jar(self) -> Jar:
        """Neo4j Browser; each home runs its own copy."""
        return self.find(*_BROWSER)

    @property
    def browser(self) -> str:
        """Version of Neo4j Browser."""
        return self.browser_jar.version


@dataclass(frozen=True)
class Distribution:
    """The jars of one lock in the shared cache; read-only once complete.

    Attributes:
        folder: Folder that contains ``lib/`` and ``plugins/``.
    """

    lock: Lock
    folder: Path

    def file(self, jar: Jar) -> Path:
        """Path of a jar in the distribution."""
        return self.folder / jar.folder / jar.name

    @cached_property
    def class_path(self) -> str:
        """All jars but Browser's, in a fixed order; the home's copy of Browser is appended to these."""
        return ":".join(sorted(str(self.file(jar)) for jar in self.lock.jars if (jar.group, jar.artifact) != _BROWSER))

    def missing(self) -> list[Jar]:
        """Jars that are absent or have another size: the quick check, without reading the files."""
        return [jar for jar in self.lock.jars if _size(self.file(jar)) != jar.size]

    def damaged(self) -> list[Jar]:
        """Jars that are absent or have another SHA-256: the full check."""
        return [jar for jar in self.lock.jars if not has_content(self.file(jar), jar)]


def distribution(cache: Path) -> Distribution:
    """The distribution of this package's lock file, complete or not."""
    lock = parse_lock((resources.files(__package__) / "neo4j.lock").read_bytes())
    return Distribution(lock, cache.resolve() / "neo4j" / lock.id)


def parse_lock(content: bytes) -> Lock:
    """Read a lock file: ``group:artifact[:classifier]:version size sha256 folder`` on each line.

    Raises:
        LocalStoreError: a line has another form; the message names its number.
    """
    lines = enumerate(content.decode().splitlines(), start=1)
    jars = tuple(_parse_line(number, line) for number, line in lines if line and not line.startswith("#"))
    return Lock(hashlib.sha256(content).hexdigest()[:12], jars)


def has_content(file: Path, jar: Jar) -> bool:
    """Whether a file has the size and the SHA-256 of the jar."""
    if _size(file) != jar.size:
        return False
    with file.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest() == jar.sha256


def _parse_line(number: int, line: str) -> Jar:
    words = line.split()
    names = words[0].split(":")
    if (
        len(words) != 4
        or len(names) not in {3, 4}
        or not words[1].isdigit()
        or not _SHA256.fullmatch(words[2])
        or words[3] not in _FOLDERS
    ):
        raise LocalStoreError(
            f"neo4j.lock:{number}: a line must read 'group:artifact[:classifier]:version size sha256 lib|plugins', "
            f"got {line!r}: install tetragraph again"
        )
    classifier = names[2] if len(names) == 4 else ""
    return Jar(names[0], names[1], classifier, names[-1], int(words[1]), words[2], words[3])


def _size(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:
        return -1
