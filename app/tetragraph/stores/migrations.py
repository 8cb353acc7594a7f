"""Migrates a database to the schema of this version, and checks whether it has that schema.

The files ``schema/V0001__what.cypher`` … are applied in order. Neo4j commits each schema statement by itself, so a file
is not atomic; every statement has ``IF NOT EXISTS`` or ``IF EXISTS`` instead, so that repeated and concurrent runs are
harmless. A file is recorded as a ``SchemaMigration`` node, with its hash, after its last statement.
"""

from __future__ import annotations

import hashlib
import logging
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources.abc import Traversable

from tetragraph import queries
from tetragraph.errors import MigrationError
from tetragraph.stores.graph import Graph, Row

logger = logging.getLogger("tetragraph")
INDEXES_ONLINE_S = 600
"""Seconds to wait for the indexes of a database that already holds data."""
_FILE_NAME = re.compile(r"V(\d{4})__(\w+)\.cypher")
_TOKEN = re.compile(
    r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|//[^\n]*|/\*.*?\*/|(?P<end>;)|(?P<open>['"`]|/\*)|.""", re.DOTALL
)
_CREATES = re.compile(
    r"CREATE\s+(?P<kind>CONSTRAINT|FULLTEXT INDEX|INDEX)\s+(?P<name>\w+)\s+IF NOT EXISTS\s+"
    r"FOR\s+(?:\(|\(\)-\[)(?P<variable>\w+):(?P<label>\w+)(?P<rest>.+)",
    re.DOTALL,
)
_DROPS = re.compile(r"DROP\s+(?:CONSTRAINT|INDEX)\s+(\w+)\s+IF EXISTS")


@dataclass(frozen=True, slots=True)
class Migration:
    """One schema file.

    Attributes:
        version: Number of the file, from 1, without gaps.
        name: Words after the number.
        sha256: Hash of the file's bytes.
        statements: Statements without comments and closing semicolons.
    """

    version: int
    name: str
    sha256: str
    statements: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Applied:
    """Record of an applied schema file in the database; ``applied`` is the time in ISO 8601."""

    version: int
    name: str
    sha256: str
    applied: str


@dataclass(frozen=True, slots=True)
class Index:
    """An index, or the uniqueness constraint that owns it, as declared by a schema file."""

    name: str
    label: str
    properties: tuple[str, ...]
    is_constraint: bool
    is_fulltext: bool


@dataclass(frozen=True, slots=True)
class SchemaDifference:
    """Difference between a database and the schema of this version.

    Attributes:
        unapplied: Files that were not applied, as ``V0002__what``.
        missing: Names of constraints and indexes that applied files declare and the database lacks.
        other: Descriptions of those that differ or are not online; they cannot be created while that is so.
    """

    unapplied: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    other: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.unapplied or self.missing or self.other)


def find_gaps(graph: Graph) -> SchemaDifference:
    """Find what the database lacks; nothing is changed.

    Raises:
        MigrationError: the database has another history, or is newer than this version.
    """
    files, recorded = load(), _read_applied(graph)
    _check_history(files, recorded)
    found = {row["name"]: row for row in graph.read("server/find_indexes")}
    wanted = expected_indexes(files[: len(recorded)])
    return SchemaDifference(
        tuple(f"V{file.version:04d}__{file.name}" for file in files[len(recorded) :]),
        tuple(index.name for index in wanted if index.name not in found),
        tuple(_differences([index for index in wanted if index.name in found], found)),
    )


def restore(graph: Graph) -> None:
    """Create missing constraints and indexes, apply missing files, and check the result.

    Applied files are not run again: only the statement of each missing name is, which has ``IF NOT EXISTS``.

    Raises:
        MigrationError: see :func:`validate`; the remaining difference could not be repaired.
        QueryFailed: the data violate a constraint.
    """
    missing = find_gaps(graph).missing
    statements = {created["name"]: created[0] for created in _find_creations(load())}
    for name in missing:
        graph.run_schema(statements[name])
    apply(graph)


def apply(graph: Graph) -> list[Applied]:
    """Apply the files that the database lacks, wait for the indexes, and check the result.

    Returns:
        Files applied by this call.

    Raises:
        MigrationError: see :func:`validate`; nothing is applied to a database with another history.
    """
    files = load()
    recorded = _read_applied(graph)
    _check_history(files, recorded)
    done = []
    for migration in files[len(recorded) :]:
        done.append(_apply_one(graph, migration))
        logger.info("applied migration V%04d__%s", migration.version, migration.name)
    graph.read("server/get_indexes_online", timeout_s=INDEXES_ONLINE_S)
    validate(graph)
    return done


def validate(graph: Graph) -> None:
    """Check that the database has exactly the schema of this version.

    Raises:
        MigrationError: a file was not applied, or was changed after it was applied; the database is newer than this
            version; a constraint or index is missing, different, or not online.
    """
    files = load()
    recorded = _read_applied(graph)
    _check_history(files, recorded)
    if len(recorded) < len(files):
        raise MigrationError(
            f"the database has schema version {len(recorded)}, this tetragraph needs {len(files)}: "
            f"run `tetragraph schema apply`"
        )
    _check_indexes(expected_indexes(files), graph.read("server/find_indexes"))


def schema_version() -> int:
    """Number of the last schema file of this version."""
    return load()[-1].version


@cache
def load() -> tuple[Migration, ...]:
    """The schema files of this version, in order."""
    return read_folder(queries.root("schema"))


