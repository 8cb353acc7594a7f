"""JSON lines and CSV: one document for each row; a broken row does not affect others."""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterable
from pathlib import Path

import pytest

from tetragraph.model import Document, Metadata, Unreadable
from tetragraph_loaders import csv_file, jsonl


def write(folder: Path, name: str, content: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(content.encode() if isinstance(content, str) else content)
    return path


def read_jsonl(folder: Path, *lines: str) -> list[Document | Unreadable]:
    return list(jsonl.load(write(folder, "r.jsonl", "\n".join(lines)), id_prefix="d/r.jsonl"))


def read_csv(folder: Path, content: str | bytes) -> list[Document | Unreadable]:
    return list(csv_file.load(write(folder, "t.csv", content), id_prefix="d/t.csv"))


def ids(found: Iterable[Document | Unreadable]) -> list[str]:
    return [item.id if isinstance(item, Document) else f"! {item.source}" for item in found]


def reason(found: list[Document | Unreadable]) -> str:
    (item,) = found
    assert isinstance(item, Unreadable)
    return item.reason


def test_a_json_line_is_a_document_with_its_own_id_and_metadata(tmp_path: Path) -> None:
    row = {
        "id": " a/1 ",
        "title": "T",
        "text": "One\r\ntwo",
        "year": 1912,
        "score": 0.5,
        "ok": True,
        "by": "X",
        "tags": ["sea", "a, b"],
        "no": None,
    }
    (document,) = read_jsonl(tmp_path, json.dumps(row))
    metadata: Metadata = {"year": 1912, "score": 0.5, "ok": True, "by": "X", "tags": ["sea", "a, b"]}
    assert document == Document(" a/1 ", "T", "One\ntwo", source="d/r.jsonl:1", metadata=metadata)


def test_rows_without_an_id_are_numbered_and_broken_ones_count(tmp_path: Path) -> None:
    rows = [
        '{"text": "a"}',
        "",
        "broken",
        '{"text": "c", "id": 7}',
        '{"text": "d", "id": ""}',
        '{"text": "e", "id": " "}',
    ]
    assert ids(read_jsonl(tmp_path, *rows)) == ["d/r.jsonl#1", "! d/r.jsonl:3", "7", "d/r.jsonl#4", "d/r.jsonl#5"]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ('{"text": }', "got Expecting value at column 10"),
        ("[1]", "a line must be a JSON object, got list"),
        ('{"body": "a"}', "a row must have 'text', this one has 'body'; name the field 'text'"),
        ("{}", "this one has no field"),
        ('{"text": " "}', "'text' must hold text, got none"),
        ('{"text": 1}', "'text' must be a string, got a number"),
        ('{"text": null}', "'text' must be a string, got null"),
        ('{"text": "a", "title": ["b"]}', "'title' must be a string, got a list"),
        ('{"text": "a", "id": true}', "'id' must be a string, got a boolean"),
        ('{"text": "a", "id": {}}', "'id' must be a string, got an object"),
        ('{"text": "a", "tags": ["b", 1]}', "or lists of strings, got a list for 'tags'; flatten it or leave it out"),
        ('{"text": "a", "id": "b\\nc"}', "'id' must be one line, got 'b\\nc'; remove the line ends"),
        ('{"text": "a", "n": {"b": 1}}', "got an object for 'n'"),
        ('{"text": "a", "n": 9223372036854775808}', "got a number for 'n'"),
        ('{"text": "a", "n": 1e999}', "got a number for 'n'"),
        ('{"text": "a", "n": NaN}', "NaN is no JSON value"),
        ('{"text": "a", "": 1}', "a metadata key must have a name"),
        ('{"text": "a\\u0000b"}', "got a NUL at character 1"),
        ('{"text": "a\\ud800b"}', "half a surrogate pair at character 1"),
        ('{"text": "a", "k\\ud800": 1}', "half a surrogate pair"),
        ('{"text": "a", "n": ' + "1" * 5000 + "}", "within Python's limits"),
        ("[" * 100_000, "within Python's limits"),
    ],
)
def test_a_line_that_breaks_a_rule_says_which_and_where(tmp_path: Path, line: str, expected: str) -> None:
    good = '{"text": "good"}'
    first, broken, last = read_jsonl(tmp_path, good, line, good)
    assert isinstance(first, Document)
    assert isinstance(last, Document)
    assert isinstance(broken, Unreadable)
    assert broken.source == "d/r.jsonl:2"
    assert expected in broken.reason


