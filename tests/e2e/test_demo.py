"""The demo and the commands around it, in a network that shows what a process tries to reach."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

import watched_network
from command_line import Cli
from environments import user_environment
from tetragraph import samples
from tetragraph.cli import demo
from tetragraph.cli.demo import BROWSER_QUERY
from tetragraph.errors import DownloadFailed
from tetragraph.settings import Settings
from tetragraph.stores.local import download, jars

README = Path(__file__).parents[2] / "README.md"
BROWSER = f"""
import sys
from neo4j import GraphDatabase
from tetragraph import Settings
from tetragraph.stores import local

server = local.start(Settings())
with GraphDatabase.driver(server.uri, auth=(server.user, server.password)) as driver:
    chunks = driver.execute_query("MATCH (c:Chunk {{corpus: 'demo'}}) RETURN c.title AS title ORDER BY title LIMIT 1")
    title = chunks.records[0]["title"]
    print(len(driver.execute_query({BROWSER_QUERY!r}, title=title).records))
"""


@dataclass(frozen=True)
class Ran:
    """Commands that have run.

    Attributes:
        outputs: Standard output of each, by its first words.
        names: Names that were looked up; None if the machine offers no network of their own.
        addresses: Addresses outside loopback to which a packet was sent; None likewise.
    """

    outputs: dict[str, str]
    names: list[str] | None
    addresses: list[str] | None


@pytest.fixture(scope="module")
def ran(outside: Settings, tmp_path_factory: pytest.TempPathFactory, pytestconfig: pytest.Config) -> Ran:
    """The commands of a first session, with a Neo4j that they start and stop."""
    base = tmp_path_factory.mktemp("first-session")
    settings = outside.model_copy(update={"home": base / "home"})
    try:
        download.complete(jars.distribution(settings.cache), download.source(settings))
    except DownloadFailed as error:
        (pytest.fail if pytestconfig.getoption("--require-stores") else pytest.skip)(str(error))
    questions = base / "questions.jsonl"
    file = base / "note.md"
    file.write_text("# Halvik\n\nElva Kron was born in Halvik.\n", encoding="utf-8")
    asked = samples.questions()[0]
    questions.write_text(
        json.dumps({"id": asked.id, "question": asked.question, "answer": "x", "supporting": list(asked.supporting)}),
        encoding="utf-8",
    )
    commands = {
        "demo --json": ["demo", "--questions", "3", "--json"],
        "demo": ["demo", "--questions", "3"],
        "ingest": ["ingest", str(file), "-c", "notes"],
        "search": ["search", "Where was Elva Kron born?", "-c", "notes"],
        "ask": ["ask", asked.question, "-c", "demo"],
        "eval": ["eval", "-c", "demo", "-q", str(questions), "--out", str(base / "evaluation")],
        "doctor": ["doctor"],
    }
    program = [sys.executable, "-m", "tetragraph"]
    lines = [[*program, *words] for words in commands.values()]
    lines += [[sys.executable, "-c", BROWSER], [*program, "down"]]
    environment = {
        name: value for name, value in user_environment(settings, COLUMNS="100").items() if not name.startswith("NEO4J")
    }
    record = base / "record.json"
    watch = [sys.executable, watched_network.__file__, str(record), json.dumps(lines)]
    namespace = watched_network.NAMESPACE if watched_network.has_namespaces() else ()
    watch += [] if namespace else ["--unwatched"]
    ended = subprocess.run([*namespace, *watch], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    found = json.loads(record.read_text(encoding="utf-8"))
    assert found["codes"] == [0] * len(lines), ended.stderr
    outputs = dict(zip([*commands, "browser", "down"], found["outputs"], strict=True))
    return Ran(outputs, found["names"], found["addresses"])


@pytest.mark.slow
def test_the_demo_finds_gold_and_names_the_way(ran: Ran) -> None:
    told = json.loads(ran.outputs["demo --json"])
    assert told["ingest"]["counts"]["documents"] == 1890
    for answer in told["answers"]:
        hits = answer["evidence"]["hits"]
        assert {hit["chunk"]["document_id"] for hit in hits} & set(answer["question"]["supporting"])
        assert any(hit["path"] for hit in hits)
    assert int(ran.outputs["browser"]) > 0


@pytest.mark.slow
def test_the_demo_prints_what_the_readme_shows(ran: Ran) -> None:
    printed = {_without_figures(line) for line in ran.outputs["demo"].splitlines()}
    (shown,) = re.findall(r"^\$ make demo\n(.*?)^```$", README.read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL)
    assert {_without_figures(line) for line in shown.splitlines() if line != "…"} <= printed


@pytest.mark.slow
def test_no_command_looks_up_a_name_or_leaves_the_machine(ran: Ran) -> None:
    if ran.names is None:
        pytest.skip("needs Linux with namespaces of users and the command ip")
    assert (ran.names, ran.addresses) == ([], [])


@pytest.fixture
def few(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, corpus_name: str) -> list[str]:
    """Lines of the passages of a demo with 30 of them, in a corpus of the test."""
    gold = samples.questions()[0].supporting
    with gzip.open(samples.passages(), "rt", encoding="utf-8") as file:
        lines = sorted(file, key=lambda line: json.loads(line)["id"] not in gold)[:30]
    passages = tmp_path / "few.jsonl.gz"
    passages.write_bytes(gzip.compress("".join(lines).encode()))
    monkeypatch.setattr(samples, "passages", lambda: passages)
    monkeypatch.setattr(demo, "CORPUS", corpus_name)
    return lines


def test_the_demo_writes_nothing_into_a_corpus_with_other_documents(
    cli: Cli, few: list[str], corpus_name: str, tmp_path: Path
) -> None:
    (tmp_path / "mine.jsonl").write_text(few[0] + '{"id": "zz", "text": "Elva Kron was born in Halvik."}\n')
    assert cli("ingest", "mine.jsonl", "-c", corpus_name, "--build", "none").returncode == 0
    ended = cli("demo", "-n", "1")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert f"needs a corpus '{corpus_name}' with its samples alone, got one with the document 'zz'" in ended.stderr
    (found,) = [one for one in json.loads(cli("corpora", "--json").stdout) if one["name"] == corpus_name]
    assert (found["documents"], found["generation"]) == (2, 2)


@pytest.mark.parametrize(
    ("method", "counted"),
    [("tree", "communities"), pytest.param("bipartite", "relations", marks=pytest.mark.slow)],
)
def test_an_interrupted_demo_is_completed_with_the_graph_of_its_method(
    cli: Cli, few: list[str], corpus_name: str, tmp_path: Path, method: str, counted: str
) -> None:
    (tmp_path / "begun.jsonl").write_text("".join(few[:10]), encoding="utf-8")
    assert cli("ingest", "begun.jsonl", "-c", corpus_name, "--build", "none").returncode == 0
    ended = cli("demo", "-n", "1", "-m", method, "--json")
    assert ended.returncode == 0, ended.stderr
    printed = json.loads(ended.stdout)
    assert (printed["ingest"]["unchanged"], printed["ingest"]["counts"]["documents"]) == (10, 30)
    assert printed["ingest"]["counts"][counted] > 0
    assert printed["answers"][0]["evidence"]["method"] == method


def _without_figures(line: str) -> str:
    """A line of output without times, scores and what depends on vectors, which differ between machines.

    A guess is kept to its first entity, as the width of the terminal cuts the others elsewhere.
    """
    line = re.sub(r"[\d,]+ gain edges in \d+ s$|\d+\.\d{4}", "", line.rstrip())
    return re.sub(r"(→ [^%]+?) \d+%, .*$", r"\1", line)
