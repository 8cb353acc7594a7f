"""The page of themes: its boxes, and escaped names."""

from __future__ import annotations

import json
import sys

import pytest
from selectolax.lexbor import LexborHTMLParser

from tetragraph.errors import MissingDependency
from tetragraph.export.tree_page import (
    Box,
    boxes,
    page,
    treemap,
)
from tetragraph.systems.encoding_tree.overview import Theme, ThemeChunk, TreeOverview

HOSTILE = "</script><script>alert(1)</script><img src=x onerror=alert(1)>&amp;"


def overview(*themes: Theme, chunks: int = 3) -> TreeOverview:
    return TreeOverview(3, 1.25, 2.5, 0.0, 0, {"height": 3}, chunks, themes)


@pytest.fixture
def tree() -> TreeOverview:
    """A theme of one theme with two chunks, and one without children."""
    inner = Theme("t2", "Quay", 2, 2, 4.0, 1.0, 0.5, (), (ThemeChunk("c1", "Pier"), ThemeChunk("c2", HOSTILE)))
    return overview(
        Theme("t1", "Harbour · ships", 1, 2, 4.0, 1.0, 0.5, (inner,)), Theme("t3", HOSTILE, 1, 1, 0.0, 0.0, 0.0)
    )


def words(html: LexborHTMLParser, place: str) -> str:
    """The text of one element, in one line."""
    (found,) = html.css(place)
    return " ".join(found.text().split())


def figure_of(html: LexborHTMLParser) -> dict[str, object]:
    """The first trace that the page draws."""
    script = html.css("script")[1].text()
    assert script is not None
    line = next(line for line in script.splitlines() if line.strip().startswith("const figure = "))
    found: dict[str, object] = json.loads(line.strip().removeprefix("const figure = ").removesuffix(";"))["data"][0]
    return found


def test_each_theme_and_chunk_has_a_box_in_that_of_its_parent(tree: TreeOverview) -> None:
    found = list(boxes(tree, "world"))
    assert [(box.id, box.parent, box.size) for box in found] == [
        ("corpus", "", 3),
        ("theme t1", "corpus", 2),
        ("theme t2", "theme t1", 2),
        ("chunk c1", "theme t2", 1),
        ("chunk c2", "theme t2", 1),
        ("theme t3", "corpus", 1),
    ]
    assert found[1].outside == found[3].outside == 0.25
    assert "2 chunks<br>volume 4.0, cut 1.0: 25% of its affinity goes to other themes" in found[1].hover_text


def test_the_boxes_fill_those_around_them_and_are_coloured_by_what_leaves_them(tree: TreeOverview) -> None:
    trace = treemap(list(boxes(tree, "world")))["data"][0]
    assert trace["type"] == "treemap"
    assert trace["branchvalues"] == "total"
    assert trace["values"] == [3, 2, 2, 1, 1, 1]
    assert trace["marker"]["colors"] == [0.0, 0.25, 0.25, 0.25, 0.25, 0.0]


def test_long_names_go_over_several_lines_and_entities_stand_above_words() -> None:
    box = Box("b", "", "Institute of technology, University · engineering", 1, 0.0, "")
    assert treemap([box])["data"][0]["text"] == ["Institute of<br>technology,<br>University<br>engineering"]


def test_no_name_breaks_out_of_page_or_plot(tree: TreeOverview) -> None:
    html = LexborHTMLParser(page(tree, HOSTILE))
    assert len(html.css("script")) == 2
    assert html.css("img") == []
    assert words(html, "h1") == f"Themes of {HOSTILE}"
    trace = figure_of(html)
    for drawn in (trace["labels"], trace["text"]):
        assert isinstance(drawn, list)
        assert not any("<script" in one or "<img" in one for one in drawn)
    assert "&lt;/script&gt;&lt;script&gt;alert(1)" in str(trace["labels"])


def test_the_page_asks_for_nothing_and_forbids_itself_to(tree: TreeOverview) -> None:
    html = LexborHTMLParser(page(tree, "world"))
    policy = html.css_first("meta[http-equiv=Content-Security-Policy]")
    assert policy is not None
    assert "default-src 'none'" in (policy.attributes["content"] or "")
    assert html.css("[src], [href], [action], link, iframe, object, embed") == []


def test_the_page_says_what_it_shows(tree: TreeOverview) -> None:
    html = LexborHTMLParser(page(tree, "world"))
    facts, key = words(html, "#facts"), words(html, "#key")
    assert facts.startswith("3 themes of 3 chunks, made without a language model · structural entropy 1.25 bits, 2.50")
    assert "a theme or, inside one, a chunk" in key
    assert "too many chunks" not in key


def test_a_page_without_chunks_says_why() -> None:
    large = overview(Theme("t1", "Harbour", 1, 90_000, 4.0, 1.0, 0.5), chunks=90_000)
    assert "The corpus has too many chunks to show each." in words(LexborHTMLParser(page(large, "world")), "#key")


def test_an_empty_corpus_has_a_page() -> None:
    html = LexborHTMLParser(page(overview(chunks=0), "world"))
    assert figure_of(html)["ids"] == ["corpus"]


def test_without_plotly_the_command_that_installs_it_is_told(
    tree: TreeOverview, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "plotly.offline", None)
    with pytest.raises(MissingDependency, match=r"pip install 'tetragraph\[eval\]'"):
        page(tree, "world")
