"""A system is added by registration, without a change elsewhere in the package."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import seventh_system
from tetragraph import Corpus, Document, Settings, Tetragraph, errors
from tetragraph.systems.registry import BUILD_TARGETS, RETRIEVERS

NAME = seventh_system.TitleWords.name
AS_COMMANDS = """
import contextlib, io, json, sys
import seventh_system
seventh_system.register()
from tetragraph.cli import main
outputs = []
for sys.argv[1:] in json.loads(sys.argv[1]):
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            main()
    except SystemExit as ended:
        if ended.code:
            raise
    outputs.append(printed.getvalue())
print(json.dumps(outputs))
"""
"""Runs the command lines of its argument, a list in JSON, and prints the output of each in a list."""


@pytest.fixture(autouse=True)
def _registered(monkeypatch: pytest.MonkeyPatch) -> None:
    system = seventh_system.TitleWords()
    monkeypatch.setitem(RETRIEVERS, NAME, system)
    monkeypatch.setitem(BUILD_TARGETS, NAME, system)


@pytest.fixture
def run(conformance_settings: Settings, support: Path) -> Callable[..., list[str]]:
    """Runs command lines in a process in which the system is registered; the output of each."""
    settings = conformance_settings
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(support), os.environ.get("PYTHONPATH", "")]),
        "NEO4J_URI": str(settings.neo4j_uri),
        "NEO4J_USERNAME": settings.neo4j_user,
        "NEO4J_PASSWORD": settings.neo4j_password.get_secret_value(),
        "TETRAGRAPH_HOME": str(settings.home),
        "TETRAGRAPH_CACHE": str(settings.cache),
        "COLUMNS": "200",
        "TERM": "dumb",
    }

    def call(*commands: tuple[str, ...]) -> list[str]:
        process = [sys.executable, "-c", AS_COMMANDS, json.dumps(commands)]
        done = subprocess.run(process, env=environment, stdout=subprocess.PIPE, text=True, check=True)
        outputs: list[str] = json.loads(done.stdout)
        return outputs

    return call


def test_the_system_is_as_small_as_it_says() -> None:
    assert len(Path(seventh_system.__file__).read_text(encoding="utf-8").splitlines()) <= 85


def test_the_client_builds_searches_explains_updates_exports_and_drops(
    opened: Tetragraph, make_corpus: Callable[[], Corpus], world: list[Document], tmp_path: Path
) -> None:
    corpus = make_corpus()
    report = corpus.ingest(world[:8], build=(NAME,))
    assert NAME in report.seconds
    found = corpus.search("Where is Old Port?", k=3, method=NAME)
    assert found[0].chunk.title == "Old Port"
    assert found.manifest["options"] == {"shortest": 3}
    explanation = corpus.explain(found, 1)
    assert [(part.name, part.meaning) for part in explanation.parts] == [
        ("words", "words of the question in the title")
    ]
    assert corpus.subgraph(found).nodes
    corpus.build(NAME, shortest=4)
    assert len(corpus.search("Low Tide", k=1, method=NAME)) == 1
    corpus.ingest(world[8:])
    assert corpus.search("The grey harbour", k=1, method=NAME)[0].chunk.title == "The Grey Harbour"
    assert opened.doctor(corpus=corpus.name).ok
    assert corpus.export(tmp_path / "graph.graphml").nodes["Chunk"] == len(world)
    assert corpus.estimate(NAME).calls == 0
    corpus.drop()
    with pytest.raises(errors.UnknownCorpus):
        corpus.search("Old Port", method=NAME)


def test_what_it_refuses_is_refused_by_the_client(make_corpus: Callable[[], Corpus], world: list[Document]) -> None:
    corpus = make_corpus()
    corpus.ingest(world[:3], build=())
    with pytest.raises(errors.NotBuilt, match=f"has no complete index of title words: `tetragraph build {NAME} -c"):
        corpus.search("Halvik", method=NAME)
    with pytest.raises(errors.InvalidInput, match="has no option 'depth'; its options are: shortest"):
        corpus.search("Halvik", method=NAME, depth=3)
    with pytest.raises(errors.InvalidInput, match="shortest must be an integer of at least 1, got 0"):
        corpus.build(NAME, shortest=0)


def test_the_command_line_lists_builds_searches_and_examines_it(
    make_corpus: Callable[[], Corpus], world: list[Document], run: Callable[..., list[str]]
) -> None:
    corpus = make_corpus()
    corpus.ingest(world[:4], build=())
    *helps, _, found, explained, examined = run(
        ("search", "--help"),
        ("build", "--help"),
        ("ingest", "--help"),
        ("build", NAME, "-c", corpus.name, "-o", "shortest=2"),
        ("search", "Elva Kron", "-c", corpus.name, "-m", NAME, "--json"),
        ("explain", "Elva Kron", "-c", corpus.name, "-m", NAME),
        ("doctor", "-c", corpus.name),
    )
    assert all(re.search(rf"\b{NAME}\b", one) for one in helps)
    assert json.loads(found)["hits"][0]["chunk"]["title"] == "Elva Kron"
    assert "words of the question in the title" in explained
    assert corpus.name in examined
