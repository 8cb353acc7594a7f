"""``ingest``, ``build``, ``corpora``, ``delete`` and ``schema``."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tetragraph.cli.arguments import (
    BUILT_BY_DEFAULT,
    Arrays,
    BoilerplateLines,
    BudgetMoney,
    BudgetTokens,
    ChunkTokens,
    CorpusName,
    Deadline,
    Documents,
    DryRun,
    EmbedderName,
    Encoding,
    EstimateOnly,
    ExecutorChoice,
    GazetteerFile,
    Graphs,
    HtmlText,
    IdColumn,
    IdPrefix,
    IfDrifted,
    Json,
    JudgeName,
    LlmName,
    LoaderName,
    Moved,
    Options,
    Prune,
    Recognition,
    SentenceVectors,
    Sources,
    Strict,
    TextColumn,
    TitleColumn,
    VersionFile,
    Yes,
    YesPrune,
    join_names,
)
from tetragraph.cli.combinations import refuse_ignored
from tetragraph.cli.llm_options import (
    connect,
    estimate_line,
    has_data,
    read_budget,
    settings_for,
    usage_line,
)
from tetragraph.cli.output import TerminalProgress, err, out, print_json, table
from tetragraph.cli.search import read_options
from tetragraph.errors import NotBuilt
from tetragraph.model.reading import ReadingOptions
from tetragraph.model.usage import Estimate
from tetragraph.progress import NoProgress
from tetragraph.systems.names import BUILDS
from tetragraph.validation import merge_options

if TYPE_CHECKING:
    from tetragraph.client.tetragraph import CorpusSummary
    from tetragraph.indexing.preview import IngestPreview
    from tetragraph.indexing.report import IngestReport
    from tetragraph.model import Unreadable

SKIPPED = 3
SHOWN_SKIPPED = 20

commands = typer.Typer()
schema = typer.Typer(name="schema", help="The graph's constraints and indexes.", no_args_is_help=True)


@commands.command(epilog="Example: tetragraph ingest docs/ --corpus handbook")
def ingest(
    context: typer.Context,
    sources: Sources,
    corpus: CorpusName,
    build: Graphs = None,
    embedder: EmbedderName = None,
    chunk_tokens: ChunkTokens = None,
    sentences: SentenceVectors = None,
    arrays: Arrays = None,
    loader: LoaderName = None,
    encoding: Encoding = None,
    html: HtmlText = "main",
    boilerplate: BoilerplateLines = "leave-out",
    ocr: Recognition = "auto",
    text_column: TextColumn = None,
    title_column: TitleColumn = None,
    id_column: IdColumn = None,
    versions: VersionFile = None,
    gazetteer: GazetteerFile = None,
    prefix: IdPrefix = None,
    moved: Moved = False,
    prune: Prune = False,
    yes: YesPrune = False,
    strict: Strict = False,
    dry_run: DryRun = False,
    executor: ExecutorChoice = None,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Ingest documents. A repeated ingest changes nothing; an interrupted one is completed.

    Documents whose files were removed or renamed stay in the corpus and are found, unless --prune is given.
    """
    graphs = [] if build == ["none"] else build or [BUILT_BY_DEFAULT]
    if dry_run:
        from tetragraph.systems.registry import check_build_targets

        refuse_ignored(context, ("prune", "gazetteer"), "--dry-run shows only what would be read and skipped")
        check_build_targets(graphs)
    budget = read_budget(budget_tokens, budget_money, deadline)
    given: dict[str, Any] = {
        "embedder": embedder,
        "chunk_tokens": chunk_tokens,
        "sentences": sentences,
        "loader": loader,
        "prefix": prefix,
        "moved": moved,
        "reading": ReadingOptions(encoding, text_column, title_column, id_column, html, boilerplate, versions, ocr),
    }
    _check_sources(sources)
    check_files(versions, gazetteer)
    with TerminalProgress(quiet=json) as progress, connect(llm, progress, starts_empty=True) as client:
        opened = client.corpus(corpus)
        if dry_run:
            found = opened.preview(sources, progress=progress, **given)
            with progress.paused():
                _print_preview(found, json)
            return
        if prune and not yes:
            gone = opened.find_gone(sources, loader=loader, prefix=prefix, reading=given["reading"])
            with progress.paused():
                _confirm_prune(gone)
        report = opened.ingest(
            sources,
            build=graphs,
            arrays=arrays,
            prune=prune,
            gazetteer=gazetteer,
            executor=executor,
            budget=budget,
            progress=progress,
            **given,
        )
    print_report(report, json)
    is_nothing_read = not (report.added or report.changed or report.unchanged)
    if report.skipped and (strict or is_nothing_read):
        raise typer.Exit(SKIPPED)


