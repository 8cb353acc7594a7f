"""What somebody meets who tries the program on a folder: places of hits, refusals, lines that can be copied."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from command_line import Cli, run_here
from tetragraph import Tetragraph
from tetragraph.errors import InvalidInput, UnknownMethod

QUESTION = "Who leads the travel team?"


@pytest.fixture
def handbook(cli: Cli, corpus_name: str, tmp_path: Path) -> str:
    """Name of a corpus of a Markdown file with two sections, and of a row without a title."""
    folder = tmp_path / "docs"
    folder.mkdir()
    (folder / "travel.md").write_text(
        "# Travel\n\nMina Holt leads the travel team.\n\n## Money\n\nEuro notes are paid by Mina Holt.\n",
        encoding="utf-8",
    )
    (folder / "rows.jsonl").write_text('{"id": "r1", "text": "Mina Holt was born in Halvik."}\n', encoding="utf-8")
    assert cli("ingest", folder, "-c", corpus_name).returncode == 0
    return corpus_name


@pytest.fixture
def redirected(environment: Mapping[str, str], tmp_path: Path) -> Callable[..., str]:
    """Standard output of a command whose output is no terminal, and to which nobody has given a width."""
    plain = {name: value for name, value in environment.items() if name != "COLUMNS"}
    return lambda *arguments: run_here(*arguments, environment=plain, folder=tmp_path).stdout


def test_every_hit_names_its_file_and_heading(cli: Cli, handbook: str, tmp_path: Path) -> None:
    for method in ("evidence", "dense", "keyword", "gain", "anchor"):
        lines = cli("search", QUESTION, "-c", handbook, "-m", method).stdout.splitlines()
        titles = [number for number, line in enumerate(lines) if line[:3].strip().isdecimal()]
        assert titles
        assert all(lines[number + 1].strip().startswith("docs/") for number in titles), method
    hits = json.loads(cli("search", QUESTION, "-c", handbook, "--json").stdout)["hits"]
    assert {hit["chunk"]["source"] for hit in hits} == {"docs/travel.md", "docs/rows.jsonl:1"}
    assert "docs/travel.md, characters 10-42" in cli("ask", QUESTION, "-c", handbook).stdout
    assert "› Money" in cli("search", QUESTION, "-c", handbook).stdout
    assert "(docs/travel.md)" in cli("explain", QUESTION, "-c", handbook, "--rank", "1", "--out", "why.html").stdout
    page = (tmp_path / "why.html").read_text(encoding="utf-8")
    assert '<span class="quiet">docs/travel.md</span>' in page
    assert "<small># Travel Mina Holt leads the travel team.</small>" in page


def test_a_hit_without_a_title_is_called_by_its_document(cli: Cli, handbook: str) -> None:
    found = cli("search", "Where was Mina Holt born?", "-c", handbook, "-k", "3").stdout
    assert "docs/rows.jsonl:1" in found
    assert not any(line.strip().replace(".", "").replace(" ", "").isdigit() for line in found.splitlines())


def test_fused_without_a_bipartite_graph_says_what_it_fuses(cli: Cli, client: Tetragraph, handbook: str) -> None:
    found = client.corpus(handbook).search(QUESTION, method="fused")
    assert found.notes == (
        "fused is dense and keyword here, not evidence and bipartite: the corpus has no bipartite graph; "
        f"`tetragraph build bipartite -c {handbook}` builds it, or name the methods by the option `of`",
    )
    assert found.trace["fused"] == {"dense": 1.0, "keyword": 1.0}
    assert client.corpus(handbook).search(QUESTION, method="fused", of=["dense", "keyword"]).notes == ()
    assert "note: fused is dense and keyword here" in cli("search", QUESTION, "-c", handbook, "-m", "fused").stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["-k", "0"], "k must be an integer from 1"),
        (["-k", "99999999999999999999", "-m", "dense"], "k must be an integer from 1"),
        (["-m", "nosuch"], "method must be one of"),
        (["-m", "fused", "-o", "of=magic"], "of must be a list of names of methods"),
        (["-f", "year"], "a filter must read KEY=VALUE, KEY!=VALUE, KEY>=VALUE"),
        (["-f", f"year={'-' * 50_000}1"], "a filter must name a metadata key"),
        (["-f", f"year={'9' * 400}"], "a filter must name a metadata key"),
    ],
)
def test_a_wrong_value_ends_with_the_code_of_a_wrong_command_line(
    cli: Cli, handbook: str, arguments: list[str], words: str
) -> None:
    done = cli("search", QUESTION, "-c", handbook, *arguments)
    assert (done.returncode, "Traceback" in done.stderr) == (2, False)
    assert words in " ".join(done.stderr.split())


def test_no_line_is_wrapped_where_there_is_no_terminal(redirected: Callable[..., str], handbook: str) -> None:
    path = "/".join(["a-folder-with-a-long-name"] * 6)
    statement = (
        "MATCH (c:Chunk {corpus: $corpus}) RETURN c.id AS id, $path AS path, $path + ' ' + $path AS both LIMIT 1"
    )
    lines = redirected("cypher", "query", statement, "-c", handbook, "-p", f"path={path}").splitlines()
    assert len(lines) == 2
    assert lines[1].count(path) == 3
    assert all(len(line) == len(line.rstrip()) for line in redirected("search", QUESTION, "-c", handbook).splitlines())


def test_a_word_is_not_divided_on_a_narrow_terminal(
    environment: Mapping[str, str], handbook: str, tmp_path: Path
) -> None:
    cli = partial(run_here, environment={**environment, "COLUMNS": "20"}, folder=tmp_path)
    found = cli(
        "cypher", "query", "MATCH (c:Chunk {corpus: $corpus}) RETURN c.id AS id, c.text AS text", "-c", handbook
    )
    ids = [chunk for chunk in found.stdout.split() if len(chunk) == 16 and set(chunk) <= set("0123456789abcdef")]
    assert len(ids) == 3


def test_output_that_cannot_be_written_is_reported_in_one_line(environment: Mapping[str, str], tmp_path: Path) -> None:
    full = Path("/dev/full")
    if not full.exists():
        pytest.skip("this system has no /dev/full")
    command = "import sys; from tetragraph.cli import main; sys.stdout = open('/dev/full', 'w'); main()"
    ended = subprocess.run(
        [sys.executable, "-c", command, "cypher", "list"],
        env=environment, cwd=tmp_path, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert (ended.returncode, "Traceback" in ended.stderr) == (1, False)
    assert ended.stderr.startswith("error: the operating system refused to read or write a file: No space left")


def test_a_type_that_is_wrong_is_refused_by_name(client: Tetragraph, handbook: str) -> None:
    corpus: Any = client.corpus(handbook)
    for arguments in (
        {"filters": ["year"]}, {"filters": {"year": "\ud800"}}, {"method": "gain", "level_weights": 1},
        {"method": "fused", "of": 3}, {"method": "fused", "of": ["dense", "gain"], "weights": 1}, {"k": 10**30},
    ):  # fmt: skip
        with pytest.raises(InvalidInput):
            corpus.search(QUESTION, **arguments)
    with pytest.raises(UnknownMethod):
        corpus.search(QUESTION, method=["dense"])
    wrong: list[tuple[Any, list[Any], dict[str, Any]]] = [
        (corpus.theme, [None], {}),
        (corpus.affinity, [["a"], "b"], {}),
        (corpus.delete, [["a"]], {}),
        (corpus.analytics.run, [None], {}),
        (corpus.cypher, [None], {}),
        (corpus.build, [["gain"]], {}),
        (corpus.ingest, ["x"], {"loader": ["a"]}),
        (corpus.ingest, ["x"], {"chunk_tokens": "a"}),
    ]
    for method, given, named in wrong:
        with pytest.raises(InvalidInput):
            method(*given, **named)


def test_a_build_speaks_of_no_documents_and_accounts_for_its_time(cli: Cli, handbook: str) -> None:
    printed = cli("build", "tree", "-c", handbook).stdout
    assert "documents: " not in printed
    assert printed.startswith("corpus: 2 documents, ")
    seconds = json.loads(cli("build", "tree", "-c", handbook, "--json").stdout)["seconds"]
    assert list(seconds) == ["model", "recovery", "read", "entities", "terms", "copies", "gain", "tree", "arrays"]


def test_skipped_sources_are_one_line_each_and_all_of_them_in_json(
    cli: Cli, environment: Mapping[str, str], corpus_name: str, tmp_path: Path
) -> None:
    folder = tmp_path / "drafts"
    folder.mkdir()
    (folder / "note.txt").write_text("Mina Holt leads the travel team.", encoding="utf-8")
    for number in range(25):
        (folder / f"a long name of a file in which nothing was written {number:02}.txt").touch()
    plain = {name: value for name, value in environment.items() if name != "COLUMNS"}
    lines = run_here("ingest", folder, "-c", corpus_name, environment=plain, folder=tmp_path).stderr.splitlines()
    skipped = [line for line in lines if line.startswith("skipped ")]
    assert len(skipped) == 20
    assert all("drafts/a long name of a file" in line and ": " in line for line in skipped)
    assert "… and 5 more skipped; --json lists all" in lines
    assert len(json.loads(cli("ingest", folder, "-c", corpus_name, "--json").stdout)["skipped"]) == 25
