"""The page that draws a graph, checked as text; ``tests/e2e/test_export.py`` opens it in a browser."""

from __future__ import annotations

import json
import re
import sys
from hashlib import sha256
from importlib import resources
from pathlib import Path

import pytest
from selectolax.lexbor import LexborHTMLParser

from tetragraph.drawing.looks import LOOKS
from tetragraph.errors import InvalidInput, MissingDependency
from tetragraph.export import save_subgraph
from tetragraph.model.subgraphs import NodeKey, Subgraph
from tetragraph.stores.local import browser_files

LIBRARY = "cytoscape.min.js"
SHA256 = "081591ab735b2b6a3b31a3c60f8f3a3e2fee8c92939e0c7820ad1208571b6cd8"


def page(subgraph: Subgraph, file: Path, ranks: dict[NodeKey, int] | None = None) -> LexborHTMLParser:
    save_subgraph(subgraph, file, title="Who?", ranks=ranks)
    return LexborHTMLParser(file.read_text(encoding="utf-8"))


def test_hostile_texts_make_no_element(subgraph: Subgraph, tmp_path: Path) -> None:
    tree = page(subgraph, tmp_path / "page.html")
    assert len(tree.css("script")) == 3
    assert tree.css("img") == []
    carried = json.loads(tree.css("#data")[0].text())
    assert carried["nodes"][0]["title"] == next(iter(subgraph.nodes.values()))["title"]


def test_the_page_says_in_words_what_it_draws(subgraph: Subgraph, tmp_path: Path) -> None:
    tree = page(subgraph, tmp_path / "page.html", {NodeKey("Entity", "e1"): 1})
    summary = " ".join(tree.css("#summary")[0].text().split())
    assert summary == "3 nodes and 3 relationships of the corpus world; 1 node is the result of a search"
    assert [row.text(strip=True, separator=" ") for row in tree.css("#text tbody")[0].css("tr")][2] == (
        "Entity 1 Jens Arild e1"
    )
    assert [button.text() for button in tree.css("ol button")] == ["1Jens Arild"]


def test_only_the_two_scripts_of_the_page_may_run(subgraph: Subgraph, tmp_path: Path) -> None:
    tree = page(subgraph, tmp_path / "page.html")
    policy = tree.css("meta[http-equiv]")[0].attributes["content"] or ""
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "http" not in policy
    assert "unsafe-inline" not in policy.split("style-src")[0]
    assert len(re.findall("'sha256-", policy)) == 2


def test_the_library_is_the_one_that_was_published_with_its_licence() -> None:
    folder = resources.files("tetragraph.export")
    script = folder.joinpath(LIBRARY).read_bytes()
    assert sha256(script).hexdigest() == SHA256
    assert b"</script" not in script
    assert "The Cytoscape Consortium" in folder.joinpath("cytoscape.LICENSE").read_text(encoding="utf-8")


def test_a_label_has_the_colour_that_neo4j_browser_gives_it() -> None:
    sheet = browser_files.files()[browser_files.STYLE].decode()
    there = dict(re.findall(r"node\.(\w+) \{[^}]*?\n  color: (#\w+);", sheet))
    assert {label: colour for label, (colour, _) in LOOKS.items()}.items() <= there.items()


def test_more_nodes_than_can_be_told_apart_are_not_drawn(tmp_path: Path) -> None:
    many = Subgraph("world", {NodeKey("Chunk", str(number)): {} for number in range(1001)})
    with pytest.raises(InvalidInput, match="at most 1,000 nodes, got 1,001"):
        save_subgraph(many, tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


def test_a_page_needs_no_plotly(subgraph: Subgraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("plotly", "plotly.offline"):
        monkeypatch.setitem(sys.modules, name, None)
    save_subgraph(subgraph, tmp_path / "page.html")
    monkeypatch.setitem(sys.modules, "jinja2", None)
    with pytest.raises(MissingDependency, match=r"pip install 'tetragraph\[eval\]'"):
        save_subgraph(subgraph, tmp_path / "other.html")
