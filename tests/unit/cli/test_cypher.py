"""``tetragraph cypher``: statements are listed, shown and given parameters, without any store."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from tetragraph import queries
from tetragraph.cli import app
from tetragraph.cli.cypher import read_parameters
from tetragraph.client.analytics import (
    TYPES,
    Parameter,
    Statement,
    check,
    find,
    pack,
)
from tetragraph.errors import InvalidInput, TetragraphError

STATEMENT = Statement(
    "find_things",
    "analytics/find_things",
    "hubs",
    "things",
    (
        Parameter("name", "STRING"),
        Parameter("limit", "INTEGER", 20),
        Parameter("share", "FLOAT", 0.5),
        Parameter("all", "BOOLEAN", False),
    ),
    {"id": "STRING"},
    "",
)


def run(*arguments: str) -> str:
    return CliRunner().invoke(app, ["cypher", *arguments], catch_exceptions=False, env={"COLUMNS": "200"}).stdout


def refused(*arguments: str) -> str:
    """The message; parameters are refused before a store is looked for."""
    error = CliRunner().invoke(app, ["cypher", "run", "-c", "demo", *arguments]).exception
    assert isinstance(error, TetragraphError)
    return str(error)


def test_the_pack_has_one_name_for_each_statement_and_all_of_them_read() -> None:
    names = [one.name for one in pack()]
    assert len(set(names)) == len(names) > 40
    assert {queries.get(one.file).access for one in pack()} == {"read"}
    assert {parameter.type for one in pack() for parameter in one.parameters} <= TYPES.keys()
    assert {one.file for one in pack()} == {name for name in queries.names() if queries.get(name).group}


def test_the_list_has_every_statement_below_its_group() -> None:
    lines = run("list").splitlines()
    assert tuple(line for line in lines if not line.startswith(" ")) == queries.GROUPS
    assert [line.split()[0] for line in lines if line.startswith(("  find_", "  get_"))] == [one.name for one in pack()]
    assert lines[lines.index("redundancy") + 1 :][:2] == [
        "  find_chunks_adding_nothing  chunks that add next to nothing to chunks near them that share an entity",
        "      edges: INTEGER = 3, limit: INTEGER = 20",
    ]
    listed = json.loads(run("list", "--json"))
    assert [(one["name"], one["group"]) for one in listed] == [(one.name, one.group) for one in pack()]
    assert {"name": "similarity", "type": "FLOAT", "default": 0.9} in [
        parameter for one in listed for parameter in one["parameters"]
    ]


def test_a_statement_is_shown_as_it_is_in_its_file() -> None:
    text = (queries.root() / "analytics" / "find_near_duplicates.cypher").read_text(encoding="utf-8")
    assert run("show", "find_near_duplicates") == run("show", "analytics/find_near_duplicates") == text
    assert json.loads(run("show", "find_near_duplicates", "--json"))["text"] == text
    line, empty, rest = run("show", "find_near_duplicates", "--browser", "-c", "o'h", "-p", "limit=5").split("\n", 2)
    assert (line, empty, rest) == (":params {corpus: 'o\\'h', similarity: 0.9, limit: 5}", "", text)


def test_parameters_are_read_by_their_types() -> None:
    items = ["name=a=b", "limit=5", "share=.25", "all=true"]
    assert read_parameters(STATEMENT, items) == {"name": "a=b", "limit": 5, "share": 0.25, "all": True}
    assert check(STATEMENT, {"name": ""}) == {"name": "", "limit": 20, "share": 0.5, "all": False}


@pytest.mark.parametrize(
    ("items", "words"),
    [
        (["limit"], "--param must be NAME=VALUE, got 'limit'"),
        (["=5"], "--param must be NAME=VALUE, got '=5'"),
        (["limit=5", "limit=6"], "once for each name, got 'limit' twice"),
        (["limit=x"], "limit must be of type INTEGER, got 'x'"),
        (["share=x"], "share must be of type FLOAT, got 'x'"),
        (["all=maybe"], "all must be of type BOOLEAN, got 'maybe'"),
    ],
)
def test_an_item_that_cannot_be_read_is_refused(items: list[str], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        read_parameters(STATEMENT, items)


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({}, "find_things needs the parameter name, a STRING"),
        ({"name": "x", "colour": 1, "age": 2}, "has no parameter 'age'; its parameters are: name, limit, share, all"),
        ({"name": 1}, "name must be of type STRING, got 1"),
        ({"name": "x", "limit": 2.0}, r"limit must be of type INTEGER, got 2\.0"),
        ({"name": "x", "limit": True}, "limit must be of type INTEGER, got True"),
        ({"name": "x", "limit": 0}, "limit must be an integer of at least 1, got 0"),
        ({"name": "x", "share": float("nan")}, "share must be of type FLOAT, got nan"),
        ({"name": "x", "all": 1}, "all must be of type BOOLEAN, got 1"),
        ({"name": "x", "corpus": "other"}, "has no parameter 'corpus'"),
    ],
)
def test_a_parameter_that_does_not_fit_is_refused(given: dict[str, object], words: str) -> None:
    with pytest.raises(InvalidInput, match=words):
        check(STATEMENT, given)


def test_a_name_that_nobody_knows_is_told_with_those_close_to_it() -> None:
    with pytest.raises(InvalidInput, match=r"got 'find_near_duplicate'; similar names: find_near_duplicates"):
        find("find_near_duplicate")
    with pytest.raises(InvalidInput, match=r"got 'xyz'; similar names: none; `tetragraph cypher list` shows all"):
        find("xyz")


def test_a_form_that_is_none_is_refused_before_anything_is_asked(tmp_path: Path) -> None:
    assert refused("find_coverage", "--format", "xml").startswith("--format must be one of table, csv, json, got 'xml'")
    assert refused("find_coverage", "--format", "table", "--out", str(tmp_path / "x")).startswith("--out takes csv or")
    assert refused("find_coverag").startswith("name must be the name of a statement, got 'find_coverag'")
    assert refused("find_roles", "-p", "limit=3").startswith("find_roles has no parameter 'limit'")


@pytest.mark.parametrize("name", ["x.txt", "x.table"])
def test_a_file_whose_ending_names_no_form_is_refused_without_a_form(name: str) -> None:
    told = f"--out writes csv or json, got the file '{name}': name it like that, or give --format"
    assert refused("find_coverage", "--out", name).startswith(told)


@pytest.mark.parametrize("given", [("x.CSV",), ("x.json",), ("x",), ("x.txt", "--format", "csv")])
def test_a_file_is_of_the_form_that_its_ending_or_the_option_names(given: tuple[str, ...]) -> None:
    assert refused("find_coverag", "--out", *given).startswith("name must be the name of a statement")
