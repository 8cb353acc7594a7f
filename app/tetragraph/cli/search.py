"""``search``: finds the chunks that answer a question, and prints them."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer
from rich.text import Text

from tetragraph.cli.arguments import (
    AsOf,
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
from tetragraph.cli.output import err, out, print_json
from tetragraph.cli.session_text import NOT_JUDGED
from tetragraph.cli.show import file_link
from tetragraph.client.conditions import COMPARISON, Condition, collect_conditions
from tetragraph.errors import InvalidInput
from tetragraph.evaluate import written_methods
from tetragraph.model import FILE_FILTERS, ChainStep, Evidence, PathStep
from tetragraph.model.explanations import Explanation
from tetragraph.model.usage import Usage
from tetragraph.model.written_values import read_value
from tetragraph.validation import merge_options

commands = typer.Typer()
PREVIEW = 300
"""Largest number of characters of a passage that are printed below its title."""
INDENT = 13
"""Columns before the lines below a hit."""
_CONDITION = re.compile(f"([^=<>]+?)({COMPARISON})(.*)", re.DOTALL)
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
    as_of: AsOf = None,
    explain: Explain = False,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Ask a question and see the passages that carry the answer."""
    budget = read_budget(budget_tokens, budget_money, deadline)
    filters, options = read_filters(where or []), read_options(option or [], as_of)
    with connect(llm) as client:
        opened = client.corpus(corpus)
        evidence = opened.search(
            **merge_options(options, question=question, k=k, method=method, filters=filters, budget=budget)
        )
        explanations = [opened.explain(evidence, hit) for hit in evidence] if explain else None
        statement = opened.subgraph(evidence).cypher if explain and len(evidence) else ""
        files = opened.files([hit.chunk.document_id for hit in evidence]) if out.is_terminal else {}
    if json:
        explained = [one.to_dict() for one in explanations or ()]
        print_json({**evidence.to_dict(), "explanations": explained, "cypher": statement} if explain else evidence)
        return
    show(evidence, explanations=explanations, files=files)
    if statement:
        out.print("\nThe paths to these passages, for Neo4j Browser:\n")
        out.print(statement, markup=False, soft_wrap=True)


def show(
    evidence: Evidence,
    *,
    explanations: Sequence[Explanation] | None = None,
    gold: frozenset[str] = frozenset(),
    files: Mapping[str, str] | None = None,
) -> None:
    """Print the sub-questions, then a few lines for each hit: rank, score and title, file, path, text of the passage.

    Args:
        evidence: Result of a search.
        explanations: Explanation of each hit; if given, the decisions of the search are printed, too.
        gold: Ids of the documents whose chunks are marked with ★.
        files: Paths of files by the id of their document, for links to them.
    """
    from tetragraph.systems.anchor_graph.step_summary import title_of

    ranks = {hit.chunk.id: hit.rank for hit in evidence}
    if explanations is not None:
        for line in decision_lines(evidence.trace):
            print_indented(line, "green")
    for line in chain_lines(evidence.chain, ranks):
        print_indented(line, "magenta")
    for place, hit in enumerate(evidence):
        mark = "★ " if hit.chunk.document_id in gold else ""
        out.print(Text.assemble(f"{hit.rank:>3}  {hit.score:.4f}  ", (mark + title_of(hit), "bold")), soft_wrap=True)
        file = (files or {}).get(hit.chunk.document_id, "")
        out.print(Text(" " * INDENT) + file_link(hit.places, file), soft_wrap=True)
        if hit.path and explanations is None:
            print_indented(path_line(hit.path), "cyan")
        print_indented(textwrap.shorten(hit.chunk.text, PREVIEW, placeholder=" …"), "dim")
        if explanations is not None:
            for fact in hit.facts:
                print_indented(f"fact {fact.rank}: {fact.description}", "green")
            print_explanation(explanations[place])
    if not len(evidence):
        out.print("no passage found")
    print_notes(evidence.notes)
    print_usage(evidence.usage)


def print_explanation(explanation: Explanation) -> None:
    """Print the parts of a score, their largest contributions and the paths, in words; then the notes."""
    for line in explanation.sentences[1:]:
        out.print(Text(" " * INDENT + line, style="green"))
    print_notes(explanation.notes)


def print_notes(notes: Sequence[str]) -> None:
    """Print the notes on a result on standard error."""
    for note in notes:
        err.print(f"note: {note}", markup=False)


def print_usage(usage: Usage) -> None:
    """Print the usage of a language model, if any, on standard error."""
    line = usage_line(usage)
    if line:
        err.print(line, markup=False, soft_wrap=True)


