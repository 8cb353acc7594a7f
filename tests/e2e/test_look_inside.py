"""Statements, commands and Python of the pages on inspecting a corpus, on one with all graphs."""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path

import neo4j
import pytest
from typer.testing import CliRunner

import anchored_world
from tetragraph import Corpus, Settings, Tetragraph
from tetragraph.cli import app
from tetragraph.stores.local.browser_guide import BEGIN

DOCS = Path(__file__).parents[2] / "docs"
STATED = ("browser", "gain-graph", "encoding-tree", "bipartite-graph")
"""Pages whose statements run on any corpus; those of anchor-graph.md take parameters and have tests of their own."""
COMMANDED = ("analytics", "explanations")


def blocks(page: str, language: str) -> list[str]:
    text = (DOCS / f"{page}.md").read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


STATEMENTS = [pytest.param(text, id=f"{page}-{n}") for page in STATED for n, text in enumerate(blocks(page, "cypher"))]
COMMANDS = [
    line
    for page in COMMANDED
    for block in blocks(page, "console")
    for line in re.findall(r"^\$ tetragraph (.*)$", block, re.MULTILINE)
]
NAMES = {"'demo'": "'{corpus}'", "'Fist Power'": "'Halvik'", "'Hong Kong'": "'Orla Brandt'"}
"""What the pages call by a name of the demo corpus, and its name in the corpus of this test."""


@pytest.fixture(scope="module")
def corpus(anchored_settings: Settings, anchored: str) -> Iterator[Corpus]:
    """With all graphs, and one search in several steps."""
    with Tetragraph.connect(anchored_settings) as client:
        corpus = client.corpus(anchored)
        assert corpus.anchor(anchored_world.QUESTION).answer.text
        yield corpus


def test_each_graph_is_in_a_statement() -> None:
    assert len(STATEMENTS) >= 9
    for label in ("INFO_GAIN", "Entity", "EncodingTree", "AFFINITY", "PARTICIPATES_IN", "Session"):
        assert any(label in str(one.values[0]) for one in STATEMENTS)


def test_browser_begins_with_a_corpus_that_can_be_searched(corpus: Corpus, driver: neo4j.Driver) -> None:
    first_by_name = "0-being-read"
    driver.execute_query("CREATE (:Corpus {corpus: $name, name: $name})", name=first_by_name)
    try:
        chosen = driver.execute_query("RETURN " + BEGIN[0].partition("=>")[2] + " AS name").records[0]["name"]
    finally:
        driver.execute_query("MATCH (c:Corpus {name: $name}) DELETE c", name=first_by_name)
    assert chosen not in (None, first_by_name)


@pytest.mark.parametrize("statement", STATEMENTS)
def test_each_statement_of_a_page_finds_something(corpus: Corpus, driver: neo4j.Driver, statement: str) -> None:
    assert "{corpus: 'demo'" in statement
    for name, here in NAMES.items():
        statement = statement.replace(name, here.format(corpus=corpus.name))
    assert driver.execute_query(statement).records


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_of_a_page_runs(
    corpus: Corpus, anchored_settings: Settings, command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, value in (
        ("NEO4J_URI", str(anchored_settings.neo4j_uri)),
        ("NEO4J_PASSWORD", anchored_settings.neo4j_password.get_secret_value()),
        ("TETRAGRAPH_HOME", str(anchored_settings.home)),
        ("TETRAGRAPH_CACHE", str(anchored_settings.cache)),
    ):
        monkeypatch.setenv(name, value)
    words = [corpus.name if word == "demo" else word for word in shlex.split(command, comments=True)]
    done = CliRunner().invoke(app, words)
    assert done.exception is None, done.output
    for word in words:
        if word.endswith((".html", ".csv")):
            assert (tmp_path / word).is_file()


@pytest.mark.parametrize("page", ["explanations", "evidence-walk"])
def test_the_python_of_a_page_runs(corpus: Corpus, page: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for lines in blocks(page, "python"):
        exec(lines, {"corpus": corpus})  # noqa: S102 - the page's own words
    assert (tmp_path / "found.html").is_file() == (page == "explanations")