def _check_sources(sources: Sequence[str]) -> None:
    """Check the paths to ingest before a server is started for them."""
    from tetragraph.indexing.sources import check_paths

    check_paths(sources)


def check_files(versions: Path | None, gazetteer: Path | None) -> None:
    """Read the files beside the sources, so that a faulty one is refused before a server is started.

    Raises:
        InvalidInput: a file cannot be read, or a row breaks a rule.
    """
    from tetragraph.indexing.gazetteer_file import read_gazetteer
    from tetragraph.indexing.version_file import read_versions

    if versions is not None:
        read_versions(versions)
    if gazetteer is not None:
        read_gazetteer(gazetteer)


def _confirm_prune(gone: Sequence[str]) -> None:
    """Print what would be deleted, and end the command unless the user agrees."""
    if not gone:
        return
    for document_id in gone[:SHOWN_SKIPPED]:
        err.print(f"gone: {document_id}", markup=False, soft_wrap=True)
    if len(gone) > SHOWN_SKIPPED:
        err.print(f"… and {len(gone) - SHOWN_SKIPPED:,} more")
    typer.confirm(f"delete {len(gone):,} documents from the corpus?", abort=True, err=True)


@commands.command(
    epilog="Examples: tetragraph build gain --corpus handbook | tetragraph build gain -c handbook --judge levels "
    "--estimate | tetragraph build bipartite -c handbook -o extractor=llm -o gleanings=0 | tetragraph build tree "
    "-c handbook -o names=llm | tetragraph build tree -c handbook --if-drifted"
)
def build(
    what: Annotated[str, typer.Argument(help=join_names(BUILDS))],
    corpus: CorpusName,
    if_drifted: IfDrifted = False,
    option: Options = None,
    judge: JudgeName = None,
    estimate: EstimateOnly = False,
    executor: ExecutorChoice = None,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Compute a graph on all chunks, or the types of the entities."""
    options = read_options(option or []) | ({} if judge is None else {"judge": judge})
    budget = read_budget(budget_tokens, budget_money, deadline)
    with TerminalProgress(quiet=json) as progress, connect(llm, progress) as client:
        if estimate:
            _print_estimate(client.corpus(corpus).estimate(**merge_options(options, what=what)), json)
            return
        arguments = merge_options(
            options, what=what, if_drifted=if_drifted, executor=executor, budget=budget, progress=progress
        )
        report = client.corpus(corpus).build(**arguments)
    print_report(report, json)


@commands.command(epilog="Example: tetragraph corpora --json")
def corpora(json: Json = False) -> None:
    """List the corpora."""
    found: list[CorpusSummary] = []
    if has_data(settings_for()):
        with connect() as client:
            found = client.corpora()
    if json:
        print_json(found)
    elif not found:
        out.print("no corpus yet; `tetragraph ingest FOLDER --corpus NAME` creates one")
    else:
        columns = ("name", "documents", "chunks", "entities", "embedder", "generation", "state")
        table(columns, [[getattr(corpus, column) for column in columns] for corpus in found])


@commands.command(epilog="Example: tetragraph delete handbook --document guide/old.md")
def delete(
    corpus: Annotated[str, typer.Argument(help="Name of the corpus.")],
    document: Documents = None,
    yes: Yes = False,
    json: Json = False,
) -> None:
    """Delete documents, or a whole corpus."""
    if not document and not yes:
        typer.confirm(f"delete the whole corpus {corpus!r}?", abort=True, err=True)
    with TerminalProgress(quiet=json) as progress, connect(progress=progress) as client:
        if document:
            print_report(client.corpus(corpus).delete(*document, progress=progress), json)
            return
        client.corpus(corpus).drop()
    if json:
        print_json({"deleted": corpus})
    else:
        out.print(f"deleted corpus {corpus}")


@schema.command(epilog="Example: tetragraph schema apply")
def apply(json: Json = False) -> None:
    """Apply the migrations that the database lacks."""
    from tetragraph.connection import open_graph
    from tetragraph.stores import migrations

    graph = open_graph(settings_for(), NoProgress())
    try:
        applied = migrations.apply(graph)
    finally:
        graph.close()
    if json:
        print_json(applied)
    else:
        out.print("\n".join(f"applied {one.name}" for one in applied) or "nothing to apply")


@schema.command(epilog="Example: tetragraph schema validate")
def validate(json: Json = False) -> None:
    """Check that the database has exactly the schema of this version."""
    from tetragraph.connection import open_graph
    from tetragraph.stores import migrations

    settings = settings_for()
    if not has_data(settings):
        raise NotBuilt(
            f"there is no schema yet: Neo4j has never been started in {settings.home}; `tetragraph schema apply` "
            "starts it and applies all migrations"
        )
    graph = open_graph(settings, NoProgress())
    try:
        migrations.validate(graph)
    finally:
        graph.close()
    if json:
        print_json({"valid": True, "version": migrations.schema_version()})
    else:
        out.print(f"the schema is valid, version {migrations.schema_version()}")


def _print_estimate(estimate: Estimate, json: bool) -> None:
    if json:
        print_json(estimate)
    else:
        out.print(estimate_line(estimate), markup=False, soft_wrap=True)


def say_unwritten(skipped: int, *, is_nothing_read: bool) -> str:
    """Why a change wrote nothing, given how many sources were skipped."""
    if is_nothing_read:
        return "nothing was read: all sources were skipped"
    if skipped:
        return f"nothing changed: {skipped:,} skipped, everything else is up to date"
    return "nothing changed: the corpus is up to date"


def _print_preview(preview: IngestPreview, json: bool) -> None:
    if json:
        print_json(preview)
        return
    formats = ", ".join(f"{count:,} {suffix or 'without a suffix'}" for suffix, count in preview.formats.items())
    out.print(f"documents: {preview.added:,} new, {preview.changed:,} changed, {preview.unchanged:,} unchanged")
    out.print(f"formats: {formats or 'none'}", markup=False, soft_wrap=True)
    out.print(
        f"to embed: {preview.chunks:,} chunks of {preview.characters:,} characters; reading took "
        f"{preview.read_seconds:.0f} s, embedding takes about {preview.embed_seconds:.0f} s here; graphs come on top"
    )
    for note in preview.notes[:SHOWN_SKIPPED]:
        err.print(f"note: {note}", markup=False, soft_wrap=True)
    print_skipped(preview.skipped)


def print_skipped(skipped: Sequence[Unreadable]) -> None:
    """Print the first sources that were skipped, with the reasons."""
    for one in skipped[:SHOWN_SKIPPED]:
        err.print(f"skipped {one.source}: {one.reason}", markup=False)
    if len(skipped) > SHOWN_SKIPPED:
        err.print(f"… and {len(skipped) - SHOWN_SKIPPED} more skipped; --json lists all")


def print_report(report: IngestReport, json: bool, unwritten: str = "") -> None:
    """Print what a change of a corpus did, or another sentence if it wrote nothing."""
    if json:
        print_json(report)
        return
    counts = report.counts
    documents = (len(report.added), len(report.changed), len(report.deleted), report.unchanged)
    if not report.written:
        is_nothing_read = bool(report.skipped) and not report.unchanged
        out.print(unwritten or say_unwritten(len(report.skipped), is_nothing_read=is_nothing_read))
    elif any(documents):
        out.print("documents: {} added, {} changed, {} deleted, {} unchanged".format(*documents))
    out.print(
        f"corpus: {counts['documents']:,} documents, {counts['chunks']:,} chunks, {counts['entities']:,} entities, "
        f"{counts['gain_edges']:,} gain edges, {counts['communities']:,} communities, {counts['relations']:,} facts "
        f"(generation {report.generation}, {sum(report.seconds.values()):.1f} s)"
    )
    if line := usage_line(report.usage):
        out.print(line, soft_wrap=True)
    for note in report.notes:
        err.print(f"note: {note}", markup=False, soft_wrap=True)
    print_skipped(report.skipped)
