"""A page is read by the loader of its type, whatever its address looks like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tetragraph.indexing.web.page_file import name_file, read_content_type, write_utf8
from tetragraph.indexing.web.page_state import PageState, Validators


@pytest.mark.parametrize(
    ("address", "kind", "wanted"),
    [
        ("http://a.example/", "text/html", "index.html"),
        ("http://a.example/guide/", "application/xhtml+xml", "guide.html"),
        ("http://a.example/page.php?x=1", "text/html", "page.html"),
        ("http://a.example/notes.md", "text/html", "notes.html"),
        ("http://a.example/notes.md", "text/plain", "notes.md"),
        ("http://a.example/notes.md", "text/markdown", "notes.md"),
        ("http://a.example/v1.2", "text/plain", "v1.2.txt"),
        ("http://a.example/notes", "text/plain", "notes.txt"),
        ("http://a.example/data.tar.gz", "application/octet-stream", "data.tar.gz"),
        ("http://a.example/report", "application/pdf", "report.pdf"),
        ("http://a.example/rows", "text/csv", "rows.csv"),
        ("http://a.example/rows.jsonl", "application/x-ndjson", "rows.jsonl"),
        ("http://a.example/a%2Fb%00.txt", "", "b-.txt"),
        ("http://a.example/picture", "image/png", "picture.png"),
        ("http://a.example/thing", "application/x-unknown", "thing"),
    ],
)
def test_the_type_decides_and_the_address_where_it_is_general(address: str, kind: str, wanted: str) -> None:
    assert name_file(address, kind) == wanted


def test_a_type_may_be_absent() -> None:
    assert read_content_type("") == ("", "")


def test_text_in_a_stated_encoding_becomes_utf_8(tmp_path: Path) -> None:
    file = tmp_path / "a"
    latin = "“é”".encode("cp1252")
    for charset, kind, wanted in (
        ("iso-8859-1", "text/html", "“é”".encode("utf-8-sig")),
        ("iso-8859-1", "text/csv", "“é”".encode()),
        ("utf-8", "text/html", latin),
        ("none-such", "text/html", latin),
        ("iso-8859-1", "application/pdf", latin),
        ("", "text/html", latin),
    ):
        file.write_bytes(latin)
        write_utf8(file, kind, charset)
        assert file.read_bytes() == wanted


def test_a_page_that_its_server_calls_utf_8_gets_a_mark_which_precedes_its_own_declaration(tmp_path: Path) -> None:
    file = tmp_path / "a"
    for content in ("é".encode(), "é".encode("utf-8-sig")):
        file.write_bytes(content)
        write_utf8(file, "text/html", "utf-8")
        assert file.read_bytes() == "é".encode("utf-8-sig")
    file.write_bytes("é".encode())
    write_utf8(file, "text/csv", "utf-8")
    assert file.read_bytes() == "é".encode()


def test_a_damaged_state_is_an_empty_one(tmp_path: Path) -> None:
    file = tmp_path / "folder" / "state.json"
    state = PageState({"http://a.example/": Validators('"1"', "Sat, 01 Jan 2022 00:00:00 GMT")}, {"http://a.example/s"})
    state.save(file)
    assert PageState.load(file) == state
    assert state.pages["http://a.example/"].headers == {
        "If-None-Match": '"1"',
        "If-Modified-Since": "Sat, 01 Jan 2022 00:00:00 GMT",
    }
    for damaged in ("", "[]", json.dumps({"pages": {"a": 1}})):
        file.write_text(damaged, encoding="utf-8")
        assert PageState.load(file) == PageState()
