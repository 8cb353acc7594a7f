"""The command line: output and exit codes."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import neo4j
import pytest

from command_line import Cli


def test_from_a_file_to_evidence_and_back_to_nothing(cli: Cli, corpus_name: str, world_file: Path) -> None:
    first = cli("ingest", str(world_file), "-c", corpus_name)
    assert (first.returncode, first.stderr.count("Traceback")) == (0, 0)
    assert "documents: 12 added, 0 changed, 0 deleted, 0 unchanged" in first.stdout
    assert "documents: 12 documents in" in first.stderr

    again = cli("ingest", str(world_file), "-c", corpus_name)
    assert "nothing changed: the corpus is up to date" in again.stdout

    told = cli(
        "search", "Who was the second director of the school in Old Port?", "-c", corpus_name, "-k", "3", "--explain"
    )
    assert told.returncode == 0
    assert "Reyer Academy" in told.stdout
    assert "similarity: likeness of passage and question" in told.stdout
    assert "MATCH shown = (:Chunk {corpus: " in told.stdout

    found = json.loads(
        cli(
            "search", "Mina Holt", "-c", corpus_name, "-m", "gain", "-o", "engine=memory", "-f", "year>=1903", "--json"
        ).stdout
    )
    assert found["manifest"]["options"]["engine"] == "memory"
    assert all(hit["chunk"]["metadata"]["year"] >= 1903 for hit in found["hits"])
    assert found["hits"][0]["rank"] == 1

    listed = json.loads(cli("corpora", "--json").stdout)
    assert (corpus_name, 12) in [(one["name"], one["documents"]) for one in listed]

    fewer = json.loads(cli("delete", corpus_name, "--document", "halvik", "--json").stdout)
    assert (fewer["deleted"], fewer["counts"]["documents"]) == (["halvik"], 11)
    assert cli("delete", corpus_name, "--yes").stdout == f"deleted corpus {corpus_name}\n"
    gone = cli("search", "Mina Holt", "-c", corpus_name)
    assert gone.returncode == 1
    assert gone.stderr.startswith(f"error: no corpus named '{corpus_name}'")


@pytest.mark.parametrize(
    ("command", "option"),
    [
        (("search", "Who?"), "k=3"),
        (("explain", "Who?"), "method=dense"),
        (("ask", "Who?"), "question=What"),
        (("ask", "Who?"), "k=1"),
        (("anchor", "Who?"), "ttl=1"),
        (("facts", "Who?"), "filters=1"),
        (("build", "gain"), "budget=1"),
        (("build", "gain", "--estimate"), "what=tree"),
    ],
)
def test_an_argument_among_the_options_is_refused(
    cli: Cli, corpus_name: str, command: tuple[str, ...], option: str
) -> None:
    refused = cli(*command, "-c", corpus_name, "-o", option)
    name = option.partition("=")[0]
    assert refused.returncode == 2
    assert refused.stderr == f"error: {name!r} is an argument of its own and no option: give it beside the options\n"


def test_skipped_sources_are_listed_and_fail_only_under_strict(cli: Cli, corpus_name: str, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "good.txt").write_text("A good text about Halvik.", encoding="utf-8")
    (folder / "empty.txt").write_text("", encoding="utf-8")
    (folder / "bad.docx").write_bytes(b"no document of an office")
    usual = cli("ingest", str(folder), "-c", corpus_name)
    assert usual.returncode == 0
    assert "skipped docs/bad.docx" in usual.stderr
    assert "skipped docs/empty.txt" in usual.stderr
    again = cli("ingest", str(folder), "-c", corpus_name, "--strict")
    unchanged = "nothing changed: 2 skipped, everything else is up to date"
    assert (again.returncode, again.stdout.splitlines()[0]) == (3, unchanged)
    alone = cli("ingest", str(folder / "bad.docx"), "-c", corpus_name)
    assert (alone.returncode, alone.stdout.splitlines()[0]) == (3, "nothing was read: all sources were skipped")


def test_prune_shows_what_is_gone_and_deletes_it_when_told_to(cli: Cli, corpus_name: str, tmp_path: Path) -> None:
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a", "b"):
        (folder / f"{name}.txt").write_text(f"A text about Halvik {name}.", encoding="utf-8")
    cli("ingest", str(folder), "-c", corpus_name)
    (folder / "b.txt").unlink()
    assert "--prune" in cli("ingest", str(folder), "-c", corpus_name).stderr
    refused = cli("ingest", str(folder), "-c", corpus_name, "--prune")
    assert refused.returncode != 0
    assert "gone: docs/b.txt" in refused.stderr
    assert "delete 1 documents from the corpus?" in refused.stderr
    done = cli("ingest", str(folder), "-c", corpus_name, "--prune", "--yes")
    assert done.stdout.startswith("documents: 0 added, 0 changed, 1 deleted, 1 unchanged\n")


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["nonsense"], 2, "No such command 'nonsense'"),
        (["search"], 2, "Missing argument"),
        (["search", "Who?"], 2, "Missing option '--corpus'"),
        (["ingest", "/no/such/folder", "-c", "x"], 2, "a source must be a folder, a file or a pattern that exists"),
        (["ingest", ".", "-c", "NOT GOOD"], 2, "a corpus name must be"),
        (["ingest", ".", "-c", "x", "--build", "magic"], 2, "must be one of bipartite, gain, tree, types, got 'magic'"),
    ],
)
def test_a_mistake_is_told_in_one_sentence_with_its_code(cli: Cli, arguments: list[str], code: int, words: str) -> None:
    done = cli(*arguments)
    assert done.returncode == code
    assert words in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_a_wrong_password_is_told_with_the_variables_to_set(cli: Cli) -> None:
    done = cli("corpora", NEO4J_PASSWORD="wrong")
    assert done.returncode == 1
    assert "NEO4J_PASSWORD" in done.stderr
    assert "Traceback" not in done.stderr


def test_the_schema_is_applied_and_valid(cli: Cli) -> None:
    assert cli("schema", "apply").returncode == 0
    assert cli("schema", "apply").stdout == "nothing to apply\n"
    assert json.loads(cli("schema", "validate", "--json").stdout)["valid"] is True


def test_doctor_tells_what_is_well_and_what_is_not(cli: Cli, corpus_name: str, world_file: Path) -> None:
    cli("ingest", str(world_file), "-c", corpus_name)
    well = json.loads(cli("doctor", "--json").stdout)
    ours = next(finding for finding in well if finding["name"] == f"corpus {corpus_name}")
    assert ours["ok"]
    assert "12 chunks, each with its vector" in ours["detail"]
    ill = cli("doctor", "--json", NEO4J_PASSWORD="wrong")
    assert ill.returncode == 4
    assert not next(finding for finding in json.loads(ill.stdout) if finding["name"] == "neo4j")["ok"]


def test_doctor_tells_of_a_bipartite_graph_that_is_not_whole_and_how_to_mend_it(
    cli: Cli, driver: neo4j.Driver, corpus_name: str, world_file: Path
) -> None:
    def look() -> dict[str, Any]:
        found = json.loads(cli("doctor", "--json").stdout)
        return next(dict(finding) for finding in found if finding["name"] == f"corpus {corpus_name}")

    cli("ingest", str(world_file), "-c", corpus_name, "--build", "bipartite")
    assert look()["ok"]
    driver.execute_query("MATCH (:Relation {corpus: $corpus})-[s:STATED_IN]->() DELETE s", corpus=corpus_name)
    ill = look()
    assert not ill["ok"]
    assert "facts are stated by no chunk" in ill["detail"]
    assert cli(*ill["detail"].split("`")[1].split()[1:]).returncode == 0
    assert look()["ok"]


def test_an_interrupted_ingest_says_so_and_goes_on(
    environment: Mapping[str, str], cli: Cli, corpus_name: str, world_file: Path
) -> None:
    program = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); "  # a background job ignores it
        "from tetragraph.indexing.publishing import Publishing; "
        "Publishing.publish = lambda *_: signal.raise_signal(signal.SIGINT); "  # the documents are written by then
        "from tetragraph.cli import main; main()"
    )
    interrupted = subprocess.run(
        [sys.executable, "-c", program, "ingest", str(world_file), "-c", corpus_name],
        env=environment,
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    last = interrupted.stderr.splitlines()[-1]
    assert last == "interrupted: what was written stays; the same command goes on from there"
    assert interrupted.returncode == 130
    assert cli("ingest", str(world_file), "-c", corpus_name).returncode == 0
    found = json.loads(cli("search", "Halvik", "-c", corpus_name, "-k", "20", "--json").stdout)
    assert len(found["hits"]) == 12
