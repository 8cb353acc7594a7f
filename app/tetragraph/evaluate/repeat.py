"""Repeats an evaluation from its manifest, and compares the results."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.judging import JUDGE
from tetragraph.evaluate.manifest import MANIFEST, QUESTIONS, SCHEMA, format_questions, sha256
from tetragraph.evaluate.model import EvaluationReport, Found, GoldQuestion, Run
from tetragraph.evaluate.multi_step import differences, read_trails
from tetragraph.evaluate.questions import read_questions
from tetragraph.evaluate.trec import passage_name, read_run

_NUMERICS = "numerics"


@dataclass(frozen=True, slots=True)
class Plan:
    """An evaluation that can be repeated: corpus and arguments of :meth:`tetragraph.Corpus.evaluate`."""

    corpus: str
    questions: tuple[GoldQuestion, ...]
    methods: Mapping[str, tuple[str, Mapping[str, Any]]]
    ks: tuple[int, ...]
    runs: tuple[Run, ...]
    baseline: str
    allow_missing: bool


@dataclass(frozen=True, slots=True)
class RunCheck:
    """Comparison of one run with its repetition.

    Attributes:
        same: Whether ids, order and scores are those of the first run, and the steps of searches in several steps.
        difference: First difference in words, and any difference between the numeric environments, such as another
            kernel of BLAS; empty if the runs are equal.
    """

    run: str
    same: bool
    difference: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """Comparison of a repeated evaluation with the first.

    Attributes:
        changed: Differences between the manifests besides the rankings, such as ``versions.numpy: 2.1.0, now 2.2.0``.
    """

    runs: tuple[RunCheck, ...]
    changed: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether every run equals its repetition."""
        return all(run.same for run in self.runs)


def read_plan(path: str | Path) -> Plan:
    """Read the evaluation that a manifest and the other files of its folder describe.

    Raises:
        InvalidInput: there is no manifest, it has another schema, or a file that it names is missing or was changed.
    """
    file = Path(path)
    manifest = _read_manifest(file)
    questions = read_questions(file.with_name(QUESTIONS), format_name="tetragraph")
    if sha256(format_questions(questions)) != manifest["questions"]["sha256"]:
        raise InvalidInput(f"{file.with_name(QUESTIONS)} must be as it was written, its hash is another: evaluate anew")
    searched = {one["name"]: (one["method"], _options(one)) for one in manifest["runs"] if not one["foreign"]}
    return Plan(
        corpus=manifest["corpus"]["name"],
        questions=questions,
        methods=searched,
        ks=tuple(manifest["ks"]),
        runs=tuple(_read_stored_run(file, one) for one in manifest["runs"] if one["foreign"]),
        baseline=manifest["baseline"],
        allow_missing=manifest["allow_missing"],
    )


def check(path: str | Path, report: EvaluationReport) -> Check:
    """Compare a repeated evaluation with the manifest of the first, run by run; judgements of answers are not compared.

    Raises:
        InvalidInput: as :func:`read_plan`.
    """
    file = Path(path)
    manifest = _read_manifest(file)
    now = {run.name: run for run in report.runs}
    otherwise = _numeric_changes(manifest.get(_NUMERICS, {}), report.manifest.get(_NUMERICS, {}))
    checked = []
    for one in manifest["runs"]:
        before = _read_stored_run(file, one)
        if before.name not in now:
            checked.append(RunCheck(before.name, same=False, difference="it was not repeated"))
            continue
        difference = _differ(before, now[before.name])
        checked.append(RunCheck(before.name, not difference, f"{difference}{otherwise}" if difference else ""))
    skipped = {"runs", "sha256", JUDGE} | (set() if _NUMERICS in manifest else {_NUMERICS})
    return Check(tuple(checked), tuple(_changes(_without(manifest, skipped), _without(report.manifest, skipped))))


def _numeric_changes(before: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    """Difference between the numeric environments of two runs in words; empty if they are equal."""
    kernels = before.get("kernel"), now.get("kernel")
    if all(kernels) and kernels[0] != kernels[1]:
        return f" (run on another BLAS kernel: {kernels[0]}, now {kernels[1]})"
    changes = list(_changes(dict(before), dict(now))) if before and now else []
    return f" (computed otherwise: {'; '.join(changes)})" if changes else ""


def _read_manifest(file: Path) -> dict[str, Any]:
    try:
        manifest = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InvalidInput(
            f"a manifest must be a {MANIFEST} that `evaluate` wrote, got {str(file)!r}: {error}"
        ) from error
    if not isinstance(manifest, dict) or manifest.get("schema") != SCHEMA:
        got = manifest.get("schema") if isinstance(manifest, dict) else None
        raise InvalidInput(f"a manifest must have schema {SCHEMA}, {str(file)!r} has {got!r}: evaluate anew")
    return manifest


def _read_stored_run(file: Path, described: Mapping[str, Any]) -> Run:
    name = described["name"]
    stored = _check_unchanged(file.with_name(f"{name}.run.trec"), described["sha256"])
    steps = file.with_name(f"{name}.steps.jsonl")
    trails = read_trails(_check_unchanged(steps, described["steps_sha256"])) if "steps_sha256" in described else {}
    if not stored.stat().st_size:
        return Run(name, described["method"], {}, {}, trails=trails)
    answers = file.with_name(f"{name}.answers.jsonl")
    run = read_run(stored, name=name, answers=answers if answers.is_file() else None)
    return replace(run, trails=trails)


def _check_unchanged(stored: Path, expected: str) -> Path:
    if not stored.is_file() or sha256(stored.read_text(encoding="utf-8")) != expected:
        raise InvalidInput(f"{stored} must be there as it was written, its hash is another: evaluate anew")
    return stored


def _options(described: Mapping[str, Any]) -> dict[str, Any]:
    """Options of a run, with tuples in place of the lists of JSON."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in described["options"].items()}


def _differ(before: Run, now: Run) -> str:
    """The first difference between two runs, in words."""
    for question in sorted(before.rankings.keys() | now.rankings.keys()):
        pairs = zip_longest(before.rankings.get(question, ()), now.rankings.get(question, ()))
        for rank, (one, other) in enumerate(pairs, start=1):
            if _describe(one) != _describe(other):
                return f"question {question!r}, rank {rank}: {_describe(one)}, now {_describe(other)}"
    return next(differences(before, now), "")


def _describe(found: Found | None) -> str:
    return f"{passage_name(found)} with score {found.score!r}" if found else "nothing"


def _changes(before: Any, now: Any, path: str = "") -> Iterator[str]:
    if isinstance(before, dict) and isinstance(now, dict):
        for key in sorted(before.keys() | now.keys()):
            yield from _changes(before.get(key), now.get(key), f"{path}.{key}" if path else key)
    elif before != now:
        yield f"{path}: {before}, now {now}"


def _without(manifest: Mapping[str, Any], keys: set[str]) -> dict[str, Any]:
    return {key: value for key, value in manifest.items() if key not in keys}
