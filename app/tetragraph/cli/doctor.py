"""``doctor``: checks the installation and the corpora, and repairs faults."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

import typer
from rich.text import Text

from tetragraph.cli.arguments import DoctorCorpus, Json, Repair, YesToDoctor
from tetragraph.cli.llm_options import settings_for
from tetragraph.cli.output import TerminalProgress, out, print_json
from tetragraph.errors import InvalidInput
from tetragraph.model.display import to_plain

if TYPE_CHECKING:
    from tetragraph.doctor import Finding
    from tetragraph.settings import Settings

FOUND = 4
"""Exit code if faults are left."""
_MARKS: Final = {
    "ok": ("ok   ", "green"),
    "repaired": ("DONE ", "bold green"),
    "found": ("FIX  ", "bold red"),
    "needs --yes": ("YES? ", "bold yellow"),
    "not here": ("SEE  ", "bold red"),
}
"""State of a finding to its mark and style."""

commands = typer.Typer()


@commands.command(epilog="Example: tetragraph doctor --repair --corpus handbook")
def doctor(repair: Repair = False, yes: YesToDoctor = False, corpus: DoctorCorpus = None, json: Json = False) -> None:
    """Check Java, jars, stores, schema, models and every corpus; exit with 4 if faults are left.

    Without --repair nothing is changed. With it, repairs are made that delete nothing; with --yes, the others, too.
    """
    if yes and not repair:
        raise InvalidInput("--yes allows a repair to delete data, got it without --repair: give both, or none")
    from tetragraph.doctor import examine

    settings, findings = settings_for(), []
    for finding in _repair(settings, corpus, yes, json) if repair else examine(settings, corpus):
        findings.append(finding)
        if not json:
            mark, style = _mark(finding, is_repaired=repair)
            out.print(Text.assemble((mark, style), (f"{finding.name}: ", "bold"), _describe(finding)), soft_wrap=True)
    if json:
        print_json([_row(finding) for finding in findings])
    else:
        _advise(findings)
    if not all(finding.ok for finding in findings):
        raise typer.Exit(FOUND)


def _repair(settings: Settings, corpus: str | None, yes: bool, json: bool) -> Iterable[Finding]:
    from tetragraph.doctor import repair_installation

    with TerminalProgress(quiet=json) as progress:
        return repair_installation(settings, corpus, delete=yes, progress=progress).findings


def _mark(finding: Finding, *, is_repaired: bool) -> tuple[str, str]:
    """The mark of a finding and its style: after a check, what ``--repair`` alone would leave needs ``--yes``, too."""
    return _MARKS["needs --yes" if finding.deletes and not is_repaired else finding.state]


def _describe(finding: Finding) -> str:
    if finding.is_mendable:
        return f"{finding.detail}. A repair {finding.repair}"
    return finding.detail


def _row(finding: Finding) -> dict[str, Any]:
    return {**to_plain(finding), "repair": finding.repair, "deletes": finding.deletes}


def _advise(findings: Iterable[Finding]) -> None:
    """Print the commands that repair the remaining faults."""
    left = [finding for finding in findings if finding.is_mendable]
    keeping = sum(not finding.deletes for finding in left)
    deleting = len(left) - keeping
    if keeping:
        out.print(f"`tetragraph doctor --repair` repairs {keeping} of these and deletes nothing", soft_wrap=True)
    if deleting:
        out.print(f"`tetragraph doctor --repair --yes` repairs {deleting} of these, and deletes data", soft_wrap=True)
