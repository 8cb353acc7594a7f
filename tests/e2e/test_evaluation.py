"""Evaluation and tuning from the command line: input files, table, report and reproducible record."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest
from selectolax.lexbor import LexborHTMLParser

from command_line import Cli
from tetragraph import AsyncTetragraph, Document, Tetragraph
from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import GoldQuestion
from tetragraph.settings import Settings

ASKED = [
    ("w1", "Who taught the painter who was born in Halvik?", ["elva-kron", "tomas-reyer"], 2, "bridge"),
    ("w2", "Who was the second director of the academy in Old Port?", ["reyer-academy"], 1, "single"),
    ("w3", "What was the wife of the engineer Orla Brandt?", ["orla-brandt", "mina-holt"], 2, "bridge"),
    ("w4", "When was the memoir of the surgeon Ida Brandt published?", ["the-grey-harbour", "ida-brandt"], 2, "bridge"),
    ("w5", "Of which town is the poet of Low Tide the mayor?", ["low-tide", "jens-arild"], 2, "bridge"),
    ("w6", "Who built the harbour of Halvik?", ["halvik"], 1, "single"),
]


@pytest.fixture
def questions(tmp_path: Path) -> Path:
    return written(tmp_path / "questions.jsonl", ASKED)


def written(file: Path, asked: list[Any]) -> Path:
    keys = ("id", "question", "supporting", "hops", "type")
    rows = [dict(zip(keys, one, strict=True)) for one in asked]
    file.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return file


@pytest.fixture
def corpus(server_settings: Settings, corpus_name: str, world: list[Document]) -> str:
    """The world, brought in; nobody holds its vectors."""
    with Tetragraph.connect(server_settings) as client:
        client.corpus(corpus_name).ingest(world)
    return corpus_name


def test_from_questions_to_a_report_that_can_be_repeated(
    cli: Cli, cli_process: Cli, corpus: str, questions: Path, tmp_path: Path, server_settings: Settings
) -> None:
    methods = "dense,keyword,evidence,evidence:restart=0.5"
    asked = ("eval", "-c", corpus, "-q", questions, "-m", methods, "-k", "1,2")
    done = cli(*asked, "--out", "first")
    assert done.returncode == 0, done.stderr
    assert "evidence-restart-0.5" in done.stdout
    assert "against dense" in done.stdout
    assert "searching: keyword: 6 questions in" in done.stderr

    report = json.loads((tmp_path / "first" / "report.json").read_text(encoding="utf-8"))
    assert [run["name"] for run in report["runs"]] == ["dense", "keyword", "evidence", "evidence-restart-0.5"]
    assert report["runs"][3]["options"]["restart"] == 0.5
    assert all(0 <= run["metrics"]["recall@2"] <= 1 for run in report["runs"])
    single = [one["runs"]["evidence"]["metrics"] for one in report["questions"] if len(one["gold"]) == 1]
    assert all((one["r_s@1"] == 1) == (one["recall@1"] == 1) for one in single)
    assert "r_s@2" in done.stdout
    html = LexborHTMLParser((tmp_path / "first" / "report.html").read_text(encoding="utf-8"))
    shown = [[cell.text(strip=True) for cell in row.css("td")] for row in html.css("#table-methods tbody tr")]
    assert [row[2] for row in shown] == [f"{100 * run['metrics']['recall@2']:.1f}" for run in report["runs"]]
    files = {file.name for file in (tmp_path / "first").iterdir()}
    assert {"manifest.json", "timings.json", "evidence-restart-0.5.run.trec"} <= files

    assert cli_process(*asked, "--out", "second").returncode == 0
    timed = {"timings.json", "report.html"}
    assert {name: (tmp_path / "second" / name).read_bytes() for name in files - timed} == {
        name: (tmp_path / "first" / name).read_bytes() for name in files - timed
    }

    same = cli("eval", "--check", "first/manifest.json")
    assert (same.returncode, same.stderr.count("changed:")) == (0, 0), same.stderr
    assert same.stdout.splitlines() == [f"{run['name']}: the same" for run in report["runs"]]

    with Tetragraph.connect(server_settings) as client:
        client.corpus(corpus).ingest(
            [Document("new", "Halvik harbour", "The harbour of Halvik was built anew in 1990.")]
        )
    other = cli("eval", "--check", "first/manifest.json")
    assert other.returncode == 1
    assert "keyword: question 'w1', rank 1: " in other.stdout
    assert "changed: corpus.generation" in other.stderr


@pytest.mark.slow
def test_searches_in_several_steps_are_told_step_by_step_and_can_be_repeated(
    cli_process: Cli, corpus: str, questions: Path, tmp_path: Path
) -> None:
    methods = "dense,anchor:retriever=dense:steps=2"
    done = cli_process("eval", "-c", corpus, "-q", questions, "-m", methods, "-k", "1,5", "--out", "first")
    assert done.returncode == 0, done.stderr
    assert "in several steps" in done.stdout

    report = json.loads((tmp_path / "first" / "report.json").read_text(encoding="utf-8"))
    dense, anchor = report["runs"]
    assert "stepping" not in dense
    assert sum(anchor["stepping"]["ended"].values()) == len(ASKED)
    assert anchor["metrics"]["found@1"] == dense["metrics"]["recall@5"]
    assert anchor["metrics"]["found@1"] <= anchor["metrics"]["found@2"] <= 1
    rows = (tmp_path / "first" / f"{anchor['name']}.steps.jsonl").read_text(encoding="utf-8").splitlines()
    steps = {row["id"]: row["steps"] for row in map(json.loads, rows)}
    assert steps["w1"][0]["query"] == ASKED[0][1]
    assert all(1 <= len(some) <= 2 for some in steps.values())

    same = cli_process("eval", "--check", "first/manifest.json")
    assert (same.returncode, same.stderr.count("changed:")) == (0, 0), same.stdout + same.stderr


def test_a_report_as_json_is_the_one_that_is_written(cli: Cli, corpus: str, questions: Path, tmp_path: Path) -> None:
    done = cli("eval", "-c", corpus, "-q", questions, "-m", "keyword", "--limit", "2", "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert [one["id"] for one in told["questions"]] == ["w1", "w2"]
    assert told == json.loads((tmp_path / "evaluation" / "report.json").read_text(encoding="utf-8"))


def test_an_earlier_evaluation_is_replaced_as_a_whole_and_only_by_force(
    cli: Cli, corpus: str, questions: Path, tmp_path: Path
) -> None:
    asked = ("eval", "-c", corpus, "-q", questions, "--out", "there", "-k", "2")
    assert cli(*asked, "-m", "keyword,dense", "--answer", "extractive").returncode == 0
    (tmp_path / "there" / "mine.run.trec").touch()
    files = {file.name: file.read_bytes() for file in (tmp_path / "there").iterdir()}
    refused = cli(*asked, "-m", "keyword")
    assert refused.returncode == 2
    assert "an evaluation replaces nothing unless it is told to, got 'there'" in " ".join(refused.stderr.split())
    assert {file.name: file.read_bytes() for file in (tmp_path / "there").iterdir()} == files
    replaced = cli(*asked, "-m", "keyword", "--force")
    assert replaced.returncode == 0, replaced.stderr
    runs = {file.name for file in (tmp_path / "there").iterdir() if file.name.count(".") > 1}
    assert runs == {"keyword.run.trec", "keyword.qrels.trec", "mine.run.trec"}
    (tmp_path / "there" / "questions.jsonl").write_text("mine", encoding="utf-8")
    kept = cli(*asked, "-m", "keyword", "--force")
    assert kept.returncode == 2
    assert "does not account for questions.jsonl: move or delete" in " ".join(kept.stderr.split())
    assert (tmp_path / "there" / "questions.jsonl").read_text(encoding="utf-8") == "mine"


def test_a_client_replaces_files_only_if_it_is_told_to(client: Tetragraph, corpus_name: str, tmp_path: Path) -> None:
    (tmp_path / "questions.jsonl").write_text("mine", encoding="utf-8")
    asked = [GoldQuestion("w6", "Who built the harbour of Halvik?")]
    for overwrite, words in ((False, "which has files"), (True, "does not account for questions.jsonl")):
        with pytest.raises(InvalidInput, match=words):  # before the unknown corpus, so before any search
            client.corpus(corpus_name).evaluate(asked, ["keyword"], out=tmp_path, overwrite=overwrite)
    assert [(file.name, file.read_text(encoding="utf-8")) for file in tmp_path.iterdir()] == [
        ("questions.jsonl", "mine")
    ]


def test_gold_that_the_corpus_lacks_is_listed_and_refused_unless_it_is_allowed(
    cli: Cli, corpus: str, tmp_path: Path
) -> None:
    file = written(tmp_path / "lacking.jsonl", [*ASKED[:1], ("w9", "Who was the king?", ["nowhere"], 1, "single")])
    refused = cli("eval", "-c", corpus, "-q", file, "-m", "keyword")
    assert refused.returncode == 1
    told = " ".join(refused.stderr.split())
    assert "lacks 1 of 3 documents: nowhere; ingest them, or leave out the questions" in told
    assert "--allow-missing" in told
    allowed = cli("eval", "-c", corpus, "-q", file, "-m", "keyword", "--allow-missing")
    assert allowed.returncode == 0
    assert "note: 1 gold documents are not in the corpus: they count as not found" in allowed.stderr
    stretch = {"document": "halvik", "start": 5000, "end": 6000}
    file = written(tmp_path / "outside.jsonl", [*ASKED[:1], ("w9", "Who built Halvik?", [stretch], 1, "single")])
    refused = cli("eval", "-c", corpus, "-q", file, "-m", "keyword", "--force")
    assert refused.returncode == 1
    assert "1 of 1 stretches lie in no chunk of their document" in " ".join(refused.stderr.split())
    assert "halvik@5000-6000; mend start and end" in " ".join(refused.stderr.split())
    allowed = cli("eval", "-c", corpus, "-q", file, "-m", "keyword", "--force", "--allow-missing")
    assert allowed.returncode == 0, allowed.stderr
    assert "note: 1 stretches of gold lie in no chunk of their document" in allowed.stderr


def test_a_method_whose_graph_is_not_built_names_the_command_that_builds_it(
    cli: Cli, server_settings: Settings, corpus_name: str, world: list[Document], questions: Path
) -> None:
    with Tetragraph.connect(server_settings) as client:
        client.corpus(corpus_name).ingest(world, build=())
    done = cli("eval", "-c", corpus_name, "-q", questions, "-m", "keyword,gain")
    assert done.returncode == 1
    assert f"`tetragraph build gain -c {corpus_name}`" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    ("arguments", "code", "words"),
    [
        (["eval"], 2, "give --corpus and --questions, or --check with the manifest of an evaluation"),
        (["eval", "-c", "x", "-q", "no.jsonl"], 2, "a file of questions must exist, got 'no.jsonl'"),
        (["eval", "-c", "x", "-q", "no.jsonl", "-k", "0"], 2, "k must be integers of at least 1"),
        (["eval", "-c", "x", "-q", "no.jsonl", "-m", "dense,dense"], 2, "must be named once, got 'dense' twice"),
        (["eval", "--check", "no.json"], 2, "a manifest must be a manifest.json that `evaluate` wrote"),
        (["tune", "-c", "x", "-q", "a", "--report-questions", "b", "--budget", "1"], 2, "--budget"),
    ],
)
def test_a_mistake_is_told_in_one_sentence_with_its_code(cli: Cli, arguments: list[str], code: int, words: str) -> None:
    done = cli(*arguments)
    assert done.returncode == code
    assert words in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert done.stdout == ""


def test_settings_are_chosen_on_some_questions_and_reported_on_others(cli: Cli, corpus: str, tmp_path: Path) -> None:
    train, other = written(tmp_path / "train.jsonl", ASKED[:3]), written(tmp_path / "other.jsonl", ASKED[3:])
    asked = ("tune", "-c", corpus, "-q", train, "--report-questions", other, "--objective", "recall@1,mrr")
    done = cli(*asked, "--setting", "keyword=0,0.3,0.09", "--setting", "link=0,0.4", "--budget", "4")
    assert done.returncode == 0, done.stderr
    assert "tried on 3 questions" in done.stdout
    assert "reported on 3 questions" in done.stdout
    found = json.loads((tmp_path / "tune.json").read_text(encoding="utf-8"))
    assert [trial["options"] for trial in found["trials"][:3]] == [{}, {"keyword": 0}, {"keyword": 0.3}]
    assert (len(found["trials"]), found["complete"]) == (4, False)
    assert found["best"] in [trial["options"] for trial in found["trials"]]
    assert found["report"]["defaults"]["options"] == {}
    assert found["report"]["comparison"]["first"] == "best"


def test_no_figure_is_reported_on_a_question_that_was_tuned_on(cli: Cli, corpus: str, questions: Path) -> None:
    done = cli("tune", "-c", corpus, "-q", questions, "--report-questions", questions)
    assert done.returncode == 2
    assert "got 6 that are in both files by id or text (w1, w2, w3, w4, w5 and 1 more)" in " ".join(done.stderr.split())


def test_tuning_refuses_a_setting_that_the_method_does_not_have(
    client: Tetragraph, corpus_name: str, world: list[Document]
) -> None:
    corpus = client.corpus(corpus_name)
    corpus.ingest(world, build=())
    train, other = ([GoldQuestion(name, f"{name}?")] for name in ("first", "second"))
    with pytest.raises(ValueError, match="method 'evidence' has no option 'magic'"):
        corpus.tune(train, corpus, other, settings={"magic": [1, 2]})


def test_tuning_in_python_reads_files_and_refuses_what_is_no_corpus(
    client: Tetragraph, corpus: str, tmp_path: Path
) -> None:
    asked = client.corpus(corpus)
    train, other = written(tmp_path / "train.jsonl", ASKED[:3]), written(tmp_path / "other.jsonl", ASKED[3:])
    tuning = asked.tune(train, asked, str(other), settings={"keyword": [0, 0.3]}, budget=2)
    assert len(tuning.trials) == 2
    assert set(tuning.trials[0].each) == {one[0] for one in ASKED[:3]}
    assert set(tuning.reported_default.each) == {one[0] for one in ASKED[3:]}
    with pytest.raises(InvalidInput, match=r"report_on must be a corpus, such as client\.corpus\('dev'\), got 'dev'"):
        asked.tune(train, "dev", other)  # type: ignore[arg-type]  # what is wrong is the test
    asynchronous = AsyncTetragraph(client).corpus(corpus)
    with pytest.raises(InvalidInput, match=r"report_on must be a corpus"):
        asyncio.run(asynchronous.tune(train, "dev", other))  # type: ignore[arg-type]  # likewise
