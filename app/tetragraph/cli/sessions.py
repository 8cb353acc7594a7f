"""``sessions list``, ``show``, ``resume``, ``ask``, ``fork``, ``export``, ``delete`` and ``prune``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.text import Text

from tetragraph.cli import session_text
from tetragraph.cli.anchor import read_ttl, show_run, write
from tetragraph.cli.arguments import (
    BudgetMoney,
    BudgetTokens,
    CorpusName,
    Deadline,
    Force,
    ForkedAt,
    ForkQuery,
    Json,
    LlmName,
    NewestSessions,
    Retriever,
    SessionFile,
    SessionForm,
    SessionId,
    SessionPicture,
    TimeToLive,
    YesToSession,
)
from tetragraph.cli.llm_options import connect, read_budget
from tetragraph.cli.output import out, print_json, print_json_text, table
from tetragraph.errors import InvalidInput
from tetragraph.model.anchors import SessionRecord

if TYPE_CHECKING:
    from tetragraph.answering.sessions import AnchorRun, Session

SHORT_ID = 8
"""Digits of an id that are printed; commands accept a prefix."""
commands = typer.Typer(
    name="sessions",
    help="Stored searches in several steps, which `anchor` creates.",
    no_args_is_help=True,
)


@commands.command(name="list", epilog="Example: tetragraph sessions list -c demo --limit 50")
def list_sessions(corpus: CorpusName, limit: NewestSessions = 20, json: Json = False) -> None:
    """List the newest sessions of a corpus."""
    with connect() as client:
        found = client.corpus(corpus).sessions.newest(limit)
    if json:
        print_json(found)
    elif not found:
        out.print(f"no session yet; `tetragraph anchor QUESTION -c {corpus}` creates one", markup=False, soft_wrap=True)
    else:
        table(("id", "started", "steps", "state", "retriever", "question"), [_row(record) for record in found])


def _row(record: SessionRecord) -> list[Text | int]:
    question = Text(session_text.plain(record.question), overflow="ellipsis", no_wrap=True)
    state = Text(record.stopped or record.status)
    return [Text(record.id[:SHORT_ID]), Text(record.started), record.steps, state, Text(record.retriever), question]


@commands.command(
    epilog="Examples: tetragraph sessions show 905839bd -c demo | tetragraph sessions show 9 -c demo --json"
)
def show(session: SessionId, corpus: CorpusName, html: SessionPicture = None, json: Json = False) -> None:
    """Show a session step by step: queries, passages, additions to the graph, conclusions."""
    from tetragraph.systems.anchor_graph.step_summary import chunks_read_per_step

    with connect() as client:
        opened = client.corpus(corpus).session(session)
        if json:
            print_json_text(opened.export("json"))
        else:
            record, steps = opened.record, opened.steps
            about = f"session {record.id}, {record.started}, judged by {session_text.plain(record.reasoner)}"
            if policy := record.options.get("policy"):
                about += f", searches chosen by policy {policy}"
            out.print(Text(about, style="dim"), soft_wrap=True)
            for step in steps:
                session_text.show_step(step, steps, chunks_read_per_step(record))
            session_text.show_end(record.stopped, len(steps))
        if html is not None:
            write(html, opened, "html", quiet=json)


@commands.command(epilog="Example: tetragraph sessions resume 905839bd -c demo --budget-tokens 20000")
def resume(
    session: SessionId,
    corpus: CorpusName,
    html: SessionPicture = None,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Continue a session that was interrupted or ran out of time or budget; take it over from another process."""
    budget = read_budget(budget_tokens, budget_money, deadline)
    _show_run(session, corpus, llm, lambda opened: opened.resume(budget=budget), html, json)


@commands.command(epilog='Example: tetragraph sessions ask 905839bd "When was she born?" -c demo')
def ask(
    session: SessionId,
    question: Annotated[str, typer.Argument(help="The follow-up question.")],
    corpus: CorpusName,
    html: SessionPicture = None,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Ask a follow-up question; its search starts with the session's graph."""
    budget = read_budget(budget_tokens, budget_money, deadline)
    _show_run(session, corpus, llm, lambda opened: opened.ask(question, budget=budget), html, json)


@commands.command(
    epilog="Examples: tetragraph sessions fork 905839bd --at 1 -c demo --retriever gain | "
    'tetragraph sessions fork 905839bd --at 2 -c demo --query "mother of Diarmait mac Cerbaill"'
)
def fork(
    session: SessionId,
    corpus: CorpusName,
    at: ForkedAt,
    query: ForkQuery = "",
    retriever: Retriever = None,
    ttl: TimeToLive = None,
    html: SessionPicture = None,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Copy the first steps of a session into a new one, and continue that with another search."""
    budget = read_budget(budget_tokens, budget_money, deadline)
    arguments: dict[str, Any] = {"query": query, "retriever": retriever or "", "ttl": read_ttl(ttl), "budget": budget}
    _show_run(session, corpus, llm, lambda opened: opened.fork(at, **arguments), html, json)


def _show_run(
    session: str, corpus: str, llm: str | None, start: Callable[[Session], AnchorRun], html: Path | None, json: bool
) -> None:
    """Start a run from a stored session, and print it.

    Args:
        session: Id of the session, or a unique prefix of it.
        corpus: Name of the corpus.
        llm: Language model of the command line.
        start: Starts the run.
        html: File for the page; None for no page.
        json: Whether to print the answer as JSON, and nothing else.
    """
    with connect(llm) as client:
        run = start(client.corpus(corpus).session(session))
        show_run(run, corpus, earlier=run.session.steps, html=html, json=json)


@commands.command(
    epilog="Examples: tetragraph sessions export 905839bd session.json -c demo | "
    "tetragraph sessions export 905839bd graph.graphml -c demo"
)
def export(
    session: SessionId,
    file: SessionFile,
    corpus: CorpusName,
    form: SessionForm = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Write a session to a file: all of it as JSON, its graph as GraphML, or how it grew as a page."""
    from tetragraph.answering.sessions import FORMATS
    from tetragraph.export.files import check_place

    chosen = form or file.suffix.removeprefix(".").lower()
    if chosen not in FORMATS:
        raise InvalidInput(
            f"a session is exported as {', '.join(FORMATS)}, got {chosen or str(file)!r}: name the file like that, "
            f"or give --format"
        )
    check_place(file, "graphml", overwrite=force)  # as any export to one file
    with connect() as client:
        write(file, client.corpus(corpus).session(session), chosen, quiet=json)
    if json:
        print_json({"written": file, "format": chosen})


@commands.command(epilog="Example: tetragraph sessions delete 905839bd -c demo --yes")
def delete(session: SessionId, corpus: CorpusName, yes: YesToSession = False, json: Json = False) -> None:
    """Delete a session; forks of it stay."""
    with connect() as client:
        opened = client.corpus(corpus).session(session)
        if not yes:
            question = session_text.plain(opened.record.question)
            typer.confirm(f"delete session {opened.id} ({question})?", abort=True, err=True)
        opened.delete()
    if json:
        print_json({"deleted": opened.id})
    else:
        out.print(f"deleted session {opened.id}")


@commands.command(epilog="Example: tetragraph sessions prune -c demo")
def prune(corpus: CorpusName, json: Json = False) -> None:
    """Delete the sessions whose time to live is over; see `anchor --ttl`."""
    with connect() as client:
        count = client.corpus(corpus).sessions.prune()
    if json:
        print_json({"pruned": count})
    else:
        out.print(f"{count:,} session{'s' * (count != 1)} deleted")
