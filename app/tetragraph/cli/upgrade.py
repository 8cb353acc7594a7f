"""``upgrade``: what a newer version changes in the stores, and changing it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.text import Text

from tetragraph.cli.arguments import Json
from tetragraph.cli.doctor import FOUND
from tetragraph.cli.llm_options import has_data, settings_for
from tetragraph.cli.output import TerminalProgress, out, print_json

if TYPE_CHECKING:
    from tetragraph.archive.report import UpgradeReport
    from tetragraph.settings import Settings

commands = typer.Typer()


@commands.command(
    epilog="Examples: tetragraph upgrade --check | tetragraph upgrade --check --backup handbook.tetragraph"
)
def upgrade(
    check: Annotated[bool, typer.Option("--check", help="Change nothing: show what would be migrated.")] = False,
    backup: Annotated[
        list[Path] | None, typer.Option("--backup", help="Also check this backup; may be repeated.")
    ] = None,
    json: Json = False,
) -> None:
    """Bring the stores to this version, or show with --check what it would change; exit with 4 if something is left.

    A database of a newer version is refused.
    """
    from tetragraph.archive.upgrade import check_upgrade

    settings = settings_for()
    if not check and has_data(settings):
        _migrate(settings, quiet=json)
    report = check_upgrade(settings, backup or ())
    if json:
        print_json({**_row(report), "is_current": report.is_current})
    else:
        _show(report)
    if not report.is_current:
        raise typer.Exit(FOUND)


def _migrate(settings: Settings, *, quiet: bool) -> None:
    from tetragraph.connection import open_graph
    from tetragraph.stores import migrations

    with TerminalProgress(quiet=quiet) as progress:
        graph = open_graph(settings, progress)
        try:
            migrations.apply(graph)
        finally:
            graph.close()


def _row(report: UpgradeReport) -> dict[str, object]:
    from tetragraph.model.display import to_plain

    row: dict[str, object] = to_plain(report)
    return row


def _show(report: UpgradeReport) -> None:
    out.print(
        f"tetragraph {report.version}: schema {report.schema}, backups of format {report.backup_format} and before"
    )
    for step in report.steps:
        mark, style = ("ok  ", "green") if step.is_current else ("TO DO ", "bold yellow")
        action = f". {step.action}" if step.action else ""
        line = Text.assemble((mark, style), (f"{step.subject}: ", "bold"), f"{step.detail}{action}")
        out.print(line, soft_wrap=True)
