"""``cypher list``, ``show`` and ``run``: the statements for analysts; ``query``: a statement of your own."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from itertools import groupby
from json import dumps
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer
from rich.text import Text

from tetragraph.cli.arguments import (
    CorpusName,
    ForBrowser,
    Json,
    ParameterItems,
    RowLimit,
    StatementName,
    StatementText,
    TableFile,
    TableForm,
    Timeout,
)
from tetragraph.cli.llm_options import connect
from tetragraph.cli.output import check_place, err, out, print_data, print_json, print_json_text, table, write_text
from tetragraph.errors import InvalidInput
from tetragraph.model.subgraphs import cypher_string
from tetragraph.model.written_values import read_value
from tetragraph.queries import MOST_ROWS, SECONDS

if TYPE_CHECKING:
    from tetragraph.client.analytics import Parameter, Statement, Table

FILE_FORMS = ("csv", "json")
FORMS = ("table", *FILE_FORMS)
commands = typer.Typer(
    name="cypher",
    help="Statements for analysts: coverage, repetitions, contradictions and use of a corpus.",
    no_args_is_help=True,
)


@commands.command(name="list", epilog="Example: tetragraph cypher list")
def list_statements(json: Json = False) -> None:
    """List the statements by subject, with their parameters."""
    from tetragraph.client import analytics

    if json:
        print_json(analytics.pack())
        return
    for group, statements in groupby(analytics.pack(), key=lambda one: one.group):
        out.print(Text(group, style="bold"))
        for one in statements:
            out.print(Text.assemble("  ", (one.name, "cyan"), f"  {one.summary}"), soft_wrap=True)
            if one.parameters:
                out.print(Text(f"      {', '.join(map(_parameter, one.parameters))}", style="dim"), soft_wrap=True)


@commands.command(
    epilog="Examples: tetragraph cypher show find_coverage | tetragraph cypher show find_near_duplicates -c demo "
    "--browser -p similarity=0.95"
)
def show(
    name: StatementName,
    corpus: CorpusName = "demo",
    param: ParameterItems = None,
    browser: ForBrowser = False,
    json: Json = False,
) -> None:
    """Print a statement, which can be pasted into Neo4j Browser as it is."""
    from tetragraph.client import analytics

    statement = analytics.find(name)
    if json:
        print_json(statement)
        return
    if browser or param:
        values = {"corpus": corpus} | analytics.check(statement, read_parameters(statement, param or []))
        pairs = ", ".join(f"{key}: {_literal(value)}" for key, value in values.items())
        out.print(f":params {{{pairs}}}\n", markup=False, soft_wrap=True)
    out.print(statement.text, end="", markup=False, soft_wrap=True)


@commands.command(
    epilog="Examples: tetragraph cypher run find_coverage -c demo | tetragraph cypher run find_conflicting_values "
    "-c demo -p role=place --format csv | tetragraph cypher run find_redundant_documents -c demo --out pairs.csv"
)
def run(
    name: StatementName,
    corpus: CorpusName,
    param: ParameterItems = None,
    form: TableForm = None,
    file: TableFile = None,
    json: Json = False,
) -> None:
    """Run a statement on a corpus and print its rows."""
    from tetragraph.client import analytics

    form = _choose_form(form, file, json=json)
    statement = analytics.find(name)
    values = analytics.check(statement, read_parameters(statement, param or []))
    check_place(file)
    with connect() as client:
        result = client.corpus(corpus).analytics.run(statement.file, **values)
    _output(result, form, file, json=json)


def _output(result: Table, form: str, file: Path | None, *, json: bool) -> None:
    """Print a table, or write it to a file and say so; then its notes."""
    if file is not None:
        write_text(file, _render(result, form))
        if json:
            print_json({"written": file, "rows": len(result)})
        err.print(f"written to {file}: {len(result):,} rows", markup=False, soft_wrap=True)
    elif form == "table":
        _show(result)
    else:
        printing = print_json_text if form == "json" else print_data
        printing(_render(result, form))
    for note in result.notes:
        err.print(f"note: {note}", markup=False, soft_wrap=True)


@commands.command(
    epilog="Examples: tetragraph cypher query 'MATCH (c:Chunk {corpus: $corpus}) RETURN count(c) AS chunks' -c demo | "
    "tetragraph cypher query - -c demo --out titles.csv < titles.cypher"
)
def query(
    statement: StatementText,
    corpus: CorpusName,
    param: ParameterItems = None,
    limit: RowLimit = MOST_ROWS,
    timeout: Timeout = SECONDS,
    form: TableForm = None,
    file: TableFile = None,
    json: Json = False,
) -> None:
    """Run a statement of your own that only reads. $corpus is the corpus, which the statement must name."""
    form = _choose_form(form, file, json=json)
    text = sys.stdin.read() if statement == "-" else statement
    values = read_values(param or [])
    check_place(file)
    with connect() as client:
        result = client.corpus(corpus).cypher(text, values, limit=limit, timeout_s=timeout)
    _output(result, form, file, json=json)


def read_values(items: Sequence[str]) -> dict[str, Any]:
    """Parse ``--param`` items whose types nothing declares: numbers, true and false, lists; anything else is a text.

    Raises:
        InvalidInput: an item is not NAME=VALUE, or is given twice.
    """
    pairs = dict(map(_split, items))
    if len(pairs) < len(items):
        raise InvalidInput(f"--param can be given once for each name, got {', '.join(items)}")
    return {name: read_value(written) for name, written in pairs.items()}


def _split(item: str) -> tuple[str, str]:
    name, equals, written = item.partition("=")
    if not name or not equals:
        raise InvalidInput(f"--param must be NAME=VALUE, got {item!r}")
    return name, written


def read_parameters(statement: Statement, items: Sequence[str]) -> dict[str, Any]:
    """Parse ``--param`` items by the types that the statement declares; an unknown parameter is a text.

    Raises:
        InvalidInput: an item is not NAME=VALUE, is given twice, or its value cannot be read.
    """
    types = {one.name: one.type for one in statement.parameters}
    values: dict[str, Any] = {}
    for item in items:
        name, written = _split(item)
        if name in values:
            raise InvalidInput(f"--param can be given once for each name, got {name!r} twice")
        values[name] = _read(name, types.get(name, "STRING"), written)
    return values


def _read(name: str, declared: str, written: str) -> Any:
    try:
        match declared:
            case "INTEGER":
                return int(written)
            case "FLOAT":
                return float(written)
            case "BOOLEAN":
                return {"true": True, "false": False}[written.lower()]
    except (ValueError, KeyError) as error:
        raise InvalidInput(f"{name} must be of type {declared}, got {written!r}") from error
    return written


def _choose_form(form: str | None, file: Path | None, *, json: bool) -> str:
    if json and file is None:
        return "json"
    suffix = file.suffix.removeprefix(".").lower() if file else ""
    if form is None and suffix and suffix not in FILE_FORMS:
        raise InvalidInput(
            f"--out writes {' or '.join(FILE_FORMS)}, got the file {str(file)!r}: name it like that, or give --format"
        )
    chosen = form or suffix or ("csv" if file else "table")
    if chosen not in FORMS:
        raise InvalidInput(f"--format must be one of {', '.join(FORMS)}, got {chosen!r}")
    if file is not None and chosen == "table":
        raise InvalidInput("--out takes csv or json, got the format 'table': choose another, or leave --out out")
    return chosen


def _render(result: Table, form: str) -> str:
    return result.to_csv() if form == "csv" else result.to_json()


def _show(result: Table) -> None:
    if not result:
        out.print("no row")
        return
    table(result.columns, [[_cell_text(row[column]) for column in result.columns] for row in result])


def _cell_text(value: Any) -> Any:
    if isinstance(value, dict):
        return dumps(value, ensure_ascii=False)
    if isinstance(value, list):
        return "; ".join(str(_cell_text(item)) for item in value)
    return "" if value is None else value


def _parameter(one: Parameter) -> str:
    default = "" if one.default is None else f" = {_literal(one.default)}"
    return f"{one.name}: {one.type}{default}"


def _literal(value: Any) -> str:
    """The Cypher literal of a value."""
    if isinstance(value, bool):
        return str(value).lower()
    return cypher_string(value) if isinstance(value, str) else repr(value)
