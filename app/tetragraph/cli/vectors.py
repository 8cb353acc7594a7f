"""``vectors copy`` and ``vectors claim``: collections on a Qdrant server."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from tetragraph.cli.arguments import Json
from tetragraph.cli.llm_options import connect
from tetragraph.cli.output import TerminalProgress, out, print_json

commands = typer.Typer(name="vectors", help="Vectors on a Qdrant server.", no_args_is_help=True)


@commands.command(epilog="Example: tetragraph vectors copy --to server")
def copy(
    to: Annotated[
        Literal["server", "local"],
        typer.Option("--to", help="server: from the engine in the process to QDRANT_URL; local: the way back."),
    ],
    corpus: Annotated[str | None, typer.Option("--corpus", "-c", help="Only this corpus; default: all.")] = None,
    json: Json = False,
) -> None:
    """Copy vectors between the engine in the process and the server of QDRANT_URL. Embeds and deletes nothing."""
    with TerminalProgress(quiet=json) as progress, connect(progress=progress) as client:
        found = client.copy_vectors(to, corpus=corpus, progress=progress)
    if json:
        print_json(found)
        return
    for one in found:
        out.print(f"{one.corpus}: {one.copied:,} vectors copied, {one.present:,} were there", soft_wrap=True)
    out.print("`tetragraph doctor` compares them with Neo4j" if found else "no corpus yet")


@commands.command(epilog="Example: tetragraph vectors claim handbook")
def claim(corpus: Annotated[str, typer.Argument(help="Name of the corpus.")], json: Json = False) -> None:
    """Mark a corpus' collections as those of this Neo4j, after it was moved or restored. Another one loses them."""
    with connect() as client:
        kinds = client.claim_vectors(corpus)
    if json:
        print_json({"corpus": corpus, "collections": kinds})
    else:
        listed = ", ".join(kinds) or "none is there"
        out.print(f"collections of {corpus} that are now of this Neo4j: {listed}", soft_wrap=True)
