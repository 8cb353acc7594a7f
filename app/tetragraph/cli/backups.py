"""``backup``, ``verify`` and ``restore``: a corpus in one file; ``copy``: into other stores."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tetragraph.cli.arguments import CorpusName, Force, Json
from tetragraph.cli.llm_options import connect, settings_for
from tetragraph.cli.output import TerminalProgress, out, print_json
from tetragraph.cli.search import print_notes
from tetragraph.errors import InvalidInput
from tetragraph.host.addresses import hide_credentials

if TYPE_CHECKING:
    from tetragraph.archive.report import BackupReport
    from tetragraph.settings import Settings

commands = typer.Typer()
_BOLT = frozenset({"bolt", "bolt+s", "bolt+ssc", "neo4j", "neo4j+s", "neo4j+ssc"})
"""Schemes of the addresses of Neo4j servers."""
BackupFile = Annotated[Path, typer.Argument(help="File of the backup.")]


@commands.command(
    epilog="Examples: tetragraph backup monday.tetragraph -c handbook | "
    "tetragraph backup tuesday.tetragraph -c handbook --since monday.tetragraph"
)
def backup(
    file: Annotated[Path, typer.Argument(help="File to write.")],
    corpus: CorpusName,
    without_vectors: Annotated[
        bool, typer.Option("--without-vectors", help="A smaller file; a restore embeds all texts again.")
    ] = False,
    since: Annotated[
        Path | None, typer.Option("--since", help="An earlier backup beside the file: write only what it lacks.")
    ] = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write one complete generation of a corpus, from both stores, to a file, while it is searched."""
    with TerminalProgress(quiet=json) as progress, connect(progress=progress) as client:
        report = client.corpus(corpus).backup(
            file, vectors=not without_vectors, overwrite=force, since=since, progress=progress
        )
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
    from tetragraph.archive.reading import BackupReader

    with BackupReader.open(file):
        pass  # before a server is started for it
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


@commands.command(
    epilog="Examples: tetragraph copy handbook --to neo4j://graph.example:7687 --qdrant https://vectors.example | "
    "tetragraph copy handbook --to server.env --as handbook-2 | tetragraph copy handbook --to local"
)
def copy(
    corpus: Annotated[str, typer.Argument(help="Name of the corpus.")],
    to: Annotated[
        str,
        typer.Option("--to", help="Address of a Neo4j server, a file of settings such as server.env, or local."),
    ],
    qdrant: Annotated[
        str | None, typer.Option("--qdrant", help="With an address: that of the Qdrant server; default: QDRANT_URL.")
    ] = None,
    name: Annotated[str | None, typer.Option("--as", help="Name of the copy; that of the corpus by default.")] = None,
    json: Json = False,
) -> None:
    """Copy a corpus into other stores: from local ones to servers, or back. Nothing is embedded again.

    User, passwords and keys of an address are those of the environment; a file of settings has its own.
    """
    settings = settings_for()
    target = _other_stores(settings, to, qdrant)
    with TerminalProgress(quiet=json) as progress, connect(None, progress) as client:
        report = client.corpus(corpus).copy(target, name=name, progress=progress)
    if json:
        print_json(report)
        return
    out.print(
        f"corpus {report.corpus} is copied as {report.copy}: generation {report.generation}, "
        f"{sum(report.rows.values()):,} rows, fingerprint {report.fingerprint}",
        soft_wrap=True,
    )
    print_notes(report.notes)


def _other_stores(settings: Settings, to: str, qdrant: str | None) -> Settings:
    """The settings that ``--to`` and ``--qdrant`` name.

    Raises:
        InvalidInput: they name no Neo4j with its vectors.
    """
    scheme = to.partition("://")[0] if "://" in to else ""
    if qdrant is not None and scheme not in _BOLT:
        raise InvalidInput(f"--qdrant belongs to the address of a Neo4j server, got --to {to!r:.100}: leave it out")
    if to == "local":
        return settings.model_copy(update={"neo4j_uri": None, "qdrant_url": None})
    if not scheme:
        return type(settings).of_file(to)
    if scheme not in _BOLT:
        raise InvalidInput(
            f"--to must be the address of a Neo4j server such as neo4j://host:7687, a file of settings, or local, got "
            f"{hide_credentials(to)!r}: the address of Qdrant is --qdrant"
        )
    vectors = qdrant or settings.qdrant_url
    if not vectors:
        raise InvalidInput("vectors are copied to a Qdrant server: name it (--qdrant, QDRANT_URL)")
    return settings.model_copy(update={"neo4j_uri": to, "qdrant_url": vectors})
