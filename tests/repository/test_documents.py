"""Licence, changelog, README and CONTRIBUTING agree with the project, and links between pages are valid."""

from __future__ import annotations

import hashlib
import re
import tomllib
from pathlib import Path

import pytest

from tetragraph.systems.registry import RETRIEVERS

ROOT = Path(__file__).parents[2]
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
README = (ROOT / "README.md").read_text(encoding="utf-8")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
APACHE_2_0 = "cfc7749b96f63bd31c3c42b5c471bf756814053e847c10f3eb003417bc523d30"


def headings(page: Path) -> set[str]:
    """The anchors of a page's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    titles = re.findall(r"^#+ (.+)$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-") for title in titles}


def test_the_licence_is_the_text_of_apache_2_0() -> None:
    assert hashlib.sha256((ROOT / "LICENSE").read_bytes()).hexdigest() == APACHE_2_0


def test_the_changelog_tells_of_this_version() -> None:
    assert PYPROJECT["project"]["version"] in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")


def test_each_command_that_contributing_names_is_a_target_of_make() -> None:
    targets = re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE)
    named = re.findall(r"(?:`|\$ )make ([a-z]+)\b", CONTRIBUTING)
    assert {"test", "lint", "bench"} <= set(named) <= set(targets)


def test_contributing_explains_every_field_of_a_query_header() -> None:
    used = {
        field
        for file in (ROOT / "cypher").rglob("*.cypher")
        for field in re.findall(r"^// ([A-Z][a-z]+)\s", file.read_text(encoding="utf-8"), re.MULTILINE)
    }
    explained = set(re.findall(r"^\| `([A-Z][a-z]+)` \|", CONTRIBUTING, re.MULTILINE))
    assert {"Params", "Returns", "Access"} <= used <= explained


def test_contributing_draws_the_layers_that_are_checked() -> None:
    contracts = PYPROJECT["tool"]["importlinter"]["contracts"]
    layers = next(contract["layers"] for contract in contracts if contract["type"] == "layers")
    drawn = re.findall(r"^    (\w+(?:, \w+)*)$", CONTRIBUTING, re.MULTILINE)
    assert [re.findall(r"\w+", layer) for layer in layers] == [line.split(", ") for line in drawn]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_and_heading_that_a_page_links_to_exists(page: Path) -> None:
    links = re.findall(r"\]\((?!https?:)([^)#\s]*)(?:#([^)\s]+))?\)", page.read_text(encoding="utf-8"))
    targets = [(page if not file else (page.parent / file).resolve(), heading) for file, heading in links]
    assert [str(file) for file, _ in targets if not file.exists()] == []
    assert [f"{file.name}#{heading}" for file, heading in targets if heading and heading not in headings(file)] == []


@pytest.mark.parametrize("page", ["anchor-graph", "bipartite-graph", "encoding-tree", "evidence-walk", "gain-graph"])
def test_each_page_about_a_graph_shows_it(page: str) -> None:
    shown = re.findall(
        r"^!\[[^\]]+\]\((images/[^)]+)\)$", (ROOT / "docs" / f"{page}.md").read_text("utf-8"), re.MULTILINE
    )
    assert [Path(file).stem for file in shown] == [page]


def test_readme_is_short_and_begins_with_the_installation() -> None:
    lines = README.splitlines()
    assert len(lines) <= 170
    assert lines.index("## Install") < 40


def test_readme_lists_every_search_method_and_no_other() -> None:
    table = README.split("## Methods")[1].split("\n## ")[0]
    named = [
        name for row in re.findall(r"^\| (`[^|]+) \|", table, re.MULTILINE) for name in re.findall(r"`(\w+)`", row)
    ]
    assert sorted(named) == sorted(RETRIEVERS)


def test_readme_leads_to_every_page() -> None:
    reachable, waiting = set[Path](), [ROOT / "README.md"]
    while waiting:
        page = waiting.pop()
        reachable.add(page)
        links = re.findall(r"\]\((?!https?:|#)([^)#\s]+\.md)", page.read_text(encoding="utf-8"))
        waiting += {(page.parent / link).resolve() for link in links} - reachable
    assert set(PAGES) <= reachable
