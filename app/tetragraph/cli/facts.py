"""``facts``: finds the facts that answer a question; ``entity``: shows the facts and names of an entity."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

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
    FactOptions,
    FactsShown,
    Hops,
    JoinedAlias,
    Json,
    LlmName,
    OtherEntity,
    SplitAlias,
)
from tetragraph.cli.llm_options import connect, read_budget
from tetragraph.cli.output import TerminalProgress, out, print_json
from tetragraph.cli.search import (
    chain_lines,
    complexity_line,
    path_line,
    print_indented,
    print_notes,
    print_usage,
    read_filters,
    read_options,
)
from tetragraph.errors import InvalidInput
from tetragraph.model import FactEvidence, FactParticipant, FactStatement
from tetragraph.model.display import first_of
from tetragraph.validation import merge_options

if TYPE_CHECKING:
    from tetragraph.client.corpus import Corpus
    from tetragraph.systems.bipartite_graph.entity_lookup import EntityReport
    from tetragraph.systems.bipartite_graph.entity_queries import KnownFact, Way

CHUNKS = 3
"""Largest number of chunks named for each fact."""
commands = typer.Typer()


@commands.command(
    epilog='Examples: tetragraph facts "Who married the founder of the union?" -c demo | '
    "tetragraph facts '…' -c demo -k 20 --option ranking=paper --explain"
)
def facts(
    question: Annotated[str, typer.Argument(help="The question.")],
    corpus: CorpusName,
    k: FactsShown = 10,
    option: FactOptions = None,
    where: Conditions = None,
    as_of: AsOf = None,
    explain: Explain = False,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Ask a question and see the facts that answer it. `build bipartite` extracts them."""
    budget = read_budget(budget_tokens, budget_money, deadline)
    filters, options = read_filters(where or []), read_options(option or [], as_of)
    with connect(llm) as client:
        evidence = client.corpus(corpus).facts(
            **merge_options(options, question=question, k=k, filters=filters, budget=budget)
        )
    if json:
        print_json(evidence)
    else:
        show(evidence, explain=explain)


@commands.command(
    epilog='Examples: tetragraph entity "Mina Holt" -c demo | tetragraph entity "Mina Holt" -c demo --between Halvik | '
    'tetragraph entity "Mina Holt" -c demo --split "M. Holt"'
)
def entity(
    name: Annotated[str, typer.Argument(help="Name of the entity, another one that was merged into it, or its id.")],
    corpus: CorpusName,
    limit: FactsShown = 10,
    between: OtherEntity = None,
    hops: Hops = 2,
    split: SplitAlias = None,
    join: JoinedAlias = None,
    json: Json = False,
) -> None:
    """Show the facts and the merged names of an entity, or its connections to another; undo a merge of names."""
    if sum(choice is not None for choice in (between, split, join)) > 1:
        raise InvalidInput("one of --between, --split and --join can be given, got more: run the command once for each")
    with connect() as client:
        opened = client.corpus(corpus)
        if between is not None:
            _print_paths(opened.entities.between(name, between, hops, limit), json)
        elif split is not None or join is not None:
            _change(opened, name, split, join, json)
        else:
            _print_entity(opened.entities.get(name), opened.entities.facts(name, limit), json)


def show(evidence: FactEvidence, *, explain: bool) -> None:
    """Print the sub-questions, then a few lines for each fact: description, path, participants and chunks."""
    if explain:
        print_indented(complexity_line(evidence.trace), "green")
    for line in chain_lines(evidence.chain, {}):
        print_indented(line, "magenta")
    for fact in evidence:
        out.print(Text.assemble(f"{fact.rank:>3}  {fact.score:.4f}  ", (fact.description, "bold")), soft_wrap=True)
        print_indented(path_line(fact.path), "cyan")
        _print_fact(fact.participants, fact.statements)
    if not len(evidence):
        out.print("no fact found")
    print_notes(evidence.notes)
    print_usage(evidence.usage)


def _print_entity(entity: EntityReport, found: Sequence[KnownFact], json: bool) -> None:
    if json:
        print_json({"entity": entity, "facts": found})
        return
    kind = f"  {entity.type}" if entity.type else ""
    out.print(Text.assemble((entity.name, "bold"), (f"{kind}  {entity.id}  {entity.facts:,} facts", "dim")))
    for alias in entity.aliases:
        place = f", inside {alias.document}" if alias.document else ""
        out.print(Text.assemble("  also ", (alias.alias, "bold"), f"  {alias.reason} {alias.score:.2f}{place}"))
    for name in entity.kept_apart:
        out.print(Text.assemble("  not ", (name, "bold"), "  split from it"))
    for fact in found:
        out.print(Text.assemble("\n", (fact.description, "bold")), soft_wrap=True)
        _print_fact(fact.participants, fact.statements)
    if entity.facts > len(found):
        out.print(Text(f"\n… and {entity.facts - len(found):,} more; --limit shows them", style="dim"))


def _print_fact(participants: Sequence[FactParticipant], statements: Sequence[FactStatement]) -> None:
    ordered = sorted(participants, key=lambda one: one.role != "subject")
    named = ", ".join(f"{one.role} {one.name}" + (f" ({one.type})" if one.type else "") for one in ordered)
    print_indented(named, "green")
    places = [f"{one.chunk} {one.start}–{one.end}" for one in statements]
    print_indented(f"stated in {first_of(places, CHUNKS)}", "dim")


def _print_paths(ways: Sequence[Way], json: bool) -> None:
    if json:
        print_json(ways)
        return
    for number, one in enumerate(ways, 1):
        out.print(Text.assemble(f"{number:>3}  ", (one.descriptions[0], "bold")), soft_wrap=True)
        for name, description in zip(one.names, one.descriptions[1:], strict=True):
            out.print(Text.assemble(("     over ", "dim"), (name, "cyan"), ": ", (description, "bold")), soft_wrap=True)
    if not ways:
        out.print("no path of facts found; --hops 3 searches further")


def _change(corpus: Corpus, name: str, split: str | None, join: str | None, json: bool) -> None:
    with TerminalProgress(quiet=json) as progress:
        if split is not None:
            report = corpus.entities.split(name, split, progress=progress)
            outcome = f"{split} is an entity of its own now; --join undoes that"
        else:
            report = corpus.entities.join(name, str(join), progress=progress)
            outcome = f"{join} may be merged into {name} again"
    if json:
        print_json(report)
    else:
        out.print(f"{outcome} (generation {report.generation})", markup=False, soft_wrap=True)
