"""``reembed``: another embedding model for a corpus, compared with the present one on questions before the switch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tetragraph.cli.arguments import Json, LlmName, QuestionFile
from tetragraph.cli.corpora import SKIPPED
from tetragraph.cli.llm_options import connect
from tetragraph.cli.output import TerminalProgress, err, out, print_json, table
from tetragraph.errors import InvalidInput

if TYPE_CHECKING:
    from tetragraph.evaluate.embedder_comparison import OnlyIf
    from tetragraph.indexing.reembed import ReembedReport

METHODS = "dense,evidence"
commands = typer.Typer()


@commands.command(
    epilog="Examples: tetragraph reembed handbook --embedder minilm | tetragraph reembed handbook --embedder minilm "
    "-q questions.jsonl --if not-worse | tetragraph reembed handbook --cancel"
)
def reembed(
    corpus: Annotated[str, typer.Argument(help="Name of the corpus.")],
    embedder: Annotated[
        str | None, typer.Option("--embedder", help="The model: bge-small, minilm, openai:MODEL …")
    ] = None,
    questions: QuestionFile = None,
    method: Annotated[
        str, typer.Option("--method", "-m", help="Methods without a graph that the models are compared with.")
    ] = METHODS,
    only_if: Annotated[
        str | None,
        typer.Option("--if", help="Switch only if the questions are answered not-worse, or better; needs --questions."),
    ] = None,
    cancel: Annotated[bool, typer.Option("--cancel", help="Give up an interrupted change of the model.")] = False,
    keep: Annotated[
        float, typer.Option("--keep", min=0.0, help="Seconds for which the old vectors stay after the switch.")
    ] = 60.0,
    llm: LlmName = None,
    json: Json = False,
) -> None:
    """Change the embedding model of a corpus while it is searched. An interrupted change is continued."""
    if (embedder is None) is not cancel:
        raise InvalidInput("reembed needs the name of a model (--embedder) or --cancel, and not both")
    with TerminalProgress(quiet=json) as progress, connect(llm, progress) as client:
        if embedder is None:
            _print_cancelled(client.corpus(corpus).cancel_reembed(), json)
            return
        report = client.corpus(corpus).reembed(
            embedder,
            questions=questions,
            methods=[one.strip() for one in method.split(",")],
            only_if=_read_condition(only_if),
            keep_s=keep,
            progress=progress,
        )
    if json:
        print_json(report)
    else:
        _print(report)
    if not report.is_switched:
        raise typer.Exit(SKIPPED)


def _read_condition(given: str | None) -> OnlyIf | None:
    match given:
        case None | "not-worse" | "better":
            return given
        case _:
            raise InvalidInput(f"--if must be not-worse or better, got {given!r}")


def _print(report: ReembedReport) -> None:
    if report.scores:
        table(
            ("method", "metric", report.before, report.embedder, "difference", "95 % interval", "p", ""),
            [
                [
                    one.method,
                    one.metric,
                    Text(f"{100 * one.before:.1f}", justify="right"),
                    Text(f"{100 * one.after:.1f}", justify="right"),
                    Text(f"{100 * one.difference:+.1f}", justify="right"),
                    Text(f"{100 * one.low:+.1f} to {100 * one.high:+.1f}"),
                    Text(f"{one.p_value:.4f}"),
                    one.verdict,
                ]
                for one in report.scores
            ],
            "per cent; differences in percentage points",
        )
    if report.is_switched:
        out.print(
            f"corpus {report.corpus} is searched with {report.embedder} in place of {report.before}: "
            f"{report.embedded:,} chunks embedded (generation {report.generation}, "
            f"{sum(report.seconds.values()):.1f} s)",
            soft_wrap=True,
        )
    else:
        err.print(
            f"corpus {report.corpus} keeps {report.before}, as the questions do not allow the switch; the vectors of "
            f"{report.embedder} stay for another call, `tetragraph reembed {report.corpus} --cancel` drops them",
            soft_wrap=True,
        )


def _print_cancelled(was_there: bool, json: bool) -> None:
    if json:
        print_json({"cancelled": was_there})
    else:
        out.print("dropped what was embedded" if was_there else "no change of the model was begun")