def test_a_line_that_is_not_utf8_is_noted_with_its_offset_in_the_file(tmp_path: Path) -> None:
    path = write(tmp_path, "r.jsonl", b'\xef\xbb\xbf{"text":"a"}\r\n{"text":"b\xff"}\n{"text":"c"}')
    found = list(jsonl.load(path, id_prefix="r"))
    assert ids(found) == ["r#1", "r#2", "r#3"]
    assert isinstance(found[1], Document)
    assert found[1].text == "b\ufffd"
    assert found[1].notes == ("one character is not utf-8, the first at byte 27, and replaced by \ufffd",)


@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_line_above_the_limit_is_passed_over(tmp_path: Path, end: str) -> None:
    path = write(tmp_path, "r.jsonl", end.join(['{"text":"a"}', "x" * 1000, '{"text":"c"}', "y" * 30]))
    found = list(jsonl.load(path, id_prefix="r", max_bytes=20))
    assert ids(found) == ["r#1", "! r:2", "r#3", "! r:4"]
    assert found[3] == Unreadable("r:4", "a line may have 20 bytes, this one has 30; split it")


def test_gzipped_lines_are_read_like_plain_ones(tmp_path: Path) -> None:
    path = write(tmp_path, "r.jsonl.GZ", gzip.compress(b'{"text":"a"}\n{"text":"b"}\n'))
    assert ids(jsonl.load(path, id_prefix="r")) == ["r#1", "r#2"]


def test_damaged_gzip_data_end_the_file_with_a_reason(tmp_path: Path) -> None:
    whole = gzip.compress(b'{"text":"a"}\n' * 3)
    for data in (whole[:-4], whole[:-8] + b"\0" * 8, b"no gzip", whole[:12] + b"\xff" * 20):
        *_, last = jsonl.load(write(tmp_path, "r.jsonl.gz", data), id_prefix="r")
        assert isinstance(last, Unreadable)
        assert "the gzip data are damaged after line" in last.reason


@pytest.mark.parametrize("content", ["", "\n \n"])
def test_a_file_without_rows_is_reported(tmp_path: Path, content: str) -> None:
    assert "must have text" in reason(read_jsonl(tmp_path, content))
    assert "must have text" in reason(read_csv(tmp_path, "text\n"))


def test_a_folder_in_the_place_of_a_file_is_reported(tmp_path: Path) -> None:
    assert reason(list(jsonl.load(tmp_path, id_prefix="r"))) == "the file cannot be read: Is a directory"
    assert reason(list(csv_file.load(tmp_path, id_prefix="r"))) == "the file cannot be read: Is a directory"


def test_a_csv_row_is_a_document_and_its_other_columns_metadata(tmp_path: Path) -> None:
    table = 'id, title ,text,year,zip,rate,by,,\n007,T,"One,\r\n""two""",1912,01234,-0.5,,x,y\n'
    (document,) = read_csv(tmp_path, "\ufeff" + table.replace("\n", "\r\n"))
    metadata: Metadata = {"year": 1912, "zip": "01234", "rate": -0.5, "column 8": "x", "column 9": "y"}
    assert document == Document("007", "T", 'One,\n"two"', source="d/t.csv:2", metadata=metadata)


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
def test_the_delimiter_is_found_in_the_header(tmp_path: Path, delimiter: str) -> None:
    found = read_csv(tmp_path, f"id{delimiter}text\nx{delimiter}a\n{delimiter}b\n")
    assert ids(found) == ["x", "d/t.csv#2"]


@pytest.mark.parametrize("line", ["sep=;", '"SEP=;"'])
def test_a_line_that_states_the_delimiter_is_no_header(tmp_path: Path, line: str) -> None:
    found = read_csv(tmp_path, f"{line}\nid;text;a,b,c,d\nx;One, two;3\ny\n")
    assert ids(found) == ["x", "! d/t.csv:4"]
    assert found[0] == Document("x", "", "One, two", source="d/t.csv:3", metadata={"a,b,c,d": 3})


def test_a_stated_delimiter_without_a_header_is_reported(tmp_path: Path) -> None:
    assert reason(read_csv(tmp_path, "sep=;\n")).startswith("header: must name the columns")


