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
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from tetragraph.evaluate.model import EvaluationReport, Gold, GoldQuestion, Run
from tetragraph.evaluate.multi_step import format_trails
from tetragraph.evaluate.run_methods import RUN_NAME, EvaluatedCorpus, Searched
from tetragraph.evaluate.trec import format_qrels, format_run
from tetragraph.host.numerics import describe_numerics
from tetragraph.host.system_errors import report_refusals
from tetragraph.host.whole_files import write_whole
from tetragraph.version import __version__

SCHEMA = 1
"""Version of the format: increased when a key changes its meaning or is removed, not for new keys."""
MANIFEST = "manifest.json"
QUESTIONS = "questions.jsonl"
PLACE = "out (--out)"
"""Name of the argument that chooses the folder, for messages."""
_ENDINGS = (".run.trec", ".qrels.trec", ".answers.jsonl", ".steps.jsonl")
"""Endings of the files of a run: rankings, gold, answers and steps."""


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


def write_record(report: EvaluationReport, folder: Path) -> list[Path]:
    """Write the manifest and the files that it names to a folder, which is created if necessary.

    Files of the runs that an earlier manifest in the folder names are removed. The earlier manifest is removed first,
    and the new one written last, so that a manifest never stands beside files of another evaluation.

    Raises:
        StoreError: the system refused a file, as on a full disk; the folder has no manifest then.
    """
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
    earlier = _earlier_runs(folder / MANIFEST)
    (folder / MANIFEST).unlink(missing_ok=True)
    for run_name in earlier:
        for ending in _ENDINGS:
            (folder / f"{run_name}{ending}").unlink(missing_ok=True)
    for name, text in texts.items():
        write_whole(folder / name, text)
    return [folder / name for name in texts]


def _earlier_runs(manifest: Path) -> list[str]:
    """Names of the runs in a manifest; none if the file is missing or something else."""
    try:
        runs = json.loads(manifest.read_text(encoding="utf-8"))["runs"]
        return [run["name"] for run in runs if RUN_NAME.fullmatch(run["name"])]
    except (OSError, ValueError, LookupError, TypeError):
        return []


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
