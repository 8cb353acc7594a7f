"""``ask``: answers a question, with citations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated

import typer
from rich.text import Text

from tetragraph.cli.arguments import (
    AskedPassages,
    AskMode,
    AsOf,
    BudgetMoney,
    BudgetTokens,
    Conditions,
    ContextOption,
    CorpusName,
    Deadline,
    ExplainAnswer,
    Extractive,
    Iterations,
    Json,
    LlmName,
    MethodName,
    MinConfidence,
    Options,
    Stream,
)
from tetragraph.cli.llm_options import connect, read_budget
from tetragraph.cli.output import err, out, print_json
from tetragraph.cli.search import print_notes, print_usage, read_filters, read_options
from tetragraph.errors import InvalidInput
from tetragraph.model.answers import MIN_CONFIDENCE, Answer, AnswerExplanation
from tetragraph.validation import merge_options

commands = typer.Typer()
NO_ANSWER = "the evidence does not carry an answer"
NO_QUOTE = "none of the model's quotes occurs in the evidence: its answer could not be checked"
NOT_SURE = "no sure answer; the sentences that come nearest:"
EXTRACTIVE = "extractive: found without a language model"


@commands.command(
    epilog='Examples: tetragraph ask "Who founded the academy?" -c demo | '
    "tetragraph ask '…' -c demo --llm gpt-4o-mini --iterations 4 --budget-tokens 20000 --stream | "
    "tetragraph ask '…' -c demo --method bipartite --mode rl --llm my-policy"
)
def ask(
    question: Annotated[str, typer.Argument(help="The question.")],
    corpus: CorpusName,
    k: AskedPassages = 5,
    method: MethodName = "evidence",
    mode: AskMode = None,
    option: Options = None,
    where: Conditions = None,
    as_of: AsOf = None,
    stream: Stream = False,
    iterations: Iterations = 1,
    context: ContextOption = "passages",
    extractive: Extractive = False,
    min_confidence: MinConfidence = MIN_CONFIDENCE,
    explain: ExplainAnswer = False,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Ask a question and get an answer with its sources: by a language model, else by reading the passages."""
    if stream and json:
        raise InvalidInput(
            "--json prints one document at the end, and cannot be given with --stream: leave out one or the other"
        )
    arguments = merge_options(
        read_options(option or [], as_of),
        question=question,
        k=k,
        method=method,
        filters=read_filters(where or []),
        budget=read_budget(budget_tokens, budget_money, deadline),
        generate=False if extractive else None,
        iterations=iterations,
        context=context,
        min_confidence=min_confidence,
        **({"mode": mode} if mode else {}),
    )
    with connect(llm) as client:
        if stream:
            pieces = client.corpus(corpus).ask_stream(**arguments)
            shown = _show_pieces(pieces)
            answer = pieces.answer
        else:
            shown, answer = None, client.corpus(corpus).ask(**arguments)
    if json:
        print_json(answer)
    else:
        show(answer, with_text=answer.text != shown, with_explanation=explain)


def _show_pieces(pieces: Iterator[str]) -> str:
    """Print the pieces of an answer as they come; returns their text, of which a reply without its form has another."""
    shown = ""
    for piece in pieces:
        out.print(Text(piece, style="bold"), end="", soft_wrap=True)
        shown += piece
    out.print(end="\n" if shown else "")
    return shown


def show(answer: Answer, *, with_text: bool = True, with_explanation: bool = False) -> None:
    """Print the answer, its warnings, on request its explanation, and its citations."""
    if with_text and answer.text:
        out.print(Text(answer.text, style="bold"), soft_wrap=True)
    if answer.insufficient:
        out.print(Text(f"insufficient: {_doubt(answer)}", style="yellow"), soft_wrap=True)
    if answer.kind == "extractive":
        sure = "" if answer.confidence is None else f", confidence {answer.confidence:.0%}"
        out.print(Text(f"{EXTRACTIVE}{sure}", style="dim"), soft_wrap=True)
    if with_explanation and answer.explanation:
        _show_explanation(answer.explanation)
    for number, step in enumerate(answer.steps, 1):
        found = f"thought: {step.thought}" if step.thought else step.answer or "not found"
        out.print(Text(f"follow-up {number}: {step.question} → {found}", style="magenta"), soft_wrap=True)
    for number, citation in enumerate(answer.citations, 1):
        title, quote = (" ".join(text.split()) for text in (citation.title, citation.quote))
        end = citation.offset + len(citation.quote)
        place = f"  {citation.place or citation.document}, characters {citation.offset}-{end}"
        line = Text.assemble(f"[{number}] ", (title, "bold"), f": “{quote}”", (place, "dim"))
        out.print(line, soft_wrap=True)
    if answer.dropped_citations:
        err.print(f"note: {answer.dropped_citations} quotes occur in no passage, and were dropped", markup=False)
    if answer.session:
        out.print(Text(f"session {answer.session}", style="dim"), soft_wrap=True)
    print_notes(answer.notes)
    print_usage(answer.usage)


def _doubt(answer: Answer) -> str:
    """Reason why the evidence does not support the answer."""
    if answer.kind == "extractive" and answer.citations:
        return NOT_SURE
    return NO_QUOTE if answer.text else NO_ANSWER


def _show_explanation(explanation: AnswerExplanation) -> None:
    """Print the sub-questions, the values that decided, and the candidates."""
    for number, step in enumerate(explanation.steps, 1):
        weight = "" if step.weight is None else f" ({step.weight:.0%} in the search)"
        line = f"question {number}: {step.question} → {step.answer or 'not found'}{weight}"
        out.print(Text(line, style="magenta"), soft_wrap=True)
    out.print(Text(f"by {explanation.rule}: {explanation.reason}", style="magenta"), soft_wrap=True)
    for number, one in enumerate(explanation.candidates, 1):
        place = Text(f"  {one.chunk}:{one.start}-{one.end}", style="dim")
        out.print(Text.assemble(f"candidate {number}: {one.text}  {one.probability:.0%}", place), soft_wrap=True)
