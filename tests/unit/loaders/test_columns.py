"""Tables and JSON without a column ``text``: named and guessed columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders import csv_file, json_file, jsonl

LONG = "A text that is much longer than a name, so that it is the text."


def read_csv(folder: Path, content: str, options: ReadingOptions = DEFAULT_READING) -> list[Document | Unreadable]:
    (folder / "t.csv").write_text(content, encoding="utf-8")
    return list(csv_file.load(folder / "t.csv", id_prefix="d/t.csv", options=options))


def read_json(folder: Path, value: object) -> list[Document | Unreadable]:
    (folder / "t.json").write_text(value if isinstance(value, str) else json.dumps(value), encoding="utf-8")
    return list(json_file.load(folder / "t.json", id_prefix="d/t.json"))


def test_a_column_with_a_usual_name_is_the_text(tmp_path: Path) -> None:
    (document,) = read_csv(tmp_path, "ID,Name,Description,year\n7,Dyke,Clay.,1912\n")
    assert isinstance(document, Document)
    assert (document.id, document.title, document.text, document.metadata) == ("7", "Dyke", "Clay.", {"year": 1912})
    assert document.notes == (
        "no column 'text', column 'Description' was taken: --text-column (text_key=…) names another",
    )


def test_the_column_with_the_longest_cells_is_the_text(tmp_path: Path) -> None:
    (document,) = read_csv(tmp_path, f"code,story\nx,{LONG.replace(',', ';')}\n")
    assert isinstance(document, Document)
    assert document.text == LONG.replace(",", ";")
    assert document.metadata == {"code": "x"}


def test_rows_of_short_cells_are_read_whole(tmp_path: Path) -> None:
    first, second = read_csv(tmp_path, "version,codename,lts\n1.1,Buzz,TRUE\n1.2,,false\n")
    assert isinstance(first, Document)
    assert isinstance(second, Document)
    assert (first.id, first.text) == ("d/t.csv#1", "version: 1.1\ncodename: Buzz\nlts: true")
    assert first.metadata == {"version": 1.1, "codename": "Buzz", "lts": True}
    assert second.text == "version: 1.2\nlts: false"


def test_a_row_without_text_in_a_guessed_column_is_read_whole(tmp_path: Path) -> None:
    found = read_csv(tmp_path, "id,name,description\n1,Dyke,Clay.\n2,Mole, \n,,\n5,Quay,Stone.\n")
    texts = [item.text if isinstance(item, Document) else item.source for item in found]
    assert texts == ["Clay.", "name: Mole", "Stone."]
    rows = [{"body": "One."}, {"body": None, "by": "Ida"}, {"by": "Bo"}, {"body": "", "by": "Mina"}, {"body": 3}]
    expected = ["One.", "by: Ida", "by: Bo", "by: Mina", "body: 3"]
    assert [item.text for item in read_json(tmp_path, rows) if isinstance(item, Document)] == expected
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    lines = jsonl.load(tmp_path / "a.jsonl", id_prefix="a")
    assert [item.text for item in lines if isinstance(item, Document)] == expected


def test_a_row_without_text_in_a_named_column_is_refused(tmp_path: Path) -> None:
    for header, options in (("name,text", DEFAULT_READING), ("name,body", ReadingOptions(text_key="body"))):
        found = read_csv(tmp_path, f"{header}\nDyke,Clay.\nMole,\n,\n", options)
        assert [isinstance(item, Document) for item in found] == [True, False]


@pytest.mark.parametrize("rows", [",,\n, ,\n", ""])
def test_a_table_of_empty_rows_is_reported_once(tmp_path: Path, rows: str) -> None:
    (found,) = read_csv(tmp_path, f"a,b,c\n{rows}")
    assert isinstance(found, Unreadable)
    assert "must have text" in found.reason


def test_named_columns_are_taken_without_a_note(tmp_path: Path) -> None:
    options = ReadingOptions(text_key="b", title_key="a", id_key="n")
    (document,) = read_csv(tmp_path, "n,a,b,text\n1,One,Two,Three\n", options)
    assert isinstance(document, Document)
    assert (document.id, document.title, document.text, document.notes) == ("1", "One", "Two", ())
    assert document.metadata == {"text": "Three"}


def test_a_named_column_that_is_missing_is_refused_once(tmp_path: Path) -> None:
    (found,) = read_csv(tmp_path, "a,b\n1,2\n3,4\n", ReadingOptions(text_key="c"))
    assert isinstance(found, Unreadable)
    assert found.reason == "header: must name a column 'c', got ['a', 'b']; --text-column (text_key=…) names another"
    with pytest.raises(InvalidInput, match="text_key must be the name of a column or key"):
        ReadingOptions(text_key=" ")


def test_keys_of_json_lines_are_chosen_like_columns(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text('{"body": "One."}\nbroken\n{"body": "Two."}\n', encoding="utf-8")
    found = list(jsonl.load(tmp_path / "a.jsonl", id_prefix="a"))
    assert [item.text if isinstance(item, Document) else item.source for item in found] == ["One.", "a:2", "Two."]


def test_a_list_of_objects_is_a_document_for_each(tmp_path: Path) -> None:
    rows = [{"id": 1, "text": "One.", "by": {"name": "Mill"}, "tags": [1, "b"], "parts": [{"no": 1}]}, {"text": "Two."}]
    for value in (rows, {"version": 1, "rows": rows}):
        first, second = read_json(tmp_path, value)
        assert isinstance(first, Document)
        assert (first.id, first.text, first.source) == ("1", "One.", "d/t.json:1")
        assert first.metadata == {"by.name": "Mill", "tags": ["1", "b"]}
        assert isinstance(second, Document)
        assert second.id == "d/t.json#2"


def test_other_json_is_one_document_of_lines(tmp_path: Path) -> None:
    (document,) = read_json(tmp_path, {"ferry": {"port": "Emden", "days": [1, 2], "late": True, "no": None}})
    assert isinstance(document, Document)
    assert document.text == "ferry.port: Emden\nferry.days: 1\nferry.days: 2\nferry.late: true"
    assert (document.id, document.title) == ("d/t.json", "t")


def test_json_lines_in_a_json_file_are_rows(tmp_path: Path) -> None:
    found = read_json(tmp_path, '{"text": "One."}\n{"text": "Two."}\n')
    assert [item.id for item in found if isinstance(item, Document)] == ["d/t.json#1", "d/t.json#2"]


def test_a_large_list_is_read_piece_by_piece(tmp_path: Path) -> None:
    (tmp_path / "t.json").write_text(json.dumps([{"text": "One."}, {"text": ""}, 3, {"text": "Two."}]))
    found = list(json_file.load(tmp_path / "t.json", id_prefix="d/t.json", max_bytes=10))
    assert [isinstance(item, Document) for item in found] == [True, False, False, True]


@pytest.mark.parametrize("content", ["", "{", "[" * 5000, "{}", "null", '{"a": NaN}'])
def test_json_without_text_is_refused_with_a_reason(tmp_path: Path, content: str) -> None:
    (found,) = read_json(tmp_path, content)
    assert isinstance(found, Unreadable)
    assert found.source == "d/t.json"
