"""Commands in a home where Neo4j has never been started: those that read start nothing and leave nothing behind."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from command_line import Ended, run_here, run_process
from tetragraph import Settings
from tetragraph.cli.llm_options import has_data

READING = [
    ("search", "Who?", "-c", "kb"),
    ("ask", "Who?", "-c", "kb"),
    ("anchor", "Who?", "-c", "kb"),
    ("explain", "Who?", "-c", "kb"),
    ("facts", "Who?", "-c", "kb"),
    ("entity", "Who", "-c", "kb"),
    ("tree", "kb"),
    ("build", "gain", "-c", "kb"),
    ("delete", "kb", "--yes"),
    ("export", "kb.graphml", "-c", "kb"),
    ("sessions", "list", "-c", "kb"),
    ("sessions", "show", "1", "-c", "kb"),
    ("cypher", "run", "find_coverage", "-c", "kb"),
    ("cypher", "query", "MATCH (c:Chunk {corpus: $corpus}) RETURN c", "-c", "kb"),
    ("vectors", "claim", "kb"),
]


def _run(home: Path, *arguments: str) -> Ended:
    return run_here(*arguments, environment=_environment(home), folder=home)


def _environment(home: Path) -> dict[str, str]:
    return {"PATH": os.environ["PATH"], "HOME": str(home), "TETRAGRAPH_HOME": str(home / "data")}


def test_corpora_says_that_there_is_none_and_starts_nothing(tmp_path: Path) -> None:
    ended = run_process("corpora", environment=_environment(tmp_path), folder=tmp_path)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout == "no corpus yet; `tetragraph ingest FOLDER --corpus NAME` creates one\n"
    assert json.loads(_run(tmp_path, "corpora", "--json").stdout) == []
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize("arguments", READING, ids=lambda arguments: " ".join(arguments[:2]))
def test_what_reads_a_corpus_names_the_commands_that_create_one(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    ended = _run(tmp_path, *arguments)
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "no corpus is here yet: Neo4j has never been started in" in ended.stderr
    assert "`tetragraph ingest FOLDER --corpus NAME` creates a corpus, `tetragraph up` starts Neo4j" in ended.stderr
    assert not (tmp_path / "data").exists()


@pytest.mark.parametrize(
    ("arguments", "rule"), [(("-m", "nonsense"), "method must be one of"), (("-k", "0"), "k must be an integer")]
)
def test_the_demo_checks_its_arguments_before_it_starts_anything(
    tmp_path: Path, arguments: tuple[str, str], rule: str
) -> None:
    ended = _run(tmp_path, "demo", *arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert rule in ended.stderr
    assert not (tmp_path / "data").exists()


def test_a_schema_that_was_never_applied_is_not_validated(tmp_path: Path) -> None:
    ended = _run(tmp_path, "schema", "validate")
    assert (ended.returncode, ended.stdout) == (1, "")
    assert "`tetragraph schema apply` starts it and applies all migrations" in ended.stderr
    assert not (tmp_path / "data").exists()


def test_doctor_and_status_start_nothing_either(tmp_path: Path) -> None:
    assert "not running" in _run(tmp_path, "status").stdout
    assert "not looked at: Neo4j is not running" in _run(tmp_path, "doctor").stdout
    assert not (tmp_path / "data" / "neo4j").exists()


def test_a_home_has_data_once_its_server_was_started_and_a_server_of_the_settings_always(tmp_path: Path) -> None:
    settings = Settings(home=tmp_path, neo4j_uri=None)
    assert not has_data(settings)
    assert has_data(Settings(home=tmp_path, neo4j_uri="bolt://localhost:7687"))
    (tmp_path / "neo4j" / "data" / "databases" / "system").mkdir(parents=True)
    assert has_data(settings)


@pytest.mark.parametrize("arguments", [("corpora",), ("status", "--json"), ("--help",)], ids=" ".join)
@pytest.mark.parametrize("redirection", [">&-", "<&- >&-", "| true"])
def test_closed_output_ends_a_command_without_a_traceback(
    tmp_path: Path, arguments: tuple[str, ...], redirection: str
) -> None:
    program = [sys.executable, "-m", "tetragraph", *arguments]
    ended = subprocess.run(
        ["/bin/bash", "-o", "pipefail", "-c", f'"$@" {redirection}', "bash", *program],
        env=_environment(tmp_path),
        cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, "", "")


@pytest.mark.parametrize(
    ("arguments", "rule"),
    [
        (("ingest", "nothing", "-c", "kb"), "a source must be a folder, a file or a pattern that exists"),
        (("ingest", "*.none", "-c", "kb"), "a pattern must match at least one file"),
        (("ingest", "nothing", "-c", "kb", "--dry-run"), "a source must be a folder, a file or a pattern that exists"),
        (("ingest", ".", "-c", "kb", "--versions", "none.csv"), "a file of versions must be there, got 'none.csv'"),
        (("ingest", ".", "-c", "kb", "--gazetteer", "none.csv"), "a gazetteer must be"),
        (("sync", ".", "-c", "kb", "--versions", "none.csv"), "a file of versions must be there, got 'none.csv'"),
        (("sync", ".", "-c", "kb", "--gazetteer", "none.csv"), "a gazetteer must be"),
        (("sync", "nothing", "-c", "kb"), "a sync follows a folder, got 'nothing', which is none now"),
        (("sync", "https://", "-c", "kb"), "https://"),
        (("restore", "nothing.tetragraph"), "a backup must be a file that can be read, got 'nothing.tetragraph'"),
        (("restore", "."), "a backup must be a file that can be read"),
    ],
    ids=lambda given: " ".join(given) if isinstance(given, tuple) else "",
)
def test_a_wrong_path_is_found_before_anything_is_started(
    tmp_path: Path, arguments: tuple[str, ...], rule: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tetragraph.client.tetragraph.Tetragraph.connect", lambda *_, **__: pytest.fail("it started"))
    ended = _run(tmp_path, *arguments)
    assert (ended.returncode, ended.stdout) == (2, "")
    assert rule in ended.stderr
    assert not (tmp_path / "data").exists()
