"""Documents of Docling: its JSON, as docling-core 2.104 exports it, and files that it converts."""

from __future__ import annotations

import copy
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from tetragraph.model import Document, Unreadable
from tetragraph_loaders import docling_document, json_file

SAMPLE = Path(__file__).parents[2] / "data" / "docling" / "ports.json"
TEXT = """Ports of Sund

Halvik

The harbour of Halvik was built in 1881 by Orla Brandt.

- Depth: 6 m

- Berths: 14

Traffic

Table 1: ships by year
| Year | Ships |
| --- | --- |
| 1903 | 412 |
| 1904 | 398 |

Figure 1: the old pier

print('tide')

h = 2.4 sin(t)

Counted by the harbour master."""


@pytest.fixture
def value() -> dict[str, Any]:
    return json.loads(SAMPLE.read_text(encoding="utf-8"))  # type: ignore[no-any-return]


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    docling_document._load_converter.cache_clear()
    yield
    docling_document._load_converter.cache_clear()


def test_json_of_docling_is_a_document_with_headings_pages_and_tables() -> None:
    (document,) = json_file.load(SAMPLE, id_prefix="ports.json")
    assert isinstance(document, Document)
    assert document.text == TEXT
    assert document.title == "Ports of Sund"
    assert not document.named_by_file
    assert [(heading.level, heading.title) for heading in document.headings] == [
        (1, "Ports of Sund"),
        (2, "Halvik"),
        (3, "Traffic"),
    ]
    assert [(page.number, page.start) for page in document.pages] == [(1, 0), (2, TEXT.index("Traffic"))]
    assert list(docling_document.load(SAMPLE, id_prefix="ports.json")) == [document]


def test_a_document_without_a_title_has_that_of_its_file(value: dict[str, Any], tmp_path: Path) -> None:
    del value["body"]["children"][1]
    path = tmp_path / "harbours.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    (document,) = json_file.load(path, id_prefix="a")
    assert isinstance(document, Document)
    assert (document.title, document.named_by_file) == ("harbours", True)


def _drop_texts(value: dict[str, Any]) -> None:
    del value["texts"]


def _point_nowhere(value: dict[str, Any]) -> None:
    value["body"]["children"].append({"$ref": "#/texts/99"})


def _turn_a_table_into_text(value: dict[str, Any]) -> None:
    value["tables"][0]["data"] = "three rows"


def _make_a_page_a_word(value: dict[str, Any]) -> None:
    value["texts"][1]["prov"][0]["page_no"] = "one"


@pytest.mark.parametrize("damage", [_drop_texts, _point_nowhere, _turn_a_table_into_text, _make_a_page_a_word])
def test_damaged_documents_are_refused(
    value: dict[str, Any], damage: Callable[[dict[str, Any]], None], tmp_path: Path
) -> None:
    damage(value)
    path = tmp_path / "a.json"
    path.write_text(json.dumps(value), encoding="utf-8")
    for load in (json_file.load, docling_document.load):
        (refused,) = load(path, id_prefix="a")
        assert isinstance(refused, Unreadable)
        assert "this one is damaged" in refused.reason


def test_items_that_contain_one_another_are_read_once(value: dict[str, Any]) -> None:
    value["texts"][3]["children"] = [{"$ref": "#/texts/2"}, {"$ref": "#/body"}]
    assert docling_document.to_document(value, SAMPLE, "a").text == TEXT


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("{", "the file must be JSON"),
        ("[" * 100_000, "the file must be JSON"),
        ('{"schema_name": "Other"}', "must be JSON of Docling"),
        ('{"schema_name": "DoclingDocument", "body": {"children": []}}', "a document must have text"),
    ],
)
def test_other_files_are_refused_with_the_reason(content: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "a.json"
    path.write_text(content, encoding="utf-8")
    (refused,) = docling_document.load(path, id_prefix="a")
    assert isinstance(refused, Unreadable)
    assert reason in refused.reason


def _provide_docling(monkeypatch: pytest.MonkeyPatch, convert: Callable[[Path], Any]) -> None:
    """Stands in for the package, whose models cannot be had in tests."""
    converter = SimpleNamespace(convert=convert)
    module = ModuleType("docling.document_converter")
    module.DocumentConverter = lambda: converter  # type: ignore[attr-defined]  # a module of this test
    monkeypatch.setitem(sys.modules, "docling", ModuleType("docling"))
    monkeypatch.setitem(sys.modules, "docling.document_converter", module)


def test_other_files_are_converted_where_docling_is_installed(
    value: dict[str, Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    asked: list[Path] = []

    def convert(path: Path) -> SimpleNamespace:
        asked.append(path)
        return SimpleNamespace(document=SimpleNamespace(export_to_dict=lambda: copy.deepcopy(value)))

    _provide_docling(monkeypatch, convert)
    path = tmp_path / "ports.pdf"
    (document,) = docling_document.load(path, id_prefix="ports.pdf")
    assert isinstance(document, Document)
    assert (document.text, document.source) == (TEXT, "ports.pdf")
    assert asked == [path]


def test_what_docling_cannot_convert_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    def convert(path: Path) -> None:
        raise RuntimeError(f"no backend for {path.suffix}")

    _provide_docling(monkeypatch, convert)
    (refused,) = docling_document.load(tmp_path / "a.bin", id_prefix="a")
    assert isinstance(refused, Unreadable)
    assert refused.reason == "docling cannot convert the file: no backend for .bin; see the log of docling"


def test_without_docling_the_message_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "docling", None)
    (refused,) = docling_document.load(tmp_path / "a.pdf", id_prefix="a")
    assert isinstance(refused, Unreadable)
    assert "pip install docling" in refused.reason
    assert "docling --to json" in refused.reason
