"""Statements for analysts: read-only Cypher statements, by group, that run on one corpus."""

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
from tetragraph.model.display import html_table, to_plain
from tetragraph.model.results import Results
from tetragraph.systems.registry import BUILD_TARGETS
from tetragraph.validation import check_integer

TYPES: Mapping[str, type | tuple[type, ...]] = {"STRING": str, "INTEGER": int, "FLOAT": (int, float), "BOOLEAN": bool}
"""Cypher type to the Python types of its values, for parameters that users may set."""
FORMULA = ("=", "+", "-", "@", "\t", "\r")
"""Beginnings of texts that spreadsheets compute."""
SHOWN_ROWS = 100
"""Largest number of rows in a table of a notebook."""
SUGGESTED = 5
"""Largest number of similar names in the message about an unknown statement."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A parameter of a statement.

    Attributes:
        name: Name of the parameter.
        type: ``STRING``, ``INTEGER``, ``FLOAT`` or ``BOOLEAN``.
        default: Value if the parameter is left out; None if it is required.
    """

    name: str
    type: str
    default: str | int | float | bool | None = None


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement of the pack.

    Attributes:
        name: Name of its file without folder and suffix, ``find_coverage``; unique in the pack.
        file: Folder and name, ``analytics/find_coverage``.
        group: Subject, one of ``queries.GROUPS``.
        summary: Purpose, in one sentence.
        parameters: Parameters in the order of the file, without the corpus.
        columns: Name of each column of the result to its Cypher type, in order.
        text: Text of the whole file, which can be pasted into Neo4j Browser.
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
    """Result of a statement: a sequence of rows in the order of the statement.

    Attributes:
        statement: Name of the statement; the statement itself where it is one of your own.
        columns: Names of the columns, in order.
        rows: Column to value in each row: text, number, truth value, None, or a list or mapping of these.
        notes: Warnings in words: a graph that the statement reads and the corpus lacks, rows that were left out.
    """

    statement: str
    columns: tuple[str, ...]
    rows: tuple[Mapping[str, Any], ...]
    notes: tuple[str, ...] = ()

    @property
    def _found(self) -> tuple[Mapping[str, Any], ...]:
        return self.rows

    def _repr_html_(self) -> str:
        shown = [[row[column] for column in self.columns] for row in self.rows[:SHOWN_ROWS]]
        more = [f"{len(self.rows) - SHOWN_ROWS:,} rows more"] if len(self.rows) > SHOWN_ROWS else []
        return html_table("", self.columns, shown, [*more, *(f"note: {note}" for note in self.notes)])

    def to_json(self) -> str:
        """The rows as a JSON list of objects; a number that is not finite is null."""
        return json.dumps(to_plain(self.rows), ensure_ascii=False, indent=2) + "\n"

    def to_csv(self) -> str:
        """The table as CSV: a header and one line for each row; lists are written as JSON, None as an empty field.

        A text that begins like a formula (``=``, ``+``, ``-``, ``@``, tab or return) gets an apostrophe before it, as
        spreadsheets would compute it; :meth:`to_json` has all texts as they are.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(map(_cell, self.columns))
        writer.writerows([_cell(row[column]) for column in self.columns] for row in self.rows)
        return text.getvalue()


class Analytics:
    """The statements for analysts, for one corpus; thread-safe. Obtained from ``Corpus.analytics``."""

    def __init__(self, connection: Connection, corpus: str) -> None:
        self._connection = connection
        self._corpus = corpus

    def list(self) -> tuple[Statement, ...]:
        """Statements that can be run, by group and name."""
        return pack()

    def run(self, name: str, /, **parameters: Any) -> Table:
        """Run one statement of the pack, in a transaction that cannot write.

        Args:
            name: Name of the statement, with or without its folder.
            parameters: Parameters of the statement; those with a default may be left out.

        Raises:
            InvalidInput: no statement has that name, and the message lists similar names; or a parameter is missing,
                unknown or of another type. Nothing was run.
            UnknownCorpus, StoreUnavailable: see ``Corpus.search``.
        """
        statement = find(name)
        values = check(statement, parameters)
        stores = self._connection.stores(self._corpus)
        rows = stores.graph.read(statement.file, corpus=self._corpus, **values)
        words = set(re.findall(r"\w+", queries.code(statement.text)))
        notes = tuple(
            f"the corpus has no {target.contents}: `tetragraph build {name} -c {self._corpus}` builds them"
            for name, target in BUILD_TARGETS.items()
            if words & target.schema_names and name not in stores.record.graphs
        )
        return Table(statement.name, tuple(statement.columns), tuple(rows), notes)


@cache
def pack() -> tuple[Statement, ...]:
    """All statements that have a group, by group and name.

    Raises:
        QueryFileError: a statement writes, or has a parameter of a type that users cannot set.
    """
    grouped = [query for query in map(queries.get, queries.names()) if query.group]
    grouped.sort(key=lambda query: (queries.GROUPS.index(query.group or "quality"), query.name.split("/")[1]))
    return tuple(map(_statement, grouped))


def find(name: str) -> Statement:
    """Find the statement of a name, with or without its folder.

    Raises:
        InvalidInput: no statement has that name; the message lists similar names.
    """
    if not isinstance(name, str):
        raise InvalidInput(f"name must be the name of a statement, got {name!r}; `tetragraph cypher list` shows all")
    for statement in pack():
        if name in (statement.name, statement.file):
            return statement
    close = difflib.get_close_matches(name.rpartition("/")[2], [one.name for one in pack()], SUGGESTED, 0.5)
    raise InvalidInput(
        f"name must be the name of a statement, got {name!r}; similar names: {', '.join(close) or 'none'}; "
        "`tetragraph cypher list` shows all"
    )


def check(statement: Statement, given: Mapping[str, Any]) -> dict[str, Any]:
    """Check the parameters of a statement, and return the value of each, given or by default.

    Raises:
        InvalidInput: a parameter is missing, unknown or of another type.
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
    types = {name: type_ for name, type_ in query.parameters.items() if name != "corpus"}
    if query.access != "read" or not TYPES.keys() >= set(types.values()):
        raise QueryFileError(
            f"{query.name}.cypher: a statement with a Group must have Access read and parameters of types "
            f"{', '.join(TYPES)}; it has {query.access} and {', '.join(types.values()) or 'none'}"
        )
    parameters = tuple(Parameter(name, type_, query.defaults.get(name)) for name, type_ in types.items())
    stem = query.name.split("/")[1]
    return Statement(stem, query.name, query.group, query.summary, parameters, query.returns, query.text)


def _cell(value: Any) -> Any:
    if isinstance(value, list | dict):
        return json.dumps(value, ensure_ascii=False)
    if isinstance(value, str) and value.startswith(FORMULA):
        return f"'{value}"
    return "" if value is None else value