def test_the_longest_column_is_the_text_even_without_a_name(tmp_path: Path) -> None:
    (document,) = read_csv(tmp_path, f"key,\na,{'long words ' * 9}\n")
    assert isinstance(document, Document)
    assert (document.text.strip(), document.metadata) == (("long words " * 9).strip(), {"key": "a"})
    assert "column 'column 2' was taken" in document.notes[0]


@pytest.mark.parametrize(
    ("cell", "value"),
    [
        ("12", 12),
        ("-3", -3),
        ("0.50", 0.5),
        ("1.5e3", 1500.0),
        ("9223372036854775808", "9223372036854775808"),
        ("1.0e999", "1.0e999"),
        *((text, text.lower() == "true") for text in ["true", "false", "TRUE", "False"]),
        *((text, text) for text in ["1e5", "+1", "1,5", "٣", "nan", " 1", "1 ", "1\n", "yes", "true "]),
    ],
)
def test_a_cell_is_a_number_or_a_boolean_only_where_all_of_it_is_one(tmp_path: Path, cell: str, value: object) -> None:
    (document,) = read_csv(tmp_path, f'text,n\nx,"{cell}"\n')
    assert isinstance(document, Document)
    assert document.metadata == {"n": value}
    assert type(document.metadata["n"]) is type(value)


def test_broken_csv_rows_are_reported_and_the_others_read(tmp_path: Path) -> None:
    table = b'id,text\n1,a\n2,b,c\n3,"x"y\n4,\0\n5,"d\ne"\n6,f\n7,\n8,g\n'
    found = read_csv(tmp_path, table)
    assert ids(found) == ["1", "! d/t.csv:3", "! d/t.csv:4", "! d/t.csv:5", "5", "6", "! d/t.csv:9", "8"]
    reasons = [item.reason for item in found if isinstance(item, Unreadable)]
    assert "the header has 2 cells, this row 3" in reasons[0]
    assert "a row must be CSV" in reasons[1]
    assert "NUL byte at offset 27" in reasons[2]
    assert "'text' must hold text" in reasons[3]


def test_a_quote_that_is_never_closed_is_reported_with_the_lines_that_it_takes(tmp_path: Path) -> None:
    first, last = read_csv(tmp_path, 'text\na\n"b\nc\nd\n')
    assert ids([first, last]) == ["d/t.csv#1", "! d/t.csv:3"]
    assert reason([last]) == (
        "a row must be CSV, got unexpected end of data; mend its quotes; lines 3 to 5 were not read"
    )


def test_a_quote_that_another_row_closes_is_reported_with_the_lines_that_it_takes(tmp_path: Path) -> None:
    found = read_csv(tmp_path, 'sep=;\nid;text\n1;a\n2;"b\n3;"c"\n4;d\n')
    assert ids(found) == ["1", "! d/t.csv:4", "4"]
    assert reason(found[1:2]).endswith("; mend its quotes; lines 4 to 5 were not read")


def test_a_csv_line_above_the_limit_costs_that_row_only(tmp_path: Path) -> None:
    path = write(tmp_path, "t.csv", "text\na\n" + "x" * 100 + "\nc\n")
    assert ids(csv_file.load(path, id_prefix="t", max_bytes=20)) == ["t#1", "! t:3", "t#3"]


def test_a_cell_may_be_longer_than_the_csv_module_allows_by_itself(tmp_path: Path) -> None:
    (document,) = read_csv(tmp_path, "text\n" + "x" * 200_000 + "\n")
    assert isinstance(document, Document)


@pytest.mark.parametrize(
    ("table", "expected"),
    [('text,"a\n1,2\n3,4\n', "a row must be CSV, got unexpected end of data"), (",,\n\n", "must name the columns")],
)
def test_a_header_that_cannot_be_used_is_reported_once(tmp_path: Path, table: str, expected: str) -> None:
    assert reason(read_csv(tmp_path, table)).startswith(f"header: {expected}")


def test_a_file_of_blank_lines_is_not_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tetragraph_loaders.jsonl.MAX_BLANK_LINES", 2)
    (tmp_path / "a.jsonl").write_text('{"text": "One."}\n\n\n{"text": "Two."}\n\n{"text": "Three."}\n')
    *found, last = jsonl.load(tmp_path / "a.jsonl", id_prefix="a.jsonl")
    assert [one.id for one in found if isinstance(one, Document)] == ["a.jsonl#1", "a.jsonl#2"]
    assert last == Unreadable("a.jsonl", "a file may have 2 blank lines, this one has more")
