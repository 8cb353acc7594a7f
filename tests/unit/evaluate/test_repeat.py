"""A repeated evaluation gives the same bytes, and differences are reported."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from file_limit import largest_file
from tetragraph.errors import InvalidInput, StoreError
from tetragraph.evaluate.evaluation import EvaluationRequest, evaluate
from tetragraph.evaluate.manifest import write_record
from tetragraph.evaluate.model import EvaluationReport, Found, Gold, GoldQuestion, Run, RunAnswer
from tetragraph.evaluate.questions import read_questions
from tetragraph.evaluate.repeat import RunCheck, check, read_plan
from tetragraph.progress import NoProgress

if TYPE_CHECKING:
    from .conftest import Corpus

THEIRS = Run(
    "theirs",
    "theirs",
    {},
    {"q1": (Found("kron", "kron", "", None, None, 0.5),)},
    answers={"q1": RunAnswer("x", ("kron",))},
)
Repeat = Callable[[Path], EvaluationReport]


@pytest.fixture
def record(corpus: Corpus, questions: list[GoldQuestion], tmp_path: Path) -> Path:
    """The folder of an evaluation of three runs."""
    methods = {"words": ("keyword", {}), "backwards": ("keyword", {"reverse": True})}
    long = GoldQuestion("q4", "a stretch\nof text", (Gold("halvik", 2, 9),), ("née „Ö“",), 1, "x")
    report = evaluate(
        corpus.subject(), [*questions, long], EvaluationRequest(methods, (1, 2), [THEIRS], "backwards"), NoProgress()
    )
    write_record(report, tmp_path / "first" / "deep")
    return tmp_path / "first" / "deep"


@pytest.fixture
def repeat(corpus: Corpus) -> Repeat:
    def run(record: Path) -> EvaluationReport:
        plan = read_plan(record / "manifest.json")
        asked = EvaluationRequest(plan.methods, plan.ks, plan.runs, plan.baseline, plan.allow_missing)
        return evaluate(corpus.subject(), plan.questions, asked, NoProgress())

    return run


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


def test_a_repeated_evaluation_gives_the_same_bytes(record: Path, repeat: Repeat, tmp_path: Path) -> None:
    again = repeat(record)
    written = write_record(again, tmp_path / "second")
    assert files(tmp_path / "second") == files(record)
    assert sorted(file.name for file in written) == sorted(files(record))
    assert sorted(files(record)) == [
        "backwards.qrels.trec",
        "backwards.run.trec",
        "manifest.json",
        "questions.jsonl",
        "theirs.answers.jsonl",
        "theirs.qrels.trec",
        "theirs.run.trec",
        "words.qrels.trec",
        "words.run.trec",
    ]
    found = check(record / "manifest.json", again)
    assert found.same
    assert found.runs == tuple(RunCheck(name, same=True) for name in ("words", "backwards", "theirs"))
    assert found.changed == ()


def test_the_manifest_says_what_answered_and_hashes_what_was_found(record: Path) -> None:
    manifest = json.loads((record / "manifest.json").read_text(encoding="utf-8"))
    assert manifest["corpus"] == {"name": "world", "generation": 3, "embedder": "words"}
    assert manifest["versions"].keys() == {"tetragraph", "neo4j", "gds", "python", "numpy", "scipy"}
    assert (manifest["ks"], manifest["baseline"], manifest["allow_missing"]) == ([1, 2], "backwards", False)
    assert [run["foreign"] for run in manifest["runs"]] == [False, False, True]
    assert manifest["runs"][1]["options"] == {"reverse": True}
    hashes = {"questions.jsonl": manifest["questions"]["sha256"]}
    hashes |= {f"{run['name']}.run.trec": run["sha256"] for run in manifest["runs"]}
    for name, expected in hashes.items():
        assert hashlib.sha256((record / name).read_bytes()).hexdigest() == expected
    assert list(manifest) == sorted(manifest)


def test_the_questions_are_kept_in_full(record: Path, questions: list[GoldQuestion]) -> None:
    kept = read_questions(record / "questions.jsonl")
    assert kept[:3] == tuple(questions)
    assert kept[3] == GoldQuestion("q4", "a stretch\nof text", (Gold("halvik", 2, 9),), ("née „Ö“",), 1, "x")


def test_the_first_passage_or_score_that_differs_is_told(record: Path, repeat: Repeat) -> None:
    again = repeat(record)
    words, backwards, theirs = again.runs

    def changed(run: Run, question: str, ranking: tuple[Found, ...]) -> EvaluationReport:
        other = replace(run, rankings={**run.rankings, question: ranking})
        return replace(again, runs=(other, backwards, theirs))

    first, second = words.rankings["q2"]
    path = record / "manifest.json"
    cases = {
        (second, first): "question 'q2', rank 1: tide@0-19 with score 2.0, now arild@0-21 with score 1.0",
        (first, replace(second, score=1.0000001)): "question 'q2', rank 2: arild@0-21 with score 1.0, now arild@0-21 "
        "with score 1.0000001",
        (first,): "question 'q2', rank 2: arild@0-21 with score 1.0, now nothing",
    }
    for ranking, expected in cases.items():
        found = check(path, changed(words, "q2", ranking))
        assert not found.same
        assert [one.difference for one in found.runs] == [expected, "", ""]
    assert check(path, replace(again, runs=(words,))).runs[2] == RunCheck("theirs", False, "it was not repeated")


def test_what_else_changed_is_told_beside_the_rankings(record: Path, repeat: Repeat, corpus: Corpus) -> None:
    corpus.generation = 9
    found = check(record / "manifest.json", repeat(record))
    assert found.same
    assert found.changed == ("corpus.generation: 3, now 9",)


def test_a_difference_on_another_kernel_of_blas_names_both_kernels(record: Path, repeat: Repeat) -> None:
    again = repeat(record)
    words, *others = again.runs
    one, *_ = words.rankings["q1"]
    other = replace(words, rankings={**words.rankings, "q1": (replace(one, score=one.score + 1e-9),)})
    path = record / "manifest.json"

    def difference(**numerics: Any) -> str:
        manifest = {**again.manifest, "numerics": {**again.manifest["numerics"], **numerics}}
        return check(path, replace(again, runs=(other, *others), manifest=manifest)).runs[0].difference

    set_numerics(path, kernel="Haswell", threads=2)
    assert difference(kernel="Haswell", threads=2).endswith(f"score {one.score + 1e-9!r}")
    assert difference(kernel="Zen", threads=2).endswith(" (run on another BLAS kernel: Haswell, now Zen)")
    assert difference(kernel="Haswell", threads=1).endswith(" (computed otherwise: threads: 2, now 1)")
    assert check(path, replace(again, runs=(words,))).runs[2].difference == "it was not repeated"


def test_the_same_rankings_on_another_kernel_are_the_same(record: Path, repeat: Repeat) -> None:
    again = repeat(record)
    set_numerics(record / "manifest.json", kernel="Another")
    found = check(record / "manifest.json", again)
    assert found.same
    assert found.changed == (f"numerics.kernel: Another, now {again.manifest['numerics']['kernel']}",)


def test_a_manifest_that_does_not_name_the_kernel_can_be_repeated(record: Path, repeat: Repeat) -> None:
    file = record / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    del manifest["numerics"]
    file.write_text(json.dumps(manifest), encoding="utf-8")
    found = check(file, repeat(record))
    assert (found.same, found.changed) == (True, ())


def set_numerics(file: Path, **values: Any) -> None:
    """Change a manifest as if its evaluation had been computed otherwise."""
    manifest = json.loads(file.read_text(encoding="utf-8"))
    manifest["numerics"] |= values
    file.write_text(json.dumps(manifest), encoding="utf-8")


def test_a_refusal_of_the_system_leaves_nothing_of_an_evaluation(record: Path, repeat: Repeat) -> None:
    again = repeat(record)
    before = files(record)
    (record / "notes.txt").touch()
    largest = max(len(content) for name, content in before.items() if name != "manifest.json")
    with largest_file(largest), pytest.raises(StoreError, match=rf"{record}: File too large; raise the limit of file"):
        write_record(again, record, overwrite=True)  # the manifest is larger
    assert files(record) == {"notes.txt": b""}
    write_record(again, record, overwrite=True)
    assert files(record) == {**before, "notes.txt": b""}


def test_a_run_that_found_nothing_is_repeated_too(corpus: Corpus, tmp_path: Path) -> None:
    nothing = Run("none", "none", {}, {"q1": ()})
    report = evaluate(
        corpus.subject(), [GoldQuestion("q1", "mayor")], EvaluationRequest((), (1,), [nothing]), NoProgress()
    )
    write_record(report, tmp_path)
    assert check(tmp_path / "manifest.json", report).same


def test_options_that_json_makes_lists_are_tuples_again(record: Path) -> None:
    file = record / "manifest.json"
    manifest = json.loads(file.read_text(encoding="utf-8"))
    manifest["runs"][0]["options"] = {"of": ["dense", "keyword"], "depth": 5}
    file.write_text(json.dumps(manifest), encoding="utf-8")
    assert read_plan(file).methods["words"] == ("keyword", {"of": ("dense", "keyword"), "depth": 5})


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("manifest.json", None, "a manifest must be a manifest.json that `evaluate` wrote"),
        ("manifest.json", "{", "a manifest must be a manifest.json that `evaluate` wrote"),
        ("manifest.json", "[]", "a manifest must have schema 1, .* has None"),
        ("manifest.json", '{"schema": 2}', "a manifest must have schema 1, .* has 2"),
        ("questions.jsonl", None, "a file of questions must exist"),
        ("questions.jsonl", '{"id": "q1", "question": "other"}', "must be as it was written, its hash is another"),
        ("theirs.run.trec", None, "theirs.run.trec must be there as it was written"),
        ("theirs.run.trec", "q1 Q0 kron 1 0.7 theirs\n", "theirs.run.trec must be there as it was written"),
    ],
)
def test_a_record_that_was_touched_is_refused(record: Path, name: str, content: Any, words: str) -> None:
    if content is None:
        (record / name).unlink()
    else:
        (record / name).write_text(content, encoding="utf-8")
    with pytest.raises(InvalidInput, match=words):
        read_plan(record / "manifest.json")
