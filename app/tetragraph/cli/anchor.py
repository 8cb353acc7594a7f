"""``anchor``: a search in several steps that extend a graph, and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from tetragraph.cli import ask, session_text
from tetragraph.cli.arguments import (
    AnchorOptionItems,
    AskedPassages,
    AsOf,
    BudgetMoney,
    BudgetTokens,
    Conditions,
    CorpusName,
    Deadline,
    Extractive,
    Json,
    LlmName,
    ReadPassages,
    ReasonerOption,
    Retriever,
    SessionPicture,
    Steps,
    TimeToLive,
    Updates,
)
from tetragraph.cli.llm_options import connect, read_budget
from tetragraph.cli.output import err, out, print_json, write_text
from tetragraph.cli.search import read_filters, read_options
from tetragraph.errors import InvalidInput
from tetragraph.model.anchors import AnchorStep
from tetragraph.validation import merge_options

if TYPE_CHECKING:
    from tetragraph.answering.sessions import AnchorRun, Session

LONGEST_TTL = 36_500
"""Largest value of ``--ttl``, in days."""
commands = typer.Typer()


@commands.command(
    epilog='Examples: tetragraph anchor "Who is Mugain\'s mother-in-law?" -c demo | '
    "tetragraph anchor '…' -c demo --retriever gain --steps 3 --html growth.html | "
    "tetragraph anchor '…' -c demo --llm gpt-4o-mini --reasoner llm --budget-tokens 20000"
)
def anchor(
    question: Annotated[str, typer.Argument(help="The question.")],
    corpus: CorpusName,
    k: AskedPassages = 5,
    retriever: Retriever = None,
    steps: Steps = None,
    updates: Updates = None,
    documents: ReadPassages = None,
    reasoner: ReasonerOption = None,
    option: AnchorOptionItems = None,
    where: Conditions = None,
    as_of: AsOf = None,
    ttl: TimeToLive = None,
    html: SessionPicture = None,
    extractive: Extractive = False,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Search in several steps that extend a graph of findings, and answer; `sessions` shows the stored steps."""
    named = {"retriever": retriever, "steps": steps, "updates": updates, "documents": documents, "reasoner": reasoner}
    options: dict[str, Any] = {
        **read_options(option or [], as_of),
        **{name: value for name, value in named.items() if value is not None},
    }
    filters, budget = read_filters(where or []), read_budget(budget_tokens, budget_money, deadline)
    with connect(llm) as client:
        arguments = merge_options(
            options,
            question=question,
            k=k,
            filters=filters,
            budget=budget,
            generate=False if extractive else None,
            ttl=read_ttl(ttl),
        )
        run = client.corpus(corpus).anchor(**arguments)
        show_run(run, corpus, html=html, json=json)


def show_run(run: AnchorRun, corpus: str, *, earlier: Sequence[AnchorStep] = (), html: Path | None, json: bool) -> None:
    """Print the steps while they are computed, then why the search ended and the answer; write the page, if any.

    Args:
        run: A run of which no step has been read.
        corpus: Name of the corpus.
        earlier: Steps that the session had before the run.
        html: File for the page; None for no page.
        json: Whether to print the answer as JSON, and nothing else.
    """
    from tetragraph.systems.anchor_graph.step_summary import chunks_read_per_step

    if json:
        print_json(run.answer)
    else:
        resume = f"tetragraph sessions resume {run.session.id} -c {corpus}"
        err.print(
            f"session {run.session.id}; if it is interrupted, `{resume}` continues it", markup=False, soft_wrap=True
        )
        steps, read = list(earlier), chunks_read_per_step(run.session.record)
        for step in run:
            session_text.show_step(step, steps, read)
            steps = [*(one for one in steps if one.number < step.number), step]
        session_text.show_end(run.stopped, len(steps))
        shown = {note for step in steps for note in step.notes}
        ask.show(replace(run.answer, notes=tuple(note for note in run.answer.notes if note not in shown)))
    if html is not None:
        write(html, run.session, "html", quiet=json)


def write(file: Path, session: Session, form: str, *, quiet: bool) -> None:
    """Write a session to a file, in a format of ``Session.export``."""
    write_text(file, session.export(form))
    if not quiet:
        out.print(f"written to {file}", markup=False, soft_wrap=True)


def read_ttl(days: float | None) -> timedelta | None:
    """The value of ``--ttl`` as a time.

    Raises:
        InvalidInput: the value is not above 0, or longer than a century.
    """
    if days is None:
        return None
    if not 0 < days <= LONGEST_TTL:
        raise InvalidInput(f"--ttl must be a number of days above 0, at most {LONGEST_TTL:,}, got {days:g}")
    return timedelta(days=days)
