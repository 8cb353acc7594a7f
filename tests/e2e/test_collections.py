"""Test collections of information retrieval, from their files to run files that other tools measure the same."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ir_datasets
import ir_measures
import pytest
from ir_measures import RR, R, nDCG

from command_line import Cli
from tetragraph import Document, Tetragraph

ASKED = {
    "q1": ("Who built the harbour of Halvik?", {"halvik": 2, "orla-brandt": 1, "low-tide": 0}),
    "q2": ("Which poem was set to music by Mina Holt?", {"low-tide": 1}),
    "q3": ("When was the memoir of the surgeon Ida Brandt published?", {"the-grey-harbour": 1, "ida-brandt": 1}),
}
"""Text of each question, with the grade of each judged document."""
NAMES: dict[Any, str] = {R @ 2: "recall@2", R @ 5: "recall@5", nDCG @ 5: "ndcg@5", RR: "mrr"}


@pytest.fixture
def beir(world: list[Document], tmp_path: Path) -> Path:
    """The world with questions as a folder of BEIR."""
    folder = tmp_path / "beir"
    (folder / "qrels").mkdir(parents=True)
    corpus = [{"_id": one.id, "title": one.title, "text": one.text, "metadata": {}} for one in world]
    queries = [{"_id": name, "text": text} for name, (text, _) in ASKED.items()]
    judged = [f"{name}\t{document}\t{grade}" for name, (_, gold) in ASKED.items() for document, grade in gold.items()]
    for name, rows in (("corpus", corpus), ("queries", queries)):
        (folder / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    (folder / "qrels" / "test.tsv").write_text("query-id\tcorpus-id\tscore\n" + "\n".join(judged), encoding="utf-8")
    return folder


@pytest.fixture
def trec(tmp_path: Path) -> Path:
    """The same questions as topics and qrels of TREC."""
    folder = tmp_path / "trec"
    folder.mkdir()
    topics = [f"<top>\n<num> Number: {name}\n<title> {text}\n</top>\n" for name, (text, _) in ASKED.items()]
    judged = [f"{name} 0 {document} {grade}\n" for name, (_, gold) in ASKED.items() for document, grade in gold.items()]
    (folder / "topics.txt").write_text("".join(topics), encoding="utf-8")
    (folder / "qrels.txt").write_text("".join(judged), encoding="utf-8")
    return folder


@pytest.fixture
def data_set(world: list[Document], trec: Path, tmp_path: Path) -> Iterator[str]:
    """The same as a data set that ir-datasets has on this machine alone."""
    docs, queries = tmp_path / "docs.tsv", tmp_path / "queries.tsv"
    docs.write_text("".join(f"{one.id}\t{one.title}. {one.text}\n" for one in world), encoding="utf-8")
    queries.write_text("".join(f"{name}\t{text}\n" for name, (text, _) in ASKED.items()), encoding="utf-8")
    made = ir_datasets.create_dataset(str(docs), str(queries), str(trec / "qrels.txt"))
    ir_datasets.registry.register("tetragraph-world", made)
    yield "ir-datasets:tetragraph-world"
    del ir_datasets.registry._registered["tetragraph-world"]


def figures_of_other_tools(folder: Path, run: str) -> dict[tuple[str, str], float]:
    """Metric and question to value, computed by ir-measures from the files that an evaluation wrote."""
    read_qrels: Callable[[str], Any] = ir_measures.read_trec_qrels
    read_run: Callable[[str], Any] = ir_measures.read_trec_run
    files = read_qrels(str(folder / f"{run}.qrels.trec")), read_run(str(folder / f"{run}.run.trec"))
    return {(NAMES[one.measure], one.query_id): one.value for one in ir_measures.iter_calc(list(NAMES), *files)}


def own_figures(folder: Path, run: str) -> dict[tuple[str, str], float]:
    """The same from the report."""
    questions = json.loads((folder / "report.json").read_text(encoding="utf-8"))["questions"]
    return {(name, one["id"]): one["runs"][run]["metrics"][name] for one in questions for name in NAMES.values()}


def test_a_folder_of_beir_is_ingested_and_measured_as_other_tools_measure_it(
    cli: Cli, corpus_name: str, beir: Path, trec: Path, tmp_path: Path
) -> None:
    done = cli("ingest", beir, "-c", corpus_name, "--loader", "beir")
    assert done.returncode == 0, done.stderr
    evaluated = ("eval", "-c", corpus_name, "-m", "dense,evidence", "-k", "2,5")
    done = cli(*evaluated, "-q", beir, "--out", "by-beir")
    assert done.returncode == 0, done.stderr
    for run in ("dense", "evidence"):
        theirs = figures_of_other_tools(tmp_path / "by-beir", run)
        assert theirs == pytest.approx(own_figures(tmp_path / "by-beir", run), abs=1e-6)
        assert len(theirs) == len(ASKED) * len(NAMES)
        assert max(theirs.values()) > 0

    done = cli(*evaluated, "-q", trec / "topics.txt", "--qrels", trec / "qrels.txt", "--out", "by-trec")
    assert done.returncode == 0, done.stderr
    assert own_figures(tmp_path / "by-trec", "evidence") == own_figures(tmp_path / "by-beir", "evidence")


def test_a_data_set_of_ir_datasets_is_ingested_and_evaluated_by_its_name(
    client: Tetragraph, corpus_name: str, data_set: str, tmp_path: Path
) -> None:
    corpus = client.corpus(corpus_name)
    assert len(corpus.ingest(data_set).added) == 12
    report = corpus.evaluate(data_set, ["evidence"], ks=(2, 5), out=tmp_path / "out")
    each = report.scores["evidence"].each
    ours = {(name, question): each[name][question] for name in NAMES.values() for question in ASKED}
    assert figures_of_other_tools(tmp_path / "out", "evidence") == pytest.approx(ours, abs=1e-6)
    assert max(ours.values()) == 1
