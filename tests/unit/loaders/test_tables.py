"""Tables of Markdown and web pages: each part of a long table has the words of its columns."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tetragraph import Document
from tetragraph.indexing.chunking import split
from tetragraph_loaders import html, markdown
from tetragraph_loaders.tables import GROUP_CHARACTERS, repeat_headers

HEADER = "| Harbour | Boats | Income |\n| --- | ---: | ---: |"
ROWS = [f"| Harbour number {row} on the northern coast | {row + 40} | {row * 17} |" for row in range(60)]
TABLE = "\n".join([HEADER, *ROWS])


def _read(folder: Path, name: str, text: str) -> Document:
    (folder / name).write_text(text, encoding="utf-8")
    load = markdown.load if name.endswith(".md") else html.load
    (found,) = load(folder / name, id_prefix=name)
    assert isinstance(found, Document)
    return found


def _chunks(document: Document) -> list[str]:
    count = lambda texts: [len(text.split()) for text in texts]  # noqa: E731  # the tokenizer of a test
    return [chunk.text for chunk in split(document, max_tokens=300, count_tokens=count)]


@pytest.mark.parametrize("above", ["Table 3: income in thousand crowns", "(thousand crowns)", "Income by harbour:"])
def test_each_chunk_of_a_long_markdown_table_has_caption_and_header(tmp_path: Path, above: str) -> None:
    document = _read(tmp_path, "a.md", f"# Report\n\n{above}\n\n{TABLE}\n\nThe end.\n")
    holding = [text for text in _chunks(document) if "Harbour number" in text]
    assert len(holding) > 2
    assert all(text.count(HEADER) >= 1 for text in holding)
    assert document.text.count(above) == document.text.count(HEADER) > 2
    assert [line for line in document.text.split("\n") if line in ROWS] == ROWS
    assert document.text.endswith(f"{ROWS[-1]}\n\nThe end.\n")


def test_a_paragraph_above_a_table_is_no_caption() -> None:
    text = f"The harbours earn well.\n\n{TABLE}"
    assert repeat_headers(text).count("earn well") == 1
    assert repeat_headers(f"One line\nTable of two:\n\n{TABLE}").count("Table of two:") == 1
    assert repeat_headers(TABLE).count(HEADER) > 2
    assert repeat_headers(f"\n{TABLE}").count(HEADER) > 2


def test_short_tables_code_and_text_without_tables_stay_as_they_are() -> None:
    short = "\n".join([HEADER, *ROWS[:8]])
    assert len(short) < GROUP_CHARACTERS
    for text in (short, f"```\n{TABLE}\n```", "No table\n---\n\na | b", "", f"> {TABLE[:50]}"):
        assert repeat_headers(text) == text


def test_several_tables_are_divided_each_by_itself() -> None:
    other = TABLE.replace("Harbour |", "Port |", 1)
    found = repeat_headers(f"{TABLE}\n\n{other}\n")
    assert found.count("| Port |") == found.count(HEADER) > 2
    assert found.index("| Port |") > found.rindex(HEADER)


def test_headings_below_a_divided_table_have_offsets_into_the_text(tmp_path: Path) -> None:
    document = _read(tmp_path, "a.md", f"{TABLE}\n\n## After\n\nText\n")
    (heading,) = document.headings
    assert document.text[heading.start :].startswith("## After")


@pytest.mark.parametrize("end", ["\r", "\r\r\n"])
def test_a_table_below_other_line_ends_is_divided_where_it_stands(tmp_path: Path, end: str) -> None:
    above = "".join(f"{line}{end}" for line in ("# One", "Two", "# Three", "Four"))
    document = _read(tmp_path, "a.md", f"{above}\n\n{TABLE}\n\n## After\n\nText\n")
    assert document.text.count(HEADER) > 2
    assert [line for line in document.text.split("\n") if line in ROWS] == ROWS
    found = [re.split(r"[\r\n]", document.text[one.start :])[0] for one in document.headings]
    assert found == ["# One", "# Three", "## After"]


def _page(rows: str, more: str = "") -> str:
    return f"<html><body><h1>Report</h1><table>{more}{rows}</table><p>The end.</p></body></html>"


def test_each_chunk_of_a_long_table_of_a_page_has_caption_and_header(tmp_path: Path) -> None:
    rows = "".join(f"<tr><td>Harbour number {row}</td><td>{row + 40}</td></tr>" for row in range(80))
    head = "<caption>Boats  in thousands</caption><tr><th>Harbour</th><th>Boats</th></tr>"
    document = _read(tmp_path, "a.html", _page(rows, head))
    holding = [text for text in _chunks(document) if "Harbour number" in text]
    assert len(holding) > 1
    assert all("Boats in thousands\n| Harbour | Boats |\n| --- | --- |\n" in text for text in holding)
    assert "| Harbour number 79 | 119 |" in holding[-1]
    assert document.text.endswith("\n\nThe end.")


def test_cells_that_cover_several_are_repeated_and_headers_joined(tmp_path: Path) -> None:
    head = (
        "<tr><th rowspan=2>Harbour</th><th colspan=2>Income</th></tr><tr><th>1903</th><th>1904</th></tr>"
        "<tr><td rowspan=2>Halvik</td><td>5</td><td>6</td></tr><tr><td colspan=2>none</td></tr><tr></tr>"
    )
    document = _read(tmp_path, "a.html", _page("", head))
    assert document.text.split("\n\n")[1] == (
        "| Harbour | Income 1903 | Income 1904 |\n| --- | --- | --- |\n| Halvik | 5 | 6 |\n| Halvik | none | none |"
    )


def test_tables_that_arrange_a_page_are_read_as_text(tmp_path: Path) -> None:
    for rows in (
        "<tr><td><h2>Menu</h2></td><td>Text</td></tr><tr><td>a</td><td>b</td></tr>",
        f"<tr><td>Menu</td><td>{'word ' * 80}</td></tr><tr><td>a</td><td>b</td></tr>",
        "<tr><td>Alone</td></tr><tr><td>Below</td></tr>",
        "<tr><td>a</td><td>b</td></tr>",
    ):
        assert "|" not in _read(tmp_path, "a.html", _page(rows)).text


@pytest.mark.parametrize("span", ["0", "-1", "x", "²", "1000000000"])
def test_strange_spans_are_bounded(tmp_path: Path, span: str) -> None:
    rows = f"<tr><td colspan='{span}'>a</td><td>b</td></tr><tr><td>c</td><td>d</td></tr>"
    text = _read(tmp_path, "a.html", _page(rows)).text
    assert "| c | d |" in text
    assert text.count("| a") <= 100


@pytest.mark.parametrize(
    "table",
    [
        "<table>" + "<tr><td rowspan=100 colspan=100>x" * 200 + "</table>",
        ("<table><tr>" + "<td rowspan=20 colspan=99>x" * 2 + "<tr><td>y" * 19 + "</table>") * 40,
        "<table><tr>" + "<td>x" * 500 + "<tr><td>y" * 500 + "</table>",
    ],
)
def test_tables_that_are_many_times_larger_than_their_page_are_read_as_text(tmp_path: Path, table: str) -> None:
    words = "".join(f"<p>A long paragraph of the report on tides and harbours, number {n}.</p>" for n in range(60))
    page = _read(tmp_path, "a.html", f"<html><body>{words}{table}</body></html>")
    assert "|" not in page.text
    assert page.text.count("x") == table.count("x")
    assert page.notes == (
        "web pages whose tables repeat few cells in many rows and columns are read whole, these tables as text",
    )


def test_long_tables_with_cells_above_all_columns_stay_tables(tmp_path: Path) -> None:
    rows = "".join(
        f"<tr><th colspan=100>Region {n}</th></tr>" + f"<tr><td>Harbour of {n}</td><td>5</td></tr>" * 20
        for n in range(20)
    )
    document = _read(tmp_path, "a.html", _page(rows))
    assert document.text.count("| Harbour of 19 | 5 |") == 20
    assert not any("tables" in note for note in document.notes)
