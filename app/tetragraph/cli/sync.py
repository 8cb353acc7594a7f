"""``sync``: a corpus follows a folder."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tetragraph.cli.arguments import (
    BUILT_BY_DEFAULT,
    CorpusName,
    Graphs,
    IdPrefix,
    Json,
    LlmName,
    LoaderName,
    VersionFile,
)
from tetragraph.cli.corpora import SHOWN_SKIPPED, SKIPPED, print_report
from tetragraph.cli.llm_options import connect
from tetragraph.cli.output import TerminalProgress, err, out, print_json
from tetragraph.errors import CorpusBusy, StoreError
from tetragraph.host.optional_imports import install_command
from tetragraph.model.reading import ReadingOptions

if TYPE_CHECKING:
    from tetragraph.indexing.sync import SyncReport
    from tetragraph.indexing.sync_plan import SyncPlan

commands = typer.Typer()
PERIOD_S = 60
"""Longest pause between two looks at the folder while it is watched; network drives report no changes."""


@commands.command(
    epilog="Examples: tetragraph sync docs/ -c handbook --dry-run | tetragraph sync docs/ -c handbook --watch"
)
def sync(
    folder: Annotated[Path, typer.Argument(help="The folder to follow.")],
    corpus: CorpusName,
    build: Graphs = None,
    loader: LoaderName = None,
    prefix: IdPrefix = None,
    versions: VersionFile = None,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and change nothing.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Also delete what is held back, as nobody may have deleted the files.")
    ] = False,
    watch: Annotated[bool, typer.Option("--watch", help="Go on until interrupted: after each change.")] = False,
    llm: LlmName = None,
    json: Json = False,
) -> None:
    """Let a corpus follow a folder: added, changed, renamed and removed files. A renamed file is not embedded again."""
    graphs = () if build == ["none"] else tuple(build or [BUILT_BY_DEFAULT])
    with TerminalProgress(quiet=json) as progress, connect(llm, progress, starts_empty=True) as client:

        def run() -> SyncReport:
            return client.corpus(corpus).sync(
                folder,
                build=graphs,
                loader=loader,
                prefix=prefix,
                dry_run=dry_run,
                confirmed=yes,
                reading=ReadingOptions(versions=versions),
                progress=progress,
            )

        report = run()
        _print(report, json)
        if watch and not dry_run:
            _watch(folder, run, json)
    if len(report.removed) < len(report.plan.removed) and not dry_run:
        raise typer.Exit(SKIPPED)


def _watch(folder: Path, run: Callable[[], SyncReport], json: bool) -> None:
    """Sync after each change, and at least once a period; a store that is away or a busy corpus is tried again."""
    try:
        import watchfiles
    except ModuleNotFoundError as error:
        from tetragraph.errors import MissingDependency

        raise MissingDependency(f"--watch needs the package watchfiles: {install_command('watch')}") from error
    for _ in watchfiles.watch(folder, rust_timeout=PERIOD_S * 1000, yield_on_timeout=True, raise_interrupt=True):
        try:
            report = run()
        except (CorpusBusy, StoreError) as error:
            err.print(f"not now: {error}", markup=False, soft_wrap=True)
            continue
        if report.plan:
            _print(report, json)


def _print(report: SyncReport, json: bool) -> None:
    if json:
        print_json(report)
        return
    _print_plan(report.plan)
    if report.ingest is not None:
        print_report(report.ingest, json)
    elif report.plan.held:
        err.print(f"removals would need --yes: {report.plan.held}", markup=False, soft_wrap=True)


def _print_plan(plan: SyncPlan) -> None:
    lines = [
        *(f"add     {document}" for document in plan.added),
        *(f"change  {document}" for document in plan.changed),
        *(f"rename  {old} -> {new}" for old, new in plan.renamed),
        *(f"remove  {document}" for document in plan.removed),
    ]
    for line in lines[:SHOWN_SKIPPED]:
        out.print(line, markup=False, soft_wrap=True)
    if len(lines) > SHOWN_SKIPPED:
        out.print(f"… and {len(lines) - SHOWN_SKIPPED:,} more; --json lists all")
    out.print(
        f"{len(plan.added):,} to add, {len(plan.changed):,} to change, {len(plan.renamed):,} to rename, "
        f"{len(plan.removed):,} to remove, {plan.unchanged:,} unchanged"
    )
