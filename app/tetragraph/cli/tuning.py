"""``tune``: chooses settings of a method on some questions, and measures their gain on others."""

from __future__ import annotations

import json as json_format
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.text import Text

from tetragraph.cli.arguments import (
    Budget,
    CorpusName,
    Grids,
    Json,
    Objective,
    OutFile,
    QuestionFormat,
    ReportCorpus,
    ReportQuestions,
    TrainQuestions,
    TunedMethod,
)
from tetragraph.cli.llm_options import connect
from tetragraph.cli.method_arguments import read_grids
from tetragraph.cli.output import TerminalProgress, check_place, out, print_json, table, write_text
from tetragraph.evaluate.model import BUDGET, OBJECTIVE, Comparison

if TYPE_CHECKING:
    from tetragraph.evaluate.tune import Trial, Tuning

USUAL = ",".join(OBJECTIVE)

commands = typer.Typer()


@commands.command(
    epilog="Examples: tetragraph tune -c train -q train.jsonl --report-corpus dev --report-questions dev.jsonl | "
    "tetragraph tune -c train -q train.jsonl --report-questions other.jsonl -m gain --setting seeds=3,5,8"
)
def tune(
    corpus: CorpusName,
    questions: TrainQuestions,
    report_questions: ReportQuestions,
    report_corpus: ReportCorpus = None,
    method: TunedMethod = "evidence",
    setting: Grids = None,
    objective: Objective = USUAL,
    budget: Budget = BUDGET,
    question_format: QuestionFormat = None,
    to: OutFile = Path("tune.json"),
    json: Json = False,
) -> None:
    """Choose settings of a method on some questions, and measure their gain on others."""
    from tetragraph.evaluate.questions import read_questions
    from tetragraph.evaluate.tune import summary

    check_place(to)
    train, report = (read_questions(file, format_name=question_format) for file in (questions, report_questions))
    with TerminalProgress(quiet=json) as progress, connect(progress=progress) as client:
        tuning = client.corpus(corpus).tune(
            train,
            client.corpus(report_corpus or corpus),
            report,
            method=method,
            settings=read_grids(setting or []),
            objective=objective.split(","),
            budget=budget,
            progress=progress,
        )
    result = {"corpus": corpus, "report_corpus": report_corpus or corpus, **summary(tuning)}
    if json:
        print_json(result)
    else:
        show(tuning, f"{len(train):,} questions of {corpus}", f"{len(report):,} questions of {report_corpus or corpus}")
    write_text(to, json_format.dumps(result, ensure_ascii=False, indent=1, sort_keys=True) + "\n")
    if not json:
        out.print(f"\nall that was tried: {to}", markup=False)


def show(tuning: Tuning, train: str, report: str) -> None:
    """Print the settings tried in order, then the gain of the best on questions on which it was not chosen."""
    ended = "no further setting helps" if tuning.complete else "the budget is spent"
    rows = [_row(f"{place}{' ★' * (one is tuning.best)}", one, tuning) for place, one in enumerate(tuning.trials)]
    columns = (*tuning.objective, *(("mean",) if len(tuning.objective) > 1 else ()))
    table(("", "settings", *columns), rows, f"tried on {train}, per cent; {ended}")
    out.print(
        f"{_comparison_line(tuning.train)}\n(it was chosen on these questions, which flatters it)\n", markup=False
    )
    reported = [("defaults", tuning.reported_default), ("best", tuning.reported_best)]
    table(("", "settings", *columns), [_row(name, one, tuning) for name, one in reported], f"reported on {report}")
    out.print(_comparison_line(tuning.reported), markup=False, soft_wrap=True)


def _row(name: str, trial: Trial, tuning: Tuning) -> list[Text]:
    figures = [trial.metrics[metric] for metric in tuning.objective]
    if len(figures) > 1:
        figures.append(trial.objective)
    settings = " ".join(f"{key}={value}" for key, value in trial.options.items()) or "defaults"
    return [
        Text(name),
        Text(settings),
        *(Text(f"{100 * figure:.2f}", justify="right") for figure in figures),
    ]


def _comparison_line(one: Comparison) -> str:
    interval = f"95 % interval {100 * one.low:+.2f} to {100 * one.high:+.2f}"
    return f"best − defaults: {100 * one.difference:+.2f} points ({interval}), p {one.p_value:.4f}: {one.verdict}"
