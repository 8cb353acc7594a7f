"""Facts and entities in the terminal, from documents to a lasting split."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from command_line import Cli

UNION, SHORT = "Sund Union of Fishing Towns", "SUFT"
ROWS = [
    {"id": "a", "title": "Halvik", "text": f"The {UNION} ({SHORT}) was founded in Halvik by Orla Brandt."},
    {"id": "b", "title": "Old Port", "text": f"Old Port is the seat of {SHORT}. Mina Holt lived in Old Port."},
]
TRIPLES = [
    {"passage_id": "a", "triples": [["Orla Brandt", "founded", UNION], [UNION, "abbreviated", SHORT]]},
    {"passage_id": "b", "triples": [[SHORT, "sits in", "Old Port"], ["Mina Holt", "lived in", "Old Port"]]},
]
QUESTION = "Where does the union that Orla Brandt founded sit?"


@pytest.fixture
def built(cli: Cli, corpus_name: str, tmp_path: Path) -> list[str]:
    """A corpus of two documents with recorded facts; what names it on a command line."""
    for name, rows in (("docs.jsonl", ROWS), ("triples.jsonl", TRIPLES)):
        (tmp_path / name).write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    assert cli("ingest", str(tmp_path / "docs.jsonl"), "-c", corpus_name, "--build", "none").returncode == 0
    missing = cli("facts", QUESTION, "-c", corpus_name)
    assert missing.returncode == 1
    assert f"`tetragraph build bipartite -c {corpus_name}` makes it" in " ".join(missing.stderr.split())
    recorded = f"extractor={tmp_path / 'triples.jsonl'}"
    assert cli("build", "bipartite", "-c", corpus_name, "-o", recorded).returncode == 0
    return ["-c", corpus_name]


def test_a_question_shows_facts_and_hits_that_state_them(cli: Cli, built: list[str]) -> None:
    shown = cli("facts", QUESTION, *built, "--explain")
    assert shown.returncode == 0
    assert "SUFT sits in Old Port" in shown.stdout
    assert f"subject {UNION}" in shown.stdout
    assert "stated in " in shown.stdout
    assert "clauses " in shown.stdout
    told = json.loads(cli("facts", QUESTION, *built, "-k", "2", "--json").stdout)
    assert [fact["rank"] for fact in told["facts"]] == [1, 2]
    assert told["manifest"]["method"] == "bipartite"
    paper = json.loads(cli("facts", QUESTION, *built, "-o", "ranking=paper", "--json").stdout)
    assert paper["manifest"]["options"]["ranking"] == "paper"
    hits = cli("search", QUESTION, *built, "--method", "bipartite", "--explain")
    assert "facts: the best fact that it states" in hits.stdout
    assert "fact 1: " in hits.stdout
    assert "clauses " in hits.stdout


def test_an_entity_shows_its_facts_its_names_and_what_joins_it_to_others(cli: Cli, built: list[str]) -> None:
    shown = cli("entity", SHORT, *built, "--limit", "1")
    assert shown.returncode == 0
    assert shown.stdout.startswith(f"{UNION}  ")
    assert f"also {SHORT}  acronym 0.97" in shown.stdout
    assert "… and 1 more; --limit shows them" in shown.stdout
    told = json.loads(cli("entity", UNION, *built, "--json").stdout)
    assert told["entity"]["facts"] == len(told["facts"]) == 2

    ways = cli("entity", "orla brandt", *built, "--between", "Mina Holt", "--hops", "3")
    assert f"Orla Brandt founded {UNION}\n     over {UNION}: SUFT sits in Old Port\n     over Old Port: " in ways.stdout
    (way,) = json.loads(cli("entity", "Orla Brandt", *built, "--between", "Old Port", "--json").stdout)
    assert (way["hops"], way["names"]) == (2, [UNION])
    assert "--hops 3 searches further" in cli("entity", "Orla Brandt", *built, "--between", "Mina Holt").stdout


def test_a_split_and_a_join_are_told_and_hold(cli: Cli, built: list[str]) -> None:
    refused = cli("entity", UNION, *built, "--split", "Halvik")
    assert refused.returncode == 1
    assert f"got 'Halvik'; merged were: '{SHORT}'" in " ".join(refused.stderr.split())
    split = cli("entity", UNION, *built, "--split", SHORT)
    assert split.stdout.startswith(f"{SHORT} is an entity of its own now; --join undoes that (generation ")
    assert cli("entity", SHORT, *built).stdout.startswith(f"{SHORT}  ")
    assert f"not {SHORT}  split from it" in cli("entity", UNION, *built).stdout
    joined = json.loads(cli("entity", UNION, *built, "--join", SHORT, "--json").stdout)
    assert joined["written"] is True
    assert cli("entity", SHORT, *built).stdout.startswith(f"{UNION}  ")
    both = cli("entity", UNION, *built, "--split", SHORT, "--join", SHORT)
    assert both.returncode == 1
    assert "one of --between, --split and --join" in " ".join(both.stderr.split())


def test_an_unknown_entity_is_told_with_names_that_are_alike(cli: Cli, built: list[str]) -> None:
    unknown = cli("entity", "Old Prot", *built)
    assert unknown.returncode == 1
    assert "names that are alike: 'Old Port'" in " ".join(unknown.stderr.split())
