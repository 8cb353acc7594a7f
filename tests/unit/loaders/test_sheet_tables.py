"""Tables of a sheet, one below the other, and groups of rows of one table."""

from __future__ import annotations

from pathlib import Path

import pytest

from open_documents import write_open_document
from tetragraph.model import Document
from tetragraph_loaders import spreadsheet
from tetragraph_loaders.sheet_tables import divide_sheet

SALES = ["Region|Manager|Units", "North|Holt|5", "South|Reyer|7"]
SHIPS = ["Ship|Port", "Mina|Emden", "Ida|Delfzijl"]


def divide(*lines: str) -> list[tuple[int, int, int]]:
    """Places of first row, header and end of each table of a sheet."""
    rows = [line.split("|") for line in lines]
    return [(table.first, table.header, table.end) for table in divide_sheet(rows)]


@pytest.mark.parametrize(
    "second",
    [
        ["Name|Salary grade|Office", "Ida|B4|Emden"],
        ["Name|Age|Office", "Ida|44|Emden"],
        ["Name|Salary grade", "Ida|B4", "Bo|B5"],
        ["Name|Salary grade||Office", "Ida|B4||Emden"],
        ["||||Name|Office", "||||Ida|Emden"],
        SALES,
    ],
    ids=["words", "numbers", "narrower", "wider", "right", "same"],
)
def test_a_second_table_has_its_own_header(second: list[str]) -> None:
    assert divide(*SALES, "", "", *second) == [(0, 0, 5), (5, 5, 5 + len(second))]
    assert divide(*SALES, "", "Staff list", *second) == [(0, 0, 4), (4, 5, 5 + len(second))]
    assert divide(*SALES, "", "Staff list", "", *second) == [(0, 0, 4), (4, 6, 6 + len(second))]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (["Name|Role|Office", "Ida|Mate|Emden", "Bo|Cook|Emden"], SHIPS),
        (["Item|Price", "Lamp|3"], ["Name|Age", "Ida|44"]),
        (["Item|Price", "Lamp|3"], SHIPS),
        (SHIPS, ["Ship|Port", "Bo|Norden"]),
        (SHIPS, ["Name|Role|Office", "Ida|Mate|Emden"]),
    ],
    ids=["columns gone", "numbers again", "numbers gone", "same header", "columns added"],
)
def test_one_difference_is_enough(first: list[str], second: list[str]) -> None:
    end = len(first) + 1
    assert divide(*first, "", *second) == [(0, 0, end), (end, end, end + len(second))]


@pytest.mark.parametrize(
    "group",
    [
        ["East|Bo|3"],
        ["East", "Mill|Bo|3"],
        ["East|Bo|n/a", "West|Ida|4"],
        ["East|Bo|unknown", "West|Ida|4"],
        ["East|Bo|sold out", "West|Ida|sold out"],
        ["East|Bo|3 t", "West|Ida|4 t"],
        ["Total||12"],
        ["Approved by|Holt"],
        ["Note: without the islands"],
        ["Bo|Bo|free", "East|Mill|3"],
        ["East|Bo", "West|Ida|4"],
    ],
)
def test_groups_of_rows_go_on_with_their_table(group: list[str]) -> None:
    for group_rows in ([*group, "", "Far|Away|9"], group):
        lines = [*SALES, "", *group_rows]
        assert divide(*lines) == [(0, 0, len(lines))]


def test_groups_of_words_go_on_with_their_table() -> None:
    lines = [*SHIPS, "", "Old ships", "Reyer|Emden", "Holt|Emden", "", "Bo|Norden", "Far|Away"]
    assert divide(*lines) == [(0, 0, len(lines))]
    lines = ["Ship|Port|Note", "Mina|Emden|", "Ida|Norden|sunk", "", "Bo|Emden", "Far|Away"]
    assert divide(*lines) == [(0, 0, len(lines))]


def test_the_first_row_of_a_group_counts_among_the_rows_of_its_table() -> None:
    lines = ["Ship|Port|Note", "Mina|Emden|new", "Ida|Norden|old", "", "Bo|Emden", "", "Reyer|Norden", "Far|Away"]
    assert divide(*lines) == [(0, 0, len(lines))]


def test_titles_with_blank_rows_stay_above_the_first_table() -> None:
    assert divide("", "Report", "", "of 2024", *SALES) == [(1, 4, 7)]
    assert divide(*"abcdefg", "", *SALES) == [(0, 0, 8), (8, 8, 11)]
    assert divide("", "|") == []


def test_the_rows_of_a_second_table_have_its_header_and_their_numbers(tmp_path: Path) -> None:
    pytest.importorskip("python_calamine")
    rows = ""
    for line in [*SALES, "", "Staff list", "Name|Salary grade|Office", "Ida|B4|Emden"]:
        cells = (
            f'<table:table-cell office:value-type="float" office:value="{cell}"/>'
            if cell.isdigit()
            else f'<table:table-cell office:value-type="string"><text:p>{cell}</text:p></table:table-cell>'
            for cell in line.split("|")
        )
        rows += f"<table:table-row>{''.join(cells) if line else '<table:table-cell/>'}</table:table-row>"
    table = f'<table:table table:name="Shop">{rows}</table:table>'
    (document,) = spreadsheet.load(write_open_document(tmp_path / "a.ods", "spreadsheet", table), id_prefix="a.ods")
    assert isinstance(document, Document)
    staff = "Staff list\n| Name | Salary grade | Office |\n| --- | --- | --- |\n| Ida | B4 | Emden |"
    assert document.text.split("\n\n")[2] == staff
    assert [page.label for page in document.pages] == ["sheet Shop", "sheet Shop, row 2", "sheet Shop, row 7"]