def read_folder(folder: Traversable) -> tuple[Migration, ...]:
    """Read the schema files of a folder, in order; files that do not end in ``.cypher`` are ignored.

    Raises:
        MigrationError: a name or a statement breaks the rules, a number is missing or repeated, or there is no file.
    """
    names = sorted(file.name for file in folder.iterdir() if file.name.endswith(".cypher"))
    migrations = tuple(_read(folder / name) for name in names)
    versions = [migration.version for migration in migrations]
    if not versions or versions != list(range(1, len(versions) + 1)):
        raise MigrationError(f"schema files must be numbered 1, 2, 3 … without gaps, got {versions}")
    return migrations


def split(name: str, text: str) -> tuple[str, ...]:
    r"""The statements of a file without comments; semicolons in strings, comments and quoted names do not end them.

    Raises:
        MigrationError: the last statement, a string, a comment or a quoted name is not closed.

    >>> split("V0001__x.cypher", "// one; \nCREATE (n {a: ';'}); RETURN 2;")
    ("CREATE (n {a: ';'})", 'RETURN 2')
    """
    statements: list[str] = []
    current: list[str] = []
    for token in _TOKEN.finditer(text):
        if token["open"]:
            line = text.count("\n", 0, token.start()) + 1
            raise MigrationError(f"{name}:{line}: {token['open']} is opened and never closed")
        if token["end"]:
            statements.append("".join(current).strip())
            current = []
        elif token[0].startswith(("//", "/*")):
            current.append(" ")
        else:
            current.append(token[0])
    rest = "".join(current).strip()
    if rest:
        raise MigrationError(f"{name}: every statement must be closed by a semicolon, the last is not: {rest[:60]!r}")
    return tuple(statements)


def expected_indexes(files: Iterable[Migration]) -> list[Index]:
    """The indexes and constraints that exist after all files, in order of name."""
    indexes: dict[str, Index] = {}
    for migration in files:
        for statement in migration.statements:
            if dropped := _DROPS.fullmatch(statement):
                indexes.pop(dropped[1], None)
            elif created := _CREATES.fullmatch(statement):
                indexes[created["name"]] = _index(created)
    return sorted(indexes.values(), key=lambda index: index.name)


def _index(created: re.Match[str]) -> Index:
    properties = tuple(re.findall(rf"\b{created['variable']}\.(\w+)", created["rest"].split("OPTIONS")[0]))
    kind = created["kind"]
    return Index(created["name"], created["label"], properties, kind == "CONSTRAINT", kind == "FULLTEXT INDEX")


def _find_creations(files: Iterable[Migration]) -> Iterator[re.Match[str]]:
    """Matches of all creating statements, in order; the last one of a name applies."""
    for migration in files:
        for statement in migration.statements:
            if created := _CREATES.fullmatch(statement):
                yield created


def _read(file: Traversable) -> Migration:
    match = _FILE_NAME.fullmatch(file.name)
    if match is None:
        raise MigrationError(f"a schema file must be named V0001__what.cypher, got {file.name!r}")
    content = file.read_bytes()
    statements = split(file.name, content.decode())
    for statement in statements:
        if not _CREATES.fullmatch(statement) and not _DROPS.fullmatch(statement):
            raise MigrationError(
                f"{file.name}: a schema statement creates a constraint or index IF NOT EXISTS or drops it IF EXISTS, "
                f"got {statement[:80]!r}"
            )
    return Migration(int(match[1]), match[2], hashlib.sha256(content).hexdigest(), statements)


def _apply_one(graph: Graph, migration: Migration) -> Applied:
    for statement in migration.statements:
        graph.run_schema(statement)
    row = graph.write(
        "server/upsert_migration", version=migration.version, name=migration.name, sha256=migration.sha256
    )[0]
    return Applied(**row)


def _read_applied(graph: Graph) -> list[Applied]:
    return [Applied(**row) for row in graph.read("server/find_migrations")]


def _check_history(files: Sequence[Migration], recorded: Sequence[Applied]) -> None:
    if len(recorded) > len(files):
        newest = recorded[-1]
        raise MigrationError(
            f"the database has schema version {newest.version} ({newest.name}), this tetragraph knows {len(files)}: "
            f"update tetragraph"
        )
    for file, old in zip(files, recorded, strict=False):
        if (file.version, file.sha256) != (old.version, old.sha256):
            raise MigrationError(
                f"schema file V{file.version:04d}__{file.name}.cypher is not the one that was applied to the database "
                f"on {old.applied} as version {old.version} ({old.name}): was the file changed after being applied? "
                f"Restore it, and write the change as a new file"
            )


def _check_indexes(expected: Iterable[Index], found: Iterable[Row]) -> None:
    by_name = {row["name"]: row for row in found}
    wrong = list(_differences(expected, by_name))
    if wrong:
        raise MigrationError(
            f"the database lacks what its schema version promises: {'; '.join(wrong)}. Drop what differs, and run "
            f"`tetragraph doctor --repair`, which makes what is missing"
        )


def _differences(expected: Iterable[Index], found: Mapping[str, Row]) -> Iterator[str]:
    for index in expected:
        row = found.get(index.name)
        if row is None:
            yield f"{index.name} is missing"
        elif _from_row(row) != index:
            yield f"{index.name} is another index, on {row['labels']} {row['properties']}"
        elif row["state"] != "ONLINE":
            yield f"{index.name} is {row['state']}"


def _from_row(row: Row) -> Index:
    return Index(
        row["name"], ":".join(row["labels"]), tuple(row["properties"]), row["is_constraint"], row["is_fulltext"]
    )
