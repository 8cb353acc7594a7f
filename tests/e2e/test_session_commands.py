"""Searches in several steps from the command line: shown, stored, forked, exported and deleted."""

from __future__ import annotations

import json
import re
from io import BytesIO
from pathlib import Path

import networkx as nx
import pytest
from selectolax.lexbor import LexborHTMLParser

from command_line import Cli, Ended

QUESTION = "When was the harbour of the town where Elva Kron was born built?"
FOLLOW_UP = "Who wrote a poem about Halvik?"
ID = re.compile(r"session ([0-9a-f]{16})")


@pytest.fixture
def cli(cli: Cli) -> Cli:
    """Runs ``tetragraph`` and checks with which code it ends."""

    def run(*arguments: str, code: int = 0) -> Ended:
        told = cli(*arguments)
        assert told.returncode == code, told.stderr
        return told

    return run


@pytest.fixture
def corpus(cli: Cli, corpus_name: str, world_file: Path) -> str:
    """Name of a corpus of twelve documents that name one another."""
    cli("ingest", str(world_file), "-c", corpus_name, "--build", "none")
    return corpus_name


def id_of(told: Ended) -> str:
    """Whose id the command told first."""
    found = ID.search(told.stderr)
    assert found is not None
    return found[1]


def steps_of(text: str) -> list[str]:
    """The lines of the steps: from the first one to the end of the search."""
    lines = text.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("step "))
    return lines[first : next(place for place, line in enumerate(lines) if line.startswith("ended: "))]


def test_a_search_is_watched_kept_and_exported(cli: Cli, corpus: str, tmp_path: Path) -> None:
    assert f"`tetragraph anchor QUESTION -c {corpus}` creates one" in cli("sessions", "list", "-c", corpus).stdout
    page = tmp_path / "new folder" / "growth.html"
    told = cli("anchor", QUESTION, "-c", corpus, "--documents", "2", "--steps", "2", "--html", str(page))
    session, steps = id_of(told), steps_of(told.stdout)
    assert f"`tetragraph sessions resume {session} -c {corpus}` continues it" in told.stderr
    assert steps[0] == f"step 1  {QUESTION}"
    assert any(line.startswith("   1 ★ ") for line in steps)
    assert any(line.startswith("  + ") for line in steps)
    assert sum(line.startswith("step ") for line in steps) == 2
    assert told.stdout.endswith(f"session {session}\nwritten to {page}\n")

    (record,) = json.loads(cli("sessions", "list", "-c", corpus, "--json").stdout)
    assert (record["id"], record["question"], record["steps"]) == (session, QUESTION, 2)
    assert session[:8] in cli("sessions", "list", "-c", corpus).stdout
    shown = cli("sessions", "show", session[:8], "-c", corpus).stdout
    assert steps_of(shown)[: len(steps)] == steps

    files = {form: tmp_path / f"session.{form}" for form in ("json", "graphml", "html")}
    for form, file in files.items():
        answer = json.loads(cli("sessions", "export", session, str(file), "-c", corpus, "--json").stdout)
        assert answer == {"written": str(file), "format": form}
    tree = json.loads(files["json"].read_text(encoding="utf-8"))
    assert json.loads(cli("sessions", "show", session, "-c", corpus, "--json").stdout) == tree
    graph = nx.read_graphml(BytesIO(files["graphml"].read_bytes()))
    assert [about["key"] for _, about in graph.nodes(data=True)] == [one["key"] for one in tree["graph"]["anchors"]]
    assert files["html"].read_bytes() == page.read_bytes()
    assert len(LexborHTMLParser(page.read_text(encoding="utf-8")).css("section")) == 2
    again = ("sessions", "export", session, str(files["json"]), "-c", corpus)
    assert "--force replaces it" in cli(*again, code=2).stderr
    assert cli(*again, "--force").stdout == f"written to {files['json']}\n"
    wrong = cli("sessions", "export", session, str(tmp_path / "session.xls"), "-c", corpus, code=2).stderr
    assert "exported as json, graphml, html, got 'xls'" in " ".join(wrong.split())


def test_a_session_goes_on_and_ends(cli: Cli, corpus: str) -> None:
    begun = json.loads(cli("anchor", QUESTION, "-c", corpus, "--documents", "2", "--steps", "2", "--json").stdout)
    session = begun["session"]
    number = len(begun["evidence"]["trace"]["anchor"]["steps"])

    asked = cli("sessions", "ask", session, FOLLOW_UP, "-c", corpus)
    assert id_of(asked) == session
    assert f"question: {FOLLOW_UP}\nstep {number + 1}  {FOLLOW_UP}\n" in asked.stdout
    resumed = json.loads(cli("sessions", "resume", session, "-c", corpus, "--json").stdout)
    assert (resumed["session"], resumed["question"]) == (session, FOLLOW_UP)

    forked = cli("sessions", "fork", session, "--at", "1", "-c", corpus, "--retriever", "dense", "--ttl", "0.0000001")
    other = id_of(forked)
    assert other != session
    assert steps_of(forked.stdout)[0].startswith("step 2  ")
    assert json.loads(cli("sessions", "prune", "-c", corpus, "--json").stdout) == {"pruned": 1}
    assert "none begins like that" in " ".join(cli("sessions", "show", other, "-c", corpus, code=1).stderr.split())

    kept = cli("sessions", "delete", session[:10], "-c", corpus, code=1)
    assert f"delete session {session} (" in " ".join(kept.stderr.split())
    assert cli("sessions", "delete", session[:10], "-c", corpus, "--yes").stdout == f"deleted session {session}\n"
    assert json.loads(cli("sessions", "list", "-c", corpus, "--json").stdout) == []
