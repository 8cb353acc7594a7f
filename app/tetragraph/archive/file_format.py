"""The file of a backup: an uncompressed tar of compressed JSON Lines.

::

    FORMAT                            "tetragraph-backup 1", or 2 where parts are in another backup
    nodes/Chunk.000001.jsonl.gz       one node per line; several parts where there are many
    …
    links/Chunk-NEXT-Chunk.000001.jsonl.gz
    …
    vectors/chunks.000001.jsonl.gz
    …
    manifest.json                     corpus, its furniture, layout of the vectors, fingerprint, and for each part rows,
                                      bytes, SHA-256
    manifest.sha256                   SHA-256 of manifest.json, as ``sha256sum`` writes it

Lines::

    {"id": …, "properties": {…}}                        of a node; an empty id is that of a root, the name of the corpus
    {"start": …, "end": …, "properties": {…}}           of a relationship
    {"id": …, "sha256": …, "vector": …, "sentences": …, "payload": {…}}

Vectors are base64 of little-endian float32, those of sentences of float16, as the vector store has them. The manifest
is the last file but one, so a file that was cut off is recognised.

An incremental backup leaves out the parts that another backup, its base, has with the same content; its manifest names
them and the base. So that a few changed rows change few parts, a part also ends behind each row whose checksum is a
multiple of ``PART_MODULUS``, wherever that row is.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, Self

from tetragraph.errors import UnusableBackup

NAME, VERSION = "tetragraph-backup", 2
FULL_VERSION = 1
"""Number of the format of a backup without a base, which earlier versions read, too."""
FORMAT, MANIFEST, CHECKSUM = "FORMAT", "manifest.json", "manifest.sha256"
PART_ROWS = 4_000
PART_BYTES = 8_000_000
"""Rows, and bytes of JSON, after which a part ends: with a single row of any length, what is in memory at a time."""
PART_MODULUS = 512
"""Mean number of rows of a part that nothing else ends."""
LARGEST_PART = 1 << 28
"""Bytes of JSON above which a part is not one of this program."""
ROOTS = ("BipartiteGraph", "Corpus", "EncodingTree")
"""Labels of nodes whose id is the name of the corpus."""


@dataclass(frozen=True, slots=True)
class Part:
    """A file inside a backup.

    Attributes:
        name: Path in the tar.
        rows: Number of its lines.
        size: Bytes of the compressed file.
        sha256: Hash of the compressed file.
    """

    name: str
    rows: int
    size: int
    sha256: str

    @property
    def section(self) -> str:
        """The rows that the part belongs to, such as ``nodes/Chunk``."""
        return self.name.split(".", 1)[0]


@dataclass(frozen=True, slots=True)
class Base:
    """The backup that has some parts of another one.

    Attributes:
        name: Name of its file, in the same folder.
        sha256: Hash of its manifest.
        parts: Names of the parts that are in it, under any name, and not in the backup itself.
    """

    name: str
    sha256: str
    parts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SavedCorpus:
    """A corpus as its backup describes it.

    Attributes:
        name: Name of the corpus.
        created: Time of its creation, in ISO 8601.
        embedder: Name of the embedding model.
        dimension: Dimension of its vectors.
        settings: Settings as JSON.
        schema_version: Version of the schema that the corpus was created with.
        generation: Generation that was saved.
        metadata_keys: Metadata keys that searches can filter on.
        graphs: Graphs that are built and updated.
        contents: Counts of the generation as JSON, by which a later loss is found.
        statistics: Other properties that a publish computes, such as ``mean_terms``, which some searches need.
        furniture: Keys of the lines that the corpus remembers as furniture of pages.
    """

    name: str
    created: str
    embedder: str
    dimension: int
    settings: str
    schema_version: int
    generation: int
    metadata_keys: tuple[str, ...]
    graphs: tuple[str, ...]
    contents: str
    statistics: Mapping[str, float | list[str]] = field(default_factory=dict)
    furniture: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Manifest:
    """Description of a backup.

    Attributes:
        tetragraph: Version of the program that wrote it.
        schema: Version of the schema of its nodes.
        corpus: The corpus.
        vectors: Dimension, and whether there are vectors of sentences, by kind of vector; None without vectors.
        fingerprint: Digest of the contents by section; see :mod:`tetragraph.archive.fingerprint`.
        parts: Files in the order of the tar.
        base: The backup that has some of the parts; None for a full backup.
    """

    tetragraph: str
    schema: int
    corpus: SavedCorpus
    vectors: Mapping[str, tuple[int, bool]] | None
    fingerprint: Mapping[str, str]
    parts: tuple[Part, ...] = field(default=())
    base: Base | None = None

    @property
    def version(self) -> int:
        """Number of the format."""
        return FULL_VERSION if self.base is None else VERSION

    @property
    def rows(self) -> dict[str, int]:
        """Number of rows by section, such as ``nodes/Chunk``."""
        found: dict[str, int] = {}
        for part in self.parts:
            found[part.section] = found.get(part.section, 0) + part.rows
        return found

    def to_bytes(self) -> bytes:
        """The contents of ``manifest.json``; the same manifest gives the same bytes.

        Furniture is beside the corpus, where versions that do not know it pass over it, and absent where there is none.
        """
        tree = {"format": NAME, "version": self.version, **asdict(self)}
        if furniture := tree["corpus"].pop("furniture"):
            tree["furniture"] = furniture
        if self.base is None:
            del tree["base"]
        return (json.dumps(tree, ensure_ascii=False, indent=1, sort_keys=True) + "\n").encode()

    @classmethod
    def from_bytes(cls, content: bytes, checksum: bytes) -> Self:
        """Read ``manifest.json`` and compare it with its hash.

        Raises:
            UnusableBackup: it is damaged.
        """
        if checksum.decode("ascii", "replace").split(" ")[0] != hashlib.sha256(content).hexdigest():
            raise UnusableBackup(
                f"a backup must have the {MANIFEST} of its {CHECKSUM}, this one does not: it is damaged"
            )
        try:
            tree: dict[str, Any] = json.loads(content)
            corpus = tree["corpus"] | {name: tuple(tree["corpus"][name]) for name in ("metadata_keys", "graphs")}
            corpus["furniture"] = tuple(tree.get("furniture", ()))
            vectors, base = tree["vectors"], tree.get("base")
            return cls(
                tree["tetragraph"],
                tree["schema"],
                SavedCorpus(**corpus),
                None if vectors is None else {kind: (size, has) for kind, (size, has) in vectors.items()},
                tree["fingerprint"],
                tuple(Part(**part) for part in tree["parts"]),
                Base(base["name"], base["sha256"], tuple(base["parts"])) if base else None,
            )
        except (ValueError, KeyError, TypeError) as error:
            raise UnusableBackup(f"the {MANIFEST} of the backup cannot be read: {error!r}") from error


def check_format(content: bytes) -> None:
    """Check that this version can read a backup.

    Raises:
        UnusableBackup: it is no backup, or one of a newer format.
    """
    name, _, number = content.decode("utf-8", "replace").strip().partition(" ")
    if name != NAME or not number.isdigit():
        raise UnusableBackup(f"a backup begins with {NAME!r} and the number of its format, this file does not")
    if int(number) > VERSION:
        raise UnusableBackup(
            f"this version of tetragraph reads backups up to format {VERSION}, this one has format {number}: "
            "restore it with the version that made it, or a later one",
            reason="newer",
        )
