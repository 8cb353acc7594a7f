"""``search``: a question to ranked evidence."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.padding import Padding
from rich.text import Text

from tetragraph.cli.arguments import (
    BudgetMoney,
    BudgetTokens,
    Conditions,
    CorpusName,
    Deadline,
    Explain,
    Hits,
    Json,
    LlmName,
    MethodName,
    Options,
)
from tetragraph.cli.llm_options import connect, read_budget, usage_line
from tetragraph.cli.output import err, out, plain, print_json
from tetragraph.cli.session_text import NOT_JUDGED
from tetragraph.errors import InvalidInput
from tetragraph.model import ChainStep, Evidence, PathStep
from tetragraph.model.explanations import Explanation
from tetragraph.model.usage import Usage
from tetragraph.systems.anchor_graph.step_summary import ENDED
from tetragraph.systems.registry import ANCHOR

commands = typer.Typer()
INDENT = 13
_WORDS = {
    "SEED": "{}",
    "DESCRIBES": "describes {}",
    "MENTIONS": "mentions {}",
    "INFO_GAIN": "adds what is {}",
    "CONTAINS": "in the theme {}",
    "PARTICIPATES_IN": "with {}",
    "STATED_IN": "states that {}",
}


@commands.command(
    epilog='Examples: tetragraph search "Who is Mugain\'s mother-in-law?" -c demo --explain | '
    "tetragraph search '…' -c demo --method gain --option engine=memory --filter year=1999"
)
def search(
    question: Annotated[str, typer.Argument(help="The question.")],
    corpus: CorpusName,
    k: Hits = 10,
    method: MethodName = "evidence",
    option: Options = None,
    where: Conditions = None,
    explain: Explain = False,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Ask a question and see the passages that carry the answer."""
    budget = read_budget(budget_tokens, budget_money, deadline)
    filters, options = read_filters(where or []), read_options(option or [])
    with connect(llm) as client:
        asked = client.corpus(corpus)
        evidence = asked.search(question, k=k, method=method, filters=filters, budget=budget, **options)
        explanations = [asked.explain(evidence, hit) for hit in evidence] if explain else None
        statement = asked.subgraph(evidence).cypher if explain and len(evidence) else ""
    if json:
        told = [data_of(one) for one in explanations or ()]
        print_json({**plain(evidence), "explanations": told, "cypher": statement} if explain else evidence)
        return
    show(evidence, explanations=explanations)
    if statement:
        out.print("\nThe ways to these passages, for Neo4j Browser:\n")
        out.print(statement, markup=False, soft_wrap=True)


def show(
    evidence: Evidence, *, explanations: Sequence[Explanation] | None = None, gold: frozenset[str] = frozenset()
) -> None:
    """How the question was taken apart, then a few lines a hit: rank, score and title, the way there, the passage.

    Args:
        evidence: Of a search.
        explanations: One for each hit; where they are given, what the search decided is told, too.
        gold: Passages of these documents are marked.
    """
    ranks = {hit.chunk.id: hit.rank for hit in evidence}
    if explanations is not None:
        for line in decided(evidence.trace):
            indented(line, "green")
    for line in steps(evidence.chain, ranks):
        indented(line, "magenta")
    for place, hit in enumerate(evidence):
        mark = "★ " if hit.chunk.document_id in gold else ""
        out.print(Text.assemble(f"{hit.rank:>3}  {hit.score:.4f}  ", (mark + hit.chunk.title, "bold")))
        if hit.path and explanations is None:
            indented(way(hit.path), "cyan")
        indented(hit.chunk.text, "dim")
        if explanations is not None:
            for fact in hit.facts:
                indented(f"fact {fact.rank}: {fact.description}", "green")
            print_explanation(explanations[place])
    if not len(evidence):
        out.print("no passage found")
    tell_notes(evidence.notes)
    tell_usage(evidence.usage)


def print_explanation(explanation: Explanation) -> None:
    """What a score is made of, what brought that, and the way there, in words; then what has changed since."""
    for line in explanation.sentences[1:]:
        out.print(Padding(Text(line, style="green"), (0, 0, 0, INDENT)))
    tell_notes(explanation.notes)


