"""Repeat an evaluation from its manifest, and say whether it came out the same."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.manifest import MANIFEST, QUESTIONS, SCHEMA, format_questions, sha256
from tetragraph.evaluate.model import EvaluationReport, Found, GoldQuestion, Run
from tetragraph.evaluate.multi_step import differences, read_trails
from tetragraph.evaluate.questions import read_questions
from tetragraph.evaluate.trec import passage_name, read_run

_NUMERICS = "numerics"


@dataclass(frozen=True, slots=True)
class Plan:
    """An evaluation that can be run again: what :meth:`tetragraph.Corpus.evaluate` was given, and on which corpus."""

    corpus: str
    questions: tuple[GoldQuestion, ...]
    methods: Mapping[str, tuple[str, Mapping[str, Any]]]
    ks: tuple[int, ...]
    runs: tuple[Run, ...]
    baseline: str
    allow_missing: bool


@dataclass(frozen=True, slots=True)
class Checked:
    """One run of a repeated evaluation.

    Attributes:
        same: Whether ids, order and scores are those of the first time, and the steps where there were several.
        difference: The first thing that differs, in words, and whether numbers were computed otherwise than the first
            time, such as on another kernel of BLAS; empty when all is the same.
    """

    run: str
    same: bool
    difference: str = ""


@dataclass(frozen=True, slots=True)
class Check:
    """A repeated evaluation held against the first.

    Attributes:
        changed: What the manifests say differently beside the rankings, such as ``versions.numpy: 2.1.0, now 2.2.0``.
    """

    runs: tuple[Checked, ...]
    changed: tuple[str, ...]

    @property
    def same(self) -> bool:
        """Whether every run came out the same."""
        return all(run.same for run in self.runs)


def read_plan(path: str | Path) -> Plan:
    """The evaluation that a manifest stands for, from it and the files beside it.

    Raises:
        InvalidInput: there is no manifest, it is of another schema, or a file beside it is missing or was changed.
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
        runs=tuple(_stored_run(file, one) for one in manifest["runs"] if one["foreign"]),
        baseline=manifest["baseline"],
        allow_missing=manifest["allow_missing"],
    )


def check(path: str | Path, report: EvaluationReport) -> Check:
    """Hold a repeated evaluation against the manifest of the first, run by run.

    Raises:
        InvalidInput: as :func:`read_plan`.
    """
    file = Path(path)
    manifest = _read_manifest(file)
    now = {run.name: run for run in report.runs}
    otherwise = _numeric_changes(manifest.get(_NUMERICS, {}), report.manifest.get(_NUMERICS, {}))
    checked = []
    for one in manifest["runs"]:
        before = _stored_run(file, one)
        if before.name not in now:
            checked.append(Checked(before.name, same=False, difference="it was not repeated"))
            continue
        difference = _differ(before, now[before.name])
        checked.append(Checked(before.name, not difference, f"{difference}{otherwise}" if difference else ""))
    skipped = {"runs", "sha256"} if _NUMERICS in manifest else {"runs", "sha256", _NUMERICS}
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


def _stored_run(file: Path, described: Mapping[str, Any]) -> Run:
    name = described["name"]
    stored = _untouched(file.with_name(f"{name}.run.trec"), described["sha256"])
    steps = file.with_name(f"{name}.steps.jsonl")
    trails = read_trails(_untouched(steps, described["steps_sha256"])) if "steps_sha256" in described else {}
    if not stored.stat().st_size:
        return Run(name, described["method"], {}, {}, trails=trails)
    answers = file.with_name(f"{name}.answers.jsonl")
    run = read_run(stored, name=name, answers=answers if answers.is_file() else None)
    return replace(run, trails=trails)


def _untouched(stored: Path, expected: str) -> Path:
    if not stored.is_file() or sha256(stored.read_text(encoding="utf-8")) != expected:
        raise InvalidInput(f"{stored} must be there as it was written, its hash is another: evaluate anew")
    return stored


def _options(described: Mapping[str, Any]) -> dict[str, Any]:
    """JSON has no tuples; options have no lists."""
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
