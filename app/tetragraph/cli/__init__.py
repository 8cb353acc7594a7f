"""The command line: parse arguments, call the client, print the result.

Exit codes: 0 success; 1 failure, with the reason on standard error, or a difference found by ``eval --check``; 2
invalid command line; 3 success, but sources were skipped and ``--strict`` was given; 4 faults found by ``doctor``; 130
interrupted: what was written stays, and the same command continues from there.
"""

from __future__ import annotations

import logging
import sys
from typing import Annotated

import typer
from typer.exceptions import Abort, TyperException

from tetragraph.cli import (
    anchor,
    ask,
    corpora,
    cypher,
    demo,
    doctor,
    evaluation,
    explain,
    export,
    facts,
    llm,
    local,
    search,
    sessions,
    tree,
    tuning,
    vectors,
)
from tetragraph.cli.output import err, out
from tetragraph.errors import TetragraphError

INTERRUPTED = 130

app = typer.Typer(
    name="tetragraph",
    help="Multi-hop retrieval over a property graph in Neo4j and Qdrant.",
    epilog="Begin with: tetragraph demo. Exit codes: 0 done, 1 failed, 2 wrong command line, 3 sources skipped "
    "under --strict, 4 doctor found faults, 130 interrupted (run it again, it goes on).",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
    add_completion=False,
)
for group in (local, corpora, search, explain, ask, anchor, facts, tree, evaluation, tuning, export, demo, doctor):
    app.registered_commands += group.commands.registered_commands
app.add_typer(corpora.schema)
app.add_typer(sessions.commands)
app.add_typer(cypher.commands)
app.add_typer(llm.commands)
app.add_typer(vectors.commands)


def _version(wanted: bool) -> None:
    if wanted:
        from tetragraph.version import __version__

        out.print(f"tetragraph {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Options of the program itself."""


def main() -> None:
    """Run the command line; the only place where errors become exit codes."""
    logging.basicConfig(format="%(message)s", level=logging.WARNING)
    logging.getLogger("neo4j").setLevel(logging.ERROR)
    sys.exit(_run())


def _run() -> int:
    try:
        code = app(standalone_mode=False)
    except TetragraphError as error:
        if not _was_interrupted(error):
            return _fail("\n".join([str(error), *getattr(error, "__notes__", [])]), 1)
        code = INTERRUPTED
    except TyperException as error:
        return _fail(f"{error.format_message()} `tetragraph --help` lists the commands.", error.exit_code)
    except Abort:
        return _fail("nothing was done", 1)
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        err.print("interrupted: what was written stays; the same command goes on from there", soft_wrap=True)
    return code if isinstance(code, int) else 0


def _was_interrupted(error: BaseException) -> bool:
    """Whether an error was raised while an interruption was handled: a request to a store was aborted."""
    cause = error.__context__
    return cause is not None and (isinstance(cause, KeyboardInterrupt) or _was_interrupted(cause))


def _fail(message: str, code: int) -> int:
    err.print(f"[bold red]error:[/] {_escape(message)}", soft_wrap=True)
    return code


def _escape(text: str) -> str:
    return text.replace("[", r"\[")
