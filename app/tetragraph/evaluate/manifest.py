"""Record of an evaluation that makes it repeatable: the manifest, the questions and the rankings.

``manifest.json`` records corpus, versions, runs and options, with a hash of each other file of the folder:
``questions.jsonl``, and for each run ``<name>.run.trec``, ``<name>.qrels.trec`` and, if it has answers or searched in
several steps, ``<name>.answers.jsonl`` and ``<name>.steps.jsonl``. No file contains a time: the same corpus, questions
and versions give the same bytes on one machine. ``numerics`` describes the numeric environment, such as the kernel of
BLAS.
"""

from __future__ import annotations

import hashlib
import json
import platform
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tetragraph.errors import InvalidInput
from tetragraph.evaluate.model import EvaluationReport, Gold, GoldQuestion, Run
from tetragraph.evaluate.multi_step import format_trails
from tetragraph.evaluate.run_methods import RUN_NAME, EvaluatedCorpus, Searched
from tetragraph.evaluate.trec import format_qrels, format_run
from tetragraph.host.numerics import describe_numerics
from tetragraph.host.system_errors import report_refusals
from tetragraph.host.whole_files import write_whole
from tetragraph.model.display import first_of
from tetragraph.version import __version__

SCHEMA = 1
"""Version of the format: increased when a key changes its meaning or is removed, not for new keys."""
MANIFEST = "manifest.json"
QUESTIONS = "questions.jsonl"
REPORT, TIMINGS, PAGE = "report.json", "timings.json", "report.html"
"""Files that a report adds to the folder of its evaluation."""
PLACE = "out (--out)"
"""Name of the argument that chooses the folder, for messages."""
_ENDINGS = (".run.trec", ".qrels.trec", ".answers.jsonl", ".steps.jsonl")
"""Endings of the files of a run: rankings, gold, answers and steps."""
_LISTED = 5


def make_manifest(
    subject: EvaluatedCorpus,
    searched: Sequence[Searched],
    foreign: Sequence[Run],
    questions: Sequence[GoldQuestion],
    arguments: Mapping[str, Any],
) -> dict[str, Any]:
    """Compose the manifest of an evaluation, as JSON values.

    Args:
        subject: Evaluated corpus.
        searched: Runs of this evaluation.
        foreign: Runs that were read from files.
        questions: All questions.
        arguments: Other arguments of the evaluation: ``ks``, ``baseline`` and the like.
    """
    texts = {run.name: format_run(run) for run in (*(one.run for one in searched), *foreign)}
    common: Mapping[str, Any] = searched[0].manifest if searched else {}
    manifest = {
        "schema": SCHEMA,
        "versions": {
            "tetragraph": __version__,
            "neo4j": common.get("neo4j"),
            "gds": common.get("gds"),
            "python": platform.python_version(),
            "numpy": version("numpy"),
            "scipy": version("scipy"),
        },
        "numerics": describe_numerics(),
        "corpus": {"name": subject.name, "generation": subject.generation, **subject.facts},
        "questions": {"count": len(questions), "sha256": sha256(format_questions(questions))},
        "runs": [
            *(_describe(one.run, one.manifest, texts, foreign=False) for one in searched),
            *(_describe(run, {}, texts, foreign=True) for run in foreign),
        ],
        "sha256": sha256("".join(texts.values())),
        **arguments,
    }
    plain: dict[str, Any] = json.loads(json.dumps(manifest))
    return plain


def check_folder(folder: Path, runs: Iterable[str], *, overwrite: bool) -> None:
    """Check that an evaluation with these runs can be written to a folder without harm to other files.

    Args:
        folder: The folder, which may be missing.
        runs: Names of the runs.
        overwrite: Accept a folder with files. Each file that the evaluation would replace must be one that the manifest
            of an earlier evaluation in the folder accounts for: named by it and, if it has the hash, unchanged.

    Raises:
        InvalidInput: the path is a file, or the folder has files that must not be replaced.
        StoreError: the system refused to read the folder.
    """
    with report_refusals(folder, PLACE):
        if not folder.is_dir():
            if folder.exists():
                raise InvalidInput(f"{PLACE} must be a folder, got the file {str(folder)!r}: name another")
            return
        there = {file.name for file in folder.iterdir()}
        if there and not overwrite:
            raise InvalidInput(
                f"an evaluation replaces nothing unless it is told to, got {str(folder)!r}, which has files: "
                f"overwrite=True (--force) replaces those of an earlier evaluation, {PLACE} names another folder"
            )
        foreign = sorted(there.intersection(_file_names(runs)) - set(_earlier_files(folder)))
    if foreign:
        raise InvalidInput(
            f"an evaluation replaces only files of an earlier one, as they were written; the {MANIFEST} in "
            f"{str(folder)!r}, if there is one, does not account for {first_of(foreign, _LISTED)}: move or "
            f"delete these files, or name another folder by {PLACE}"
        )


