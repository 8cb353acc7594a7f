"""Commands ``up``, ``down``, ``browser`` and ``status``: the stores of this machine."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tetragraph.cli.arguments import Json
from tetragraph.cli.llm_options import settings_for
from tetragraph.cli.output import TerminalProgress, out, print_json, table
from tetragraph.host.addresses import hide_credentials

if TYPE_CHECKING:
    from tetragraph.stores.local import LocalStatus

commands = typer.Typer()


@commands.command(epilog="Example: tetragraph up")
def up(
    check: Annotated[bool, typer.Option("--check", help="Verify the SHA-256 of every jar first.")] = False,
    json: Json = False,
) -> None:
    """Start the local Neo4j (with GDS and Browser); fetch its jars the first time."""
    from tetragraph.stores import local

    with TerminalProgress(quiet=json) as progress:
        server = local.start(settings_for(), progress, check=check)
    if json:
        print_json({"uri": server.uri, "browser_url": server.browser_url, "pid": server.pid, "new": server.new})
        return
    state = f"started in {server.started_in_s:.1f} s" if server.new else "was running already"
    out.print(f"Neo4j {state}: {server.uri} (pid {server.pid})")
    out.print(f"Browser: {server.browser_url}", markup=False, soft_wrap=True)
    where = f"  asks for the password of user {server.user}: it is in {server.password_file}"
    out.print(where, markup=False, soft_wrap=True)
    out.print("  then loads colours, and a guide with queries for each graph", markup=False)


@commands.command(epilog="Example: tetragraph down")
def down(json: Json = False) -> None:
    """Stop the local Neo4j. Data stay."""
    from tetragraph.stores import local

    stopped = local.stop(settings_for())
    if json:
        print_json({"stopped": stopped})
    else:
        out.print("stopped" if stopped else "nothing was running")


@commands.command(epilog="Example: tetragraph browser for-browser")
def browser(
    folder: Annotated[
        Path, typer.Argument(help="Folder for the files; created if it does not exist.", show_default=False)
    ],
    json: Json = False,
) -> None:
    """Write style sheet, guide and favourites of Neo4j Browser into a folder, for a server of your own."""
    from tetragraph.stores import local

    written = local.write_browser_kit(folder)
    if json:
        print_json({"files": written})
        return
    for file in written:
        out.print(str(file), markup=False, soft_wrap=True)
    out.print(
        "Drop style.grass and favourites.zip on Browser's window; docs/browser.md describes how to serve the guide."
    )


@commands.command(epilog="Example: tetragraph status --json")
def status(json: Json = False) -> None:
    """Show which stores and which language model are in use, where they run, and their size."""
    from tetragraph import llm
    from tetragraph.stores import local

    settings = settings_for()
    found = local.status(settings)
    asked = llm.status(settings)
    address = hide_credentials(settings.neo4j_uri or "local")
    vectors = hide_credentials(settings.qdrant_url or "in process")
    stores = {"neo4j": address, "qdrant": vectors, "local": found}
    if json:
        print_json({**stores, "llm": asked})
        return
    rows = [("Neo4j in use", stores["neo4j"]), ("Qdrant in use", stores["qdrant"])]
    rows += [
        ("local Neo4j", _running(found)),
        ("versions", f"Neo4j {found.neo4j}, GDS {found.gds}, Browser {found.browser}, Java {found.java or 'none'}"),
        ("Bolt", found.uri or "-"),
        ("Browser", found.browser_url or "-"),
        ("memory", f"{found.resident_mb:.0f} MB"),
        ("data", f"{found.data_mb:.0f} MB in {found.home}"),
        ("jars", f"{found.jars_present} of {found.jars_total}"),
        ("language model", asked.model or "none; TETRAGRAPH_LLM names one"),
        ("its calls", f"{asked.usage.calls:,}, {asked.usage.failed:,} failed; {asked.usage.cached:,} more for nothing"),
        ("its tokens", f"{asked.usage.input_tokens:,} in, {asked.usage.output_tokens:,} out"),
        ("its cost", f"{asked.usage.cost:.4f} by TETRAGRAPH_LLM_PRICES; `tetragraph llm status` lists the operations"),
    ]
    table(("what", "value"), rows)


def _running(found: LocalStatus) -> str:
    if not found.running:
        return "not running"
    if not found.answers:
        return f"process {found.pid} runs and does not answer: `tetragraph down` ends it"
    return f"running, pid {found.pid}"
