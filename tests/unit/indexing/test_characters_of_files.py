"""Texts and titles of files whose characters are written in several ways."""

from __future__ import annotations

import json
import unicodedata
import zipfile
from pathlib import Path

from tetragraph.indexing.sources import read_documents
from tetragraph.model import Document

NAME = unicodedata.normalize("NFD", "Größe")
ROW = json.dumps({"text": "a\ufeffb " + NAME}, ensure_ascii=False)


def read(path: Path) -> Document:
    (document,) = read_documents(path)
    assert isinstance(document, Document), document
    return document


def test_text_and_title_of_a_file_have_one_spelling_and_its_id_is_its_name(tmp_path: Path) -> None:
    path = tmp_path / f"{NAME}.md"
    path.write_text(f"{NAME}\u00ad\n\n## O\u0308\ufb03ce\n", encoding="utf-8")
    document = read(path)
    assert (document.id, document.title) == (f"{tmp_path.name}/{NAME}.md", "Größe")
    assert document.text == "Größe\n\n## Öffice\n"
    assert [(document.text[one.start :], one.title) for one in document.headings] == [("## Öffice\n", "Öffice")]


def test_rows_of_json_lines_keep_their_characters_and_those_of_tables_do_not(tmp_path: Path) -> None:
    (tmp_path / "a.jsonl").write_text(ROW, encoding="utf-8")
    assert read(tmp_path / "a.jsonl").text == f"a\ufeffb {NAME}"
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as archive:
        archive.writestr("x.jsonl", ROW)
    assert read(tmp_path / "a.zip").text == f"a\ufeffb {NAME}"
    (tmp_path / "a.csv").write_text(f"id,text\n1,a\ufeffb {NAME}\n", encoding="utf-8")
    assert read(tmp_path / "a.csv").text == "ab Größe"
