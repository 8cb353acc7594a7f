"""Links of web pages as metadata."""

from __future__ import annotations

from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tetragraph.model import Document
from tetragraph.model.reading import Html, ReadingOptions
from tetragraph_loaders.html import load
from tetragraph_loaders.page_links import MOST_LINKS, find_base, read_addresses

TEXT = " ".join(f"word{number} of the long text about the harbour" for number in range(60))
PAGE = f"""
<html><head><title>Port</title><link rel="canonical" href="https://example.org/ports/halvik">{{base}}</head><body>
<div class="menu"><ul><li><a href="/home">Home</a></li><li><a href="/news">News of the day</a></li></ul></div>
<article><h1>Port of Halvik</h1><p>{TEXT}</p>
<p>The quay was described by <a href="quay#north">the harbour master in 1910</a> and <a href="https://example.net/">others
of his time</a>, as <a href="#notes">noted</a> <a href="halvik">here</a>.</p><p>{TEXT.replace("harbour", "boats")}</p>
<table><tr><th>Ship</th><th>Year</th></tr><tr><td><a href="/ship?name=alma">Alma</a></td><td>1910</td></tr>
<tr><td>Brage</td><td>1911</td></tr></table></article><footer><a href="/imprint">Imprint</a></footer></body></html>
"""


def links(folder: Path, html: Html = "main", base: str = "") -> object:
    file = folder / "page.html"
    file.write_text(PAGE.format(base=base), encoding="utf-8")
    (page,) = load(file, id_prefix="page.html", options=ReadingOptions(html=html))
    assert isinstance(page, Document)
    return page.metadata.get("links")


def test_links_of_the_main_text_are_kept_and_those_of_menus_are_not(tmp_path: Path) -> None:
    ship = "https://example.org/ship?name=alma"
    assert links(tmp_path) == ["https://example.org/ports/quay", "https://example.net/", ship]
    menu = ["https://example.org/home", "https://example.org/news"]
    assert links(tmp_path, "page") == [*menu, "https://example.org/ports/quay", "https://example.net/", ship]
    assert links(tmp_path, base='<base href="/x/">') == ["https://example.org/x/quay", "https://example.net/",
        "https://example.org/x/halvik", ship]  # fmt: skip


@pytest.mark.parametrize(
    ("head", "source", "base"),
    [
        ('<link rel="canonical" href="https://example.org/a">', "a.html", "https://example.org/a"),
        ('<link rel="canonical" href="/a"><base href="https://example.org/b/">', "a.html", "https://example.org/b/"),
        ("", "https://example.org/a.html", "https://example.org/a.html"),
        ('<base href="b/">', "docs/a.html", ""),
        ('<base href="http://[b">', "docs/a.html", ""),
    ],
)
def test_relative_links_refer_to_the_address_that_is_known(head: str, source: str, base: str) -> None:
    assert find_base(LexborHTMLParser(f"<head>{head}</head>"), source) == base


def test_links_that_are_no_web_addresses_are_left_out() -> None:
    odd = [
        "",
        "#a",
        "b.html",
        "//example.org/c",
        "javascript:x()",
        "mailto:a@example.org",
        "http://[d",
        "data:,e",
        "http:",
    ]
    assert read_addresses([*odd, "https://example.org/ f\n"], "") == ["https://example.org/f"]
    assert read_addresses(["//example.org/c", "c#x", "c", "?q=1", f"/{'l' * 500}"], "https://example.org/b") == [
        "https://example.org/c",
        "https://example.org/b?q=1",
    ]
    many = [f"https://example.org/{number}" for number in range(MOST_LINKS + 1)]
    assert read_addresses(many, "") == many[:MOST_LINKS]
