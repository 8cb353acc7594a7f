"""Statements of users: Cypher that was typed in, run only if it can do nothing but read this database.

Three things have to agree before a statement is run: the server, which plans it (``EXPLAIN``), calls it a reading one;
its plan has no operator that reads files, commits or looks into the server; and every procedure or function with a
namespace that its text or its plan calls is on a list. Then it runs in a transaction with read access.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import neo4j
from neo4j import graph as driver_graph
from neo4j import spatial, time

from tetragraph.errors import InvalidInput
from tetragraph.stores.graph import Graph, Row
from tetragraph.validation import check_integer

LONGEST = 100_000
"""Longest statement in characters."""
PROCEDURES = frozenset(
    {
        "db.index.fulltext.queryNodes",
        "db.index.fulltext.queryRelationships",
        "db.index.vector.queryNodes",
        "db.index.vector.queryRelationships",
        "db.labels",
        "db.propertyKeys",
        "db.relationshipTypes",
        "db.schema.nodeTypeProperties",
        "db.schema.relTypeProperties",
        "db.schema.visualization",
    }
)
"""Procedures that only read the database."""
FUNCTIONS = (
    "date.",
    "datetime.",
    "duration.",
    "gds.similarity.",
    "gds.util.",
    "localdatetime.",
    "localtime.",
    "point.",
    "time.",
    "vector.similarity.",
)
"""Beginnings of the names of functions that only compute."""
_REFUSED = ("LoadCSV", "Transaction", "Show", "Terminate", "AdministrationCommand")
"""Beginnings of operators that read files, commit, or show or change the server, in plans that are called reading."""
_NO_CODE = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|//[^\n]*|/\*.*?\*/|(`(?:``|[^`])*`)""", re.DOTALL)
_CALLED = re.compile(r"\w+(?:\s*\.\s*\w+)+(?=\s*\()")
_PLANNING = re.compile(r"\s*(EXPLAIN|PROFILE)\b", re.IGNORECASE)
_PROCEDURE = re.compile(r"[\w.]+")


@dataclass(frozen=True, slots=True)
class Answer:
    """Rows of a statement.

    Attributes:
        columns: Names of the columns, in order.
        rows: Column to value, as types of JSON; see :func:`to_json_value`.
        is_cut: Whether there were more rows than were asked for.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    is_cut: bool


def run(graph: Graph, text: str, corpus: str, parameters: Mapping[str, Any], *, limit: int, timeout_s: float) -> Answer:
    """Run a statement that can only read, with the name of a corpus as ``$corpus``.

    Raises:
        InvalidInput: the statement writes, does more than read the database, or does not use ``$corpus``; or an
            argument breaks its rule. Nothing was run.
        QueryFailed: the server does not understand the statement, or ended it.
    """
    check_text(text)
    if not isinstance(parameters, Mapping) or "corpus" in parameters:
        raise InvalidInput(f"parameters must map names other than corpus, which is set, to values, got {parameters!r}")
    check_integer("limit", limit, 1)
    if isinstance(timeout_s, bool) or not isinstance(timeout_s, int | float) or not 0 < timeout_s < float("inf"):
        raise InvalidInput(f"timeout_s must be a number of seconds above 0, got {timeout_s!r}")
    values = {**parameters, "corpus": corpus}
    check_plan(graph.explain(text, values))
    columns, rows = graph.read_text(text, values, most=limit + 1, timeout_s=timeout_s)
    shown = tuple({name: to_json_value(value) for name, value in row.items()} for row in rows[:limit])
    return Answer(columns, shown, len(rows) > limit)


def check_text(text: object) -> None:
    """Check that a statement names ``$corpus``, and calls only what is known to read.

    Raises:
        InvalidInput: it is no text, too long, has an escaped character, EXPLAIN or PROFILE, lacks ``$corpus``, or
            calls something else.
    """
    if not isinstance(text, str) or not text.strip():
        raise InvalidInput(f"a statement must be Cypher, got {text!r}")
    if len(text) > LONGEST:
        raise InvalidInput(f"a statement has at most {LONGEST:,} characters, got {len(text):,}")
    if r"\u" in text:  # read before anything else, so that any character can hide in it
        raise InvalidInput(r"a statement must have its characters as they are, got an escape \u: write the character")
    code = _NO_CODE.sub(lambda found: f" {found[1][1:-1]} " if found[1] else " ", text)
    if asked := _PLANNING.match(code):
        raise InvalidInput(f"a statement must be one whose rows can be read, got {asked[1]}: leave this word out")
    if not re.search(r"\$corpus\b", code):
        raise InvalidInput(
            "a statement must name the corpus by the parameter $corpus, as in MATCH (chunk:Chunk {corpus: $corpus}) "
            "RETURN chunk.title, so that other corpora stay out of it"
        )
    for name in _CALLED.findall(code):
        _check_called(re.sub(r"\s", "", name))


def check_plan(summary: neo4j.ResultSummary) -> None:
    """Check that the server has planned a statement that only reads.

    Raises:
        InvalidInput: it writes, changes or shows the server, commits in steps, reads files, or calls what may.
    """
    if summary.query_type != "r" or summary.plan is None:
        raise InvalidInput("a statement must only read, this one writes, or changes or shows the server: not run")
    for operator, details in _operators(summary.plan):
        if operator.startswith(_REFUSED):
            raise InvalidInput(f"a statement must only read this database, this one has the step {operator}: not run")
        if operator == "ProcedureCall":
            called = _PROCEDURE.match(details)
            _check_called(called[0] if called else details)
        for name in _CALLED.findall(details):
            _check_called(name)


def _operators(plan: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Name and details of each operator of a plan."""
    waiting = [plan]
    while waiting:
        one = waiting.pop()
        yield str(one["operatorType"]).partition("@")[0], str(one.get("args", {}).get("Details", ""))
        waiting += one.get("children", [])


def _check_called(name: str) -> None:
    if name not in PROCEDURES and not name.startswith(FUNCTIONS):
        raise InvalidInput(
            f"a statement may call only what is known to read and nothing else, got {name!r}; procedures: "
            f"{', '.join(sorted(PROCEDURES))}; functions: those without a namespace, and {', '.join(FUNCTIONS)}"
        )


def to_json_value(value: Any) -> Any:
    """A value of Cypher as types of JSON.

    A node becomes ``{"labels", "properties"}``, a relationship ``{"type", "properties"}``, a path ``{"nodes",
    "relationships"}``; times and durations become ISO 8601, points a list of coordinates, bytes hexadecimal digits.
    """
    match value:
        case None | bool() | int() | float() | str():
            return value
        case driver_graph.Node():
            return {"labels": sorted(value.labels), "properties": to_json_value(dict(value))}
        case driver_graph.Relationship():
            return {"type": value.type, "properties": to_json_value(dict(value))}
        case driver_graph.Path():
            nodes, links = map(to_json_value, value.nodes), map(to_json_value, value.relationships)
            return {"nodes": list(nodes), "relationships": list(links)}
        case dict():
            return {str(key): to_json_value(item) for key, item in sorted(value.items())}
        case time.Date() | time.Time() | time.DateTime() | time.Duration():  # a duration is a tuple, too
            return value.iso_format()
        case spatial.Point() | list() | tuple():
            return [to_json_value(item) for item in value]
        case bytes() | bytearray():
            return value.hex()
    return str(value)
