"""``policy``: train, compare, promote and roll back policies that choose the steps of a search."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tetragraph.cli.arguments import CorpusName, Json, Limit, QuestionFormat
from tetragraph.cli.llm_options import connect
from tetragraph.cli.output import TerminalProgress, out, print_json
from tetragraph.cli.search import read_options
from tetragraph.errors import InvalidInput

if TYPE_CHECKING:
    from tetragraph.stores.policies import PolicyVersion

commands = typer.Typer(
    name="policy", help="Policies that choose the steps of a search in several steps.", no_args_is_help=True
)
PolicyName = Annotated[str, typer.Argument(help="The policy: NAME for its promoted version, or NAME@VERSION.")]


@commands.command("list", epilog="Example: tetragraph policy list")
def list_policies(
    name: Annotated[str, typer.Argument(help="Name of the only policy to list.")] = "", json: Json = False
) -> None:
    """List the versions of the policies, with their figures."""
    with connect() as client:
        versions = client.policies.versions(name)
    if json:
        print_json([_row(one) for one in versions])
    elif not versions:
        out.print("no policies yet; `tetragraph policy train` makes one", markup=False)
    else:
        for one in versions:
            _print(one)


@commands.command(
    epilog="Example: tetragraph policy train mine --on handbook=train.jsonl --on manuals=more.jsonl -t cost=0.005"
)
def train(
    name: Annotated[str, typer.Argument(help="Name of the policy.")],
    on: Annotated[
        list[str], typer.Option("--on", help="CORPUS=FILE: a corpus and questions with gold; may be repeated.")
    ],
    training: Annotated[
        list[str] | None, typer.Option("--training", "-t", help="A training setting, NAME=VALUE; may be repeated.")
    ] = None,
    question_format: QuestionFormat = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Search all ways for some questions, and train a policy that chooses between them, without a language model."""
    from tetragraph.evaluate.questions import read_questions
    from tetragraph.rl.search_policy.train import read_policy_training

    chosen = read_policy_training(read_options(training or []))
    questions = {corpus: read_questions(file, format_name=question_format)[:limit] for corpus, file in map(_pair, on)}
    with TerminalProgress(quiet=json) as progress, connect(progress=progress) as client:
        _show(client.policies.train(name, questions, training=chosen, progress=progress), json=json)


@commands.command("eval", epilog="Example: tetragraph policy eval mine@1 -c handbook -q dev.jsonl")
def evaluate(
    policy: PolicyName,
    corpus: CorpusName,
    questions: Annotated[Path, typer.Option("--questions", "-q", help="File of questions with gold.")],
    question_format: QuestionFormat = None,
    limit: Limit = None,
    json: Json = False,
) -> None:
    """Compare a policy with the fixed loop on questions that it was not trained on."""
    from tetragraph.evaluate.questions import read_questions

    gold = read_questions(questions, format_name=question_format)[:limit]
    with TerminalProgress(quiet=json) as progress, connect(progress=progress) as client:
        _show(client.policies.evaluate(policy, corpus, gold, progress=progress), json=json)


@commands.command(epilog="Example: tetragraph policy promote mine@1")
def promote(policy: PolicyName, json: Json = False) -> None:
    """Make a version the one that its name means; refused unless its evaluations show that it is better."""
    with connect() as client:
        _show(client.policies.promote(policy), json=json)


@commands.command(epilog="Example: tetragraph policy rollback mine")
def rollback(name: Annotated[str, typer.Argument(help="Name of the policy.")], json: Json = False) -> None:
    """Return to the version that was promoted before."""
    with connect() as client:
        version = client.policies.roll_back(name)
    if json:
        print_json({"promoted": version.identity if version else None})
    else:
        out.print(f"promoted: {version.identity if version else 'none'}", markup=False)


def _pair(text: str) -> tuple[str, Path]:
    corpus, equals, file = text.partition("=")
    if not (corpus and equals and file):
        raise InvalidInput(f"questions must be given as CORPUS=FILE, got {text!r}")
    return corpus, Path(file)


def _show(version: PolicyVersion, *, json: bool) -> None:
    if json:
        print_json(_row(version))
    else:
        _print(version)


def _row(version: PolicyVersion) -> dict[str, object]:
    manifest = {name: value for name, value in version.manifest.items() if name != "asked"}
    return {
        "policy": version.identity,
        "promoted": version.is_promoted,
        "manifest": manifest,
        "evaluations": list(version.evaluations),
    }


def _print(version: PolicyVersion) -> None:
    from tetragraph.rl.search_policy.registry import describe

    out.print(f"{version.identity}{'  promoted' if version.is_promoted else ''}", markup=False)
    for corpus, figures in version.manifest["cross_validated"].items():
        out.print(f"  cross-validated on {corpus}: {describe(figures)}", markup=False, soft_wrap=True)
    for one in version.evaluations:
        out.print(f"  evaluated on {one['corpus']}: {describe(one)}", markup=False, soft_wrap=True)