def data_of(explanation: Explanation) -> dict[str, Any]:
    """An explanation as one can read it without the graph; its subgraph is the statement that draws it."""
    names = ("rank", "score", "chunk", "parts", "paths", "sentences", "cypher", "notes")
    return {name: plain(getattr(explanation, name)) for name in names}


def tell_notes(notes: Sequence[str]) -> None:
    """What is to be said about a result, beside it."""
    for note in notes:
        err.print(f"note: {note}", markup=False)


def tell_usage(usage: Usage) -> None:
    """What a language model cost, beside the result; nothing where none was asked."""
    line = usage_line(usage)
    if line:
        err.print(line, markup=False, soft_wrap=True)


def decided(trace: Mapping[str, Any]) -> Iterator[str]:
    """What a search decided on its way, in a line for each decision; methods that say nothing of it have none."""
    if "complexity" in trace:
        yield complexity(trace)
    if ANCHOR.name in trace:
        for step in trace[ANCHOR.name]["steps"]:
            yield f"step {step['number']}, {step['judgement'] or NOT_JUDGED}: {step['query']}"
        yield f"ended: {ENDED[trace[ANCHOR.name]['stopped']]}"


def complexity(trace: Mapping[str, Any]) -> str:
    """How much work a question was taken to be, and what said so."""
    found = trace["complexity"]
    told = [
        f"steps {found['steps']}",
        f"names {found['names']}",
        f"clauses {found['clause_depth']}",
        *(["a possessive"] if found["has_possessive"] else []),
        *found["markers"],
    ]
    return f"{found['level']}: {', '.join(told)}"


def steps(chain: Sequence[ChainStep], ranks: Mapping[str, int]) -> Iterator[str]:
    """A line for each sub-question: its words, the hits that answer it, and what the answer was taken to be.

    Args:
        chain: The sub-questions.
        ranks: Id of a chunk to the rank of its hit.
    """
    for number, step in enumerate(chain, 1):
        bridges = ", ".join(f"{bridge.name} {bridge.weight:.0%}" for bridge in step.bridges)
        hits = ", ".join(str(ranks[chunk]) for chunk, _ in step.passages if chunk in ranks)
        found = f" [{hits}]" if hits else ""
        yield f"#{number} {step.question}{found}" + (f" → {bridges}" if bridges else "")


def way(path: Sequence[PathStep]) -> str:
    """The path of a hit or a fact in one line: what carried each step.

    A fact on the way is told by its words, unless it is the last: that is told with ``STATED_IN``, or is the result.
    """
    told: list[str] = []
    for place, step in enumerate(path):
        if step.via != "PARTICIPATES_IN" or place % 2:
            told.append(_WORDS[step.via].format(step.label))
        elif path[place + 1 :] and path[place + 1].via != "STATED_IN":
            told.append(step.label)
    return " → ".join(told)


def indented(text: str, style: str) -> None:
    """One line, cut where the terminal ends."""
    line = Text(" " * INDENT + " ".join(text.split()), style=style, no_wrap=True, overflow="ellipsis")
    line.truncate(max(out.width, 2 * INDENT), overflow="ellipsis")
    out.print(line)


def read_options(items: list[str]) -> dict[str, Any]:
    """Settings such as ``restart=0.3`` as keyword arguments."""
    return {name: _value(value) for name, value in map(_pair, items)}


def _pair(item: str) -> tuple[str, str]:
    name, found, value = item.partition("=")
    if not found or not name:
        raise InvalidInput(f"an option must read NAME=VALUE, got {item!r}")
    return name, value


def read_filters(items: list[str]) -> dict[str, Any]:
    """Conditions such as ``year>=1990`` as the filters of a search."""
    filters: dict[str, Any] = {}
    for item in items:
        for sign, bound in ((">=", "gte"), ("<=", "lte"), (">", "gt"), ("<", "lt")):
            key, found, value = item.partition(sign)
            if found:
                filters.setdefault(key, {})[bound] = _value(value)
                break
        else:
            key, value = _pair(item)
            filters[key] = _value(value)
    return filters


def _value(text: str) -> Any:
    """Numbers, booleans, quoted texts and lists as Python writes them; anything else is a text."""
    try:
        return ast.literal_eval(text)
    except (ValueError, SyntaxError):
        return {"true": True, "false": False}.get(text.lower(), text)
