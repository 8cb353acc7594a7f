"""``llm status``, ``check``, ``export``, ``import`` and ``forget``: the language model and its cached replies."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from tetragraph.cli.arguments import Json, LlmName
from tetragraph.cli.llm_options import settings_for
from tetragraph.cli.output import out, print_json, table
from tetragraph.model.usage import Total

commands = typer.Typer(name="llm", help="The language model and its cached replies.", no_args_is_help=True)
Recorded = Annotated[Path, typer.Argument(dir_okay=False, help="JSON lines; compressed if its name ends in .gz.")]


@commands.command(epilog="Example: tetragraph llm status --json")
def status(model: LlmName = None, json: Json = False) -> None:
    """Show the model, the cached replies and the cost of each operation."""
    from tetragraph import llm

    found = llm.status(settings_for(model))
    if json:
        print_json(found)
        return
    rows = [
        ("model", found.model or "none; TETRAGRAPH_LLM or --llm names one"),
        ("endpoint", found.endpoint or "-"),
        ("replies", f"{found.replies:,}, {found.file_mb:.1f} MB in {found.file}"),
    ]
    table(("what", "value"), rows)
    if found.totals:
        columns = ("operation", "corpus", "model", "calls", "cached", "failed", "tokens in", "out", "cost", "seconds")
        table(columns, [_row(total) for total in found.totals])


@commands.command(epilog="Example: tetragraph llm check --llm gpt-4o-mini")
def check(model: LlmName = None, json: Json = False) -> None:
    """Send the model four short requests, and show its speed and the features of its endpoint."""
    from tetragraph import llm

    opened = llm.LanguageModel.open(settings_for(model))
    try:
        offer = opened.check()
    finally:
        opened.close()
    if json:
        print_json(offer)
        return
    rows = [
        ("model", offer.model),
        ("first reply", f"{offer.seconds:.2f} s"),
        ("replies of a form", offer.structured or "no: the reply could not be read"),
        ("probabilities", "yes" if offer.logprobs else "no: judges by probability cannot be used"),
        ("streaming", "yes" if offer.streams else "no: answers come whole"),
        ("tokens", f"{offer.usage.input_tokens:,} in, {offer.usage.output_tokens:,} out"),
    ]
    table(("what", "value"), rows)


@commands.command(epilog="Example: tetragraph llm export replies.jsonl.gz --model gpt-4o-mini")
def export(
    file: Recorded,
    model: Annotated[str | None, typer.Option("--model", help="Only the replies of this model.")] = None,
    json: Json = False,
) -> None:
    """Write the cached replies to a file that --llm replay:FILE answers from."""
    from tetragraph.llm import LlmDatabase, cache, recording

    database = LlmDatabase.of(settings_for())
    try:
        count = recording.write(cache.export_replies(database, model), file)
    finally:
        database.close()
    if json:
        print_json({"file": file, "replies": count})
    else:
        out.print(f"{count:,} replies written to {file}", markup=False, soft_wrap=True)


@commands.command(name="import", epilog="Example: tetragraph llm import replies.jsonl.gz")
def import_replies(file: Recorded, json: Json = False) -> None:
    """Add the replies of a file to the cache; requests that have a reply keep it."""
    from tetragraph.llm import LlmDatabase, cache, recording

    database = LlmDatabase.of(settings_for())
    try:
        read, new = cache.import_replies(database, recording.read(file))
    finally:
        database.close()
    if json:
        print_json({"file": file, "replies": read, "new": new})
    else:
        out.print(f"{read:,} replies read, {new:,} of them new", markup=False)


@commands.command(epilog="Example: tetragraph llm forget --yes")
def forget(
    yes: Annotated[bool, typer.Option("--yes", "-y", help="Do not ask before the replies are deleted.")] = False,
    json: Json = False,
) -> None:
    """Delete all cached replies; the log of their cost stays."""
    from tetragraph.llm import LlmDatabase, cache

    database = LlmDatabase.of(settings_for())
    try:
        if not yes:
            count = cache.count(database)
            typer.confirm(f"delete {count:,} replies, which would have to be paid for again?", abort=True, err=True)
        deleted = cache.forget(database)
    finally:
        database.close()
    if json:
        print_json({"forgotten": deleted})
    else:
        out.print(f"{deleted:,} replies deleted", markup=False)


def _row(total: Total) -> tuple[str | int | float, ...]:
    spent = total.usage
    counts = (spent.calls, spent.cached, spent.failed, spent.input_tokens, spent.output_tokens)
    return total.operation, total.corpus, total.model, *counts, f"{spent.cost:.4f}", spent.seconds