def decision_lines(trace: Mapping[str, Any]) -> Iterator[str]:
    """The decisions of a search, one line for each; empty for methods that record none."""
    from tetragraph.systems.anchor_graph.step_summary import ENDED
    from tetragraph.systems.registry import ANCHOR
    from tetragraph.systems.reranking import PART

    if "complexity" in trace:
        yield complexity_line(trace)
    if PART in trace:
        yield f"reranked by {trace[PART]['model']}, {trace[PART]['pairs']} pairs of a question and a passage"
    if ANCHOR.name in trace:
        for step in trace[ANCHOR.name]["steps"]:
            yield f"step {step['number']}, {step['judgement'] or NOT_JUDGED}: {step['query']}"
        yield f"ended: {ENDED[trace[ANCHOR.name]['stopped']]}"


def complexity_line(trace: Mapping[str, Any]) -> str:
    """The estimated complexity of a question, and the features that determined it."""
    complexity = trace["complexity"]
    features = [
        f"steps {complexity['steps']}",
        f"names {complexity['names']}",
        f"clauses {complexity['clause_depth']}",
        *(["a possessive"] if complexity["has_possessive"] else []),
        *complexity["markers"],
    ]
    return f"{complexity['level']}: {', '.join(features)}"


def chain_lines(chain: Sequence[ChainStep], ranks: Mapping[str, int]) -> Iterator[str]:
    """One line for each sub-question: its text, the ranks of the hits that answer it, and the answers assumed.

    Args:
        chain: Sub-questions in order.
        ranks: Id of a chunk to the rank of its hit.
    """
    for number, step in enumerate(chain, 1):
        bridges = ", ".join(f"{bridge.name} {bridge.weight:.0%}" for bridge in step.bridges)
        hits = ", ".join(str(ranks[chunk]) for chunk, _ in step.passages if chunk in ranks)
        found = f" [{hits}]" if hits else ""
        yield f"#{number} {step.question}{found}" + (f" → {bridges}" if bridges else "")


def path_line(path: Sequence[PathStep]) -> str:
    """The path of a hit or a fact in one line, with a phrase for each relationship.

    A fact inside the path is given by its description. The last fact is not: ``STATED_IN`` names it, or it is the
    result itself.
    """
    phrases: list[str] = []
    for place, step in enumerate(path):
        if step.via != "PARTICIPATES_IN" or place % 2:
            phrases.append(_WORDS[step.via].format(step.label))
        elif path[place + 1 :] and path[place + 1].via != "STATED_IN":
            phrases.append(step.label)
    return " → ".join(phrases)


def print_indented(text: str, style: str) -> None:
    """Print one indented line, truncated at the width of a terminal; whole elsewhere."""
    line = Text(" " * INDENT + " ".join(text.split()), style=style)
    line.truncate(max(out.width, 2 * INDENT), overflow="ellipsis")
    out.print(line)


def read_options(items: Sequence[str], as_of: str | None = None) -> dict[str, Any]:
    """Parse settings such as ``restart=0.3`` to keyword arguments; the day of ``--as-of`` is one of them."""
    found = written_methods.read_options(items)
    return found if as_of is None else {**found, "as_of": as_of}


def read_filters(items: list[str]) -> dict[str, Any]:
    """Parse conditions such as ``year>=1990`` to the filters of a search.

    Several values of a key, given by ``|`` or by several conditions, are alternatives after ``=``; after ``!=`` all of
    them are excluded.

    Raises:
        InvalidInput: a condition cannot be read, or contradicts another one on the same key.
    """
    return collect_conditions(map(_read_condition, items))


def _read_condition(item: str) -> Condition:
    found = _CONDITION.fullmatch(item)
    if found is None:
        raise InvalidInput(
            f"a filter must read KEY=VALUE, KEY!=VALUE, KEY>=VALUE, KEY<=VALUE, KEY>VALUE or KEY<VALUE, got {item!r}"
        )
    key, sign, text = found.groups()
    return Condition(key, sign, _read_values(key, text))


def _read_values(key: str, text: str) -> Any:
    """Alternatives separated by ``|``; a quoted text is one value, and those of files are always texts."""
    value = text if key in FILE_FILTERS else read_value(text)
    if not isinstance(value, str) or value != text or "|" not in text:
        return value
    parts = text.split("|")
    if not all(parts):
        raise InvalidInput(f"alternatives of a filter must not be empty, got {text!r}: quote a text that has a '|'")
    return [part if key in FILE_FILTERS else read_value(part) for part in parts]
