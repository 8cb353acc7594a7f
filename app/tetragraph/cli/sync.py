"""``sync``: a corpus follows a folder, or addresses."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Set
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from tetragraph.cli.arguments import (
    BUILT_BY_DEFAULT,
    BoilerplateLines,
    CorpusName,
    Encoding,
    ExecutorChoice,
    GazetteerFile,
    Graphs,
    HtmlText,
    IdColumn,
    IdPrefix,
    Json,
    LlmName,
    LoaderName,
    Recognition,
    TextColumn,
    TitleColumn,
    VersionFile,
)
from tetragraph.cli.corpora import SHOWN_SKIPPED, SKIPPED, check_files, print_report, print_skipped, say_unwritten
from tetragraph.cli.llm_options import connect
from tetragraph.cli.output import TerminalProgress, err, out, print_json
from tetragraph.errors import CorpusBusy, InvalidInput, StoreError
from tetragraph.host.optional_imports import install_command
from tetragraph.model.fetching import DEFAULT_FETCHING, MOST_AT_ONCE, FetchOptions
from tetragraph.model.reading import DEFAULT_READING, ReadingOptions

if TYPE_CHECKING:
    from tetragraph.indexing.sync import SyncReport
    from tetragraph.indexing.sync_plan import SyncPlan
    from tetragraph.model import Unreadable

commands = typer.Typer()
PERIOD_S = 60
"""Longest pause between two looks at the folder while it is watched; network drives report no changes."""
_AWAY_S = 1.0
"""Pause between two looks whether a folder that is away is back."""


@commands.command(
    epilog="Examples: tetragraph sync docs/ -c handbook --dry-run | tetragraph sync docs/ -c handbook --watch | "
    "tetragraph sync https://docs.example.org/sitemap.xml -c handbook | tetragraph sync addresses.txt -c handbook"
)
def sync(
    sources: Annotated[
        list[str],
        typer.Argument(
            help="The folder to follow; or addresses of pages and sitemaps, and text files that list addresses."
        ),
    ],
    corpus: CorpusName,
    build: Graphs = None,
    loader: LoaderName = None,
    encoding: Encoding = None,
    html: HtmlText = "main",
    boilerplate: BoilerplateLines = "leave-out",
    ocr: Recognition = "auto",
    text_column: TextColumn = None,
    title_column: TitleColumn = None,
    id_column: IdColumn = None,
    prefix: IdPrefix = None,
    versions: VersionFile = None,
    gazetteer: GazetteerFile = None,
    delay: Annotated[
        float, typer.Option("--delay", min=0.0, help="Seconds between the beginnings of two requests to a host.")
    ] = DEFAULT_FETCHING.delay_s,
    at_once: Annotated[
        int, typer.Option("--at-once", min=1, max=MOST_AT_ONCE, help="Most requests to a host at the same time.")
    ] = DEFAULT_FETCHING.at_once,
    private: Annotated[
        bool, typer.Option("--private", help="Also ask hosts whose name stands for an address of a private network.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Show what would be done, and change nothing.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Also delete what is held back, as nobody may have deleted the files.")
    ] = False,
    watch: Annotated[
        bool, typer.Option("--watch", help="Go on until interrupted: after each change of the folder.")
    ] = False,
    executor: ExecutorChoice = None,
    llm: LlmName = None,
    json: Json = False,
) -> None:
    """Let a corpus follow a folder or addresses: what is added, changed, renamed and removed.

    A renamed file is not embedded again. Of addresses, only the hosts that they name are asked.
    """
    graphs = () if build == ["none"] else tuple(build or [BUILT_BY_DEFAULT])
    if watch and (len(sources) > 1 or not Path(sources[0]).is_dir()):
        raise InvalidInput("--watch follows one folder; let a timer of the system repeat the sync of addresses")
    reading = ReadingOptions(encoding, text_column, title_column, id_column, html, boilerplate, versions, ocr)
    fetching = FetchOptions(delay_s=delay, at_once=at_once, private=private)
    _check_sources(sources, prefix, fetching)
    check_files(versions, gazetteer)
    with TerminalProgress(quiet=json) as progress, connect(llm, progress, starts_empty=True) as client:

        def run() -> SyncReport:
            return client.corpus(corpus).sync(
                sources,
                build=graphs,
                loader=loader,
                prefix=prefix,
                dry_run=dry_run,
                confirmed=yes,
                reading=reading,
                fetching=fetching,
                gazetteer=gazetteer,
                executor=executor,
                progress=progress,
            )

        if watch and not dry_run:
            _watch(Path(sources[0]), run, progress, json)
            return
        report = run()
        _print(report, json)
    is_held = len(report.removed) < len(report.plan.removed) and not dry_run
    if is_held or _is_nothing_there(report.plan):
        raise typer.Exit(SKIPPED)


def _check_sources(sources: list[str], prefix: str | None, fetching: FetchOptions) -> None:
    """Check the folder or the addresses to follow before a server is started for them."""
    from tetragraph.indexing.following import follow

    follow(sources, None, prefix, DEFAULT_READING, fetching).source.check()


def _is_nothing_there(plan: SyncPlan) -> bool:
    """Whether nothing could be read, so that the corpus follows nothing at this time."""
    return bool(plan.skipped) and not plan and not plan.unchanged


def _watch(folder: Path, run: Callable[[], SyncReport], progress: TerminalProgress, json: bool) -> None:
    """Sync at once, after each change, and at least once a period, until the command is interrupted.

    A folder or a store that is away, and a busy corpus, are reported and tried again.
    """
    last: SyncReport | None = None
    for _ in _find_occasions(folder):
        try:
            report = run()
        except (CorpusBusy, StoreError, InvalidInput) as error:
            if isinstance(error, InvalidInput) and folder.is_dir():
                raise
            err.print(f"not now: {error}", markup=False, soft_wrap=True)
            continue
        finally:
            progress.reset()
        if _has_news(report, last):
            _print(report, json)
        last = report


def _has_news(report: SyncReport, last: SyncReport | None) -> bool:
    """Whether a sync has done something, or found what the last one has not; True for the first one."""
    if last is None or (report.ingest is not None and report.ingest.written):
        return True
    plan, before = report.plan, last.plan
    is_other = replace(plan, unchanged=0, skipped=()) != replace(before, unchanged=0, skipped=())
    return (bool(plan) and is_other) or (bool(plan.skipped) and plan.skipped != before.skipped)


def _find_occasions(folder: Path) -> Iterator[None]:
    """Times to look at a folder; while it is away there is none, as soon as it is back there is one."""
    try:
        import watchfiles
    except ModuleNotFoundError as error:
        from tetragraph.errors import MissingDependency

        raise MissingDependency(f"--watch needs the package watchfiles: {install_command('watch')}") from error
    while True:
        yield
        with suppress(FileNotFoundError):  # gone just now
            for _ in watchfiles.watch(
                folder, rust_timeout=PERIOD_S * 1000, yield_on_timeout=True, raise_interrupt=True
            ):
                yield
                if not folder.is_dir():
                    break
        while not folder.is_dir():
            time.sleep(_AWAY_S)


def _print(report: SyncReport, json: bool) -> None:
    if json:
        print_json(report)
        return
    plan = report.plan
    _print_plan(plan, is_held=report.ingest is not None and report.removed != plan.removed)
    known = report.ingest.skipped if report.ingest else ()
    print_skipped([one for one in plan.skipped if one not in known])
    if report.ingest is not None:
        print_report(report.ingest, json, _say_unwritten(plan, {*plan.skipped, *known}))
    elif plan.held:
        err.print(f"removals would need --yes: {plan.held}", markup=False, soft_wrap=True)


def _say_unwritten(plan: SyncPlan, skipped: Set[Unreadable]) -> str:
    """Why a sync wrote nothing."""
    is_nothing_read = _is_nothing_there(plan)
    if plan.held and not is_nothing_read:
        return "nothing changed: the removals are held back"
    return say_unwritten(len(skipped), is_nothing_read=is_nothing_read)


def _print_plan(plan: SyncPlan, *, is_held: bool) -> None:
    """Print the plan, what is removed or held back first: of a long plan only the beginning is shown."""
    lines = [
        *(f"{'stays' if is_held else 'remove':8}{document}" for document in plan.removed),
        *(f"add     {document}" for document in plan.added),
        *(f"change  {document}" for document in plan.changed),
        *(f"rename  {old} -> {new}" for old, new in plan.renamed),
    ]
    for line in lines[:SHOWN_SKIPPED]:
        out.print(line, markup=False, soft_wrap=True)
    if len(lines) > SHOWN_SKIPPED:
        out.print(f"… and {len(lines) - SHOWN_SKIPPED:,} more; --json lists all")
    out.print(
        f"{len(plan.added):,} to add, {len(plan.changed):,} to change, {len(plan.renamed):,} to rename, "
        f"{len(plan.removed):,} {'held back' if is_held else 'to remove'}, {plan.unchanged:,} unchanged"
    )
    if plan.requests:
        out.print("pages: " + ", ".join(f"{count:,} {outcome}" for outcome, count in plan.requests.items()))
