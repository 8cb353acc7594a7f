"""``doctor``: what is wrong, and what to do."""

from __future__ import annotations

import typer
from rich.text import Text

from tetragraph.cli.arguments import Json
from tetragraph.cli.output import out, print_json
from tetragraph.doctor import examine
from tetragraph.settings import Settings

FOUND = 4

commands = typer.Typer()


@commands.command(epilog="Example: tetragraph doctor")
def doctor(json: Json = False) -> None:
    """Check Java, jars, stores, schema, models and every corpus; exit with 4 when something is to be done."""
    findings = []
    for finding in examine(Settings()):
        findings.append(finding)
        if not json:
            mark = Text("ok   ", style="green") if finding.ok else Text("FIX  ", style="bold red")
            out.print(Text.assemble(mark, (f"{finding.name}: ", "bold"), finding.detail), soft_wrap=True)
    if json:
        print_json(findings)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(FOUND)
