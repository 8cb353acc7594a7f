"""CSV files as programs write them: titles, columns of one name, line ends, delimiters, and cells too few or many."""

from __future__ import annotations

from pathlib import Path

import pytest

from tetragraph.model import Document, Unreadable
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions
from tetragraph_loaders import csv_file

ROWS = "North,Holt,5\nSouth,Reyer,7\n"


def read(folder: Path, content: str, options: ReadingOptions = DEFAULT_READING) -> list[Document | Unreadable]:
    (folder / "t.csv").write_bytes(content.encode())
    return list(csv_file.load(folder / "t.csv", id_prefix="t.csv", options=options))


def documents(folder: Path, content: str) -> list[Document]:
    found = read(folder, content)
    assert not [one for one in found if isinstance(one, Unreadable)]
    return [one for one in found if isinstance(one, Document)]


def test_columns_of_one_name_are_numbered(tmp_path: Path) -> None:
    (document,) = documents(tmp_path, "text,Comment,Comment,Comment 2,,Comment\nOne.,a,b,c,d,e\n")
    metadata = {"Comment": "a", "Comment 3": "b", "Comment 2": "c", "column 5": "d", "Comment 4": "e"}
    assert document.metadata == metadata
    assert document.notes == ("columns named more than once are numbered: 'Comment 3', 'Comment 4'",)


@pytest.mark.parametrize(
    ("above", "lines"),
    [
        ("Sales report 2024\n\n", 2),
        ("Sales report 2024,,\n", 1),
        ("\nSales report 2024,,\n,,\n", 3),
        ('"Sales report\n2024",,\n', 2),
    ],
)
def test_titles_above_the_header_are_left_out_and_noted(tmp_path: Path, above: str, lines: int) -> None:
    first, second = documents(tmp_path, f"{above}Region,Manager,Units\n{ROWS}")
    assert first.text == "Region: North\nManager: Holt\nUnits: 5"
    assert [first.id, second.id] == ["t.csv#1", "t.csv#2"]
    assert [first.source, second.source] == [f"t.csv:{lines + 2}", f"t.csv:{lines + 3}"]
    assert first.notes[1].replace("\n", " ") == "lines above the header are left out: Sales report 2024"


def test_a_title_above_two_columns_is_left_out_where_a_name_stands_above_numbers(tmp_path: Path) -> None:
    (document,) = documents(tmp_path, "Prices,\nItem,Price\nLamp,3\n")
    assert document.text == "Item: Lamp\nPrice: 3"


@pytest.mark.parametrize(
    ("table", "text"),
    [
        (",name\n0,Ida\n1,Bo\n", "column 1: 0\nname: Ida"),
        ("key,\na,b\nc,d\n", "key: a\ncolumn 2: b"),
        ('comment\n"Well, yes"\nNo\n', "comment: Well, yes"),
        ("comment\nNo\n", "comment: No"),
        ("comment\nNo, yes\nOne, two\nNo, a, b\nc, d, e\nNo\n", "comment: No, yes"),
    ],
)
def test_a_header_of_one_name_is_no_title(tmp_path: Path, table: str, text: str) -> None:
    assert documents(tmp_path, table)[0].text == text


def test_a_line_with_the_column_of_the_text_is_the_header(tmp_path: Path) -> None:
    for name, options in (("text", DEFAULT_READING), ("body", ReadingOptions(text_key="body"))):
        found = read(tmp_path, f"{name}\nOne.\nTwo,three\nFour,five\nSix,seven\n", options)
        texts = [one.text for one in found if isinstance(one, Document)]
        assert texts == ["One.", "Two,three", "Four,five", "Six,seven"]  # one column is not divided


def test_only_filled_cells_beyond_the_header_are_refused(tmp_path: Path) -> None:
    found = read(tmp_path, "id,text,by,\n1,One.,Ida\n2,Two.\n3,Three.,Bo,,,\n4,Four.,Bo,,,x\n")
    assert [one.id for one in found if isinstance(one, Document)] == ["1", "2", "3"]
    assert [one.metadata for one in found if isinstance(one, Document)] == [{"by": "Ida"}, {}, {"by": "Bo"}]
    assert isinstance(found[3], Unreadable)
    assert "the header has 4 cells, this row 6" in found[3].reason


def test_a_name_of_a_column_may_have_a_line_end(tmp_path: Path) -> None:
    (document,) = documents(tmp_path, 'text,"Units \nsold"\nOne.,5\n')
    assert (document.metadata, document.source) == ({"Units sold": 5}, "t.csv:3")


def test_lines_may_end_with_a_carriage_return_alone(tmp_path: Path) -> None:
    first, second = documents(tmp_path, 'text,by\rOne.,"Ida\nHolt"\rTwo.,Bo\r')
    assert (first.text, first.metadata) == ("One.", {"by": "Ida\nHolt"})
    assert (second.text, second.source) == ("Two.", "t.csv:4")
    (document,) = documents(tmp_path, '"a\rb",text\n1,One.\n')
    assert document.metadata == {"a b": 1}


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ("text|n\nOne, two|3\n", {"n": 3}),
        ("Full name (last, first);text\nHolt, Mina;One\nReyer;Two\n", {"Full name (last, first)": "Holt, Mina"}),
        ("Full name (last, first);text\nHolt, Mina;One\n", {"Full name (last, first)": "Holt, Mina"}),
        ("Names (a, b, c);text\nHolt;One\n", {"Names (a, b, c)": "Holt"}),
        ("Report, second;\nn;text;by\n1;One;Ida\n2;Two;Bo\n", {"n": 1, "by": "Ida"}),
    ],
)
def test_the_delimiter_is_the_one_that_divides_the_rows(
    tmp_path: Path, table: str, expected: dict[str, object]
) -> None:
    assert documents(tmp_path, table)[0].metadata == expected


def test_a_long_line_ends_the_sample(tmp_path: Path) -> None:
    rows = "".join(f'{number},"{"x" * 600_000}"\n' for number in range(4))
    assert len(documents(tmp_path, f"id,text\n{rows}")) == 4
