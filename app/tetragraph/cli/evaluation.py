"""``eval``: compares methods on questions with gold evidence, as a table, files and a page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import typer
from rich.text import Text

from tetragraph.cli.arguments import (
    AllowMissing,
    AnswerKinds,
    Baseline,
    ComparedMethods,
    Cuts,
    EvaluatedCorpus,
    Force,
    ForeignRuns,
    Json,
    JudgeAnswers,
    Limit,
    LlmName,
    Manifest,
    OutFolder,
    Qrels,
    QuestionFile,
    QuestionFormat,
)
from tetragraph.cli.combinations import refuse_ignored
from tetragraph.cli.llm_options import connect, usage_line
from tetragraph.cli.method_arguments import read_ks, read_methods
from tetragraph.cli.output import TerminalProgress, err, out, print_json, table
from tetragraph.evaluate.model import EvaluationReport
from tetragraph.model.usage import NOTHING

METHODS = "dense,keyword,fused,evidence"
CUTS = "2,5,10"
ANSWERS = ("em", "f1", "str_acc", "char_f1", "citations")
JUDGED = ("llm_acc", "g_e")
"""Columns of judged answers."""
TINTS = {"better": "green", "worse": "red"}
NO_CORPUS = "give --corpus and --questions, or --check with the manifest of an evaluation"

commands = typer.Typer()


@commands.command(
    "eval",
    epilog="Examples: tetragraph eval -c handbook -q questions.jsonl | "
    "tetragraph eval -c handbook -q questions.jsonl -m dense,evidence,evidence:restart=0.3 -k 5,10 --out restart | "
    "tetragraph eval --check evaluation/manifest.json",
)
def evaluate(
    context: typer.Context,
    corpus: EvaluatedCorpus = None,
    questions: QuestionFile = None,
    qrels: Qrels = None,
    method: ComparedMethods = None,
    k: Cuts = None,
    run: ForeignRuns = None,
    baseline: Baseline = None,
    to: OutFolder = Path("evaluation"),
    force: Force = False,
    allow_missing: AllowMissing = False,
    question_format: QuestionFormat = None,
    limit: Limit = None,
    answer: AnswerKinds = None,
    judge_answers: JudgeAnswers = False,
    llm: LlmName = None,
    manifest: Manifest = None,
    json: Json = False,
) -> None:
    """Compare search methods, and the answers from their hits, on questions with gold evidence."""
    if manifest is not None:
        others = {one.name for one in context.command.params if one.name} - {"manifest", "llm", "json"}
        refuse_ignored(context, others, "--check repeats an evaluation as its manifest states it")
        _check(manifest, llm, json)
        return
    if corpus is None or questions is None:
        raise typer.BadParameter(NO_CORPUS)
    from tetragraph.evaluate.answer_runs import answering_runs
    from tetragraph.evaluate.questions import read_questions
    from tetragraph.evaluate.trec import read_run
    from tetragraph.evaluate.written_methods import run_name, run_names

    methods = answering_runs(read_methods(method or [METHODS]), tuple(answer or ()))
    names = run_names(methods)
    arguments: dict[str, Any] = {
        "methods": {names[written]: chosen for written, chosen in methods.items()},
        "ks": read_ks(k or [CUTS]),
        "runs": [read_run(file) for file in run or []],
        "baseline": baseline and names.get(baseline, run_name(baseline)),
        "allow_missing": allow_missing,
        "judge_answers": judge_answers,
    }
    gold = read_questions(questions, format_name=question_format, qrels=qrels)[:limit]
    with TerminalProgress(quiet=json) as progress, connect(llm, progress) as client:
        report = client.corpus(corpus).evaluate(gold, **arguments, out=to, overwrite=force, progress=progress)
    _write_report(report, to, json)


def _write_report(report: EvaluationReport, folder: Path, json: bool) -> None:
    """Write the report to files, and print it."""
    from tetragraph.evaluate import report as reports

    written, notes = reports.write(report, folder)
    if json:
        print_json(reports.content(report))
    else:
        show(report)
        names = ", ".join(file.name for file in written)
        out.print(f"\nwritten to {folder}: {names}, manifest and rankings", markup=False, soft_wrap=True)
    judging = usage_line(report.judging)
    for note in (*report.notes, *notes, *([f"judging: {judging}"] if judging else ())):
        err.print(f"note: {note}", markup=False, soft_wrap=True)


def show(report: EvaluationReport) -> None:
    """Print the mean metrics of every run, and the comparison with the baseline."""
    from tetragraph.evaluate.report import headline_k

    k = headline_k(report.ks)
    metrics = [*(f"recall@{cut}" for cut in report.ks), f"all@{k}", f"ndcg@{k}", "mrr"]
    if any(f"r_s@{k}" in scores.metrics for scores in report.scores.values()):
        metrics.append(f"r_s@{k}")
    rows = []
    for run in report.runs:
        latency = report.latency.get(run.name)
        means = report.scores[run.name].metrics
        figures = [*(_percent(means.get(name)) for name in metrics), _figure(1000 * latency.p50 if latency else None)]
        rows.append([run.name, *figures])
    table(("method", *metrics, "p50 ms"), rows, "per cent")
    _show_answers(report)
    _show_steps(report)
    compared = [one for one in report.comparisons if one.metric == f"recall@{k}"]
    if compared:
        out.print()
        table(
            (f"against {report.baseline}", f"recall@{k}", "95 % interval", "p", ""),
            [
                [
                    one.first,
                    _percent(one.difference, "+"),
                    Text(f"{100 * one.low:+.1f} to {100 * one.high:+.1f}"),
                    Text(f"{one.p_value:.4f}"),
                    Text(one.verdict, style=TINTS.get(one.verdict, "dim")),
                ]
                for one in compared
            ],
            "difference in percentage points",
        )


def _show_answers(report: EvaluationReport) -> None:
    """Print the mean metrics of the runs with answers, if any."""
    answering = [run.name for run in report.runs if run.answers]
    if answering:
        means = [report.scores[name].metrics for name in answering]
        metrics = (*ANSWERS, *(JUDGED if any(run.judgements for run in report.runs) else ()))
        rows = [
            [name, *(_percent(one.get(metric)) for metric in metrics)]
            for name, one in zip(answering, means, strict=True)
        ]
        out.print()
        table(("answers", *metrics), rows, "per cent")


def _show_steps(report: EvaluationReport) -> None:
    """Print the statistics of the searches in several steps, if any."""
    if not report.stepping:
        return
    numbers = sorted({number for one in report.stepping.values() for number in one.ended})
    rows = []
    for name, one in report.stepping.items():
        means = report.scores[name].metrics
        found = (_percent(means.get(f"found@{number}")) for number in numbers)
        overlap = _percent(one.overlap[max(one.overlap)])
        spent = report.usage.get(name, NOTHING)
        tokens = _figure(spent.tokens / len(report.questions))
        stopped = ", ".join(f"{reason} {count}" for reason, count in one.stopped.items())
        rows.append([name, _figure(one.steps), *found, overlap, tokens, Text(stopped)])
    out.print()
    columns = ("in several steps", "steps", *(f"found@{number}" for number in numbers), "read twice", "tokens")
    table((*columns, "ended because"), rows, "found and read twice: per cent; steps and tokens: a question")


def _percent(share: float | None, sign: str = "") -> Text:
    return _figure(None if share is None else 100 * share, sign)


def _figure(value: float | None, sign: str = "") -> Text:
    return Text("–" if value is None else f"{value:{sign}.1f}", justify="right")


def _check(manifest: Path, llm: str | None, json: bool) -> None:
    """Repeat the evaluation of a manifest; exit with 1 if a ranking or a score differs."""
    from tetragraph.evaluate.repeat import check, read_plan

    plan = read_plan(manifest)
    with TerminalProgress(quiet=json) as progress, connect(llm, progress) as client:
        again = client.corpus(plan.corpus).evaluate(
            plan.questions,
            plan.methods,
            ks=plan.ks,
            runs=plan.runs,
            baseline=plan.baseline,
            allow_missing=plan.allow_missing,
            progress=progress,
        )
    checked = check(manifest, again)
    if json:
        print_json({"same": checked.same, "runs": checked.runs, "changed": checked.changed})
    else:
        for one in checked.runs:
            out.print(f"{one.run}: {one.difference or 'the same'}", markup=False, soft_wrap=True)
        for change in checked.changed:
            err.print(f"changed: {change}", markup=False, soft_wrap=True)
    if not checked.same:
        raise typer.Exit(1)
