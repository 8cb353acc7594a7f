"""Loads and checks the .cypher files: one statement in each, described by its header.

A header is a run of comment lines before the statement::

    // get_corpus — one corpus by name
    // Params  $corpus: STRING
    // Returns name: STRING, generation: INTEGER
    // Access  read
    // Plan    NodeUniqueIndexSeek
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any, Literal, cast, get_args

from tetragraph.errors import QueryFileError

Access = Literal["read", "write", "schema"]
VERBS = frozenset({"find", "get", "count", "upsert", "link", "delete", "project", "stream", "drop"})
Group = Literal["coverage", "hubs", "redundancy", "bridges", "contradictions", "evidence", "growth", "quality"]
"""Subject of an analyst's question, in the order in which statements are listed."""
GROUPS: tuple[Group, ...] = get_args(Group)
MOST_ROWS = 1_000
"""Rows that a statement of a user returns, unless more are asked for."""
SECONDS = 60.0
"""Time that a statement of a user may take, unless more is given."""
_FIELD = re.compile(r"//\s+(Params|Returns|Access|Plan|Source|Allows|Group)\s+(.*)")
_CONTINUED = re.compile(r"//\s{9,}(\S.*)")
_NAMED_TYPE = re.compile(r"\$?(\w+): ([A-Z<>]+)(?: = (\S.*))?")
_LITERALS: Mapping[str, tuple[re.Pattern[str], Callable[[str], Any]]] = {
    "INTEGER": (re.compile(r"-?\d+"), int),
    "FLOAT": (re.compile(r"-?\d+\.\d+"), float),
    "BOOLEAN": (re.compile(r"true|false"), "true".__eq__),
    "STRING": (re.compile(r"'[^']*'"), lambda written: written[1:-1]),
}
"""Pattern of a default value of each type, and the function that parses it."""
_NOT_CODE = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|//[^\n]*|/\*.*?\*/""", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Query:
    """One checked .cypher file.

    Attributes:
        name: Folder and stem, ``corpus/get_corpus``.
        summary: First header line, without the name.
        text: The whole file, which can be pasted into Neo4j Browser.
        parameters: Name to declared Cypher type.
        returns: Column to declared type, in order; empty when nothing is returned.
        plan: Operators that the execution plan must contain.
        allows: Operators that are forbidden elsewhere and accepted here.
        in_transactions: Whether the statement commits in steps, so that it needs an auto-commit session.
        group: Subject for analysts; empty for statements that only code runs.
        defaults: Values of parameters that users may omit.
    """

    name: str
    summary: str
    text: str
    parameters: Mapping[str, str]
    returns: Mapping[str, str]
    access: Access
    plan: tuple[str, ...]
    allows: tuple[str, ...]
    source: str
    in_transactions: bool
    group: Group | Literal[""] = ""
    defaults: Mapping[str, Any] = field(default_factory=dict)


def root(folder: str = "cypher") -> Traversable:
    """Folder of the files: next to this module in a wheel, at the root of the repository in a checkout."""
    packaged = resources.files("tetragraph") / folder
    return packaged if packaged.is_dir() else Path(__file__).parents[2] / folder


def code(text: str) -> str:
    """The statement with strings, comments and back-ticked names blanked out, for searches in its keywords."""
    return _NOT_CODE.sub(" ", text)


def parse(name: str, text: str) -> Query:
    """Read one file.

    Raises:
        QueryFileError: the header is incomplete, disagrees with the name or with the parameters used.
    """
    stem = name.rsplit("/", 1)[-1]
    fields, summary = _header(name, stem, text)
    access = fields.get("Access", "")
    if access not in get_args(Access):
        raise QueryFileError(f"{name}.cypher: Access must be read, write or schema, got {access!r}; correct the header")
    group = fields.get("Group", "")
    if "Group" in fields and group not in GROUPS:
        raise QueryFileError(
            f"{name}.cypher: Group must be one of {', '.join(GROUPS)}, got {group!r}; correct the header"
        )
    parameters, defaults = _parse_types(name, "Params", fields.get("Params", ""))
    statement = code(text)
    used = set(re.findall(r"\$(\w+)", statement))
    if used != set(parameters):
        difference = ", ".join(sorted(used ^ set(parameters)))
        raise QueryFileError(f"{name}.cypher: parameters used and declared must agree, these do not: {difference}")
    if ";" in statement:
        raise QueryFileError(f"{name}.cypher: one statement a file without a closing semicolon, got a semicolon")
    return Query(
        name=name,
        summary=summary,
        text=text,
        parameters=parameters,
        returns=_parse_columns(name, fields.get("Returns", "")),
        access=cast("Access", access),
        plan=_words(fields.get("Plan", "")),
        allows=_words(fields.get("Allows", "")),
        source=fields.get("Source", ""),
        in_transactions="IN TRANSACTIONS" in statement,
        group=cast("Group", group),
        defaults=defaults,
    )