def write_record(report: EvaluationReport, folder: Path, *, overwrite: bool = False) -> list[Path]:
    """Write the manifest and the files that it names to a folder, which is created if necessary.

    All files of the earlier evaluation in the folder are removed, its manifest first, and the new manifest is written
    last, so that a manifest never stands beside files of another evaluation.

    Raises:
        InvalidInput: the folder has files that must not be replaced; see :func:`check_folder`.
        StoreError: the system refused a file, as on a full disk; nothing of the evaluation is left in the folder then.
    """
    check_folder(folder, (run.name for run in report.runs), overwrite=overwrite)
    with report_refusals(folder, PLACE):
        return _write_all(_record(report), folder)


def _record(report: EvaluationReport) -> dict[str, str]:
    """Texts of the files by name, the manifest last."""
    texts = {QUESTIONS: format_questions(report.questions)}
    for run in report.runs:
        rankings, qrels, answers, steps = (f"{run.name}{ending}" for ending in _ENDINGS)
        texts[rankings] = format_run(run)
        texts[qrels] = format_qrels(run, report.questions)
        if run.answers:
            texts[answers] = _format_answers(run)
        if run.trails:
            texts[steps] = format_trails(run)
    texts[MANIFEST] = json.dumps(report.manifest, ensure_ascii=False, indent=1, sort_keys=True) + "\n"
    return texts


def _write_all(texts: Mapping[str, str], folder: Path) -> list[Path]:
    folder.mkdir(parents=True, exist_ok=True)
    _remove(folder, (MANIFEST, *_earlier_files(folder)))
    with ExitStack() as undoing:
        undoing.callback(_remove, folder, texts)
        for name, text in texts.items():
            write_whole(folder / name, text)
        undoing.pop_all()
    return [folder / name for name in texts]


def _remove(folder: Path, names: Iterable[str]) -> None:
    for name in names:
        (folder / name).unlink(missing_ok=True)


def _file_names(runs: Iterable[str]) -> Iterator[str]:
    """Names of all files that an evaluation with these runs, and its report, may have."""
    yield from (MANIFEST, QUESTIONS, REPORT, TIMINGS, PAGE)
    yield from (f"{run}{ending}" for run in runs for ending in _ENDINGS)


def _earlier_files(folder: Path) -> list[str]:
    """Names of the files in a folder that its manifest accounts for; none if there is no manifest of an evaluation."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        hashes = {QUESTIONS: manifest["questions"]["sha256"]}
        runs = {run["name"]: run for run in manifest["runs"] if RUN_NAME.fullmatch(run["name"])}
        for name, run in runs.items():
            hashes |= {f"{name}{_ENDINGS[0]}": run["sha256"], f"{name}{_ENDINGS[-1]}": run.get("steps_sha256")}
    except (OSError, ValueError, LookupError, TypeError):
        return []
    return [name for name in _file_names(runs) if _is_as_written(folder / name, hashes.get(name))]


def _is_as_written(file: Path, expected: str | None) -> bool:
    """Whether a file is there and has the expected hash, if that is known."""
    return file.is_file() and expected in (None, hashlib.sha256(file.read_bytes()).hexdigest())


def format_questions(questions: Sequence[GoldQuestion]) -> str:
    """Questions as JSON lines in tetragraph's own format."""
    rows = (
        {
            "id": question.id,
            "question": question.text,
            "answers": question.answers,
            "supporting": [_gold(gold) for gold in question.gold],
            "hops": question.hops,
            "type": question.kind,
        }
        for question in questions
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def sha256(text: str) -> str:
    """SHA-256 of the text in UTF-8, in hexadecimal digits, as ``sha256sum`` prints it for the file."""
    return hashlib.sha256(text.encode()).hexdigest()


def _describe(run: Run, recorded: Mapping[str, Any], texts: Mapping[str, str], *, foreign: bool) -> dict[str, Any]:
    """Manifest entry of a run, with the models of its searches and answers."""
    return {
        "name": run.name,
        "method": run.method,
        "options": dict(run.options),
        "model_hash": recorded.get("model_hash"),
        **{key: recorded[key] for key in ("answer", "llm") if key in recorded},
        "foreign": foreign,
        "sha256": sha256(texts[run.name]),
        **({"steps_sha256": sha256(format_trails(run))} if run.trails else {}),
    }


def _gold(gold: Gold) -> str | dict[str, Any]:
    if gold.start is None:
        return gold.document
    return {"document": gold.document, "start": gold.start, "end": gold.end}


def _format_answers(run: Run) -> str:
    rows = (
        {"id": question, "answer": answer.text, "citations": answer.citations}
        for question, answer in sorted(run.answers.items())
    )
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
