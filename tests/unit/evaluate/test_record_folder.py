"""The folder of an evaluation: files of an earlier one are replaced where that is asked for, all others are kept."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.evaluation import EvaluationRequest, evaluate
from tetragraph.evaluate.manifest import check_folder, write_record
from tetragraph.evaluate.model import EvaluationReport, GoldQuestion
from tetragraph.evaluate.run_methods import Methods
from tetragraph.progress import NoProgress

if TYPE_CHECKING:
    from .conftest import Corpus

TWO = {"words": ("keyword", {}), "backwards": ("keyword", {"reverse": True})}


def evaluated(corpus: Corpus, questions: list[GoldQuestion], methods: Methods) -> EvaluationReport:
    return evaluate(corpus.subject(), questions, EvaluationRequest(methods, (1,)), NoProgress())


@pytest.fixture
def report(corpus: Corpus, questions: list[GoldQuestion]) -> EvaluationReport:
    return evaluated(corpus, questions, TWO)


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_folder_with_files_is_refused_unless_they_may_be_replaced(report: EvaluationReport, tmp_path: Path) -> None:
    check_folder(tmp_path, TWO, overwrite=False)
    check_folder(tmp_path / "new", TWO, overwrite=False)
    write_record(report, tmp_path)
    before = files(tmp_path)
    with pytest.raises(InvalidInput, match=r"which has files: overwrite=True \(--force\) replaces those of an earlier"):
        write_record(report, tmp_path)
    assert files(tmp_path) == before
    write_record(report, tmp_path, overwrite=True)
    assert files(tmp_path) == before


def test_the_earlier_evaluation_goes_as_a_whole_and_other_files_stay(
    report: EvaluationReport, corpus: Corpus, questions: list[GoldQuestion], tmp_path: Path
) -> None:
    write_record(report, tmp_path)
    for name in ("report.html", "mine.run.trec", "notes.txt"):
        (tmp_path / name).touch()
    write_record(evaluated(corpus, questions, ["dense"]), tmp_path, overwrite=True)
    assert sorted(files(tmp_path)) == [
        "dense.qrels.trec", "dense.run.trec", "manifest.json", "mine.run.trec", "notes.txt", "questions.jsonl"
    ]  # fmt: skip


@pytest.mark.parametrize("name", ["questions.jsonl", "words.run.trec", "report.json", "manifest.json"])
def test_a_file_that_no_evaluation_wrote_is_never_replaced(report: EvaluationReport, tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text("{}", encoding="utf-8")
    with pytest.raises(InvalidInput, match=rf"an evaluation replaces only files of .* does not account for {name}: "):
        write_record(report, tmp_path, overwrite=True)
    assert files(tmp_path) == {name: b"{}"}


@pytest.mark.parametrize("name", ["questions.jsonl", "words.run.trec"])
def test_a_file_that_was_changed_since_its_evaluation_is_not_replaced(
    report: EvaluationReport, tmp_path: Path, name: str
) -> None:
    write_record(report, tmp_path)
    (tmp_path / name).write_text("mine", encoding="utf-8")
    before = files(tmp_path)
    with pytest.raises(InvalidInput, match=f"does not account for {name}: move or delete these files"):
        write_record(report, tmp_path, overwrite=True)
    assert files(tmp_path) == before


def test_a_folder_in_the_place_of_a_file_is_not_replaced(report: EvaluationReport, tmp_path: Path) -> None:
    write_record(report, tmp_path)
    (tmp_path / "words.qrels.trec").unlink()
    (tmp_path / "words.qrels.trec").mkdir()
    with pytest.raises(InvalidInput, match=r"does not account for words\.qrels\.trec"):
        write_record(report, tmp_path, overwrite=True)
    assert (tmp_path / "manifest.json").is_file()


def test_a_manifest_of_something_else_accounts_for_nothing(report: EvaluationReport, tmp_path: Path) -> None:
    write_record(report, tmp_path)
    (tmp_path / "manifest.json").write_text(json.dumps({"name": "an app", "runs": [{"name": 1}]}), encoding="utf-8")
    with pytest.raises(InvalidInput, match=r"account for backwards\.qrels.*, words\.qrels\.trec and 1 more: move"):
        check_folder(tmp_path, TWO, overwrite=True)


def test_names_of_runs_in_a_manifest_lead_to_no_other_folder(report: EvaluationReport, tmp_path: Path) -> None:
    folder = tmp_path / "there"
    write_record(report, folder)
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    manifest["runs"].append({"name": "../mine", "sha256": ""})
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    (tmp_path / "mine.qrels.trec").touch()
    write_record(report, folder, overwrite=True)
    assert (tmp_path / "mine.qrels.trec").exists()


@pytest.mark.parametrize("overwrite", [False, True])
def test_a_file_is_no_folder_for_an_evaluation(tmp_path: Path, overwrite: bool) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(InvalidInput, match=r"out \(--out\) must be a folder, got the file '.*out': name another"):
        check_folder(tmp_path / "out", TWO, overwrite=overwrite)
