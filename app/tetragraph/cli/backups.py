"""``backup``, ``verify`` and ``restore``: a corpus in one file."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tetragraph.cli.arguments import CorpusName, Force, Json
from tetragraph.cli.llm_options import connect
from tetragraph.cli.output import TerminalProgress, out, print_json
from tetragraph.cli.search import print_notes

if TYPE_CHECKING:
    from tetragraph.archive.report import BackupReport

commands = typer.Typer()
BackupFile = Annotated[Path, typer.Argument(help="File of the backup.")]


@commands.command(epilog="Example: tetragraph backup handbook.tetragraph -c handbook")
def backup(
    file: Annotated[Path, typer.Argument(help="File to write.")],
    corpus: CorpusName,
    without_vectors: Annotated[
        bool, typer.Option("--without-vectors", help="A smaller file; a restore embeds all texts again.")
    ] = False,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write one complete generation of a corpus, from both stores, to a file, while it is searched."""
    with TerminalProgress(quiet=json) as progress, connect(progress=progress) as client:
        report = client.corpus(corpus).backup(file, vectors=not without_vectors, overwrite=force, progress=progress)
    _print(report, json, "written to")


@commands.command(epilog="Example: tetragraph verify handbook.tetragraph")
def verify(file: BackupFile, json: Json = False) -> None:
    """Check a backup completely, without any store."""
    from tetragraph.client.tetragraph import Tetragraph

    _print(Tetragraph.verify_backup(file), json, "complete and undamaged in")


@commands.command(
    epilog="Examples: tetragraph restore handbook.tetragraph | tetragraph restore handbook.tetragraph --as handbook-2"
)
def restore(
    file: BackupFile,
    name: Annotated[
        str | None, typer.Option("--as", help="Name of the restored corpus; default: that of the saved one.")
    ] = None,
    json: Json = False,
) -> None:
    """Restore a corpus from a backup. It is there when it is complete; an interrupted restore can be run again."""
    with TerminalProgress(quiet=json) as progress, connect(progress=progress, starts_empty=True) as client:
        report = client.restore(file, name=name, progress=progress)
    _print(report, json, "restored from")


def _print(report: BackupReport, json: bool, done: str) -> None:
    if json:
        print_json(report)
        return
    counts = dict.fromkeys(("nodes", "links", "vectors"), 0)
    for section, rows in report.rows.items():
        folder = section.split("/")[0]
        if folder in counts:
            counts[folder] += rows
    out.print(
        f"corpus {report.corpus}, generation {report.generation}: {counts['nodes']:,} nodes, {counts['links']:,} "
        f"relationships and {counts['vectors']:,} vectors {done} {report.path} ({report.size / 1e6:,.1f} MB)",
        markup=False,
        soft_wrap=True,
    )
    out.print(f"fingerprint {report.fingerprint}", soft_wrap=True)
    print_notes(report.notes)
