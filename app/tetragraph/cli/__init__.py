"""The command line: parse arguments, call the client, print the result.

Exit codes: 0 success; 1 failure, with the reason on standard error, or a difference found by ``eval --check``; 2
invalid command line, a value on it that breaks its rule, or a file named on it whose contents do; 3 sources were
skipped: all of them, or some and ``--strict`` was given; or ``sync`` held removals back, or ``reembed`` kept the model;
4 faults found by ``doctor``, or steps left by ``upgrade``; 130 interrupted by SIGINT (Ctrl-C), 143 by SIGTERM or
SIGHUP: what was written stays, temporary files are removed, and the same command continues from there, or begins again
if it only reads.
"""

from __future__ import annotations

import errno
import os
import sys
from typing import Annotated

import typer
from typer.exceptions import Abort, TyperException

from tetragraph.cli import (
    anchor,
    ask,
    backups,
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
    logs,
    mcp,
    policy,
    reembed,
    rl,
    search,
    serve,
    sessions,
    show,
    sync,
    tree,
    tuning,
    upgrade,
    vectors,
)
from tetragraph.cli.combinations import OneCorpusCommand
from tetragraph.cli.output import err, out
from tetragraph.cli.streams import prepare_streams
from tetragraph.cli.termination import Termination, termination_raised
from tetragraph.errors import InvalidInput, TetragraphError

FAILED, WRONG, INTERRUPTED, TERMINATED = 1, 2, 130, 143
READING = frozenset(
    {
        *("corpora", "entity", "explain", "export", "facts", "search", "show", "status", "tree", "verify"),
        *("cypher list", "cypher show", "cypher run", "cypher query", "keys list", "llm status", "llm export"),
        *("policy list", "schema validate", "sessions list", "sessions show", "sessions export"),
    }
)
"""Commands that change no store, so that an interruption leaves nothing to go on from."""

app = typer.Typer(
    name="tetragraph",
    help="Multi-hop retrieval over a property graph in Neo4j and Qdrant.",
    epilog="Begin with: tetragraph demo. Exit codes: 0 done, 1 failed, 2 wrong command line or value, "
    "3 sources skipped, removals held back or the model kept, 4 doctor or upgrade found something, "
    "130 interrupted, 143 terminated (run it again, it goes on).",
    no_args_is_help=True,
    rich_markup_mode="rich",
    pretty_exceptions_enable=False,
)
for group in (
    local,
    corpora,
    reembed,
    sync,
    search,
    show,
    explain,
    ask,
    anchor,
    facts,
    tree,
    evaluation,
    tuning,
    export,
    backups,
    demo,
    doctor,
    upgrade,
    serve,
):
    app.registered_commands += group.commands.registered_commands
app.add_typer(corpora.schema)
app.add_typer(sessions.commands)
app.add_typer(cypher.commands)
app.add_typer(llm.commands)
app.add_typer(serve.keys)
app.add_typer(mcp.commands)
app.add_typer(policy.commands)
app.add_typer(rl.commands)
app.add_typer(vectors.commands)
for one in (app, *(group.typer_instance for group in app.registered_groups if group.typer_instance)):
    for registered in one.registered_commands:
        registered.cls = OneCorpusCommand


def _version(wanted: bool) -> None:
    if wanted:
        from tetragraph.version import __version__

        out.print(f"tetragraph {__version__}")
        raise typer.Exit


@app.callback()
def _main(
    version: Annotated[  # noqa: ARG001  # its callback prints it
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
    verbose: Annotated[
        int,
        typer.Option(
            "--verbose", "-v", count=True, help="Print steps and their times on standard error; -vv: statements, too."
        ),
    ] = 0,
) -> None:
    """Options of the program itself."""
    logs.lower(logs.level_of(verbose))


def main() -> None:
    """Run the command line; the only place where errors become exit codes."""
    prepare_streams()
    logs.start()
    with termination_raised() as termination:
        code = _run(termination)
    sys.exit(code)


def _run(termination: Termination) -> int:
    try:
        code = app(standalone_mode=False, prog_name="tetragraph")
        sys.stdout.flush()
    except TetragraphError as error:
        if not _was_interrupted(error):
            message = "\n".join([str(error), *getattr(error, "__notes__", [])])
            return _fail(message, WRONG if isinstance(error, InvalidInput) else FAILED)
        code = INTERRUPTED
    except TyperException as error:
        if message := error.format_message():  # without one, the help was printed
            _fail(f"{message} {_help_for(error)}", error.exit_code)
        return error.exit_code
    except Abort:
        return _fail("nothing was done", TERMINATED if termination.is_requested else FAILED)
    except (OSError, MemoryError) as error:
        return _fail_by_the_system(error)
    except KeyboardInterrupt:
        code = INTERRUPTED
    if code == INTERRUPTED:
        if termination.is_requested:
            code = TERMINATED
        what = "terminated" if code == TERMINATED else "interrupted"
        rest = "" if _only_reads() else ": what was written stays; the same command goes on from there"
        err.print(f"{what}{rest}", soft_wrap=True)
    return code if isinstance(code, int) else 0


def _only_reads() -> bool:
    """Whether the command of this process is one of :data:`READING`."""
    words = [word for word in sys.argv[1:] if not word.startswith("-")]
    return not READING.isdisjoint({" ".join(words[:1]), " ".join(words[:2])})


def _help_for(error: TyperException) -> str:
    """Where to read on after a wrong command line: in the help of its command or group, where it got that far."""
    context = getattr(error, "ctx", None)
    if context is None:
        return "`tetragraph --help` lists the commands."
    what = "commands" if hasattr(context.command, "commands") else "arguments and options"
    return f"`{context.command_path} --help` lists the {what}."


def _was_interrupted(error: BaseException) -> bool:
    """Whether an error was raised while an interruption was handled: a request to a store was aborted."""
    cause = error.__context__
    return cause is not None and (isinstance(cause, KeyboardInterrupt) or _was_interrupted(cause))


def _fail_by_the_system(error: OSError | MemoryError) -> int:
    """Report that the operating system refused a file, a place to write or memory."""
    if isinstance(error, BrokenPipeError):
        return _close_output()
    if isinstance(error, MemoryError):
        return _fail("there is not enough memory: raise the limit of this process, or take fewer documents", FAILED)
    reason = error.strerror or str(error) or type(error).__name__
    place = f": {error.filename}" if error.filename else ""
    if error.filename is None and error.errno in {errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO}:
        _close_output()
    return _fail(
        f"the operating system refused to read or write a file: {reason}{place}. Free space, raise the limit or choose "
        f"another place; TETRAGRAPH_HOME and TETRAGRAPH_CACHE are the folders of tetragraph",
        FAILED,
    )


def _close_output() -> int:
    """Send what is still to be printed nowhere: the interpreter would report at its end that it cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return FAILED


def _fail(message: str, code: int) -> int:
    err.print(f"[bold red]error:[/] {_escape(message)}", soft_wrap=True)
    return code


def _escape(text: str) -> str:
    return text.replace("[", r"\[")