def _words(value: str) -> tuple[str, ...]:
    return tuple(word for word in re.split(r"[,\s]+", value) if word)


def _parse_types(name: str, header: str, value: str) -> tuple[dict[str, str], dict[str, Any]]:
    """Types and defaults by name; ``header`` is the header field, for messages."""
    types: dict[str, str] = {}
    defaults: dict[str, Any] = {}
    if value.strip() in {"", "none", "nothing"}:
        return types, defaults
    for item in re.split(r",\s+(?![^<]*>)", value.strip()):
        match = _NAMED_TYPE.fullmatch(item.strip())
        if match is None:
            raise QueryFileError(f"{name}.cypher: {header} must read 'name: TYPE, name: TYPE', got {item!r}")
        types[match[1]] = match[2]
        if match[3] is not None:
            defaults[match[1]] = _default(name, match[2], match[3])
    return types, defaults


def _default(name: str, declared: str, written: str) -> Any:
    known = _LITERALS.get(declared)
    if known is None or not known[0].fullmatch(written):
        raise QueryFileError(
            f"{name}.cypher: a default must be an INTEGER, a FLOAT, true, false or a 'STRING', of the type that is "
            f"declared, got {written} for {declared}"
        )
    return known[1](written)


def _parse_columns(name: str, value: str) -> dict[str, str]:
    types, defaults = _parse_types(name, "Returns", value)
    if defaults:
        raise QueryFileError(f"{name}.cypher: parameters may have defaults, columns may not, got {value!r}")
    return types


def _header(name: str, stem: str, text: str) -> tuple[dict[str, str], str]:
    lines = text.splitlines()
    first = re.fullmatch(rf"// {re.escape(stem)} — (\S.*)", lines[0]) if lines else None
    if first is None:
        raise QueryFileError(f"{name}.cypher:1: the first line must read '// {stem} — what it does'")
    if stem.split("_", 1)[0] not in VERBS or "_" not in stem:
        raise QueryFileError(f"{name}.cypher: the name must be verb_noun with a verb of {sorted(VERBS)}")
    fields: dict[str, str] = {}
    last = ""
    for number, line in enumerate(lines[1:], start=2):
        if not line.startswith("//"):
            break
        if match := _FIELD.fullmatch(line):
            last = match[1]
            fields[last] = match[2].strip()
        elif (match := _CONTINUED.fullmatch(line)) and last:
            fields[last] += " " + match[1].strip()
        else:
            raise QueryFileError(f"{name}.cypher:{number}: not a header field: {line!r}")
    missing = {"Params", "Returns", "Access"} - fields.keys()
    if missing:
        raise QueryFileError(f"{name}.cypher: the header lacks {', '.join(sorted(missing))}")
    return fields, first[1]


@cache
def get(name: str) -> Query:
    """The query of that name.

    Raises:
        QueryFileError: there is no such file, or it breaks a rule.
    """
    folder, _, stem = name.rpartition("/")
    file = root() / folder / f"{stem}.cypher"
    if not file.is_file():
        raise QueryFileError(f"no query file cypher/{name}.cypher; is the installation complete?")
    return parse(name, file.read_text(encoding="utf-8"))


def names() -> Iterator[str]:
    """Names of all query files, in order."""
    for folder in sorted(root().iterdir(), key=lambda entry: entry.name):
        if folder.is_dir():
            for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
                if file.name.endswith(".cypher"):
                    yield f"{folder.name}/{file.name.removesuffix('.cypher')}"
