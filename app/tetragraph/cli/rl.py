"""``rl rollouts``: episodes of a language model, with their rewards; ``rl train``: a model that learns from them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import typer
from rich.text import Text

from tetragraph.cli.arguments import (
    BudgetMoney,
    BudgetTokens,
    Conditions,
    CorpusName,
    Deadline,
    FactOptions,
    Json,
    Limit,
    LlmName,
    QuestionFormat,
)
from tetragraph.cli.llm_options import connect, read_budget
from tetragraph.cli.output import TerminalProgress, out, print_json
from tetragraph.cli.search import print_usage, read_filters, read_options
from tetragraph.validation import merge_options

commands = typer.Typer(
    name="rl", help="RL mode: a model queries the facts turn by turn, and is rewarded.", no_args_is_help=True
)


@commands.command(
    epilog="Example: tetragraph rl rollouts -c demo -q train.jsonl --out rollouts.jsonl --llm my-policy --group 8"
)
def rollouts(
    corpus: CorpusName,
    questions: Annotated[Path, typer.Option("--questions", "-q", help="File of questions with accepted answers.")],
    to: Annotated[Path, typer.Option("--out", help="File to write: .jsonl or .parquet.")],
    form: Annotated[
        Literal["episodes", "trl", "verl"],
        typer.Option("--form", help="Form of a row: as TRL or verl reads it, or all of the episode."),
    ] = "trl",
    group: Annotated[int, typer.Option("--group", min=1, help="Episodes for each question.")] = 8,
    keep: Annotated[bool, typer.Option("--keep", help="Store each episode as a session.")] = False,
    question_format: QuestionFormat = None,
    limit: Limit = None,
    option: FactOptions = None,
    where: Conditions = None,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Let a model answer questions several times each, and write its episodes with their rewards."""
    from tetragraph.evaluate.questions import read_questions
    from tetragraph.rl.rollout_files import check_file

    check_file(to)
    gold = read_questions(questions, format_name=question_format)[:limit]
    with TerminalProgress(quiet=json) as progress, connect(llm, progress) as client:
        arguments = merge_options(
            read_options(option or []),
            questions=gold,
            group=group,
            keep=keep,
            filters=read_filters(where or []),
            budget=read_budget(budget_tokens, budget_money, deadline),
            progress=progress,
        )
        found = client.corpus(corpus).rollouts(**arguments)
    found.write(to, form)
    if json:
        print_json({"written": to, "episodes": len(found), "means": found.means, "usage": found.usage})
        return
    for name, value in found.means.items():
        out.print(Text(f"{name:>9} {value:6.3f}"), soft_wrap=True)
    out.print(f"{len(found):,} episodes written to {to}", markup=False, soft_wrap=True)
    print_usage(found.usage)


@commands.command(epilog="Example: tetragraph rl train -c demo -q train.jsonl --policy ./qwen --out trained --batch 16")
def train(
    corpus: CorpusName,
    questions: Annotated[Path, typer.Option("--questions", "-q", help="File of questions with accepted answers.")],
    policy: Annotated[str, typer.Option("--policy", help="Folder of the model to train, or its name on the hub.")],
    to: Annotated[Path, typer.Option("--out", help="Folder for checkpoints, the trained policy and the report.")],
    training: Annotated[
        list[str] | None,
        typer.Option("--training", "-t", help="A training setting, NAME=VALUE; may be repeated."),
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Continue after the last checkpoint.")] = False,
    question_format: QuestionFormat = None,
    limit: Limit = None,
    option: FactOptions = None,
    where: Conditions = None,
    json: Json = False,
) -> None:
    """Train a model as a policy by GRPO, on this machine; needs the extra `rl`."""
    from tetragraph.evaluate.questions import read_questions
    from tetragraph.rl.train_options import TrainOptions, read_train_options

    gold = read_questions(questions, format_name=question_format)[:limit]
    chosen: TrainOptions = read_train_options(read_options(training or []))
    with TerminalProgress(quiet=json) as progress, connect(progress=progress) as client:
        arguments = merge_options(
            read_options(option or []),
            questions=gold,
            model=policy,
            out=to,
            training=chosen,
            resume=resume,
            filters=read_filters(where or []),
            progress=progress,
        )
        report = client.corpus(corpus).train_policy(**arguments)
    if json:
        print_json(report)
        return
    last = report.steps[-10:]
    mean = sum(step["reward"] for step in last) / len(last)
    out.print(f"{report.stopped} after {len(report.steps):,} steps; mean reward of the last {len(last)}: {mean:.3f}")
    out.print(f"written to {report.policy}", markup=False, soft_wrap=True)
