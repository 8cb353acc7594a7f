"""Rows of any size from lines, arrays and tables, each with its place."""

from __future__ import annotations

import gzip
import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tetragraph.model import Unreadable
from tetragraph_loaders.records import Record, read_records


def rows(folder: Path, name: str, content: str | bytes) -> list[tuple[str, Any]]:
    file = folder / name
    file.write_bytes(content.encode() if isinstance(content, str) else content)
    return [
        (one.source, one.reason) if isinstance(one, Unreadable) else (one.where, one.values)
        for one in read_records(file, name)
    ]


@pytest.mark.parametrize("name", ["r.jsonl", "r.json", "r.txt"])
def test_lines_and_arrays_are_told_by_the_first_character(tmp_path: Path, name: str) -> None:
    assert rows(tmp_path, name, '{"a": 1}\n\n{"a": 2}') == [(f"{name}:1", {"a": 1}), (f"{name}:3", {"a": 2})]
    array = '\ufeff [\n {"a": 1},\n\n {"a":\n 2}, {"a": 3}]\n'
    assert rows(tmp_path, name, array) == [
        (f"{name}:2 (row 1)", {"a": 1}),
        (f"{name}:4 (row 2)", {"a": 2}),
        (f"{name}:5 (row 3)", {"a": 3}),
    ]


def test_a_gzipped_file_is_read_like_a_plain_one(tmp_path: Path) -> None:
    content = '[{"a": 1}]'
    assert rows(tmp_path, "r.json.gz", gzip.compress(content.encode())) == [("r.json.gz:1 (row 1)", {"a": 1})]
    table = gzip.compress(b"a,b\n1,2\n")
    assert rows(tmp_path, "r.csv.gz", table) == [("r.csv.gz:2", {"a": "1", "b": "2"})]


def test_rows_are_whole_where_the_window_on_the_file_ends(tmp_path: Path) -> None:
    long = [{"text": letter * 700_000} for letter in "abcdé"]
    found = rows(tmp_path, "r.json", json.dumps(long, indent=1, ensure_ascii=False))
    assert [values for _, values in found] == long
    assert [where for where, _ in found] == [f"r.json:{2 + 3 * n} (row {n + 1})" for n in range(5)]


@given(st.lists(st.dictionaries(st.text(max_size=5), st.integers() | st.text(max_size=9)), max_size=5), st.booleans())
def test_an_array_reads_back_what_was_written(
    tmp_path_factory: pytest.TempPathFactory, values: list[dict[str, Any]], indented: bool
) -> None:
    content = json.dumps(values, indent=2 if indented else None)
    assert [one for _, one in rows(tmp_path_factory.mktemp("r"), "r.json", content)] == values


@pytest.mark.parametrize(
    ("content", "where", "words"),
    [
        ('[{"a": 1}\n{"a": 2}]', "r.json:2 (row 1)", "must have ',' here, got '{'"),
        ('[{"a": 1},\n{"a": }]', "r.json:2 (row 2)", "a row must be JSON, got Expecting value"),
        ('[{"a": 1},\n7]', "r.json:2 (row 2)", "a row must be a JSON object, got a number"),
        ('[{"a": 1}', "r.json:1 (row 1)", "must have ',' here, got the end of the file"),
        ('[{"a": 1}] {}', "r.json:1 (row 1)", "must have the end of the file here, got '{'"),
        ('[{"a": NaN}]', "r.json:1 (row 1)", "NaN is no JSON value"),
        ("[" * 5000, "r.json:1 (row 1)", "a row must be JSON"),
    ],
)
def test_an_array_that_breaks_off_says_where(tmp_path: Path, content: str, where: str, words: str) -> None:
    source, reason = rows(tmp_path, "r.json", content)[-1]
    assert source == where
    assert words in reason


def test_a_broken_line_costs_that_line_only(tmp_path: Path) -> None:
    found = rows(tmp_path, "r.jsonl", '{"a": 1}\n[]\nx\n{"a": 2}')
    assert [where for where, _ in found] == ["r.jsonl:1", "r.jsonl:2", "r.jsonl:3", "r.jsonl:4"]
    assert "must be a JSON object, got list" in found[1][1]
    assert found[3][1] == {"a": 2}


def test_cells_of_a_table_may_hold_delimiters_and_line_ends(tmp_path: Path) -> None:
    found = rows(tmp_path, "r.csv", '\ufeffQuestion,Answer\r\n"a, ""b""\nc",d\r\ne,f\r\n')
    assert found == [
        ("r.csv:3", {"Question": 'a, "b"\nc', "Answer": "d"}),
        ("r.csv:4", {"Question": "e", "Answer": "f"}),
    ]
    assert rows(tmp_path, "r.tsv", "a\tb\n1,5\t2\n") == [("r.tsv:2", {"a": "1,5", "b": "2"})]


def test_a_column_may_have_no_name(tmp_path: Path) -> None:
    found = rows(tmp_path, "r.csv", ",Question,Answer\n0,a,b\n1,c,d,e\n")
    assert found[0] == ("r.csv:2", {"": "0", "Question": "a", "Answer": "b"})
    assert "a row must have the header's 3 cells" in found[1][1]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("a,b\n1\n", "a row must have the header's 2 cells"),
        ("a,b\n1,2,3\n", "a row must have the header's 2 cells"),
        ('a,b\n"1"x,2\n', "a row must be well-formed"),
        (b"a,b\n\xff,2\n", "the text must be UTF-8, byte 0xff is not"),
    ],
)
def test_a_broken_row_of_a_table_says_why(tmp_path: Path, content: str | bytes, words: str) -> None:
    assert words in rows(tmp_path, "r.csv", content)[-1][1]


def test_what_cannot_be_opened_or_uncompressed_says_why(tmp_path: Path) -> None:
    (missing,) = read_records(tmp_path / "none.jsonl", "none.jsonl")
    assert missing == Unreadable("none.jsonl", "the file cannot be read: No such file or directory")
    damaged = rows(tmp_path, "r.json.gz", gzip.compress(b'[{"a": 1}]' * 1000)[:-20])
    assert "the gzip data are damaged" in damaged[-1][1]


def test_rows_are_numbered_with_the_broken_ones(tmp_path: Path) -> None:
    file = tmp_path / "r.jsonl"
    file.write_text('{"a": 1}\nx\n{"a": 2}', encoding="utf-8")
    assert [one.number for one in read_records(file, "r") if isinstance(one, Record)] == [1, 3]
