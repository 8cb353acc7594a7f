"""What README says about looking inside a corpus: every statement, command and line of Python in it runs."""

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

README = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
SECTION = README[README.index("## Look inside") : README.index("## What you can rely on")]


def blocks(text: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


STATEMENTS = blocks(README, "cypher")
COMMANDS = [line for block in blocks(SECTION, "console") for line in re.findall(r"^\$ tetragraph (.*)$", block, re.M)]


@pytest.fixture(scope="module")
def corpus(anchored_settings: Settings, anchored: str) -> Iterator[Corpus]:
    """With all graphs, and one search in several steps."""
    with Tetragraph.connect(anchored_settings) as client:
        corpus = client.corpus(anchored)
        assert corpus.anchor(anchored_world.QUESTION).answer.text
        yield corpus


def test_there_are_five_statements_and_each_graph_is_in_one() -> None:
    own = blocks(SECTION, "cypher")
    assert len(own) == 5
    for label in ("INFO_GAIN", "Entity", "EncodingTree", "PARTICIPATES_IN", "Session"):
        assert any(label in statement for statement in own)


@pytest.mark.parametrize("statement", STATEMENTS, ids=[one.splitlines()[0] for one in STATEMENTS])
def test_each_statement_of_the_page_finds_something(corpus: Corpus, driver: neo4j.Driver, statement: str) -> None:
    assert "{corpus: 'demo'}" in statement
    assert driver.execute_query(statement.replace("'demo'", f"'{corpus.name}'")).records


@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_of_the_section_does_what_it_says(
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
    told = CliRunner().invoke(app, words)
    assert told.exception is None, told.output
    for word in words:
        if word.endswith((".html", ".csv")):
            assert (tmp_path / word).is_file()


def test_the_lines_of_python_run(corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (lines,) = blocks(SECTION, "python")
    exec(lines, {"corpus": corpus})  # noqa: S102 - the page's own words
    assert (tmp_path / "why.html").is_file()
