"""Statements for analysts: the pack of read statements that have a group, and what they tell of one corpus."""

from __future__ import annotations

import csv
import difflib
import io
import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from tetragraph import queries
from tetragraph.connection import Connection
from tetragraph.errors import InvalidInput, QueryFileError
from tetragraph.model.results import Results
from tetragraph.systems.registry import BUILD_TARGETS
from tetragraph.validation import check_integer

TYPES: Mapping[str, type | tuple[type, ...]] = {"STRING": str, "INTEGER": int, "FLOAT": (int, float), "BOOLEAN": bool}
"""What Python gives for each type of parameter that people may set."""
SUGGESTED = 5


@dataclass(frozen=True, slots=True)
class Parameter:
    """What a statement has to be told.

    Attributes:
        type: ``STRING``, ``INTEGER``, ``FLOAT`` or ``BOOLEAN``.
        default: Its value where it is left out; None where it must be given.
    """

    name: str
    type: str
    default: str | float | bool | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the pack.

    Attributes:
        name: Of its file, ``find_coverage``; unique in the pack.
        file: Folder and name, ``analytics/find_coverage``.
        group: What it tells about, one of ``queries.GROUPS``.
        parameters: In the order of the file; the corpus is not among them.
        columns: Name to Cypher type, in order.
        text: The whole file, as it can be pasted into Neo4j Browser.
    """

    name: str
    file: str
    group: str
    summary: str
    parameters: tuple[Parameter, ...]
    columns: Mapping[str, str]
    text: str


@dataclass(frozen=True, slots=True)
class Table(Results[Mapping[str, Any]]):
    """What a statement told: a sequence of rows, in the statement's order.

    Attributes:
        statement: Its name.
        columns: In order.
        rows: Column to value: text, number, truth value, None, or a list of these.
        notes: Said in words: what the corpus lacks of what the statement asks for.
    """

    statement: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()

    @property
    def _found(self) -> tuple[Mapping[str, Any], ...]:
        return self.rows

    def to_json(self) -> str:
        """The rows as a JSON list of objects."""
        return json.dumps([dict(row) for row in self.rows], ensure_ascii=False, indent=2) + "\n"

    def to_csv(self) -> str:
        """A line of columns and a line a row; a list is a JSON text, None is empty."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(self.columns)
        writer.writerows([_cell(row[column]) for column in self.columns] for row in self.rows)
        return text.getvalue()


class Analytics:
    """The statements for analysts, on one corpus; thread-safe. Made by ``Corpus.analytics``."""

    def __init__(self, connection: Connection, corpus: str) -> None:
        self._connection = connection
        self._corpus = corpus

    def list(self) -> tuple[Statement, ...]:
        """The statements that can be run, by group and name."""
        return pack()

    def run(self, name: str, /, **parameters: Any) -> Table:
        """Run one statement of the pack; it cannot write.

        Args:
            name: Of the statement, with its folder or without.
            parameters: Its parameters; those with a default may be left out.

        Raises:
            InvalidInput: no statement has that name, the message lists names that are close; or a parameter is
                missing, unknown or of another type. Nothing was asked.
            UnknownCorpus, StoreUnavailable: see ``Corpus.search``.
        """
        statement = find(name)
        values = check(statement, parameters)
        stores = self._connection.stores(self._corpus)
        rows = stores.graph.read(statement.file, corpus=self._corpus, **values)
        words = set(re.findall(r"\w+", queries.code(statement.text)))
        notes = tuple(
            f"the corpus has no {target.contents}: `tetragraph build {name} -c {self._corpus}` makes them"
            for name, target in BUILD_TARGETS.items()
            if words & target.schema_names and name not in stores.record.graphs
        )
        return Table(statement.name, tuple(statement.columns), tuple(rows), notes)


@cache
def pack() -> tuple[Statement, ...]:
    """All statements that have a group, by group and name.

    Raises:
        QueryFileError: one of them writes, or takes a parameter that people cannot set.
    """
    grouped = [query for query in map(queries.get, queries.names()) if query.group]
    grouped.sort(key=lambda query: (queries.GROUPS.index(query.group or "quality"), query.name.split("/")[1]))
    return tuple(map(_statement, grouped))


def find(name: str) -> Statement:
    """The statement of a name, with its folder or without.

    Raises:
        InvalidInput: there is none; the message lists names that are close.
    """
    for statement in pack():
        if name in (statement.name, statement.file):
            return statement
    close = difflib.get_close_matches(name.rpartition("/")[2], [one.name for one in pack()], SUGGESTED, 0.5)
    raise InvalidInput(
        f"name must be that of a statement of the pack, got {name!r}; close to it: {', '.join(close) or 'none'}; "
        "`tetragraph cypher list` shows all"
    )


def check(statement: Statement, given: Mapping[str, Any]) -> dict[str, Any]:
    """The value of every parameter of a statement, as given or by default.

    Raises:
        InvalidInput: one is missing, unknown or of another type.
    """
    known = {one.name: one for one in statement.parameters}
    unknown = sorted(given.keys() - known.keys())
    if unknown:
        has = ", ".join(known) or "none"
        raise InvalidInput(f"{statement.name} has no parameter {unknown[0]!r}; its parameters are: {has}")
    values = {one.name: given.get(one.name, one.default) for one in statement.parameters}
    for name, value in values.items():
        if value is None:
            raise InvalidInput(f"{statement.name} needs the parameter {name}, a {known[name].type}; it was not given")
        _check_type(known[name], value)
    return values


def _check_type(parameter: Parameter, value: Any) -> None:
    fits = isinstance(value, TYPES[parameter.type]) and isinstance(value, bool) == (parameter.type == "BOOLEAN")
    if not fits or (isinstance(value, float) and not math.isfinite(value)):
        raise InvalidInput(f"{parameter.name} must be of type {parameter.type}, got {value!r}")
    if parameter.name == "limit":
        check_integer("limit", value, 1)


def _statement(query: queries.Query) -> Statement:
    asked = {name: declared for name, declared in query.parameters.items() if name != "corpus"}
    if query.access != "read" or not TYPES.keys() >= set(asked.values()):
        raise QueryFileError(
            f"{query.name}.cypher: a statement with a Group must have Access read and parameters of types "
            f"{', '.join(TYPES)}; it has {query.access} and {', '.join(asked.values()) or 'none'}"
        )
    parameters = tuple(Parameter(name, declared, query.defaults.get(name)) for name, declared in asked.items())
    stem = query.name.split("/")[1]
    return Statement(stem, query.name, query.group, query.summary, parameters, query.returns, query.text)


def _cell(value: Any) -> Any:
    if isinstance(value, list):
        return json.dumps(value, ensure_ascii=False)
    return "" if value is None else value
