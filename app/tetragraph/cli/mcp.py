"""``mcp``: the corpora of this machine for programs that speak the Model Context Protocol."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, NoReturn

import typer

from tetragraph.cli.arguments import Json, LlmName
from tetragraph.cli.llm_options import connect, settings_for
from tetragraph.cli.output import err, out, print_json, table
from tetragraph.errors import StoreUnavailable
from tetragraph.host.optional_imports import install_command, required

if TYPE_CHECKING:
    from tetragraph.service.mcp.clients import DesktopClient, PlannedChange

logger = logging.getLogger("tetragraph")
commands = typer.Typer(name="mcp", help="Serve corpora to programs that speak the Model Context Protocol.")
OnlyCorpora = Annotated[
    list[str] | None, typer.Option("--corpus", "-c", help="Serve only this corpus; may be repeated. Default: all.")
]


@commands.callback(
    invoke_without_command=True,
    epilog="Examples: tetragraph mcp | tetragraph mcp -c handbook | tetragraph mcp install cursor",
)
def mcp(context: typer.Context, corpus: OnlyCorpora = None, llm: LlmName = None) -> None:
    """Serve corpora over standard input and output; a desktop client starts this command.

    The stores are opened by the first question; a corpus of --corpus must exist if Neo4j answers.
    Standard output has the messages of the protocol only.
    """
    if context.invoked_subcommand is not None:
        return
    _require_sdk()
    from tetragraph.service.mcp.access import LocalAccess
    from tetragraph.service.mcp.server import create_server

    _check_corpora(corpus or (), llm)
    access = LocalAccess(lambda: connect(llm), corpus or ())
    before = signal.signal(signal.SIGTERM, _end)
    try:
        create_server(lambda _: access).run("stdio")
    finally:
        signal.signal(signal.SIGTERM, before)
        access.close()


def _check_corpora(names: Sequence[str], llm: str | None) -> None:
    """Raise unless the corpora exist. Without a Neo4j that answers, the first question tells instead.

    Raises:
        UnknownCorpus: there is no corpus of one of these names.
    """
    from tetragraph.stores import local

    settings = settings_for(llm)
    if not names or not (settings.neo4j_uri or local.find(settings)):
        return
    try:
        with connect(llm) as client:
            for name in names:
                client.connection.stores(name)
    except StoreUnavailable as error:
        logger.info("the corpora are not checked: %s", error)


def _end(*_: object) -> NoReturn:
    """End the process with success, as its client wants it to end.

    Any other end would wait for the thread that reads standard input, which the client may keep open.
    """
    os._exit(0)


@commands.command(
    epilog="Examples: tetragraph mcp install | tetragraph mcp install claude-desktop | "
    "tetragraph mcp install cursor -c handbook --yes"
)
def install(
    client: Annotated[
        str | None,
        typer.Argument(help="Client to configure; without one, all known ones are listed.", show_default=False),
    ] = None,
    corpus: OnlyCorpora = None,
    name: Annotated[str, typer.Option("--name", help="Name of the server in the client.")] = "tetragraph",
    file: Annotated[Path | None, typer.Option("--file", help="Its configuration file, if at another place.")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace another server of that name.")] = False,
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Write without asking.")] = False,
    json: Json = False,
) -> None:
    """Add the server to the configuration of a desktop client; shows the change, and asks before it writes.

    Everything else in the file stays. Settings of the environment that differ from the defaults become part of the
    entry, passwords and keys excepted.
    """
    from tetragraph.service.mcp import clients

    arguments = [part for one in corpus or () for part in ("--corpus", one)]
    settings = settings_for()
    if client is None:
        _list(name, clients.server_entry(clients.CLIENTS[0], arguments, settings), json=json)
        return
    chosen = clients.find_client(client)
    entry = clients.server_entry(chosen, arguments, settings)
    change = clients.plan(file or chosen.file(Path.home()), chosen.key, name, entry, replace=replace)
    if not json:
        _show(change, clients.withheld(settings))
    if change.is_needed:
        if not yes:
            typer.confirm(f"write {change.file}?", abort=True, err=True)
        change.write()
    if json:
        print_json({"file": change.file, "written": change.is_needed, "text": change.after})
    elif change.is_needed:
        out.print(f"written to {change.file}; restart {chosen.title}", markup=False, soft_wrap=True)


def _list(name: str, entry: Mapping[str, Any], *, json: bool) -> None:
    """Print the known clients with their files, and the entry for any other client."""
    from tetragraph.service.mcp import clients

    files = [{"client": one.name, "file": path, "exists": path.exists()} for one, path in _files(clients.CLIENTS)]
    if json:
        print_json({"clients": files, "entry": {name: entry}})
        return
    table(("client", "configuration", "exists"), [[*one.values()] for one in files])
    out.print("\nThe entry for any other client:")
    print_json({"mcpServers": {name: entry}})


def _files(known: Sequence[DesktopClient]) -> list[tuple[DesktopClient, Path]]:
    return [(one, one.file(Path.home())) for one in known]


def _show(change: PlannedChange, withheld: Sequence[str]) -> None:
    if not change.is_needed:
        out.print(f"{change.file} has this server already", markup=False, soft_wrap=True)
        return
    out.print(change.difference, markup=False, soft_wrap=True)
    if withheld:
        names = ", ".join(withheld)
        err.print(f"not written, as the file is plain text: {names}; add them by hand if the server needs them")


def _require_sdk() -> None:
    required("mcp.server", f"the MCP server needs the package {{package}}: {install_command('mcp')}")
