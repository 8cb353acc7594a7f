"""``facts``: a question to the facts that answer it; ``entity``: what is known of one thing, and under which names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

import typer
from rich.text import Text

from tetragraph.cli.arguments import (
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
from tetragraph.cli.search import complexity, indented, read_filters, read_options, steps, tell_notes, tell_usage, way
from tetragraph.client.corpus import Corpus
from tetragraph.client.tetragraph import Tetragraph
from tetragraph.errors import InvalidInput
from tetragraph.model import FactEvidence, FactParticipant, FactStatement
from tetragraph.systems.bipartite_graph.entity_lookup import EntityReport
from tetragraph.systems.bipartite_graph.entity_queries import KnownFact, Way

CHUNKS = 3
"""Chunks that are named for each fact."""
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
    explain: Explain = False,
    llm: LlmName = None,
    budget_tokens: BudgetTokens = None,
    budget_money: BudgetMoney = None,
    deadline: Deadline = None,
    json: Json = False,
) -> None:
    """Ask a question and see the facts that answer it. `build bipartite` finds them."""
    budget = read_budget(budget_tokens, budget_money, deadline)
    filters, options = read_filters(where or []), read_options(option or [])
    with connect(llm) as client:
        evidence = client.corpus(corpus).facts(question, k=k, filters=filters, budget=budget, **options)
    if json:
        print_json(evidence)
    else:
        show(evidence, explain=explain)


@commands.command(
    epilog='Examples: tetragraph entity "Mina Holt" -c demo | tetragraph entity "Mina Holt" -c demo --between Halvik | '
    'tetragraph entity "Mina Holt" -c demo --split "M. Holt"'
)
def entity(
    name: Annotated[str, typer.Argument(help="Its name, another one that it has, or its id.")],
    corpus: CorpusName,
    limit: FactsShown = 10,
    between: OtherEntity = None,
    hops: Hops = 2,
    split: SplitAlias = None,
    join: JoinedAlias = None,
    json: Json = False,
) -> None:
    """Show the facts about an entity and the names that mean it; what joins it to another; undo a merge of names."""
    if sum(choice is not None for choice in (between, split, join)) > 1:
        raise InvalidInput("one of --between, --split and --join can be given, got more: run the command once for each")
    with Tetragraph.connect() as client:
        opened = client.corpus(corpus)
        if between is not None:
            _tell_ways(opened.entities.between(name, between, hops, limit), json)
        elif split is not None or join is not None:
            _change(opened, name, split, join, json)
        else:
            _tell_entity(opened.entities.get(name), opened.entities.facts(name, limit), json)


def show(evidence: FactEvidence, *, explain: bool) -> None:
    """How the question was taken apart, then a few lines a fact: what it says, who takes part, where it is stated."""
    if explain:
        indented(complexity(evidence.trace), "green")
    for line in steps(evidence.chain, {}):
        indented(line, "magenta")
    for fact in evidence:
        out.print(Text.assemble(f"{fact.rank:>3}  {fact.score:.4f}  ", (fact.description, "bold")), soft_wrap=True)
        indented(way(fact.path), "cyan")
        _tell_fact(fact.participants, fact.statements)
    if not len(evidence):
        out.print("no fact found")
    tell_notes(evidence.notes)
    tell_usage(evidence.usage)


def _tell_entity(entity: EntityReport, found: Sequence[KnownFact], json: bool) -> None:
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
        _tell_fact(fact.participants, fact.statements)
    if entity.facts > len(found):
        out.print(Text(f"\n… and {entity.facts - len(found):,} more; --limit shows them", style="dim"))


def _tell_fact(participants: Sequence[FactParticipant], statements: Sequence[FactStatement]) -> None:
    ordered = sorted(participants, key=lambda one: one.role != "subject")
    named = ", ".join(f"{one.role} {one.name}" + (f" ({one.type})" if one.type else "") for one in ordered)
    indented(named, "green")
    places = ", ".join(f"{one.chunk} {one.start}–{one.end}" for one in statements[:CHUNKS])
    more = f" and {len(statements) - CHUNKS:,} more" if len(statements) > CHUNKS else ""
    indented(f"stated in {places}{more}", "dim")


def _tell_ways(ways: Sequence[Way], json: bool) -> None:
    if json:
        print_json(ways)
        return
    for number, one in enumerate(ways, 1):
        out.print(Text.assemble(f"{number:>3}  ", (one.descriptions[0], "bold")), soft_wrap=True)
        for name, description in zip(one.names, one.descriptions[1:], strict=True):
            out.print(Text.assemble(("     over ", "dim"), (name, "cyan"), ": ", (description, "bold")), soft_wrap=True)
    if not ways:
        out.print("no way of facts found; --hops 3 looks further")


def _change(corpus: Corpus, name: str, split: str | None, join: str | None, json: bool) -> None:
    with TerminalProgress(quiet=json) as progress:
        if split is not None:
            report = corpus.entities.split(name, split, progress=progress)
            said = f"{split} is an entity of its own now; --join takes that back"
        else:
            report = corpus.entities.join(name, str(join), progress=progress)
            said = f"{join} may mean {name} again"
    if json:
        print_json(report)
    else:
        out.print(f"{said} (generation {report.generation})", markup=False, soft_wrap=True)
