"""Spreadsheets: cells by sheet and row, and sheets whose cells are far apart."""

from __future__ import annotations

import struct
import zipfile
from pathlib import Path

import pytest

from open_documents import write_open_document
from tetragraph.model import Document, Unreadable
from tetragraph_loaders import spreadsheet
from tetragraph_loaders.sheet_area import largest_area


def test_cells_of_a_spreadsheet_are_found_by_sheet_and_row(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    rows = [[], ["Prices in EUR"], ["Item", "Price"], ["Lamp", "3"]]
    lines = ""
    for row in rows:
        cells = [
            f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>' for cell in row
        ]
        lines += f"<table:table-row>{''.join(cells) or '<table:table-cell/>'}</table:table-row>"
    path = write_open_document(
        tmp_path / "a.ods",
        "spreadsheet",
        f'<table:table table:name="Shop">{lines}</table:table><table:table table:name="Empty"/>',
    )
    (document,) = spreadsheet.load(path, id_prefix="d/a.ods")
    assert isinstance(document, Document)
    assert document.text == "Shop\n\nPrices in EUR\n| Item | Price |\n| --- | --- |\n| Lamp | 3 |"
    assert [(page.start, page.label) for page in document.pages] == [(0, "sheet Shop"), (6, "sheet Shop, row 4")]


def test_numbers_of_a_spreadsheet_have_the_digits_that_it_shows(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    cells = "".join(
        f'<table:table-cell office:value-type="float" office:value="{number}"/>'
        for number in ("0.6000000000000001", "2.5", "3", "1234567.891")
    )
    table = f'<table:table table:name="Shop"><table:table-row>{cells}</table:table-row></table:table>'
    (document,) = spreadsheet.load(write_open_document(tmp_path / "a.ods", "spreadsheet", table), id_prefix="d/a.ods")
    assert isinstance(document, Document)
    assert document.text.endswith("| 0.6 | 2.5 | 3 | 1234567.891 |")


def write_xlsx(path: Path, rows: str) -> Path:
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
    links = "http://schemas.openxmlformats.org/package/2006/relationships"
    sheets = '<sheet name="Shop" sheetId="1" r:id="r1"/>'
    files = {
        "_rels/.rels": f'<Relationships xmlns="{links}"><Relationship Id="r1" '
        f'Type="{relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{main}" xmlns:r="{relations}"><sheets>{sheets}</sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{links}"><Relationship Id="r1" '
        f'Type="{relations}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": f'<worksheet xmlns="{main}"><sheetData>{rows}</sheetData></worksheet>',
    }
    with zipfile.ZipFile(path, "w") as archive:
        for name, text in files.items():
            archive.writestr(name, text)
    return path


def test_a_sheet_may_have_empty_cells_far_away_and_cells_without_a_place(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    rows = '<row r="1"><c r="A1"><v>1</v></c><c><v>2</v></c><c r="XFD1" s="1"/></row><row r="1048576"><c s="1"/></row>'
    path = write_xlsx(tmp_path / "a.xlsx", rows)
    (document,) = spreadsheet.load(path, id_prefix="a.xlsx")
    assert isinstance(document, Document)
    assert "| 1 | 2 |" in document.text
    assert largest_area(path) == 2


@pytest.mark.parametrize("far", ['r="1048576"><c r="XFD1048576">', 'r="5000001"><c>'], ids=["named", "counted"])
def test_a_sheet_whose_cells_are_far_apart_is_refused_before_it_takes_memory(tmp_path: Path, far: str) -> None:
    pytest.importorskip("python_calamine")
    path = write_xlsx(tmp_path / "a.xlsx", f'<row r="1"><c r="A1"><v>1</v></c></row><row {far}<v>2</v></c></row>')
    (found,) = spreadsheet.load(path, id_prefix="a.xlsx")
    assert isinstance(found, Unreadable)
    assert "cells between its first and its last" in found.reason


def test_the_area_of_a_sheet_is_found_across_parts_of_its_file(tmp_path: Path) -> None:
    rows = "".join(f'<row r="{row}"><c r="C{row}" s="12"><v>{row}</v></c></row>' for row in range(2, 60_000))
    assert largest_area(write_xlsx(tmp_path / "a.xlsx", rows)) == 59_998


@pytest.mark.parametrize("content", [b"", b"rubbish", b"PK\x03\x04rubbish"])
def test_damaged_spreadsheets_are_reported(tmp_path: Path, content: bytes) -> None:
    pytest.importorskip("python_calamine")
    (tmp_path / "a.xlsx").write_bytes(content)
    (found,) = spreadsheet.load(tmp_path / "a.xlsx", id_prefix="a")
    assert isinstance(found, Unreadable)


VALUE = '<table:table-cell office:value-type="float" office:value="1"/>'


def write_ods(path: Path, rows: str) -> Path:
    return write_open_document(path, "spreadsheet", f'<table:table table:name="Shop">{rows}</table:table>')


def test_the_area_of_a_sheet_of_ods_is_that_of_its_values(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    rows = '<table:table-row table:number-rows-repeated="3"/><table:table-row><table:table-cell/>'
    rows += f'{VALUE * 2}<table:table-cell table:number-columns-repeated="16000"/></table:table-row>'
    rows += f'<table:table-row table:number-rows-repeated="2">{VALUE}</table:table-row>'
    rows += '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:style-name="a>b"/>'
    path = write_ods(tmp_path / "a.ods", f"{rows}</table:table-row>")
    (document,) = spreadsheet.load(path, id_prefix="a.ods")
    assert isinstance(document, Document)
    assert largest_area(path) == 9


@pytest.mark.parametrize(
    "rows",
    [
        f'<table:table-row>{VALUE}</table:table-row><table:table-row table:number-rows-repeated="1000000"/>'
        f'<table:table-row><table:table-cell table:number-columns-repeated="16000"/>{VALUE}</table:table-row>',
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:formula="a>b" '
        'table:number-columns-repeated="16000"/></table:table-row>',
        f'<table:table-row table:number-rows-repeated="1000000"><table:covered-table-cell '
        f'table:number-columns-repeated="16000"/>{VALUE}</table:table-row>',
    ],
    ids=["apart", "repeated", "right"],
)
def test_a_sheet_of_ods_whose_cells_are_far_apart_is_refused(tmp_path: Path, rows: str) -> None:
    pytest.importorskip("python_calamine")
    path = write_ods(tmp_path / "a.ods", f'{rows}</table:table><table:table table:name="Last">')
    assert largest_area(path) >= 16_000_000_000
    (found,) = spreadsheet.load(path, id_prefix="a.ods")
    assert isinstance(found, Unreadable)
    assert "cells between its first and its last" in found.reason


def record(kind: int, content: bytes = b"") -> bytes:
    """A record of a binary sheet."""
    number = bytes([kind]) if kind < 0x80 else bytes([kind & 0x7F | 0x80, kind >> 7])
    size = len(content)
    return number + (bytes([size]) if size < 0x80 else bytes([size & 0x7F | 0x80, size >> 7])) + content


def write_xlsb(path: Path, *cells: tuple[int, int]) -> Path:
    """A sheet of numbers at some rows and columns, with an empty cell far away."""
    name, identity = (struct.pack("<I", len(text)) + text.encode("utf-16-le") for text in ("Shop", "rId1"))
    sheet = record(0x81) + record(0x94, struct.pack("<4I", 0, 1, 0, 1)) + record(0x91, b"x" * 200)
    for row, column in cells:
        sheet += record(0, struct.pack("<I", row) + bytes(13)) + record(5, struct.pack("<IId", column, 0, 7.0))
    sheet += record(1, struct.pack("<II", 16_383, 0)) + record(0x92) + record(0x82)
    book = record(0x83) + record(0x8F) + record(0x9C, struct.pack("<II", 0, 1) + identity + name)
    relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    packages = "http://schemas.openxmlformats.org/package/2006"
    files: dict[str, str | bytes] = {
        "[Content_Types].xml": f'<Types xmlns="{packages}/content-types"/>',
        "xl/workbook.bin": book + record(0x90) + record(0x84),
        "xl/_rels/workbook.bin.rels": f'<Relationships xmlns="{packages}/relationships"><Relationship Id="rId1" '
        f'Type="{relations}/worksheet" Target="worksheets/sheet1.bin"/></Relationships>',
        "xl/worksheets/sheet1.bin": sheet,
    }
    with zipfile.ZipFile(path, "w") as archive:
        for file, text in files.items():
            archive.writestr(file, text)
    return path


def test_a_binary_sheet_whose_cells_are_far_apart_is_refused_before_it_takes_memory(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    near, far = (write_xlsb(tmp_path / f"{row}.xlsb", (2, 1), (row, 3)) for row in (4, 5_000_000))
    assert largest_area(near) == 9
    (document,) = spreadsheet.load(near, id_prefix="a.xlsb")
    assert isinstance(document, Document)
    assert "7" in document.text
    (found,) = spreadsheet.load(far, id_prefix="a.xlsb")
    assert isinstance(found, Unreadable)
    assert "cells between its first and its last" in found.reason


def test_a_binary_sheet_that_ends_inside_of_a_record_is_damaged(tmp_path: Path) -> None:
    path = tmp_path / "a.xlsb"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/worksheets/sheet1.bin", b"\x81\x01\x00\x94")
    with pytest.raises(EOFError, match="inside of a record"):
        largest_area(path)
