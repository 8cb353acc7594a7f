"""Of a web page the main text is read, and the whole page where that would lose too much."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import pytest

from tetragraph import Document
from tetragraph.errors import InvalidInput
from tetragraph.model.reading import ReadingOptions
from tetragraph_loaders import html, main_text
from tetragraph_loaders.main_text import LEAST_CHARACTERS, find_main_text, missing_share

STORY = [
    f"In the year {1880 + year} the harbour of Halvik was closed for {year} days, because storms came in from the sea "
    "and the boats could not leave the basin behind the northern wall."
    for year in range(1, 16)
]
LINKS = "".join(f'<div><a href="/{place}">Section {place} of the site</a></div>' for place in range(40))
NOTICE = "We use cookies to improve this site, and to show you what other readers of it have bought lately."
ROWS = "<tr><th>Year</th><th>Boats</th></tr><tr><td>1881</td><td>forty</td></tr>"
TABLE = f"<table><caption>Boats by year</caption>{ROWS}</table>"
HEAD = (
    '<title>Storms - Halvik News</title><meta name="author" content="Ida  Vik">'
    '<meta property="article:published_time" content="2024-03-05"><link rel="canonical" href="https://news.test/storms">'
)


def _page(body: str, *, head: str = HEAD) -> str:
    around = f'<div class="menu">{LINKS}</div>{{}}<div class="cookie-banner">{NOTICE}</div>'
    return f'<html lang="en"><head>{head}</head><body>{around.format(body)}</body></html>'


def _story() -> str:
    half = len(STORY) // 2
    paragraphs = ["".join(f"<p>{one}</p>" for one in part) for part in (STORY[:half], STORY[half:])]
    return f"<article><h1>Storms</h1>{paragraphs[0]}<h2>Later years</h2>{TABLE}{paragraphs[1]}</article>"


def _read(folder: Path, page: str, options: ReadingOptions | None = None) -> Document:
    file = folder / "page.html"
    file.write_text(page, encoding="utf-8")
    (found,) = html.load(file, id_prefix="page.html", options=options or ReadingOptions())
    assert isinstance(found, Document)
    return found


def test_menus_and_notices_are_no_part_of_the_main_text(tmp_path: Path) -> None:
    document = _read(tmp_path, _page(_story()))
    assert "Section 3 of the site" not in document.text
    assert NOTICE not in document.text
    assert all(one in document.text for one in STORY)
    assert "Boats by year\n| Year | Boats |\n| --- | --- |\n| 1881 | forty |" in document.text
    assert document.title == "Storms"
    assert document.notes == ()


def _table_lines(document: Document) -> list[str]:
    return [line for line in document.text.split("\n") if line.startswith("|")]


@pytest.mark.parametrize(
    "other",
    [
        pytest.param({"1881": "sixty", "1882": "forty", "1883": "ten"}, id="same words"),
        pytest.param({"1881": "forty", "1882": "sixty", "1883": "ten"}, id="same rows and more"),
    ],
)
def test_another_table_of_the_page_does_not_replace_one_of_the_main_text(
    tmp_path: Path, other: Mapping[str, str]
) -> None:
    def write(boats: Mapping[str, str]) -> str:
        rows = "".join(f"<tr><td>{year}</td><td>{count}</td></tr>" for year, count in boats.items())
        return f"<table><tr><th>Year</th><th>Boats</th></tr>{rows}</table>"

    own = {"1881": "forty", "1882": "sixty"}
    document = _read(tmp_path, _page(f"<nav>{write(other)}</nav>{_story().replace(TABLE, write(own))}"))
    assert _table_lines(document)[2:] == ["| 1881 | forty |", "| 1882 | sixty |"]


def test_a_table_of_signs_is_not_replaced_by_another(tmp_path: Path) -> None:
    signs = "<table><tr><td>✓</td><td>—</td></tr><tr><td>—</td><td>✓</td></tr></table>"
    document = _read(tmp_path, _page(f"<nav>{TABLE}</nav>{_story().replace(TABLE, signs)}"))
    assert _table_lines(document) == ["| ✓ | — |", "| --- | --- |", "| — | ✓ |"]


def test_a_table_of_the_main_text_keeps_its_caption_and_cells_over_several_columns(tmp_path: Path) -> None:
    rows = (
        "<tr><th rowspan=2>Year</th><th colspan=2>Boats</th></tr><tr><th>in</th><th>out</th></tr>"
        "<tr><td rowspan=2>1881</td><td>forty</td><td>fifty</td></tr><tr><td colspan=2>unknown</td></tr>"
    )
    document = _read(tmp_path, _page(_story().replace(ROWS, rows)))
    assert "Boats by year\n| Year | Boats in | Boats out |" in document.text
    assert _table_lines(document)[2:] == ["| 1881 | forty | fifty |", "| 1881 | unknown | unknown |"]


def test_headings_have_offsets_into_the_main_text(tmp_path: Path) -> None:
    document = _read(tmp_path, _page(_story()))
    assert "Later years" in [heading.title for heading in document.headings]
    assert all(document.text[one.start :].startswith(one.title) for one in document.headings)


def test_a_page_states_its_metadata(tmp_path: Path) -> None:
    expected = {"author": "Ida Vik", "date": "2024-03-05", "url": "https://news.test/storms"}
    assert _read(tmp_path, _page(_story())).metadata == expected
    assert _read(tmp_path, "<meta name=author content=' '><p>Text").metadata == {}
    assert _read(tmp_path, f"<meta name=author content='{'x' * 501}'><p>Text").metadata == {}


def test_the_whole_page_is_read_where_it_is_wanted(tmp_path: Path) -> None:
    document = _read(tmp_path, _page(_story()), ReadingOptions(html="page"))
    assert "Section 3 of the site" in document.text
    assert NOTICE in document.text
    with pytest.raises(InvalidInput, match="html must be main or page, got 'all'"):
        ReadingOptions(html="all")  # type: ignore[arg-type]  # what a caller may pass


def test_a_short_page_is_read_whole(tmp_path: Path) -> None:
    document = _read(tmp_path, f"<div>Menu</div><p>{STORY[0]}</p>")
    assert document.text == f"Menu\n\n{STORY[0]}"
    assert len(document.text) < LEAST_CHARACTERS


def test_a_page_is_read_whole_where_too_much_would_be_missing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main_text, "find_main_text", lambda *_: None)
    document = _read(tmp_path, _page(_story()))
    assert "Section 3 of the site" in document.text
    assert document.notes == ("web pages are read whole, as the main text that was found in them lacks too much",)


def test_a_page_above_the_limit_is_read_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main_text, "MOST_CHARACTERS", 1_000)
    assert _read(tmp_path, _page(_story())).notes == ("web pages above 1,000 characters are read whole",)


def test_without_the_package_the_page_is_read_whole_with_a_note(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "trafilatura", None)
    document = _read(tmp_path, _page(_story()))
    assert "Section 3 of the site" in document.text
    assert "trafilatura is not installed" in document.notes[0]


def test_the_missing_share_counts_long_paragraphs() -> None:
    paragraphs = [" ".join(f"{name}{place}" for place in range(30)) for name in ("wave", "pier", "boat", "rope")]
    page = "\n\n".join(["A menu", *paragraphs])
    assert missing_share("\n".join(paragraphs[:3]), page) == pytest.approx(0.25, abs=0.01)
    assert missing_share("", "A menu\n\nof short lines") == 0.0


def test_a_note_says_where_much_is_left_out(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main_text, "missing_share", lambda *_: 0.6)
    assert "reads all" in _read(tmp_path, _page(_story())).notes[0]


def test_a_page_without_a_main_text_has_none() -> None:
    assert find_main_text("<html><body></body></html>") is None
    assert find_main_text("") is None


def test_blocks_of_every_kind_are_read(tmp_path: Path) -> None:
    more = (
        "<ul><li>one item of the list of things</li><li>another item <b>in bold</b></li></ul>"
        "<pre>code  here\n  x = 1</pre><blockquote><p>A quoted sentence of some length.</p></blockquote>"
    )
    text = _read(
        tmp_path, _page(_story().replace("</article>", f"{more}<p>{STORY[0]}<br>And more.</p></article>"))
    ).text
    for expected in ("one item of the list", "another item in bold", "code  here\n  x = 1", "A quoted sentence"):
        assert expected in text
