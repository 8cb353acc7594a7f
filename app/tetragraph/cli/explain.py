"""``explain``: explains hits in words, as a statement for Neo4j Browser, or as a file."""

from __future__ import annotations

from pathlib import Path
from urllib.parse import quote

import typer

from tetragraph.cli.arguments import (
    AsOf,
    Conditions,
    CorpusName,
    CypherOnly,
    ExplainedFile,
    ExplainedQuestion,
    ExplainedRank,
    Force,
    Hits,
    Json,
    MethodName,
    Options,
)
from tetragraph.cli.llm_options import connect, settings_for
from tetragraph.cli.output import err, out, print_json
from tetragraph.cli.search import print_explanation, read_filters, read_options
from tetragraph.errors import NotFound
from tetragraph.model import Evidence
from tetragraph.model.explanations import Explanation
from tetragraph.model.subgraphs import NodeKey, Subgraph
from tetragraph.validation import merge_options

commands = typer.Typer()
LONGEST_LINK = 2000
"""Longest link in characters; terminals and browsers truncate longer ones."""


@commands.command(
    epilog='Examples: tetragraph explain "Who is Mugain\'s mother-in-law?" -c demo --rank 2 | '
    "tetragraph explain '…' -c demo --method gain --out why.html"
)
def explain(
    question: ExplainedQuestion,
    corpus: CorpusName,
    rank: ExplainedRank = None,
    k: Hits = 10,
    method: MethodName = "evidence",
    option: Options = None,
    where: Conditions = None,
    as_of: AsOf = None,
    cypher: CypherOnly = False,
    to: ExplainedFile = None,
    force: Force = False,
    json: Json = False,
) -> None:
    """Search, and explain why a passage was found: the parts of its score, and the graph that led to it."""
    filters, options = read_filters(where or []), read_options(option or [], as_of)
    with connect() as client:
        opened = client.corpus(corpus)
        result = opened.search(**merge_options(options, question=question, k=k, method=method, filters=filters))
        if not len(result):
            raise NotFound(f"there is nothing to explain: method {method!r} found no passage for {question!r}")
        hits = [rank] if rank else [hit.rank for hit in result]
        explanations = [opened.explain(result, hit) for hit in hits]
        subgraph = opened.subgraph(result, *hits)
    if to is not None:
        _save(subgraph, to, result, force)
    if json:
        print_json({"explanations": [one.to_dict() for one in explanations], "cypher": subgraph.cypher})
    elif cypher:
        out.print(subgraph.cypher, markup=False, soft_wrap=True)
    else:
        _show(explanations, subgraph)


def _save(subgraph: Subgraph, to: Path, result: Evidence, force: bool) -> None:
    from tetragraph.export import save_subgraph

    keys = {NodeKey("Chunk", hit.chunk.id): hit for hit in result}
    ranks = {key: hit.rank for key, hit in keys.items()}
    places = {key: hit.places for key, hit in keys.items()}
    save_subgraph(subgraph, to, title=result.question, ranks=ranks, places=places, overwrite=force)
    err.print(f"wrote {to}", markup=False, soft_wrap=True)


def _show(explanations: list[Explanation], subgraph: Subgraph) -> None:
    for one in explanations:
        out.print(one.sentences[0], style="bold", markup=False)
        print_explanation(one)
    out.print("\nIn Neo4j Browser:\n")
    out.print(subgraph.cypher, markup=False, soft_wrap=True)
    link = browser_link(subgraph.cypher)
    if link:
        out.print(f"\nor open it there: {link}", markup=False, soft_wrap=True)


def browser_link(statement: str) -> str:
    """A link that opens a statement in the editor of the local Neo4j Browser; see :func:`edit_link`.

    Empty if a server other than the local one is in use, or if the link would be too long to be clicked.
    """
    from tetragraph.stores import local

    settings = settings_for()
    server = None if settings.neo4j_uri else local.find(settings)
    link = edit_link(server.browser_url, statement) if server else ""
    return link if len(link) <= LONGEST_LINK else ""


def edit_link(browser_url: str, statement: str) -> str:
    """The address of Neo4j Browser, with a statement for its editor that is not run."""
    return f"{browser_url}&cmd=edit&arg={quote(statement)}"
