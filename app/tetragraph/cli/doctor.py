"""``doctor``: what is wrong, what to do, and doing it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import typer
from rich.text import Text

from tetragraph.cli.arguments import DoctorCorpus, Json, Repair, YesToDoctor
from tetragraph.cli.output import TerminalProgress, out, plain, print_json
from tetragraph.doctor import Finding, examine, repair_installation
from tetragraph.errors import InvalidInput
from tetragraph.settings import Settings

FOUND = 4
_MARKS = {
    "ok": ("ok   ", "green"),
    "repaired": ("DONE ", "bold green"),
    "found": ("FIX  ", "bold red"),
    "needs --yes": ("YES? ", "bold yellow"),
    "not here": ("SEE  ", "bold red"),
}

commands = typer.Typer()


@commands.command(epilog="Example: tetragraph doctor --repair --corpus handbook")
def doctor(repair: Repair = False, yes: YesToDoctor = False, corpus: DoctorCorpus = None, json: Json = False) -> None:
    """Check Java, jars, stores, schema, models and every corpus; exit with 4 when something is left to be done.

    Without --repair nothing is changed. With it all is mended that deletes nothing; with --yes, too, the rest.
    """
    if yes and not repair:
        raise InvalidInput("--yes says that a repair may delete, got it without --repair: give both, or none")
    settings, findings = Settings(), []
    for finding in _repair(settings, corpus, yes) if repair else examine(settings, corpus):
        findings.append(finding)
        if not json:
            mark, style = _MARKS[finding.state]
            out.print(Text.assemble((mark, style), (f"{finding.name}: ", "bold"), _told(finding)), soft_wrap=True)
    if json:
        print_json([_row(finding) for finding in findings])
    else:
        _advise(findings)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(FOUND)


def _repair(settings: Settings, corpus: str | None, yes: bool) -> Iterable[Finding]:
    with TerminalProgress() as progress:
        return repair_installation(settings, corpus, delete=yes, progress=progress).findings


def _told(finding: Finding) -> str:
    if finding.is_mendable:
        return f"{finding.detail}. A repair {finding.repair}"
    return finding.detail


def _row(finding: Finding) -> dict[str, Any]:
    return {**plain(finding), "repair": finding.repair, "deletes": finding.deletes}


def _advise(findings: Iterable[Finding]) -> None:
    """How what is left is mended, where the doctor can."""
    left = [finding for finding in findings if finding.is_mendable]
    keeping = sum(not finding.deletes for finding in left)
    deleting = len(left) - keeping
    if keeping:
        out.print(f"`tetragraph doctor --repair` mends {keeping} of these and deletes nothing", soft_wrap=True)
    if deleting:
        out.print(
            f"`tetragraph doctor --repair --yes` mends {deleting} of these, which deletes something", soft_wrap=True
        )
